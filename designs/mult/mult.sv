// mult: combinational multiplier, assembled from interchangeable parts
// ---------------------------------------------------------------------------
// What it is
//   p = a * b, full width, unsigned or two's complement.  Three parts in a row:
//   partial products, a tree that reduces them to two rows, a final adder.
//
// Parameters
//   WIDTH    bits of each operand (2 .. 64)
//   SIGNED   0 = unsigned, 1 = two's complement
//   PP       0 = simple (Baugh-Wooley if signed), 1 = radix-4 Booth
//   TREE     0 = array, 1 = Wallace, 2 = Dadda
//   ADDER    0 = ripple, 1 = Kogge-Stone, 2 = Brent-Kung
//   BUG      0 = correct; other values seed a defect, see below
//
// Ports
//   a, b     operands, WIDTH bits
//   p        product, 2*WIDTH bits
//
// Why it is right
//   Each part keeps the sum of its bits, weighted by column, modulo
//   2**(2*WIDTH); see the parts for the argument.  mult_check asserts p against
//   the operator *.
//
// Seeded bugs (all functional, found by mult_check)
//   1  partial products: sign correction left out (see the generators)
//   2  the final adder stops one bit short: the top bit of p misses its carry
//   3  a needle: p[0] is wrong for just one pair of operands, a = all ones,
//      b = 10...01.  Random simulation has one chance in 2**(2*WIDTH) a try.
// ---------------------------------------------------------------------------
module mult #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int PP     = 1,
    parameter int TREE   = 1,
    parameter int ADDER  = 1,
    parameter int BUG    = 0
) (
    input  logic [WIDTH-1:0]   a,
    input  logic [WIDTH-1:0]   b,
    output logic [2*WIDTH-1:0] p
);

    localparam int COLS = 2 * WIDTH;
    localparam int ROWS = mult_pkg::pp_rows(PP, WIDTH, SIGNED);
    localparam int PBUG = (BUG == 1) ? 1 : 0;

    logic [ROWS*COLS-1:0] pp;
    logic [COLS-1:0]      x, y, sum;
    logic                 cout;

    // ---- partial products ---------------------------------------------------
    generate
        case (PP)
            mult_pkg::PP_BOOTH: begin : g_booth
                mult_pp_booth #(.WIDTH(WIDTH), .SIGNED(SIGNED), .BUG(PBUG)) gen (
                    .a(a), .b(b), .pp(pp));
            end
            default: begin : g_simple
                mult_pp_simple #(.WIDTH(WIDTH), .SIGNED(SIGNED), .BUG(PBUG)) gen (
                    .a(a), .b(b), .pp(pp));
            end
        endcase
    endgenerate

    // ---- reduction ----------------------------------------------------------
    generate
        case (TREE)
            mult_pkg::TREE_WALLACE: begin : g_wallace
                mult_tree_wallace #(.WIDTH(WIDTH), .SIGNED(SIGNED), .PP(PP)) tree (
                    .pp(pp), .x(x), .y(y));
            end
            mult_pkg::TREE_DADDA: begin : g_dadda
                mult_tree_dadda #(.WIDTH(WIDTH), .SIGNED(SIGNED), .PP(PP)) tree (
                    .pp(pp), .x(x), .y(y));
            end
            default: begin : g_array
                mult_tree_array #(.ROWS(ROWS), .COLS(COLS)) tree (
                    .pp(pp), .x(x), .y(y));
            end
        endcase
    endgenerate

    // ---- final addition -----------------------------------------------------
    generate
        case (ADDER)
            mult_pkg::ADDER_KOGGE_STONE: begin : g_kogge_stone
                adder_kogge_stone #(.WIDTH(COLS)) add (
                    .a(x), .b(y), .sum(sum), .cout(cout));
            end
            mult_pkg::ADDER_BRENT_KUNG: begin : g_brent_kung
                adder_brent_kung #(.WIDTH(COLS)) add (
                    .a(x), .b(y), .sum(sum), .cout(cout));
            end
            default: begin : g_ripple
                adder_ripple #(.WIDTH(COLS)) add (
                    .a(x), .b(y), .sum(sum), .cout(cout));
            end
        endcase
    endgenerate

    wire unused = cout;                    // weight 2**COLS: outside the product

    generate
        if (BUG == 2) begin : g_bug_top
            assign p = {x[COLS-1] ^ y[COLS-1], sum[COLS-2:0]};
        end else if (BUG == 3) begin : g_bug_needle
            logic hit;
            assign hit = (&a) & b[WIDTH-1] & b[0] & ~(|(b & ~{1'b1, {(WIDTH-2){1'b0}}, 1'b1}));
            assign p   = sum ^ {{(COLS-1){1'b0}}, hit};
        end else begin : g_out
            assign p = sum;
        end
    endgenerate

endmodule
