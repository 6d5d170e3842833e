// Right: both stages carry ASYNC_REG, so they are kept as they are and placed close together.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       d,
    output logic [3:0] count = 0
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        sync <= {sync[0], d_a};
        if (sync[1]) count <= count + 4'd1;
    end
endmodule
