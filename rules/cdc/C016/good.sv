// Right: the pulse turns a level over, which crosses; its edges are the pulses of clk_b.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic start,
    output logic q
);
    logic start_a = 0, start_p = 0, level = 0, last = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) begin
        start_a <= start;
        start_p <= start_a;
        level   <= level ^ (start_a & ~start_p);
    end

    always_ff @(posedge clk_b) begin
        sync <= {sync[0], level};
        last <= sync[1];
    end

    assign q = sync[1] ^ last;
endmodule
