// adder_brent_kung: Brent-Kung parallel-prefix adder
// ---------------------------------------------------------------------------
// Parameters   WIDTH   bits of each operand (>= 1)
// Ports        a, b    operands
//              sum     a + b, modulo 2**WIDTH
//              cout    the carry out
// How it works
//   Generate and propagate as in adder_kogge_stone, but on a sparse tree.
//   Up:   at level l, each bit i with i+1 a multiple of 2**l combines with the
//         bit 2**(l-1) to its right; it then spans 2**l bits.
//   Down: from the largest l to 1, each bit i with i+1 an odd multiple of
//         2**(l-1), but the first, combines with the bit 2**(l-1) to its right,
//         which by then spans all bits down to 0.
//   About 2*WIDTH cells, depth 2*log2 WIDTH - 1; WIDTH need not be a power of 2.
// ---------------------------------------------------------------------------
module adder_brent_kung #(
    parameter int WIDTH = 16
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] sum,
    output logic             cout
);

    localparam int L      = $clog2(WIDTH);     // levels up, and down
    localparam int LEVELS = 2 * L;

    wire [WIDTH-1:0] g [0:LEVELS] /* verilator split_var */;
    wire [WIDTH-1:0] p [0:LEVELS] /* verilator split_var */;

    assign g[0] = a & b;
    assign p[0] = a ^ b;

    generate
        for (genvar l = 1; l <= LEVELS; l++) begin : g_level
            // distance: up 1, 2, 4 ...; down ... 4, 2, 1
            localparam int D = (l <= L) ? 1 << (l - 1) : 1 << (LEVELS - l);
            for (genvar i = 0; i < WIDTH; i++) begin : g_bit
                if ((l <= L && (i + 1) % (2 * D) == 0) ||
                    (l >  L && (i + 1) % (2 * D) == D && i >= 2 * D)) begin : g_cell
                    assign g[l][i] = g[l-1][i] | (p[l-1][i] & g[l-1][i-D]);
                    assign p[l][i] = p[l-1][i] & p[l-1][i-D];
                end else begin : g_wire
                    assign g[l][i] = g[l-1][i];
                    assign p[l][i] = p[l-1][i];
                end
            end
        end

        for (genvar i = 0; i < WIDTH; i++) begin : g_sum
            if (i == 0) begin : g_low
                assign sum[i] = p[0][i];
            end else begin : g_high
                assign sum[i] = p[0][i] ^ g[LEVELS][i-1];
            end
        end
    endgenerate

    assign cout = g[LEVELS][WIDTH-1];

    // the propagates of the last level drive nothing
    wire unused = &{1'b0, p[LEVELS]};

endmodule
