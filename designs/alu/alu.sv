// alu: three-stage pipelined arithmetic and logic unit
// ---------------------------------------------------------------------------
// What it is
//   One operation a cycle, three cycles of latency, in order, with valid/ready
//   flow control at both ends.  Types are in alu_pkg.
//
// Parameters
//   BUG   0 = correct; other values seed a defect, see below
//
// Ports
//   clk, rst_n             clock; reset, active low, asynchronous
//   req_valid, req         a request is offered (operation, a, b, tag)
//   req_ready              it is taken at this clk edge if req_valid
//   rsp_valid, rsp         a response is offered (result, flags, tag); stable
//                          until taken
//   rsp_ready              it is taken at this clk edge if rsp_valid
//
// How it works
//   S1  decode   operand b inverted for subtraction; what kind of result
//   S2  execute  adder, logic unit and shifter, each into its own register
//   S3  select   one of the three results; zero flag
//   A stage moves on if it is empty or the next one takes its content, so a
//   stall at the end fills the bubbles before it stops the front:
//     ready of a stage = not valid, or ready of the next stage
//   A signed comparison is the sign of a - b corrected by overflow; an unsigned
//   one is the absence of a carry.
//
// Which asserts guard it
//   stable   a response waiting for rsp_ready does not change
//   tags     requests get sequence numbers; responses leave in that order
//   result   equals the operation computed anew from the operands, which
//            travel along for this purpose
//
// Seeded bugs (all functional)
//   1  SRA shifts in zeros.  Result assert.
//   2  S2 ignores a stall: its content is overwritten.  Tags assert.
//   3  overflow of SUB uses the rule of ADD; SLT goes wrong with it.  Result
//      assert (SLT with operands of different signs).
// ---------------------------------------------------------------------------
module alu
    import alu_pkg::*;
