// Wrong: the enable changes just after the rising edge, while the AND gate lets the clock through.
module top (
    input  logic       clk_a,
    input  logic       en,
    output logic [3:0] count = 0
);
    logic en_a = 0;
    logic clk_gated;

    always_ff @(posedge clk_a) en_a <= en;

    assign clk_gated = clk_a & en_a;

    always_ff @(posedge clk_gated) count <= count + 4'd1;
endmodule
