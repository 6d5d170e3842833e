// Right: the port is promised to clk_b, and the last register of a synchroniser of clk_b drives it.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    (* entail_clock = "clk_b" *) output logic q
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) sync <= {sync[0], d_a};

    assign q = sync[1];
endmodule
