// mux_enable: bus crossing by a synchronised load enable
// ---------------------------------------------------------------------------
// What it is
//   Carries WIDTH-bit words between clocks whose ratio is bounded, without an
//   acknowledge: the bus is held still while an enable crosses beside it, and a
//   destination multiplexer loads the bus only under the synchronised enable.
//
// Parameters
//   WIDTH   bits in a word
//   STAGES  flops in the enable synchroniser (>= 2)
//   HOLD    src_clk cycles the enable stays high, and then low, a word.  HOLD
//           src_clk periods must exceed STAGES + 2 dst_clk periods.
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   src_clk, src_rst_n    source clock; reset, active low, asynchronous
//   src_valid, src_data   a word is offered
//   src_ready             it is taken at this src_clk edge if src_valid
//   dst_clk, dst_rst_n    destination clock; reset, active low, asynchronous
//   dst_data              the last word received
//   dst_valid             one dst_clk cycle: dst_data has just been loaded
//   Both resets must be asserted together before first use.
//
// How it works, and why it is right
//   A word taken is stored in hold, and en rises with it.  en stays high HOLD
//   cycles and low HOLD cycles, during all of which hold cannot change.  The
//   rise of the synchronised enable loads hold into dst_data; by the bound on
//   HOLD it arrives while hold is still, and the low phase is long enough to be
//   seen, so that the next rise is a new one.
//
// Which asserts guard it
//   src_clk  the bus changes only when a word is accepted
//            no word is accepted during a transfer
//            en, once high, stays for HOLD cycles
//   dst_clk  dst_data changes only together with dst_valid
//
// Seeded bugs
//   1  missing flop: single-stage enable synchroniser.  Structural.
//   2  combinational logic before the synchroniser: the enable is decoded by
//      gates from the counter.  Structural.
//   3  data not held: src_valid overwrites the bus during a transfer.
//      Functional: bus assert, wrong data.
//   4  multiplexer selected by the unsynchronised enable.  Structural.
//   5  enable high for one src_clk cycle only: lost when dst_clk is slower.
//      Functional: en assert, lost words.
// ---------------------------------------------------------------------------
module mux_enable #(
    parameter int WIDTH  = 8,
    parameter int STAGES = 2,
    parameter int HOLD   = 8,
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
    output logic [WIDTH-1:0] dst_data
);

    localparam int LEN = (BUG == 1) ? 1 : STAGES;
    localparam int CW  = $clog2(2 * HOLD + 1);
    localparam logic [CW-1:0] FULL = CW'(2 * HOLD);
    localparam logic [CW-1:0] HALF = (BUG == 5) ? CW'(2 * HOLD - 1) : CW'(HOLD);

    // ---- source domain ----------------------------------------------------
    // count: cycles left in this transfer; enable is high while count > HALF.
    logic [CW-1:0]    count, count_next;
    logic             en_q, en, take;
    logic [WIDTH-1:0] hold;

    assign src_ready = (count == '0);
    assign take      = src_valid & src_ready;

    always_comb begin
        if (take)              count_next = FULL;
        else if (count != '0)  count_next = count - 1'b1;
        else                   count_next = '0;
    end

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            count <= '0;
            en_q  <= 1'b0;
            hold  <= '0;
        end else begin
            count <= count_next;
            en_q  <= (count_next > HALF);
            if (take || (BUG == 3 && src_valid)) hold <= src_data;
        end
    end

    // ---- what crosses -----------------------------------------------------
    assign en = (BUG == 2) ? (count > HALF) : en_q;

    (* ASYNC_REG = "TRUE" *) logic [LEN-1:0] en_sync;

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) en_sync <= '0;
        else begin
            en_sync[0] <= en;
            for (int i = 1; i < LEN; i++) en_sync[i] <= en_sync[i-1];
        end
    end

    // ---- destination domain -----------------------------------------------
    logic en_dst, en_prev, load;

    assign en_dst = (BUG == 4) ? en : en_sync[LEN-1];
    assign load   = en_dst & ~en_prev;

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) begin
            en_prev   <= 1'b0;
            dst_valid <= 1'b0;
            dst_data  <= '0;
        end else begin
            en_prev   <= en_dst;
            dst_valid <= load;
            dst_data  <= load ? hold : dst_data;    // the mux of the name
        end
    end

    // ---- checks -----------------------------------------------------------
    logic [WIDTH-1:0] hold_p, dst_data_p;
    logic             take_p, en_p;
    logic [CW-1:0]    en_len;                       // cycles en has been high

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            hold_p <= '0;
            take_p <= 1'b0;
            en_p   <= 1'b0;
            en_len <= '0;
        end else begin
            hold_p <= hold;
            take_p <= take;
            en_p   <= en_q;
            en_len <= !en_q ? '0 : (en_len == FULL) ? en_len : en_len + 1'b1;
        end
    end

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) dst_data_p <= '0;
        else            dst_data_p <= dst_data;
    end

    always @(posedge src_clk) begin
        if (src_rst_n) begin
            assert (take_p || hold == hold_p)
                else $error("mux_enable: data changed during a transfer");
            assert (!(take && en_q))
                else $error("mux_enable: word accepted during a transfer");
            assert (en_q || !en_p || en_len == CW'(HOLD))
                else $error("mux_enable: enable too short or too long");
        end
    end

    always @(posedge dst_clk) begin
        if (dst_rst_n) begin
            assert (dst_valid || dst_data == dst_data_p)
                else $error("mux_enable: data changed without a load");
        end
    end

endmodule
