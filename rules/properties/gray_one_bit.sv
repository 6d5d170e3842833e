// From one edge to the next at most one bit of a word changes, as in a Gray code that crosses clocks.
// clk, rst (1 resets), value: the word as it is registered.
module gray_one_bit #(parameter int W = 4) (input logic clk, rst, input logic [W-1:0] value);
    logic [W-1:0] last;
    logic known;
    always_ff @(posedge clk or posedge rst)
        if (rst) known <= 1'b0;
        else known <= 1'b1;
    always_ff @(posedge clk) last <= value;
    one_bit: assert property (@(posedge clk) disable iff (rst) known |-> $onehot0(value ^ last));
endmodule
