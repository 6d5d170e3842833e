// The fill level shown to the writer never says less than what is stored and never more than DEPTH.
// A level that is late in seeing reads is allowed; one that misses writes is not.
// wclk, rclk, rst (1 resets both sides), push and pop as they happen, value: the level on the writer's side.
module fifo_status #(parameter int W = 4, DEPTH = 8)
    (input logic wclk, rclk, rst, push, pop, input logic [W-1:0] value);
    localparam int N = $clog2(DEPTH + 1) + 1;
    logic [N-1:0] written, taken;
    always_ff @(posedge wclk or posedge rst) if (rst) written <= '0; else if (push) written <= written + 1'b1;
    always_ff @(posedge rclk or posedge rst) if (rst) taken <= '0; else if (pop) taken <= taken + 1'b1;
    wire [N-1:0] stored = written - taken;
    always_ff @(posedge wclk) if (!rst) begin
        never_less: assert (value >= stored);
        never_beyond: assert (value <= DEPTH);
        capacity: assert (stored <= DEPTH);
    end
endmodule
