// arbiter: round-robin arbiter
// ---------------------------------------------------------------------------
// What it is
//   Shares one resource among N requesters, fairly.
//
// Parameters
//   N     requesters (>= 1)
//   BUG   0 = correct; other values seed a defect, see below
//
// Ports
//   clk, rst_n   clock; reset, active low, asynchronous
//   req          who wants the resource
//   take         the resource accepts the granted requester at this clk edge
//   gnt          who gets it: one-hot, zero if nobody asks; combinational
//
// How it works, and why it is right
//   `after` has a one for each position above the last one served.  The lowest
//   requester among those wins; if there is none, the lowest of all.  So the
//   search goes round from the last one served, and whoever asks without pause
//   is served after at most N-1 others.  The lowest one of a vector v is
//   v & -v, which has at most one bit set.
//
// Which asserts guard it
//   clk            gnt is one-hot or zero; a grant implies its request; if
//                  anybody asks, somebody is granted
//   clk            fairness: each requester's counter of grants to others while
//                  it waits stays below N
//
// Seeded bugs (all functional)
//   1  fixed priority: `after` is never updated.  Fairness assert (N >= 2).
//   2  both searches drive the grant: two grants at once.  One-hot assert.
//   3  `after` includes the one just served, so the first to ask keeps the
//      resource for as long as it asks.  Fairness assert (N >= 2).
//   4  the grant comes from last cycle's requests.  Grant-implies-request.
// ---------------------------------------------------------------------------
module arbiter #(
    parameter int N   = 4,
    parameter int BUG = 0
) (
    input  logic         clk,
    input  logic         rst_n,
    input  logic [N-1:0] req,
    input  logic         take,
    output logic [N-1:0] gnt
);

    localparam int CW = $clog2(N + 1);

    logic [N-1:0] after, after_next;
    logic [N-1:0] asking, ahead, pick_ahead, pick_any;

    generate
        if (BUG == 4) begin : g_late
            logic [N-1:0] req_q;
            always_ff @(posedge clk or negedge rst_n) begin
                if (!rst_n) req_q <= '0;
                else        req_q <= req;
            end
            assign asking = req_q;
        end else begin : g_now
            assign asking = req;
        end
    endgenerate

    always_comb begin
        ahead      = asking & after;
        pick_ahead = ahead & (~ahead + 1'b1);
        pick_any   = asking & (~asking + 1'b1);

        if (BUG == 2)         gnt = pick_ahead | pick_any;
        else if (ahead != '0) gnt = pick_ahead;
        else                  gnt = pick_any;

        // ones above the granted position
        after_next = (BUG == 3) ? ~(gnt - 1'b1) : ~(gnt | (gnt - 1'b1));
    end

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n)                               after <= '1;
        else if (take && gnt != '0 && BUG != 1)   after <= after_next;
    end

    // ---- checks -------------------------------------------------------------
    always @(posedge clk) begin
        if (rst_n) begin
            assert ((gnt & (gnt - 1'b1)) == '0)
                else $error("arbiter: more than one grant");
            assert ((gnt & ~req) == '0)
                else $error("arbiter: grant without request");
            assert (req == '0 || gnt != '0)
                else $error("arbiter: request, but no grant");
        end
    end

    generate
        for (genvar i = 0; i < N; i++) begin : g_fair
            // grants to others since requester i began to wait
            logic [CW-1:0] waited;

            always_ff @(posedge clk or negedge rst_n) begin
                if (!rst_n)                   waited <= '0;
                else if (!req[i])             waited <= '0;
                else if (take) begin
                    if (gnt[i])               waited <= '0;
                    else if (waited != CW'(N)) waited <= waited + 1'b1;
                end
            end

            always @(posedge clk) begin
                if (rst_n) begin
                    assert (waited < CW'(N))
                        else $error("arbiter: requester %0d starved", i);
                end
            end
        end
    endgenerate

endmodule
