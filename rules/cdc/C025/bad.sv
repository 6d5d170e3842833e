// Wrong: a gate of two data inputs clocks the counter; no clock of the design reaches it.
module top (
    input  logic       clk_a,
    input  logic       sel,
    input  logic       wr,
    output logic       hit = 0,
    output logic [3:0] count = 0
);
    logic sel_a = 0, wr_a = 0;
    logic strobe;

    always_ff @(posedge clk_a) begin
        sel_a <= sel;
        wr_a  <= wr;
        hit   <= sel_a & wr_a;
    end

    assign strobe = sel & wr;

    always_ff @(posedge strobe) count <= count + 4'd1;
endmodule
