// carry_net: all carries of an addition, by one of three networks
// ---------------------------------------------------------------------------
// Parameters
//   N      places (>= 2)
//   KIND   0 = ripple, 1 = Kogge-Stone, 2 = Brent-Kung
//
// Ports
//   g, p   does place i generate a carry, does it propagate one
//   c      c[i] is the carry out of places i .. 0:
//          c[0] = g[0],  c[i] = g[i] | p[i] & c[i-1]
//
// How it works
//   Two adjoining spans of places combine to one:
//       (g, p) = (g_high | p_high & g_low, p_high & p_low)
//   which is associative, so the spans may be joined in any order.
//   Ripple       one place after the other.
//   Kogge-Stone  at level l each place joins the span that ends 2**l to its
//                right; ceil(log2 N) levels.
//   Brent-Kung   up: at level l only places i with i+1 a multiple of 2**(l+1)
//                join; down, with the same distances in reverse: those with i+1
//                an odd multiple of the distance, but the first, join the span
//                to their right, which by then reaches down to place 0.
// ---------------------------------------------------------------------------
module carry_net #(
    parameter int N    = 65,
    parameter int KIND = 1
) (
    input  logic [N-1:0] g,
    input  logic [N-1:0] p,
    output logic [N-1:0] c
);

    localparam int L      = $clog2(N);
    localparam int LEVELS = (KIND == 0) ? 0 : (KIND == 1) ? L : 2 * L;

    generate
        if (KIND == 0) begin : g_ripple
            wire [N-1:0] r /* verilator split_var */;

            assign r[0] = g[0];
            for (genvar i = 1; i < N; i++) begin : g_place
                assign r[i] = g[i] | (p[i] & r[i-1]);
            end
            assign c = r;
            wire unused = p[0];                   // nothing comes in from below
        end else begin : g_prefix
            for (genvar l = 0; l <= LEVELS; l++) begin : g_level
                wire [N-1:0] gs, ps;              // the spans after l levels

                if (l == 0) begin : g_first
                    assign gs = g;
                    assign ps = p;
                end else begin : g_next
                    // distance: 1, 2, 4 ...; Brent-Kung then ... 4, 2, 1
                    localparam int D = (l <= L) ? 1 << (l - 1) : 1 << (LEVELS - l);
                    for (genvar i = 0; i < N; i++) begin : g_place
                        if ((KIND == 1 && i >= D) ||
                            (KIND != 1 && l <= L && (i + 1) % (2 * D) == 0) ||
                            (KIND != 1 && l >  L && (i + 1) % (2 * D) == D && i >= D)) begin : g_join
                            assign gs[i] = g_level[l-1].gs[i] | (g_level[l-1].ps[i] & g_level[l-1].gs[i-D]);
                            assign ps[i] = g_level[l-1].ps[i] & g_level[l-1].ps[i-D];
                        end else begin : g_keep
                            assign gs[i] = g_level[l-1].gs[i];
                            assign ps[i] = g_level[l-1].ps[i];
                        end
                    end
                end
            end

            assign c = g_level[LEVELS].gs;
            wire unused = &{1'b0, g_level[LEVELS].ps};    // nothing comes in from below
        end
    endgenerate

endmodule
