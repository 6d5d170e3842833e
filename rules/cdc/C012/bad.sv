// Info: a bus without synchroniser, loaded in clk_b under an enable that has passed one.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic [3:0] d,
    output logic [3:0] q = 0
);
    logic [3:0] d_a = 0, hold = 0, tick = 0;
    logic       load = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    // hold changes four edges of clk_a before load rises, and not until eight after it fell.
    always_ff @(posedge clk_a) begin
        d_a  <= d;
        tick <= tick + 4'd1;
        load <= (tick[3:2] == 2'b01);
        if (tick == 4'd0) hold <= d_a;
    end

    always_ff @(posedge clk_b) begin
        sync <= {sync[0], load};
        if (sync[1]) q <= hold;
    end
endmodule
