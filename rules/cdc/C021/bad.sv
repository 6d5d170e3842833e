// Wrong: a plain multiplexer switches the clock; a change of sel can cut a pulse short.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       sel,
    output logic [3:0] count = 0
);
    logic clk_mux;

    assign clk_mux = sel ? clk_a : clk_b;

    always_ff @(posedge clk_mux) count <= count + 4'd1;
endmodule
