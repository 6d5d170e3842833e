// A word is not popped while the queue is empty.
// clk, rst (1 resets), pop: a word is given at this edge, empty: as the design shows it.
module fifo_underflow (input logic clk, rst, pop, empty);
    underflow: assert property (@(posedge clk) disable iff (rst) pop |-> !empty);
endmodule
