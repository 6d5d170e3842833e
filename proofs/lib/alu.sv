// spec_alu: what a 32-bit arithmetic and logic unit computes
// ---------------------------------------------------------------------------
// op   0 ADD   1 SUB   2 AND   3 OR   4 XOR   5 SLT   6 SLTU
//      7 SLL   8 SRL   9 SRA  10 PASSB; others give 0
// ---------------------------------------------------------------------------
package spec_alu;

    // The result.  alu_result(1, 3, 5) = -2, alu_result(5, -1, 0) = 1,
    // alu_result(6, -1, 0) = 0, alu_result(9, 32'h8000_0000, 31) = -1
    function automatic logic [31:0] alu_result(input logic [3:0] op, input logic [31:0] a, input logic [31:0] b);
        logic signed [31:0] sa, sb;
        sa = a;
        sb = b;
        case (op)
            4'd0:    alu_result = a + b;
            4'd1:    alu_result = a - b;
            4'd2:    alu_result = a & b;
            4'd3:    alu_result = a | b;
            4'd4:    alu_result = a ^ b;
            4'd5:    alu_result = (sa < sb) ? 32'd1 : 32'd0;
            4'd6:    alu_result = (a < b) ? 32'd1 : 32'd0;
            4'd7:    alu_result = a << b[4:0];
            4'd8:    alu_result = a >> b[4:0];
            4'd9:    alu_result = sa >>> b[4:0];
            4'd10:   alu_result = b;
            default: alu_result = 32'd0;
        endcase
    endfunction

    // The flags {zero, carry, overflow}.  zero: the result is 0.  Carry and
    // overflow are 0 but for ADD and SUB; there
    //   carry      the unsigned sum is 2**32 or more; the unsigned difference is
    //              not negative
    //   overflow   the signed sum or difference needs more than 32 bits
    // alu_flags(0, 32'hFFFF_FFFF, 1) = 3'b110, alu_flags(1, 3, 5) = 3'b000,
    // alu_flags(1, 32'h8000_0000, 1) = 3'b011
    function automatic logic [2:0] alu_flags(input logic [3:0] op, input logic [31:0] a, input logic [31:0] b);
        logic        zero, carry, overflow;
        logic [32:0] exact;                       // signed
        zero     = (alu_result(op, a, b) == 32'd0);
        carry    = 1'b0;
        overflow = 1'b0;
        if (op == 4'd0) begin
            exact    = {a[31], a} + {b[31], b};
            carry    = ({1'b0, a} + {1'b0, b} >= 33'h1_0000_0000);
            overflow = exact[32] != exact[31];
        end else if (op == 4'd1) begin
            exact    = {a[31], a} - {b[31], b};
            carry    = (a >= b);
            overflow = exact[32] != exact[31];
        end
        alu_flags = {zero, carry, overflow};
    endfunction

endpackage
