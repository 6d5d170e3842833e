// saturate: the sum of two numbers, or the greatest number where that is too much.
module saturate #(
    parameter int WIDTH = 16
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] sum
);
    logic [WIDTH:0] wide;
    assign wide = {1'b0, a} + {1'b0, b};
    assign sum  = wide[WIDTH] ? '1 : wide[WIDTH-1:0];
endmodule
