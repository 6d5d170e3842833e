// spec_booth_rows: the rows of a radix-4 Booth multiplier of 16 by 16 bits as they stand in hardware
// ---------------------------------------------------------------------------
// Row i is the magnitude |digit| * a, complemented if group i of b is negative; the one that completes the
// complement is added by itself. Rather than extend its sign s to the left, the complement of s stands above
// the row, and a constant makes up for that: -s * 2**k = (1 - s) * 2**k - 2**k.
// ---------------------------------------------------------------------------
package spec_booth_rows;

    // Group i of b: bits 2i+1, 2i, 2i-1, with zeros beyond both ends. group16(16'h8001, 0) is 3'b010.
    function automatic logic [2:0] group16(input logic [15:0] b, input int i);
        logic [18:0] bx;
        bx = {2'b00, b, 1'b0};
        group16 = bx[2*i +: 3];
    endfunction

    // Row i without its sign. row17(5, 3, 0): the group is 110, digit -1, so ~5 = 17'h1fffa.
    function automatic logic [16:0] row17(input logic [15:0] a, input logic [15:0] b, input int i);
        logic [16:0] magnitude;
        case (group16(b, i))
            3'b000, 3'b111: magnitude = 17'd0;
            3'b011, 3'b100: magnitude = {a, 1'b0};
            default:        magnitude = {1'b0, a};
        endcase
        row17 = b[2*i + 1] ? ~magnitude : magnitude;
    endfunction

    // The last row has no sign: a if the top bit of b is set.
    function automatic logic [15:0] row8(input logic [15:0] a, input logic [15:0] b);
        row8 = b[15] ? a : 16'd0;
    endfunction

    // The signs of rows 0 to 7: signs8(16'h0002) is 8'h01.
    function automatic logic [7:0] signs8(input logic [15:0] b);
        signs8 = {b[15], b[13], b[11], b[9], b[7], b[5], b[3], b[1]};
    endfunction

    // A row in its place, with the complement of its sign above it.
    function automatic logic [31:0] placed32(input logic [16:0] r, input logic n, input int i);
        placed32 = 32'({~n, r}) << (2 * i);
    endfunction

    // Rows 0 to 5.
    function automatic logic [31:0] lower32(
        input logic [16:0] r0, r1, r2, r3, r4, r5, input logic [5:0] n
    );
        lower32 = placed32(r0, n[0], 0) + placed32(r1, n[1], 1) + placed32(r2, n[2], 2)
                + placed32(r3, n[3], 3) + placed32(r4, n[4], 4) + placed32(r5, n[5], 5);
    endfunction

    // The other rows, the ones that complete complements, and the constant: 2**17, 2**18, 2**20, ... 2**30.
    function automatic logic [31:0] upper32(
        input logic [16:0] r6, r7, input logic [15:0] r8, input logic [7:0] n
    );
        upper32 = placed32(r6, n[6], 6) + placed32(r7, n[7], 7) + (32'({2'b10, r8}) << 16)
                + 32'({n[7], 1'b0, n[6], 1'b0, n[5], 1'b0, n[4], 1'b0, n[3], 1'b0, n[2], 1'b0, n[1], 1'b0, n[0]})
                + 32'h5556_0000;
    endfunction

endpackage
