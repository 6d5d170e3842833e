// mult_tree_wallace: Wallace tree, partial products to two rows
// ---------------------------------------------------------------------------
// What it is
//   Reduces as early as possible: every stage uses all the adders that fit, so
//   heights shrink by about 3/2 a stage.  More adders than a Dadda tree, mostly
//   half adders, but a shorter final carry chain at the low end.
//   The wiring is in mult_columns.
//
// Parameters
//   WIDTH, SIGNED, PP   which matrix, see mult_pkg
// Ports
//   pp     the matrix
//   x, y   two rows with the same sum, modulo 2**COLS
// ---------------------------------------------------------------------------
module mult_tree_wallace #(
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
        .DADDA (0)
    ) columns (
        .pp(pp),
        .x (x),
        .y (y)
    );

endmodule
