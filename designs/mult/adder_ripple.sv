// adder_ripple: ripple-carry adder
// ---------------------------------------------------------------------------
// Parameters   WIDTH   bits of each operand (>= 1)
// Ports        a, b    operands
//              sum     a + b, modulo 2**WIDTH
//              cout    the carry out
// How it works
//   One full adder a bit; the carry passes through all of them.  Smallest, and
//   the reference for the prefix adders.
// ---------------------------------------------------------------------------
module adder_ripple #(
    parameter int WIDTH = 16
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] sum,
    output logic             cout
);

    wire [WIDTH:0] c /* verilator split_var */;     // c[i]: carry into bit i

    assign c[0] = 1'b0;

    generate
        for (genvar i = 0; i < WIDTH; i++) begin : g_bit
            assign sum[i] = a[i] ^ b[i] ^ c[i];
            assign c[i+1] = (a[i] & b[i]) | (a[i] & c[i]) | (b[i] & c[i]);
        end
    endgenerate

    assign cout = c[WIDTH];

endmodule
