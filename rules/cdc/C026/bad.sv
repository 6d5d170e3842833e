// Wrong: the port is promised to clk_b, but a register of clk_a drives it.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    input  logic e,
    (* entail_clock = "clk_b" *) output logic q = 0,
    output logic r = 0
);
    always_ff @(posedge clk_a) q <= d;

    always_ff @(posedge clk_b) r <= e;
endmodule
