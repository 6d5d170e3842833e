// two_flop: single-bit level synchroniser with edge detector
// ---------------------------------------------------------------------------
// What it is
//   The elementary crossing: one bit, registered in the source domain, passes
//   through STAGES flops of the destination clock.
//
// Parameters
//   STAGES  flops in the synchroniser (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   src_clk, src_rst_n   source clock; reset, active low, asynchronous
//   src_a, src_b         the level that crosses is src_a AND src_b
//   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
//   dst_q                the level in the destination domain
//   dst_rise             one dst_clk cycle at each rise of dst_q
//
// How it works, and why it is right
//   The AND is registered before it crosses, so the crossing wire is glitch
//   free and changes once a source cycle.  The first destination flop may go
//   metastable; nothing but the second flop looks at it, so it has a whole
//   cycle to settle.  dst_rise is derived from settled flops of this one chain
//   alone.  A level must last longer than one dst_clk period to be seen.
//
// Which asserts guard it (dst_clk)
//   dst_rise implies dst_q; dst_rise implies dst_q was low the cycle before;
//   a rise of dst_q is always reported.
//
// Seeded bugs
//   1  missing flop: a single-stage synchroniser.  Structural.
//   2  combinational logic before the synchroniser: the AND is not registered,
//      and glitches when both inputs switch.  Structural.
//   3  first flop fans out: dst_rise looks at the possibly metastable stage.
//      Structural, and functional: dst_rise comes a cycle before dst_q.
//   4  reconvergence: dst_rise uses a second, parallel synchroniser of the same
//      bit.  The chains may settle a cycle apart, so dst_rise may be lost or
//      wrong.  Invisible at zero delay; needs a crossing model.
// ---------------------------------------------------------------------------
module two_flop #(
    parameter int STAGES = 2,
    parameter int BUG    = 0
) (
    input  logic src_clk,
    input  logic src_rst_n,
    input  logic src_a,
    input  logic src_b,

    input  logic dst_clk,
    input  logic dst_rst_n,
    output logic dst_q,
    output logic dst_rise
);

    localparam int LEN = (BUG == 1) ? 1 : STAGES;

    // ---- source domain ----------------------------------------------------
    logic cross_d;

    generate
        if (BUG == 2) begin : g_comb
            assign cross_d = src_a & src_b;
            wire unused = &{1'b0, src_clk, src_rst_n};
        end else begin : g_reg
            logic src_q;
            always_ff @(posedge src_clk or negedge src_rst_n) begin
                if (!src_rst_n) src_q <= 1'b0;
                else            src_q <= src_a & src_b;
            end
            assign cross_d = src_q;
        end
    endgenerate

    // ---- destination domain -----------------------------------------------
    (* ASYNC_REG = "TRUE" *) logic [LEN-1:0] sync;

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) sync <= '0;
        else begin
            sync[0] <= cross_d;
            for (int i = 1; i < LEN; i++) sync[i] <= sync[i-1];
        end
    end

    assign dst_q = sync[LEN-1];

    logic dst_q_prev;

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) dst_q_prev <= 1'b0;
        else            dst_q_prev <= dst_q;
    end

    generate
        if (BUG == 3) begin : g_rise_early
            assign dst_rise = sync[0] & ~dst_q;
        end else if (BUG == 4) begin : g_rise_parallel
            (* ASYNC_REG = "TRUE" *) logic [LEN-1:0] sync_b;
            always_ff @(posedge dst_clk or negedge dst_rst_n) begin
                if (!dst_rst_n) sync_b <= '0;
                else begin
                    sync_b[0] <= cross_d;
                    for (int i = 1; i < LEN; i++) sync_b[i] <= sync_b[i-1];
                end
            end
            assign dst_rise = sync_b[LEN-1] & ~dst_q_prev;
        end else begin : g_rise
            assign dst_rise = dst_q & ~dst_q_prev;
        end
    endgenerate

    // ---- checks -----------------------------------------------------------
    always @(posedge dst_clk) begin
        if (dst_rst_n) begin
            assert (!dst_rise || dst_q)
                else $error("two_flop: rise reported, level is low");
            assert (!dst_rise || !dst_q_prev)
                else $error("two_flop: rise reported, level was high before");
            assert (dst_rise || !dst_q || dst_q_prev)
                else $error("two_flop: rise not reported");
        end
    end

endmodule
