// mult_pp_booth: partial products by radix-4 Booth recoding
// ---------------------------------------------------------------------------
// Parameters
//   WIDTH   bits of each operand (2 .. 64)
//   SIGNED  0 = unsigned, 1 = two's complement
//   BUG     1 = the "+1" of a negative digit 0 is forgotten, so that digit
//           comes out one too small
// Ports
//   a, b    operands; b is recoded
//   pp      ROWS x COLS matrix, see mult_pkg
//
// How it works
//   b, extended by its sign (or by zeros), is read in overlapping groups of
//   three bits, b[2i+1] b[2i] b[2i-1]; group i is the digit
//       d = -2*b[2i+1] + b[2i] + b[2i-1]      in -2 .. 2
//   and b = sum d_i * 4**i.  That halves the rows.
//     one   |d| = 1: row is a          two   |d| = 2: row is 2a
//     neg   d < 0 (or 111, which is 0): row is complemented, and 1 is added in
//           column 2i, by row n
//   Each row is a two's complement number of LEN bits.  Rather than extend its
//   sign s to the left end, use  -s*2**k = (1-s)*2**k - 2**k : complement the
//   top bit of each row and add, once, the constant - sum 2**(LEN-1+2i), which is
//   row n+1.  Modulo 2**COLS that constant has ones at column LEN-1 and at
//   columns LEN, LEN+2, LEN+4 ...
// ---------------------------------------------------------------------------
module mult_pp_booth #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int BUG    = 0,
    // derived, do not set
    parameter int ROWS   = mult_pkg::pp_rows(mult_pkg::PP_BOOTH, WIDTH, SIGNED),
    parameter int COLS   = 2 * WIDTH
) (
    input  logic [WIDTH-1:0]     a,
    input  logic [WIDTH-1:0]     b,
    output logic [ROWS*COLS-1:0] pp
);

    localparam int N   = mult_pkg::booth_digits(WIDTH, SIGNED);
    localparam int LEN = mult_pkg::booth_len(WIDTH, SIGNED);

    // a as a LEN-bit two's complement number, and twice it.
    logic           a_sign;
    logic [LEN-1:0] ax, ax2;
    // b extended to 2N bits, with a zero to the right.
    logic [2*N:0]   bx;

    assign a_sign = (SIGNED != 0) & a[WIDTH-1];
    assign ax     = {{(LEN-WIDTH){a_sign}}, a};
    assign ax2    = {ax[LEN-2:0], 1'b0};

    generate
        for (genvar k = 0; k <= 2*N; k++) begin : g_bx
            if (k == 0)           begin : g_right assign bx[k] = 1'b0;   end
            else if (k <= WIDTH)  begin : g_copy  assign bx[k] = b[k-1]; end
            else                  begin : g_left  assign bx[k] = (SIGNED != 0) & b[WIDTH-1]; end
        end

        for (genvar i = 0; i < N; i++) begin : g_row
            logic           one, two, neg;
            logic [LEN-1:0] mag, row;

            assign one = bx[2*i+1] ^ bx[2*i];
            assign two = (bx[2*i+2] ^ bx[2*i+1]) & ~one;
            assign neg = bx[2*i+2];
            assign mag = ({LEN{one}} & ax) | ({LEN{two}} & ax2);
            // complemented if negative; the top bit the other way round
            assign row = mag ^ {LEN{neg}} ^ {1'b1, {(LEN-1){1'b0}}};

            // in its place; zeros elsewhere
            logic [LEN+COLS-1:0] wide;
            assign wide = {{COLS{1'b0}}, row} << (2*i);
            assign pp[i*COLS +: COLS] = wide[COLS-1:0];
            wire unused = &{1'b0, wide[LEN+COLS-1:COLS]};   // beyond the product
        end

    endgenerate

    logic [COLS-1:0] ones, comp;

    generate
        for (genvar c = 0; c < COLS; c++) begin : g_extra
            if (c % 2 == 0 && c / 2 < N && !(BUG == 1 && c == 0)) begin : g_neg
                assign ones[c] = bx[c + 2];
            end else begin : g_none
                assign ones[c] = 1'b0;
            end
            if (c == LEN-1 || (c >= LEN && (c - LEN) % 2 == 0)) begin : g_one
                assign comp[c] = 1'b1;
            end else begin : g_zero
                assign comp[c] = 1'b0;
            end
        end
    endgenerate

    assign pp[N*COLS     +: COLS] = ones;
    assign pp[(N+1)*COLS +: COLS] = comp;


endmodule
