// Right: clk_a clocks the counter too; the two inputs, registered, enable it.
module top (
    input  logic       clk_a,
    input  logic       sel,
    input  logic       wr,
    output logic       hit = 0,
    output logic [3:0] count = 0
);
    logic sel_a = 0, wr_a = 0;

    always_ff @(posedge clk_a) begin
        sel_a <= sel;
        wr_a  <= wr;
        hit   <= sel_a & wr_a;
        if (sel_a && wr_a && !hit) count <= count + 4'd1;
    end
endmodule
