// handshake: four-phase request/acknowledge bus transfer
// ---------------------------------------------------------------------------
// What it is
//   Carries WIDTH-bit words between unrelated clocks, one at a time, with
//   valid/ready on both sides.  Slow, small, and right for any clock ratio.
//
// Parameters
//   WIDTH   bits in a word
//   STAGES  flops in each synchroniser (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   src_clk, src_rst_n    source clock; reset, active low, asynchronous
//   src_valid, src_data   a word is offered
//   src_ready             it is taken at this src_clk edge if src_valid
//   dst_clk, dst_rst_n    destination clock; reset, active low, asynchronous
//   dst_valid, dst_data   a word is offered; stable until taken
//   dst_ready             it is taken at this dst_clk edge if dst_valid
//   Both resets must be asserted together before first use.
//
// How it works
//   source       IDLE -- take a word into hold --> REQ (req = 1)
//                REQ  -- ack seen ---------------> DROP (req = 0)
//                DROP -- ack seen low -----------> IDLE
//   destination  waits for req, copies hold, offers the word; when it is taken
//                raises ack; when req has fallen lowers ack
//   Only req and ack pass synchronisers.  The bus does not need one: hold was
//   written before req rose and cannot change before ack has come back, so it
//   is stable at the one dst_clk edge that samples it.
//
// Which asserts guard it
//   src_clk  req falls only once ack has been seen
//            the crossing bus does not change while req is high
//   dst_clk  dst_valid and dst_data stay until taken
//            ack rises only after a word was taken
//
// Seeded bugs
//   1  missing flop: single-stage synchroniser on req.  Structural.
//   2  data not held: src_data itself crosses, and the source may change it
//      once it was accepted.  Functional: wrong data; bus assert.
//   3  request dropped before acknowledge: req is high for one src_clk cycle
//      only.  Functional: words lost when dst_clk is slow; req assert.
//   4  combinational logic before the synchroniser: req is decoded from the
//      next state, by gates.  Structural.
//   5  ack not synchronised: the source state machine sees it raw.  Structural.
// ---------------------------------------------------------------------------
module handshake #(
    parameter int WIDTH  = 8,
    parameter int STAGES = 2,
    parameter int BUG    = 0
) (
    input  logic             src_clk,
    input  logic             src_rst_n,
    input  logic             src_valid,
    output logic             src_ready,
    input  logic [WIDTH-1:0] src_data,

    input  logic             dst_clk,
    input  logic             dst_rst_n,
    output logic             dst_valid,
    input  logic             dst_ready,
    output logic [WIDTH-1:0] dst_data
);

    localparam int LEN = (BUG == 1) ? 1 : STAGES;

    typedef enum logic [1:0] {IDLE, REQ, DROP} src_state_t;

    // ---- source domain ----------------------------------------------------
    src_state_t       state, state_next;
    logic             req_q, req, ack, ack_src;
    logic [WIDTH-1:0] hold, bus;

    assign src_ready = (state == IDLE);

    always_comb begin
        state_next = state;
        case (state)
            IDLE:    if (src_valid) state_next = REQ;
            REQ:     if (ack_src || BUG == 3) state_next = DROP;
            DROP:    if (!ack_src) state_next = IDLE;
            default: state_next = IDLE;
        endcase
    end

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            state <= IDLE;
            req_q <= 1'b0;
            hold  <= '0;
        end else begin
            state <= state_next;
            req_q <= (state_next == REQ);
            if (src_ready && src_valid) hold <= src_data;
        end
    end

    // ---- what crosses -----------------------------------------------------
    assign req = (BUG == 4) ? (state_next == REQ) : req_q;
    assign bus = (BUG == 2) ? src_data : hold;

    (* ASYNC_REG = "TRUE" *) logic [LEN-1:0]    req_sync;   // in dst_clk
    (* ASYNC_REG = "TRUE" *) logic [STAGES-1:0] ack_sync;   // in src_clk

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) req_sync <= '0;
        else begin
            req_sync[0] <= req;
            for (int i = 1; i < LEN; i++) req_sync[i] <= req_sync[i-1];
        end
    end

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) ack_sync <= '0;
        else begin
            ack_sync[0] <= ack;
            for (int i = 1; i < STAGES; i++) ack_sync[i] <= ack_sync[i-1];
        end
    end

    assign ack_src = (BUG == 5) ? ack : ack_sync[STAGES-1];

    // ---- destination domain -----------------------------------------------
    logic req_dst;

    assign req_dst = req_sync[LEN-1];

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) begin
            dst_valid <= 1'b0;
            dst_data  <= '0;
            ack       <= 1'b0;
        end else if (dst_valid) begin
            if (dst_ready) begin
                dst_valid <= 1'b0;
                ack       <= 1'b1;
            end
        end else if (ack) begin
            if (!req_dst) ack <= 1'b0;
        end else if (req_dst) begin
            dst_valid <= 1'b1;
            dst_data  <= bus;
        end
    end

    // ---- checks -----------------------------------------------------------
    logic             req_p, ack_src_p;          // the cycle before, src_clk
    logic [WIDTH-1:0] bus_p;
    logic             dst_valid_p, dst_ready_p, ack_p;   // dst_clk
    logic [WIDTH-1:0] dst_data_p;

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            req_p     <= 1'b0;
            ack_src_p <= 1'b0;
            bus_p     <= '0;
        end else begin
            req_p     <= req_q;
            ack_src_p <= ack_src;
            bus_p     <= bus;
        end
    end

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) begin
            dst_valid_p <= 1'b0;
            dst_ready_p <= 1'b0;
            dst_data_p  <= '0;
            ack_p       <= 1'b0;
        end else begin
            dst_valid_p <= dst_valid;
            dst_ready_p <= dst_ready;
            dst_data_p  <= dst_data;
            ack_p       <= ack;
        end
    end

    always @(posedge src_clk) begin
        if (src_rst_n) begin
            assert (!req_p || req_q || ack_src_p)
                else $error("handshake: request dropped before acknowledge");
            assert (!(req_p && req_q) || bus == bus_p)
                else $error("handshake: data changed under a request");
        end
    end

    always @(posedge dst_clk) begin
        if (dst_rst_n) begin
            assert (!(dst_valid_p && !dst_ready_p) || (dst_valid && dst_data == dst_data_p))
                else $error("handshake: offered word withdrawn or changed");
            assert (ack_p || !ack || (dst_valid_p && dst_ready_p))
                else $error("handshake: acknowledge without a transfer");
        end
    end

endmodule
