// Wrong: a register of clk_b captures four bits of clk_a at every edge; nothing says when they are stable.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic [3:0] d,
    output logic [3:0] q = 0
);
    logic [3:0] d_a = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) q <= d_a;
endmodule
