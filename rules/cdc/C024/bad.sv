// Wrong: registers of clk_a and of clk_b sample the same input, which cannot be timed to both.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    output logic q_a = 0,
    output logic q_b = 0
);
    always_ff @(posedge clk_a) q_a <= d;

    always_ff @(posedge clk_b) q_b <= d;
endmodule
