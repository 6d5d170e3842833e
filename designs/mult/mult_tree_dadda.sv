// mult_tree_dadda: Dadda tree, partial products to two rows
// ---------------------------------------------------------------------------
// What it is
//   Reduces as late as possible: every stage uses just the adders that bring the
//   columns down to the next height of 2, 3, 4, 6, 9, 13 ...  As many stages as a
//   Wallace tree, at the fewest adders.
//   The wiring is in mult_columns.
//
// Parameters
//   WIDTH, SIGNED, PP   which matrix, see mult_pkg
// Ports
//   pp     the matrix
//   x, y   two rows with the same sum, modulo 2**COLS
// ---------------------------------------------------------------------------
module mult_tree_dadda #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int PP     = 0,
    // derived, do not set
    parameter int ROWS   = mult_pkg::pp_rows(PP, WIDTH, SIGNED),
    parameter int COLS   = 2 * WIDTH
) (
    input  logic [ROWS*COLS-1:0] pp,
    output logic [COLS-1:0]      x,
    output logic [COLS-1:0]      y
);

    mult_columns #(
        .WIDTH (WIDTH),
        .SIGNED(SIGNED),
        .PP    (PP),
        .DADDA (1)
    ) columns (
        .pp(pp),
        .x (x),
        .y (y)
    );

endmodule
