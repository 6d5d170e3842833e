// Wrong: the clock clk_a itself is sampled as data by registers of clk_b.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    output logic       beat = 0,
    output logic [3:0] count = 0
);
    logic last = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) beat <= ~beat;

    always_ff @(posedge clk_b) begin
        sync <= {sync[0], clk_a};
        last <= sync[1];
        if (sync[1] != last) count <= count + 4'd1;
    end
endmodule
