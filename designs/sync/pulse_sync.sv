// pulse_sync: toggle-based pulse synchroniser with busy feedback
// ---------------------------------------------------------------------------
// What it is
//   Carries single-cycle events from one clock domain to another, whichever
//   clock is the faster; one dst_pulse for each accepted src_pulse.
//
// Parameters
//   STAGES  flops in each synchroniser (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   src_clk, src_rst_n   source clock; reset, active low, asynchronous
//   src_pulse            an event, for each src_clk edge at which it is high
//                        and src_busy is low
//   src_busy             the last event is still under way; pulses are ignored
//   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
//   dst_pulse            high for one dst_clk cycle an event
//   Both resets must be asserted together before first use.
//
// How it works, and why it is right
//   An accepted pulse flips the register src_tgl, and that level crosses: an
//   event is a change of level, which lasts until the next event and so cannot
//   fall between two dst_clk edges.  The destination compares the synchronised
//   level with dst_seen, the level it has already reported; a difference is
//   the pulse.  dst_seen crosses back, and src_busy is "sent, not yet seen", so
//   a second flip cannot overtake the first.
//
// Which asserts guard it
//   src_clk  src_tgl never flips while busy
//            src_busy rises only after an accepted pulse
//   dst_clk  dst_pulse lasts one cycle
//
// Seeded bugs
//   1  missing flop: single-stage synchroniser to the destination.  Structural.
//   2  combinational logic before the synchroniser: the XOR that computes the
//      next toggle crosses, not the register.  Structural; it is also a cycle
//      early, and reacts to pulses that busy goes on to mask.
//   3  the pulse itself crosses as a level: lost when dst_clk is the slower.
//      Functional: src_busy then never falls.
//   4  busy not honoured: two pulses close together flip the level twice and
//      vanish.  Functional: src_clk assert, lost events.
// ---------------------------------------------------------------------------
module pulse_sync #(
    parameter int STAGES = 2,
    parameter int BUG    = 0
) (
    input  logic src_clk,
    input  logic src_rst_n,
    input  logic src_pulse,
    output logic src_busy,

    input  logic dst_clk,
    input  logic dst_rst_n,
    output logic dst_pulse
);

    localparam int LEN = (BUG == 1) ? 1 : STAGES;

    // ---- source domain ----------------------------------------------------
    logic src_tgl, src_take;
    (* ASYNC_REG = "TRUE" *) logic [STAGES-1:0] back;   // dst_seen, in src_clk
    logic dst_seen;

    assign src_busy = src_tgl ^ back[STAGES-1];
    assign src_take = (BUG == 4) ? src_pulse : (src_pulse & ~src_busy);

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            src_tgl <= 1'b0;
            back    <= '0;
        end else begin
            src_tgl <= src_tgl ^ src_take;
            back[0] <= dst_seen;
            for (int i = 1; i < STAGES; i++) back[i] <= back[i-1];
        end
    end

    // ---- what crosses -----------------------------------------------------
    logic cross_d;

    generate
        if (BUG == 2) begin : g_cross_comb
            assign cross_d = src_tgl ^ src_take;
        end else if (BUG == 3) begin : g_cross_level
            logic src_level;
            always_ff @(posedge src_clk or negedge src_rst_n) begin
                if (!src_rst_n) src_level <= 1'b0;
                else            src_level <= src_take;
            end
            assign cross_d = src_level;
        end else begin : g_cross
            assign cross_d = src_tgl;
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

    generate
        if (BUG == 3) begin : g_level
            logic level_q;
            always_ff @(posedge dst_clk or negedge dst_rst_n) begin
                if (!dst_rst_n) level_q <= 1'b0;
                else            level_q <= sync[LEN-1];
            end
            assign dst_pulse = sync[LEN-1] & ~level_q;
        end else begin : g_toggle
            assign dst_pulse = sync[LEN-1] ^ dst_seen;
        end
    endgenerate

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) dst_seen <= 1'b0;
        else            dst_seen <= dst_seen ^ dst_pulse;
    end

    // ---- checks -----------------------------------------------------------
    logic src_take_q, src_busy_q, dst_pulse_q;

    always_ff @(posedge src_clk or negedge src_rst_n) begin
        if (!src_rst_n) begin
            src_take_q <= 1'b0;
            src_busy_q <= 1'b0;
        end else begin
            src_take_q <= src_take;
            src_busy_q <= src_busy;
        end
    end

    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) dst_pulse_q <= 1'b0;
        else            dst_pulse_q <= dst_pulse;
    end

    always @(posedge src_clk) begin
        if (src_rst_n) begin
            assert (!(src_take && src_busy))
                else $error("pulse_sync: toggle flipped while busy");
            assert (!src_busy || src_busy_q || src_take_q)
                else $error("pulse_sync: busy without a pulse");
        end
    end

    always @(posedge dst_clk) begin
        if (dst_rst_n) begin
            assert (!(dst_pulse && dst_pulse_q))
                else $error("pulse_sync: pulse longer than a cycle");
        end
    end

endmodule
