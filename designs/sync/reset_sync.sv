// reset_sync: reset asserted asynchronously, released synchronously
// ---------------------------------------------------------------------------
// What it is
//   Makes, from an asynchronous reset, a reset fit for one clock domain: it
//   takes hold at once, clock or no clock, and lets go just after a clock edge.
//   A small uptime counter stands for the logic that is reset.
//
// Parameters
//   STAGES  flops in the chain (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   clk        the domain's clock
//   arst_n     asynchronous reset request, active low
//   soft_rst   reset request from logic in clk, active high, synchronous
//   rst_n      the domain's reset, active low
//   uptime     clk edges since release, saturating at 15
//
// How it works, and why it is right
//   arst_n clears every flop of the chain asynchronously.  On its release ones
//   are shifted in; only the first flop can go metastable, as the others hold
//   zero and see zero at their input.  rst_n is a flop output, never a gate, so
//   it does not glitch.  soft_rst clears the chain through the flops' data
//   inputs.
//
// Which asserts guard it (clk)
//   rst_n is high only if STAGES edges have passed since the last request.  The
//   counter of those edges is itself cleared asynchronously by arst_n, so this
//   also says that rst_n is low while arst_n is, and after the shortest pulse
//   the consumer has counted no more edges than have passed
//
// Seeded bugs
//   1  missing flop: a one-flop chain.  Breaks the STAGES assert.
//   2  no synchroniser: rst_n is arst_n; it releases anywhere in the cycle.
//      Breaks both asserts; recovery violations need a crossing model.
//   3  combinational logic in the reset path: soft_rst is gated into rst_n
//      after the flops, and glitches on it reset the domain.  Structural, and
//      functional: the release after soft_rst is not delayed.
//   4  synchronous assertion: the chain is not cleared asynchronously, so a
//      pulse between two edges is missed.  Breaks the STAGES assert.
// ---------------------------------------------------------------------------
module reset_sync #(
    parameter int STAGES = 2,
    parameter int BUG    = 0
) (
    input  logic       clk,
    (* entail_clock = "none" *) input logic arst_n,
    input  logic       soft_rst,
    output logic       rst_n,
    output logic [3:0] uptime
);

    localparam int LEN = (BUG == 1) ? 1 : STAGES;
    localparam int CW  = $clog2(STAGES + 1);

    (* ASYNC_REG = "TRUE" *) logic [LEN-1:0] chain;

    generate
        if (BUG == 4) begin : g_sync_assert
            always_ff @(posedge clk) begin
                if (!arst_n || soft_rst) chain <= '0;
                else begin
                    chain[0] <= 1'b1;
                    for (int i = 1; i < LEN; i++) chain[i] <= chain[i-1];
                end
            end
        end else begin : g_async_assert
            always_ff @(posedge clk or negedge arst_n) begin
                if (!arst_n) chain <= '0;
                else if (soft_rst && BUG != 3) chain <= '0;
                else begin
                    chain[0] <= 1'b1;
                    for (int i = 1; i < LEN; i++) chain[i] <= chain[i-1];
                end
            end
        end
    endgenerate

    generate
        if (BUG == 2) begin : g_raw
            wire unused = chain[LEN-1];
            assign rst_n = arst_n;
        end else if (BUG == 3) begin : g_gated
            assign rst_n = chain[LEN-1] & ~soft_rst;
        end else begin : g_chain
            assign rst_n = chain[LEN-1];
        end
    endgenerate

    // ---- a consumer -------------------------------------------------------
    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n)               uptime <= '0;
        else if (uptime != 4'd15) uptime <= uptime + 1'b1;
    end

    // ---- checks -----------------------------------------------------------
    // since: edges without any request since the last one, up to STAGES
    // total: the same, up to 15
    logic [CW-1:0] since;
    logic [3:0]    total;

    always_ff @(posedge clk or negedge arst_n) begin
        if (!arst_n) begin
            since <= '0;
            total <= '0;
        end else if (soft_rst) begin
            since <= '0;
            total <= '0;
        end else begin
            if (since != CW'(STAGES)) since <= since + 1'b1;
            if (total != 4'd15)       total <= total + 1'b1;
        end
    end

    always @(posedge clk) begin
        assert (!rst_n || since == CW'(STAGES))
            else $error("reset_sync: domain runs in reset, or was released too early");
        assert (uptime <= total)
            else $error("reset_sync: consumer ran before its release");
    end

endmodule
