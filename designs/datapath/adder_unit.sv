// adder_unit: adder with carry in and carry out
// ---------------------------------------------------------------------------
// What it is
//   {cout, sum} = a + b + cin.  Combinational; no asserts, see proofs/.
//
// Parameters
//   WIDTH   bits of each operand (>= 2)
//   KIND    the carries: 0 = ripple, 1 = Kogge-Stone, 2 = Brent-Kung
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   a, b, cin    operands, carry in
//   sum, cout    the sum modulo 2**WIDTH, the carry out
//
// How it works
//   The carry in is one more place, on the right, that generates cin; place
//   i+1 is bit i.  carry_net gives the carry into every bit, carry[i], and
//   carry[WIDTH] out of the last.
//
// Why it is right
//   sum[i] = a[i] ^ b[i] ^ carry[i], and carry[i+1] is the majority of a[i],
//   b[i] and carry[i], since a[i]&b[i] | (a[i]^b[i])&carry[i] is.
//
// Seeded bugs
//   1  the carry is cut at bit WIDTH/2: what comes in there does not go on to
//      the next bit
//   2  cin is ignored
//   3  a needle: the cell that joins the whole word to the carry in, for cout,
//      takes the generate of bit 0 in its place.  cout is wrong only if every
//      bit propagates (a = ~b) and cin is 1: one case in 2**(WIDTH+1).
// ---------------------------------------------------------------------------
module adder_unit #(
    parameter int WIDTH = 64,
    parameter int KIND  = 1,
    parameter int BUG   = 0
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    input  logic             cin,
    output logic [WIDTH-1:0] sum,
    output logic             cout
);

    logic [WIDTH-1:0] g, p, pc;
    logic [WIDTH:0]   carry;

    assign g = a & b;
    assign p = a ^ b;

    generate
        for (genvar i = 0; i < WIDTH; i++) begin : g_through
            if (BUG == 1 && i == WIDTH / 2) begin : g_cut
                assign pc[i] = 1'b0;
            end else begin : g_pass
                assign pc[i] = p[i];
            end
        end
    endgenerate

    carry_net #(.N(WIDTH + 1), .KIND(KIND)) net (
        .g({g, (BUG == 2) ? 1'b0 : cin}),
        .p({pc, 1'b0}),
        .c(carry)
    );

    assign sum = p ^ carry[WIDTH-1:0];

    generate
        if (BUG == 3) begin : g_bug_cell
            assign cout = (&p) ? g[0] : carry[WIDTH];
        end else begin : g_out
            assign cout = carry[WIDTH];
        end
    endgenerate

endmodule
