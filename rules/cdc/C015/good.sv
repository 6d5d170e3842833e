// Right: a single bit crosses through a synchroniser and selects among signals of its new clock.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       d,
    input  logic [3:0] one,
    input  logic [3:0] other,
    output logic [3:0] q = 0
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        sync <= {sync[0], d_a};
        q    <= sync[1] ? one : other;
    end
endmodule
