// Info: a multiplexer that a synchronised signal selects lets a bus of clk_a into registers of clk_b.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic [3:0] d,
    input  logic [3:0] other,
    output logic [3:0] q = 0
);
    logic [3:0] d_a = 0, hold = 0, other_b = 0, tick = 0;
    logic       show = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    // hold changes four edges of clk_a before show rises, and not until eight after it fell.
    always_ff @(posedge clk_a) begin
        d_a  <= d;
        tick <= tick + 4'd1;
        show <= (tick[3:2] == 2'b01);
        if (tick == 4'd0) hold <= d_a;
    end

    always_ff @(posedge clk_b) begin
        sync    <= {sync[0], show};
        other_b <= other;
        q       <= sync[1] ? hold : other_b;
    end
endmodule
