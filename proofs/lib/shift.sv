// spec_shift: shifts and rotations of 16-, 32- and 64-bit words
// ---------------------------------------------------------------------------
// mode   0 left, 1 right logical, 2 right arithmetic, 3 rotate right
// x, n   the word, the distance
// Of a word twice as wide, whose left half is what comes in, the right half is
// taken after a plain shift to the right.
//   shifted16(0, 16'h8001, 4) = 16'h0010    shifted16(1, 16'h8001, 4) = 16'h0800
//   shifted16(2, 16'h8001, 4) = 16'hF800    shifted16(3, 16'h8001, 4) = 16'h1800
// ---------------------------------------------------------------------------
package spec_shift;

    function automatic logic [15:0] shifted16(input logic [1:0] mode, input logic [15:0] x, input logic [3:0] n);
        logic [31:0] wide;
        case (mode)
            2'd0:    wide = {16'b0, x << n};
            2'd1:    wide = {16'b0, x} >> n;
            2'd2:    wide = {{16{x[15]}}, x} >> n;
            default: wide = {x, x} >> n;
        endcase
        shifted16 = wide[15:0];
    endfunction

    function automatic logic [31:0] shifted32(input logic [1:0] mode, input logic [31:0] x, input logic [4:0] n);
        logic [63:0] wide;
        case (mode)
            2'd0:    wide = {32'b0, x << n};
            2'd1:    wide = {32'b0, x} >> n;
            2'd2:    wide = {{32{x[31]}}, x} >> n;
            default: wide = {x, x} >> n;
        endcase
        shifted32 = wide[31:0];
    endfunction

    function automatic logic [63:0] shifted64(input logic [1:0] mode, input logic [63:0] x, input logic [5:0] n);
        logic [127:0] wide;
        case (mode)
            2'd0:    wide = {64'b0, x << n};
            2'd1:    wide = {64'b0, x} >> n;
            2'd2:    wide = {{64{x[63]}}, x} >> n;
            default: wide = {x, x} >> n;
        endcase
        shifted64 = wide[63:0];
    endfunction

endpackage
