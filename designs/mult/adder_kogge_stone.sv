// adder_kogge_stone: Kogge-Stone parallel-prefix adder
// ---------------------------------------------------------------------------
// Parameters   WIDTH   bits of each operand (>= 1)
// Ports        a, b    operands
//              sum     a + b, modulo 2**WIDTH
//              cout    the carry out
// How it works
//   A span of bits generates a carry (g) or propagates one (p); two adjoining
//   spans combine by  (g, p) = (gh | ph & gl, ph & pl).  At level l every bit
//   combines with the bit 2**(l-1) to its right, doubling its span, so after
//   ceil(log2 WIDTH) levels g[i] is the carry out of bits i .. 0.  Least depth,
//   fan-out of two, most cells and wires.
// ---------------------------------------------------------------------------
module adder_kogge_stone #(
    parameter int WIDTH = 16
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] sum,
    output logic             cout
);

    localparam int LEVELS = $clog2(WIDTH);

    wire [WIDTH-1:0] g [0:LEVELS] /* verilator split_var */;
    wire [WIDTH-1:0] p [0:LEVELS] /* verilator split_var */;

    assign g[0] = a & b;
    assign p[0] = a ^ b;

    generate
        for (genvar l = 1; l <= LEVELS; l++) begin : g_level
            localparam int D = 1 << (l - 1);
            for (genvar i = 0; i < WIDTH; i++) begin : g_bit
                if (i >= D) begin : g_cell
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
