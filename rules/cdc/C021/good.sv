// Right: one clock throughout; sel chooses the rate by an enable, full or half.
module top (
    input  logic       clk_a,
    input  logic       sel,
    output logic [3:0] count = 0
);
    logic sel_a = 0, half = 0;

    always_ff @(posedge clk_a) begin
        sel_a <= sel;
        half  <= ~half;
        if (sel_a || half) count <= count + 4'd1;
    end
endmodule
