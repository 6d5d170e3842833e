// Right: a single bit crosses through a synchroniser; there is no gray code to report.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    output logic q
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) sync <= {sync[0], d_a};

    assign q = sync[1];
endmodule
