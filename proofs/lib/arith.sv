// spec_arith: what arithmetic on words means, written plainly
// ---------------------------------------------------------------------------
// Pure functions, mostly of 64-bit arguments; a narrower unsigned word is
// passed extended by zeros.  Where the width of the word matters (signs,
// saturation, leading zeros) it is 64 unless the name says otherwise.
// The example after each function was worked out by hand.
// ---------------------------------------------------------------------------
package spec_arith;

    // ---- sums, differences, products ------------------------------------------

    // a + b + cin, modulo 2**128.  Of 64-bit arguments, bit 64 is the carry.
    // add128(2**64 - 1, 0, 1) = 2**64
    function automatic logic [127:0] add128(input logic [127:0] a, input logic [127:0] b, input logic cin);
        add128 = a + b + {127'b0, cin};
    endfunction

    // a - b, modulo 2**128.  sub128(3, 5) = 2**128 - 2
    function automatic logic [127:0] sub128(input logic [127:0] a, input logic [127:0] b);
        sub128 = a - b;
    endfunction

    // a * b, unsigned, exact.  mul128(2**64 - 1, 2) = 2**65 - 2
    function automatic logic [127:0] mul128(input logic [63:0] a, input logic [63:0] b);
        mul128 = {64'b0, a} * {64'b0, b};
    endfunction

    // a * b, signed, exact.  smul128(-1, 5) = -5, that is 2**128 - 5
    function automatic logic [127:0] smul128(input logic [63:0] a, input logic [63:0] b);
        smul128 = {{64{a[63]}}, a} * {{64{b[63]}}, b};
    endfunction

    // ---- bits ------------------------------------------------------------------

    // How many bits of x are set.  popcount64(64'hF1) = 5
    function automatic logic [6:0] popcount64(input logic [63:0] x);
        popcount64 = 7'd0;
        for (int i = 0; i < 64; i++) popcount64 = popcount64 + {6'b0, x[i]};
    endfunction

    // How many zeros are left of the leftmost 1; 64 for x = 0.  clz64(1) = 63
    function automatic logic [6:0] clz64(input logic [63:0] x);
        clz64 = 7'd64;
        for (int i = 0; i < 64; i++) if (x[i]) clz64 = 7'd63 - i[6:0];
    endfunction

    // How many zeros are right of the rightmost 1; 64 for x = 0.  ctz64(8) = 3
    function automatic logic [6:0] ctz64(input logic [63:0] x);
        ctz64 = 7'd64;
        for (int i = 63; i >= 0; i--) if (x[i]) ctz64 = i[6:0];
    endfunction

    // 1 if an odd number of bits is set.  parity64(7) = 1
    function automatic logic parity64(input logic [63:0] x);
        parity64 = ^x;
    endfunction

    // 1 if just one bit is set.  onehot64(8) = 1, onehot64(0) = 0
    function automatic logic onehot64(input logic [63:0] x);
        onehot64 = (x != 64'd0) && ((x & (x - 64'd1)) == 64'd0);
    endfunction

    // The bits in reverse order.  reverse64(1) = 2**63
    function automatic logic [63:0] reverse64(input logic [63:0] x);
        for (int i = 0; i < 64; i++) reverse64[i] = x[63 - i];
    endfunction

    // The low w bits of x, the others zero; w up to 64.  low64(64'hABC, 8) = 64'hBC
    function automatic logic [63:0] low64(input logic [63:0] x, input int w);
        for (int i = 0; i < 64; i++) low64[i] = x[i] & (i < w);
    endfunction

    // The low w bits of x, read as a signed number; w from 1 to 64.
    // sext64(64'h80, 8) = -128
    function automatic logic [63:0] sext64(input logic [63:0] x, input int w);
        logic sign;
        sign = 1'b0;
        for (int i = 0; i < 64; i++) begin
            if (i < w) sign = x[i];
            sext64[i] = sign;
        end
    endfunction

    // ---- Gray code -------------------------------------------------------------

    // The Gray code of x.  gray64(5) = 7
    function automatic logic [63:0] gray64(input logic [63:0] x);
        gray64 = x ^ (x >> 1);
    endfunction

    // The number with the Gray code g: bit i is the parity of bits 63 .. i.
    // ungray64(7) = 5
    function automatic logic [63:0] ungray64(input logic [63:0] g);
        logic bit_above;
        bit_above = 1'b0;
        for (int i = 63; i >= 0; i--) begin
            bit_above   = bit_above ^ g[i];
            ungray64[i] = bit_above;
        end
    endfunction

    // ---- order -----------------------------------------------------------------

    // 1 if a < b as signed numbers.  slt64(-1, 0) = 1
    function automatic logic slt64(input logic [63:0] a, input logic [63:0] b);
        slt64 = (a[63] != b[63]) ? a[63] : (a < b);
    endfunction

    // The smaller, the greater; u: unsigned, s: signed.
    // umin64(-1, 2) = 2, smin64(-1, 2) = -1
    function automatic logic [63:0] umin64(input logic [63:0] a, input logic [63:0] b);
        umin64 = (a < b) ? a : b;
    endfunction

    function automatic logic [63:0] umax64(input logic [63:0] a, input logic [63:0] b);
        umax64 = (a < b) ? b : a;
    endfunction

    function automatic logic [63:0] smin64(input logic [63:0] a, input logic [63:0] b);
        smin64 = slt64(a, b) ? a : b;
    endfunction

    function automatic logic [63:0] smax64(input logic [63:0] a, input logic [63:0] b);
        smax64 = slt64(a, b) ? b : a;
    endfunction

    // The magnitude of a signed number, as unsigned.  abs64(-5) = 5,
    // abs64(-2**63) = 2**63
    function automatic logic [63:0] abs64(input logic [63:0] x);
        abs64 = x[63] ? 64'd0 - x : x;
    endfunction

    // ---- saturation ------------------------------------------------------------

    // Unsigned a + b, at most 2**64 - 1.  usat_add64(2**64 - 1, 3) = 2**64 - 1
    function automatic logic [63:0] usat_add64(input logic [63:0] a, input logic [63:0] b);
        logic [64:0] s;
        s = {1'b0, a} + {1'b0, b};
        usat_add64 = s[64] ? {64{1'b1}} : s[63:0];
    endfunction

    // Unsigned a - b, at least 0.  usat_sub64(3, 5) = 0
    function automatic logic [63:0] usat_sub64(input logic [63:0] a, input logic [63:0] b);
        usat_sub64 = (a < b) ? 64'd0 : a - b;
    endfunction

    // A signed number of 65 bits, brought into the range of 64.
    // clamp64(2**63) = 2**63 - 1
    function automatic logic [63:0] clamp64(input logic [64:0] s);
        clamp64 = (s[64] == s[63]) ? s[63:0] : {s[64], {63{~s[64]}}};
    endfunction

    // Signed a + b and a - b, saturating.  ssat_add64(2**63 - 1, 1) = 2**63 - 1,
    // ssat_sub64(-2**63, 1) = -2**63
    function automatic logic [63:0] ssat_add64(input logic [63:0] a, input logic [63:0] b);
        ssat_add64 = clamp64({a[63], a} + {b[63], b});
    endfunction

    function automatic logic [63:0] ssat_sub64(input logic [63:0] a, input logic [63:0] b);
        ssat_sub64 = clamp64({a[63], a} - {b[63], b});
    endfunction

endpackage
