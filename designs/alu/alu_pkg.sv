// alu_pkg: operations, request and response of the pipelined ALU
// ---------------------------------------------------------------------------
package alu_pkg;

    localparam int XLEN  = 16;             // operand bits; a power of two
    localparam int SHW   = $clog2(XLEN);   // bits of a shift amount
    localparam int TAG_W = 4;              // bits of the caller's tag

    typedef logic [XLEN-1:0] word_t;

    typedef enum logic [3:0] {
        OP_ADD  = 4'd0,
        OP_SUB  = 4'd1,
        OP_AND  = 4'd2,
        OP_OR   = 4'd3,
        OP_XOR  = 4'd4,
        OP_SLT  = 4'd5,     // signed   a < b
        OP_SLTU = 4'd6,     // unsigned a < b
        OP_SLL  = 4'd7,     // shifts by the low bits of b
        OP_SRL  = 4'd8,
        OP_SRA  = 4'd9
    } op_t;                 // other codes give zero

    typedef struct packed {
        op_t              op;
        word_t            a;
        word_t            b;
        logic [TAG_W-1:0] tag;
    } req_t;

    typedef struct packed {
        word_t            result;
        logic             zero;       // result is zero
        logic             carry;      // carry out of ADD; no borrow in SUB, SLT*
        logic             overflow;   // signed overflow of ADD or SUB, else zero
        logic [TAG_W-1:0] tag;        // of the request
    } rsp_t;

endpackage
