// Wrong: one register of clk_b captures a bit of clk_a, and a counter uses it one edge later.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       d,
    output logic [3:0] count = 0
);
    logic d_a = 0;
    logic seen = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        seen <= d_a;
        if (seen) count <= count + 4'd1;
    end
endmodule
