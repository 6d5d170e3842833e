// Right: the input is registered in clk_a only, and reaches clk_b through a synchroniser.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    output logic q_a = 0,
    output logic q_b
);
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) q_a <= d;

    always_ff @(posedge clk_b) sync <= {sync[0], q_a};

    assign q_b = sync[1];
endmodule
