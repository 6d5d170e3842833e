// Wrong: a latch, open while clk_b is low, is meant to calm the bit of clk_a; it only captures it first.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    output logic q
);
    logic d_a = 0;
    logic held;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_latch if (!clk_b) held = d_a;

    always_ff @(posedge clk_b) sync <= {sync[0], held};

    assign q = sync[1];
endmodule
