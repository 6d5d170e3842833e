// mult_pp_simple: partial products, one row a multiplier bit
// ---------------------------------------------------------------------------
// Parameters
//   WIDTH   bits of each operand (2 .. 64)
//   SIGNED  0 = unsigned, 1 = two's complement
//   BUG     1 = the sign correction is left out: the cross terms with a sign
//           bit are not complemented (SIGNED = 1), or the top row is dropped
//           at its top bit (SIGNED = 0)
// Ports
//   a, b    operands
//   pp      ROWS x COLS matrix, see mult_pkg
//
// How it works
//   Unsigned: bit (i, i+j) = a[j] & b[i].
//   Signed (Baugh-Wooley): the top bit of each operand has negative weight.  A
//   term -x*2**k is written (1-x)*2**k - 2**k, so terms with exactly one top bit
//   are complemented, and the left-over constants -2**k add up to
//   2**w + 2**(2w-1) modulo 2**(2w), which is the extra row.
// ---------------------------------------------------------------------------
module mult_pp_simple #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int BUG    = 0,
    // derived, do not set
    parameter int ROWS   = mult_pkg::pp_rows(mult_pkg::PP_SIMPLE, WIDTH, SIGNED),
    parameter int COLS   = 2 * WIDTH
) (
    input  logic [WIDTH-1:0]     a,
    input  logic [WIDTH-1:0]     b,
    output logic [ROWS*COLS-1:0] pp
);

    generate
        for (genvar i = 0; i < WIDTH; i++) begin : g_row
            logic [WIDTH-1:0] term;

            for (genvar j = 0; j < WIDTH; j++) begin : g_bit
                if (SIGNED != 0 && BUG != 1 && ((i == WIDTH-1) != (j == WIDTH-1))) begin : g_neg
                    assign term[j] = ~(a[j] & b[i]);
                end else if (SIGNED == 0 && BUG == 1 && i == WIDTH-1 && j == WIDTH-1) begin : g_lost
                    assign term[j] = 1'b0;
                end else begin : g_pos
                    assign term[j] = a[j] & b[i];
                end
            end

            assign pp[i*COLS +: COLS] = {{WIDTH{1'b0}}, term} << i;
        end

        if (SIGNED != 0) begin : g_constant
            assign pp[WIDTH*COLS +: COLS] = {1'b1, {(COLS-1){1'b0}}} | ({{(COLS-1){1'b0}}, 1'b1} << WIDTH);
        end
    endgenerate

endmodule
