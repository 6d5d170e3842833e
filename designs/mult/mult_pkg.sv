// mult_pkg: names and layout of the partial-product matrix
// ---------------------------------------------------------------------------
// A generator (mult_pp_simple, mult_pp_booth) gives a matrix of ROWS rows by
// COLS = 2*WIDTH columns, bit (r, c) at pp[r*COLS + c], weight 2**c.  The sum of
// all bits, modulo 2**COLS, is the product.  The functions here say which
// places of the matrix can hold a one; the rest are zero and cost no adders.
//
//   simple   row i < w      b[i] times a, in columns i .. i+w-1
//            row w          (signed only) constants of Baugh and Wooley:
//                           ones in columns w and 2w-1
//   booth    row i < n      digit i times a, in columns 2i .. 2i+len-1
//            row n          "+1" of the negative digits, digit i in column 2i
//            row n+1        the constant that makes up for the missing sign
//                           extension, from column len-1 up
//   n   = number of radix-4 digits = signed ? ceil(w/2) : floor(w/2) + 1
//   len = bits of one Booth row    = signed ? w + 1     : w + 2
//
// Within a column the occupied rows are numbered from the top: first the rows
// of the product, which are consecutive, then the extra ones.
// Each function stands alone (none calls another): Icarus Verilog does not
// evaluate nested calls in constant functions.
// ---------------------------------------------------------------------------
package mult_pkg;

    localparam int PP_SIMPLE = 0;              // and any other value
    localparam int PP_BOOTH  = 1;

    // TREE = 0, and any other value: array
    localparam int TREE_WALLACE = 1;
    localparam int TREE_DADDA   = 2;

    // ADDER = 0, and any other value: ripple
    localparam int ADDER_KOGGE_STONE = 1;
    localparam int ADDER_BRENT_KUNG  = 2;

    localparam int MAX_WIDTH = 64;
    localparam int MAX_COLS  = 2 * MAX_WIDTH;
    localparam int HB        = 8;              // bits of one entry in a table

    // Radix-4 digits of the multiplier b.
    function automatic int booth_digits(input int w, input int sgn);
        booth_digits = (sgn != 0) ? (w + 1) / 2 : w / 2 + 1;
    endfunction

    // Bits of one Booth row.
    function automatic int booth_len(input int w, input int sgn);
        booth_len = (sgn != 0) ? w + 1 : w + 2;
    endfunction

    // Rows of the matrix.
    function automatic int pp_rows(input int pp, input int w, input int sgn);
        if (pp == PP_BOOTH) pp_rows = ((sgn != 0) ? (w + 1) / 2 : w / 2 + 1) + 2;
        else                pp_rows = (sgn != 0) ? w + 1 : w;
    endfunction

    // Occupied places in each column: entry c in bits c*HB +: HB.
    function automatic logic [MAX_COLS*HB-1:0] pp_heights(
        input int pp, input int w, input int sgn
    );
        int n, len, lo, hi, h;
        pp_heights = '0;
        n   = (sgn != 0) ? (w + 1) / 2 : w / 2 + 1;
        len = (sgn != 0) ? w + 1 : w + 2;
        for (int c = 0; c < 2 * w; c = c + 1) begin
            if (pp == PP_BOOTH) begin
                lo = (c < len) ? 0 : (c - len + 2) / 2;
                hi = (c / 2 < n) ? c / 2 : n - 1;
                h  = (hi >= lo) ? hi - lo + 1 : 0;
                if (c % 2 == 0 && c / 2 < n) h = h + 1;
                if (c == len - 1 || (c >= len && (c - len) % 2 == 0)) h = h + 1;
            end else begin
                lo = (c < w) ? 0 : c - w + 1;
                hi = (c < w) ? c : w - 1;
                h  = (hi >= lo) ? hi - lo + 1 : 0;
                if (sgn != 0 && (c == w || c == 2 * w - 1)) h = h + 1;
            end
            pp_heights[c*HB +: HB] = h[HB-1:0];
        end
    endfunction

    // The row of the k-th occupied place in column c.
    function automatic int pp_row_at(
        input int pp, input int w, input int sgn, input int c, input int k
    );
        int n, len, lo, hi, cnt;
        n   = (sgn != 0) ? (w + 1) / 2 : w / 2 + 1;
        len = (sgn != 0) ? w + 1 : w + 2;
        if (pp == PP_BOOTH) begin
            lo  = (c < len) ? 0 : (c - len + 2) / 2;
            hi  = (c / 2 < n) ? c / 2 : n - 1;
            cnt = (hi >= lo) ? hi - lo + 1 : 0;
            if (k < cnt)                                          pp_row_at = lo + k;
            else if (k == cnt && c % 2 == 0 && c / 2 < n)         pp_row_at = n;
            else                                                  pp_row_at = n + 1;
        end else begin
            lo  = (c < w) ? 0 : c - w + 1;
            hi  = (c < w) ? c : w - 1;
            cnt = (hi >= lo) ? hi - lo + 1 : 0;
            if (k < cnt) pp_row_at = lo + k;
            else         pp_row_at = w;
        end
    endfunction

endpackage
