// Right: a latch, transparent while the clock is low, keeps the enable still while the clock is high.
module top (
    input  logic       clk_a,
    input  logic       en,
    output logic [3:0] count = 0
);
    logic en_a = 0;
    logic en_held;
    logic clk_gated;

    always_ff @(posedge clk_a) en_a <= en;

    always_latch if (!clk_a) en_held = en_a;

    assign clk_gated = clk_a & en_held;

    always_ff @(posedge clk_gated) count <= count + 4'd1;
endmodule