#(
    parameter int BUG = 0
) (
    input  logic clk,
    input  logic rst_n,

    input  logic req_valid,
    output logic req_ready,
    input  req_t req,

    output logic rsp_valid,
    input  logic rsp_ready,
    output rsp_t rsp
);

    typedef enum logic [1:0] {R_SUM, R_LESS, R_LOGIC, R_SHIFT} kind_t;

    // ---- flow control -------------------------------------------------------
    logic v1, v2, v3;
    logic en1, en2, en3;                     // the stage's registers may load

    assign en3 = ~v3 | rsp_ready;
    assign en2 = (BUG == 2) ? 1'b1 : (~v2 | en3);
    assign en1 = ~v1 | en2;

    assign req_ready = en1;
    assign rsp_valid = v3;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            v1 <= 1'b0;
            v2 <= 1'b0;
            v3 <= 1'b0;
        end else begin
            if (en1) v1 <= req_valid;
            if (en2) v2 <= v1;
            if (en3) v3 <= v2;
        end
    end

    // ---- S1: decode ---------------------------------------------------------
    req_t  s1_req;
    word_t s1_b;                             // b, or its complement
    logic  s1_cin;
    kind_t s1_kind;

    op_t   op_in;
    logic  subtract;
    kind_t kind;

    assign op_in = req.op;

    always_comb begin
        subtract = (op_in == OP_SUB) || (op_in == OP_SLT) || (op_in == OP_SLTU);
        case (op_in)
            OP_ADD, OP_SUB:         kind = R_SUM;
            OP_SLT, OP_SLTU:        kind = R_LESS;
            OP_SLL, OP_SRL, OP_SRA: kind = R_SHIFT;
            default:                kind = R_LOGIC;
        endcase
    end

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            s1_req  <= '0;
            s1_b    <= '0;
            s1_cin  <= 1'b0;
            s1_kind <= R_SUM;
        end else if (en1 && req_valid) begin
            s1_req  <= req;
            s1_b    <= req.b ^ {XLEN{subtract}};
            s1_cin  <= subtract;
            s1_kind <= kind;
        end
    end

    // ---- S2: execute --------------------------------------------------------
    req_t  s2_req;
    kind_t s2_kind;
    word_t s2_sum, s2_logic, s2_shift;
    logic  s2_carry, s2_ovf, s2_less;

    logic [XLEN:0]  sum;
    logic           ovf, fill;
    word_t          logic_out, shift_out;
    logic [SHW-1:0] shamt;

    // the request's parts under short names
    op_t   op1;
    word_t a1, b1;
    assign op1 = s1_req.op;
    assign a1  = s1_req.a;
    assign b1  = s1_req.b;

    always_comb begin
        // adder
        sum = {1'b0, a1} + {1'b0, s1_b} + {{XLEN{1'b0}}, s1_cin};
        if (BUG == 3)
            ovf = (a1[XLEN-1] == b1[XLEN-1]) && (sum[XLEN-1] != a1[XLEN-1]);
        else
            ovf = (a1[XLEN-1] == s1_b[XLEN-1]) && (sum[XLEN-1] != a1[XLEN-1]);

        // logic unit
        case (op1)
            OP_AND:  logic_out = a1 & b1;
            OP_OR:   logic_out = a1 | b1;
            OP_XOR:  logic_out = a1 ^ b1;
            default: logic_out = '0;
        endcase

        // shifter: right by stages of 1, 2, 4 ...; left is done mirrored
        shamt     = b1[SHW-1:0];
        fill      = (op1 == OP_SRA) && a1[XLEN-1] && (BUG != 1);
        shift_out = a1;
        if (op1 == OP_SLL)
            for (int i = 0; i < XLEN; i++) shift_out[i] = a1[XLEN-1-i];
        for (int k = 0; k < SHW; k++)
            if (shamt[k]) shift_out = (shift_out >> (1 << k)) | ({XLEN{fill}} & ~({XLEN{1'b1}} >> (1 << k)));
    end

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            s2_req   <= '0;
            s2_kind  <= R_SUM;
            s2_sum   <= '0;
            s2_logic <= '0;
            s2_shift <= '0;
            s2_carry <= 1'b0;
            s2_ovf   <= 1'b0;
            s2_less  <= 1'b0;
        end else if (en2 && v1) begin
            s2_req   <= s1_req;
            s2_kind  <= s1_kind;
            s2_sum   <= sum[XLEN-1:0];
            s2_logic <= logic_out;
            s2_shift <= shift_out;
            s2_carry <= sum[XLEN] & (s1_kind == R_SUM || s1_kind == R_LESS);
            s2_ovf   <= ovf & (s1_kind == R_SUM);
            s2_less  <= (s1_req.op == OP_SLT) ? (sum[XLEN-1] ^ ovf) : ~sum[XLEN];
        end
    end

    // ---- S3: select ---------------------------------------------------------
    req_t  s3_req;                           // for the checks, but for the tag
    word_t result, unmirrored;
    op_t   op2;
    assign op2 = s2_req.op;

    always_comb begin
        unmirrored = s2_shift;
        if (op2 == OP_SLL)
            for (int i = 0; i < XLEN; i++) unmirrored[i] = s2_shift[XLEN-1-i];
        case (s2_kind)
            R_SUM:   result = s2_sum;
            R_LESS:  result = {{(XLEN-1){1'b0}}, s2_less};
            R_SHIFT: result = unmirrored;
            default: result = s2_logic;
        endcase
    end

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            s3_req <= '0;
            rsp    <= '0;
        end else if (en3 && v2) begin
            s3_req       <= s2_req;
            rsp.result   <= result;
            rsp.zero     <= (result == '0);
            rsp.carry    <= s2_carry;
            rsp.overflow <= s2_ovf;
            rsp.tag      <= s2_req.tag;
        end
    end

    // ---- checks -------------------------------------------------------------
    // order: sequence numbers given to requests, compared on responses
    logic [2:0] seq_in, seq_out, q1, q2, q3;
    // stability: the response of the cycle before, if it was not taken
    logic       stalled;
    rsp_t       rsp_p;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            seq_in  <= '0;
            seq_out <= '0;
            q1      <= '0;
            q2      <= '0;
            q3      <= '0;
            stalled <= 1'b0;
            rsp_p   <= '0;
        end else begin
            if (req_valid && req_ready) seq_in  <= seq_in + 1'b1;
            if (rsp_valid && rsp_ready) seq_out <= seq_out + 1'b1;
            if (en1) q1 <= seq_in;
            if (en2) q2 <= q1;
            if (en3) q3 <= q2;
            stalled <= rsp_valid & ~rsp_ready;
            rsp_p   <= rsp;
        end
    end

    op_t   op3;
    word_t a3, b3, want;

    assign op3 = s3_req.op;
    assign a3  = s3_req.a;
    assign b3  = s3_req.b;

    always_comb begin
        case (op3)
            OP_ADD:  want = a3 + b3;
            OP_SUB:  want = a3 - b3;
            OP_AND:  want = a3 & b3;
            OP_OR:   want = a3 | b3;
            OP_XOR:  want = a3 ^ b3;
            OP_SLT:  want = {{(XLEN-1){1'b0}}, $signed(a3) < $signed(b3)};
            OP_SLTU: want = {{(XLEN-1){1'b0}}, a3 < b3};
            OP_SLL:  want = a3 << b3[SHW-1:0];
            OP_SRL:  want = a3 >> b3[SHW-1:0];
            OP_SRA:  want = $signed(a3) >>> b3[SHW-1:0];
            default: want = '0;
        endcase
    end

    always @(posedge clk) begin
        if (rst_n) begin
            assert (!stalled || (rsp_valid && rsp == rsp_p))
                else $error("alu: waiting response withdrawn or changed");
            assert (!rsp_valid || q3 == seq_out)
                else $error("alu: response lost or out of order");
            assert (!rsp_valid || rsp.result == want)
                else $error("alu: wrong result");
            assert (!rsp_valid || (rsp.tag == s3_req.tag && rsp.zero == (want == '0)))
                else $error("alu: wrong tag or zero flag");
        end
    end

endmodule
