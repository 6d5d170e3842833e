// spec_booth_rows: the rows of a radix-4 Booth multiplier of 16 by 16 bits as they stand in hardware
// ---------------------------------------------------------------------------
// A row is the magnitude |digit| * a, complemented if the group of b is negative; the one that completes the
// complement is a bit of its own.
// ---------------------------------------------------------------------------
package spec_booth_rows;

    // Group i of b: bits 2i+1, 2i, 2i-1, with zeros beyond both ends. group16(16'h8001, 0) is 3'b010.
    function automatic logic [2:0] group16(input logic [15:0] b, input int i);
        logic [18:0] bx;
        bx = {2'b00, b, 1'b0};
        group16 = bx[2*i +: 3];
    endfunction

    // The magnitude of row i: |digit| * a. magnitude17(5, 3, 1): the group is 001, digit 1, so 5.
    function automatic logic [16:0] magnitude17(input logic [15:0] a, input logic [15:0] b, input int i);
        case (group16(b, i))
            3'b000, 3'b111: magnitude17 = 17'd0;
            3'b011, 3'b100: magnitude17 = {a, 1'b0};
            default:        magnitude17 = {1'b0, a};
        endcase
    endfunction

    // What a row of this magnitude and sign is worth: the magnitude, or its complement and one.
    function automatic logic [31:0] worth32(input logic [16:0] magnitude, input logic negative);
        worth32 = negative ? -32'(magnitude) : 32'(magnitude);
    endfunction

    // What all rows add up to, modulo 2**32.
    function automatic logic [31:0] total32(
        input logic [16:0] m0, m1, m2, m3, m4, m5, m6, m7,
        input logic [15:0] m8,
        input logic [7:0]  n
    );
        total32 = worth32(m0, n[0])
                + (worth32(m1, n[1]) << 2)
                + (worth32(m2, n[2]) << 4)
                + (worth32(m3, n[3]) << 6)
                + (worth32(m4, n[4]) << 8)
                + (worth32(m5, n[5]) << 10)
                + (worth32(m6, n[6]) << 12)
                + (worth32(m7, n[7]) << 14)
                + (32'(m8) << 16);
    endfunction

endpackage
