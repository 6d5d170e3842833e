// Wrong: registers of clk_a and of clk_b meet in a gate in front of a synchroniser of clk_c.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic clk_c,
    input  logic x,
    input  logic y,
    output logic q
);
    logic x_a = 0, y_b = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) x_a <= x;

    always_ff @(posedge clk_b) y_b <= y;

    always_ff @(posedge clk_c) sync <= {sync[0], x_a & y_b};

    assign q = sync[1];
endmodule
