// spec_booth: radix-4 Booth recoding
// ---------------------------------------------------------------------------
// An unsigned b is the sum of digit(b, i) * 4**i, with digits in -2 .. 2; so
// a * b is the sum of the rows digit(b, i) * a * 4**i.  A b of w bits has
// w/2 + 1 digits (w even); all further ones are 0.  If b is a signed number
// of w bits, extended to 64 by its sign, then the sum of its first w/2 digits,
// in the same way, is that number.
// Rows and sums are modulo 2 to the power of their width: where a row is taken
// as signed, it is the number itself only if that fits.
// ---------------------------------------------------------------------------
package spec_booth;

    // Digit i, i from 0 to 32: bits 2i+1, 2i, 2i-1 of b, of weight -2, 1, 1;
    // b[-1] and all bits above b[63] are 0.
    // b = 8'd6 = 0110: digit(6, 0) = -2 (100), digit(6, 1) = 2 (011): 2*4 - 2
    function automatic logic signed [2:0] digit(input logic [63:0] b, input int i);
        logic [66:0] from;                        // from bit 2i-1 on
        from = {2'b00, b, 1'b0} >> (2 * i);
        case (from[2:0])
            3'b001, 3'b010: digit = 3'sd1;
            3'b011:         digit = 3'sd2;
            3'b100:         digit = -3'sd2;
            3'b101, 3'b110: digit = -3'sd1;
            default:        digit = 3'sd0;
        endcase
    endfunction

    // digit(b, i) * a * 4**i.  row128(5, 6, 0) = -10, row128(5, 6, 1) = 40
    function automatic logic signed [127:0] row128(input logic [63:0] a, input logic [63:0] b, input int i);
        logic [127:0] m;
        case (digit(b, i))
            3'sd1:   m = {64'b0, a};
            3'sd2:   m = {63'b0, a, 1'b0};
            -3'sd1:  m = 128'd0 - {64'b0, a};
            -3'sd2:  m = 128'd0 - {63'b0, a, 1'b0};
            default: m = 128'd0;
        endcase
        row128 = m << (2 * i);
    endfunction

    // The same of 8-, 16-, 32-bit operands.  row16(5, 6, 0) = 16'hFFF6
    function automatic logic signed [15:0] row16(input logic [7:0] a, input logic [7:0] b, input int i);
        logic [127:0] r;
        r = row128({56'b0, a}, {56'b0, b}, i);
        row16 = r[15:0];
    endfunction

    function automatic logic signed [31:0] row32(input logic [15:0] a, input logic [15:0] b, input int i);
        logic [127:0] r;
        r = row128({48'b0, a}, {48'b0, b}, i);
        row32 = r[31:0];
    endfunction

    function automatic logic signed [63:0] row64(input logic [31:0] a, input logic [31:0] b, input int i);
        logic [127:0] r;
        r = row128({32'b0, a}, {32'b0, b}, i);
        row64 = r[63:0];
    endfunction

    // The sum of all rows: a * b.  sum16(5, 6) = -10 + 40 = 30
    function automatic logic [15:0] sum16(input logic [7:0] a, input logic [7:0] b);
        sum16 = 16'd0;
        for (int i = 0; i <= 4; i++) sum16 = sum16 + row16(a, b, i);
    endfunction

    function automatic logic [31:0] sum32(input logic [15:0] a, input logic [15:0] b);
        sum32 = 32'd0;
        for (int i = 0; i <= 8; i++) sum32 = sum32 + row32(a, b, i);
    endfunction

    function automatic logic [63:0] sum64(input logic [31:0] a, input logic [31:0] b);
        sum64 = 64'd0;
        for (int i = 0; i <= 16; i++) sum64 = sum64 + row64(a, b, i);
    endfunction

    function automatic logic [127:0] sum128(input logic [63:0] a, input logic [63:0] b);
        sum128 = 128'd0;
        for (int i = 0; i <= 32; i++) sum128 = sum128 + row128(a, b, i);
    endfunction

    // The sum of the first k rows, k from 0 to 33: an invariant of a multiplier
    // that adds row after row.  partial128(5, 6, 1) = -10
    function automatic logic [127:0] partial128(input logic [63:0] a, input logic [63:0] b, input int k);
        partial128 = 128'd0;
        for (int i = 0; i <= 32; i++) if (i < k) partial128 = partial128 + row128(a, b, i);
    endfunction

endpackage
