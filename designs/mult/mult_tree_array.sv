// mult_tree_array: linear carry-save reduction, as in an array multiplier
// ---------------------------------------------------------------------------
// Parameters
//   ROWS, COLS   shape of the matrix; ROWS >= 2
// Ports
//   pp           the matrix, row r in bits r*COLS +: COLS
//   x, y         two rows with the same sum, modulo 2**COLS
//
// How it works
//   Each row is added, by a row of full adders, to a running sum kept in
//   carry-save form: x + y + row = (x^y^row) + 2*majority(x, y, row).  Depth
//   grows with ROWS; the wiring is the most regular of all.
// ---------------------------------------------------------------------------
module mult_tree_array #(
    parameter int ROWS = 8,
    parameter int COLS = 16
) (
    input  logic [ROWS*COLS-1:0] pp,
    output logic [COLS-1:0]      x,
    output logic [COLS-1:0]      y
);

    // s[i], c[i]: carry-save sum of rows 0 .. i+1
    wire [COLS-1:0] s [0:ROWS-2] /* verilator split_var */;
    wire [COLS-1:0] c [0:ROWS-2] /* verilator split_var */;

    assign s[0] = pp[0 +: COLS];
    assign c[0] = pp[COLS +: COLS];

    generate
        for (genvar i = 1; i < ROWS-1; i++) begin : g_row
            wire [COLS-1:0] row   = pp[(i+1)*COLS +: COLS];
            wire [COLS-1:0] carry = (s[i-1] & c[i-1]) | (s[i-1] & row) | (c[i-1] & row);
            wire unused = carry[COLS-1];

            assign s[i] = s[i-1] ^ c[i-1] ^ row;
            assign c[i] = {carry[COLS-2:0], 1'b0};
        end
    endgenerate

    assign x = s[ROWS-2];
    assign y = c[ROWS-2];

endmodule
