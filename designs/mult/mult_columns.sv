// mult_columns: column-wise reduction of the partial products to two rows
// ---------------------------------------------------------------------------
// What it is
//   The engine of mult_tree_wallace and mult_tree_dadda.  Bits of equal weight
//   form a column; stage after stage, full adders (3 bits -> 1 here, 1 carry in
//   the next column) and half adders (2 -> 1 and 1) shrink the columns until
//   none is higher than two.
//
// Parameters
//   WIDTH, SIGNED, PP   which matrix, see mult_pkg
//   DADDA               0 = Wallace's policy: in each stage, all the adders that
//                           fit: floor(h/3) full adders, and a half adder if two
//                           bits are left over
//                       1 = Dadda's policy: only the adders needed to bring each
//                           column down to the next of 2, 3, 4, 6, 9, 13, 19 ...
// Ports
//   pp     the matrix
//   x, y   two rows with the same sum, modulo 2**COLS
//
// How it works
//   The plan is worked out while elaborating, by a constant function, into
//   tables of each stage's columns: H, the height before the stage; FA and HA,
//   the adders in it; HN, the height after it, which is
//       HN = H - 2*FA - HA + (FA + HA of the column to the right).
//   The generate loops then only wire.  Column c before stage s is the vector
//   st[s*COLS + c], of which the first H bits are in use:
//       input of the stage    FA*3 bits | HA*2 bits | bits passed on
//       output of the stage   FA sums | HA sums | bits passed on | carries of
//                             the FAs to the right | carries of the HAs there
//   Carries out of the last column have weight 2**COLS and are dropped.
// ---------------------------------------------------------------------------
module mult_columns #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int PP     = 0,
    parameter int DADDA  = 0,
    // derived, do not set
    parameter int ROWS   = mult_pkg::pp_rows(PP, WIDTH, SIGNED),
    parameter int COLS   = 2 * WIDTH
) (
    input  logic [ROWS*COLS-1:0] pp,
    output logic [COLS-1:0]      x,
    output logic [COLS-1:0]      y
);

    localparam int HB   = mult_pkg::HB;
    localparam int MAXH = (ROWS < 3) ? 3 : ROWS;
    localparam int MAXS = 12;                    // more stages than ever needed

    localparam logic [mult_pkg::MAX_COLS*HB-1:0] HEIGHTS =
        mult_pkg::pp_heights(PP, WIDTH, SIGNED);
    localparam logic [COLS*HB-1:0] H0 = HEIGHTS[COLS*HB-1:0];

    // Plays the reduction up to the given stage and returns one row of a table,
    // column c in bits c*HB +: HB:
    //   which = 0 heights before the stage, 1 full adders, 2 half adders in it;
    //   which = 3 instead returns the number of stages, in the low bits.
    function automatic logic [COLS*HB-1:0] plan(
        input logic [COLS*HB-1:0] first,
        input int which,
        input int stage
    );
        logic [COLS*HB-1:0] cur, nxt;            // heights before and after
        int tall, target, d, h, fa, ha, cin, excess, stages;

        plan   = '0;
        cur    = first;
        stages = 0;
        for (int s = 0; s <= stage; s = s + 1) begin
            // the tallest column
            tall = 0;
            for (int c = 0; c < COLS; c = c + 1) begin
                h = {{(32-HB){1'b0}}, cur[c*HB +: HB]};
                if (h > tall) tall = h;
            end
            // Dadda's target: the largest of 2, 3, 4, 6, 9, 13 ... below tall
            target = 2;
            d      = 2;
            for (int j = 0; j < 12; j = j + 1) begin
                if (d < tall) target = d;
                d = (d * 3) / 2;
            end
            if (tall > 2) stages = stages + 1;

            nxt = '0;
            cin = 0;
            for (int c = 0; c < COLS; c = c + 1) begin
                h  = {{(32-HB){1'b0}}, cur[c*HB +: HB]};
                fa = 0;
                ha = 0;
                if (tall > 2) begin
                    if (DADDA != 0) begin
                        excess = h + cin - target;
                        if (excess > 0) begin
                            fa = excess / 2;
                            ha = excess % 2;
                        end
                    end else begin
                        fa = h / 3;
                        if (h % 3 == 2) ha = 1;
                    end
                end
                if (s == stage) begin
                    if (which == 0) plan[c*HB +: HB] = h[HB-1:0];
                    if (which == 1) plan[c*HB +: HB] = fa[HB-1:0];
                    if (which == 2) plan[c*HB +: HB] = ha[HB-1:0];
                end
                h   = h - 2 * fa - ha + cin;
                cin = fa + ha;
                nxt[c*HB +: HB] = h[HB-1:0];
            end
            cur = nxt;
        end
        if (which == 3) plan[HB-1:0] = stages[HB-1:0];
    endfunction

    localparam logic [COLS*HB-1:0] COUNT = plan(H0, 3, MAXS);

    localparam int STAGES = {{(32-HB){1'b0}}, COUNT[HB-1:0]};

    wire [COLS-1:0] row [0:ROWS-1];
    // one short vector a column and stage: st[s*COLS + c]
    wire [MAXH-1:0] st [0:(STAGES+1)*COLS-1] /* verilator split_var */;

    generate
        // ---- before stage 0: the matrix, column by column -------------------
        for (genvar r = 0; r < ROWS; r++) begin : g_rows
            assign row[r] = pp[r*COLS +: COLS];
        end

        for (genvar c = 0; c < COLS; c++) begin : g_first
            localparam int H_IN = {{(32-HB){1'b0}}, H0[c*HB +: HB]};
            for (genvar k = 0; k < H_IN; k++) begin : g_bit
                localparam int ROW = mult_pkg::pp_row_at(PP, WIDTH, SIGNED, c, k);
                assign st[c][k] = row[ROW][c];
            end
            if (H_IN < MAXH) begin : g_pad
                assign st[c][MAXH-1:H_IN] = '0;
            end
        end

        // ---- the stages -----------------------------------------------------
        for (genvar s = 0; s < STAGES; s++) begin : g_stage
            localparam logic [COLS*HB-1:0] H  = plan(H0, 0, s);
            localparam logic [COLS*HB-1:0] FA = plan(H0, 1, s);
            localparam logic [COLS*HB-1:0] HA = plan(H0, 2, s);
            localparam logic [COLS*HB-1:0] HN = plan(H0, 0, s + 1);

            for (genvar c = 0; c < COLS; c++) begin : g_col
                localparam int HERE  = s*COLS + c;
                localparam int NEXT  = (s+1)*COLS + c;
                localparam int H_IN  = {{(32-HB){1'b0}}, H [c*HB +: HB]};
                localparam int N_FA  = {{(32-HB){1'b0}}, FA[c*HB +: HB]};
                localparam int N_HA  = {{(32-HB){1'b0}}, HA[c*HB +: HB]};
                localparam int H_OUT = {{(32-HB){1'b0}}, HN[c*HB +: HB]};
                localparam int PASS  = H_IN - 3*N_FA - 2*N_HA;
                localparam int LAST  = (c == COLS-1) ? 1 : 0;
                // where the carries start in the next column to the left: after
                // the sums and the bits passed on there
                localparam int CL    = (LAST != 0) ? c : c + 1;
                localparam int BASE  = {{(32-HB){1'b0}}, HN[CL*HB +: HB]} - N_FA - N_HA;

                // full adders, all of the column at once: first, second and third
                // inputs are three slices of the column
                if (N_FA > 0) begin : g_fa
                    wire [N_FA-1:0] p = st[HERE][0      +: N_FA];
                    wire [N_FA-1:0] q = st[HERE][N_FA   +: N_FA];
                    wire [N_FA-1:0] r = st[HERE][2*N_FA +: N_FA];
                    assign st[NEXT][0 +: N_FA] = p ^ q ^ r;
                    if (LAST == 0) begin : g_carry
                        assign st[NEXT+1][BASE +: N_FA] = (p & q) | (p & r) | (q & r);
                    end
                end

                // the half adder; there is never more than one
                if (N_HA > 0) begin : g_ha
                    wire p = st[HERE][3*N_FA];
                    wire q = st[HERE][3*N_FA + 1];
                    assign st[NEXT][N_FA] = p ^ q;
                    if (LAST == 0) begin : g_carry
                        assign st[NEXT+1][BASE + N_FA] = p & q;
                    end
                end

                if (PASS > 0) begin : g_pass
                    assign st[NEXT][N_FA + N_HA +: PASS] =
                           st[HERE][3*N_FA + 2*N_HA +: PASS];
                end

                if (H_OUT < MAXH) begin : g_pad
                    assign st[NEXT][MAXH-1:H_OUT] = '0;
                end
            end
        end

        // ---- the two rows ---------------------------------------------------
        for (genvar c = 0; c < COLS; c++) begin : g_last
            assign x[c] = st[STAGES*COLS + c][0];
            assign y[c] = st[STAGES*COLS + c][1];
        end
    endgenerate

endmodule
