// Right: the stages follow each other directly; the AND gate comes after the second one.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic d,
    input  logic en,
    output logic q = 0
);
    logic d_a = 0, en_b = 0;
    (* ASYNC_REG = "TRUE" *) logic first = 0;
    (* ASYNC_REG = "TRUE" *) logic second = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        en_b   <= en;
        first  <= d_a;
        second <= first;
        q      <= second & en_b;
    end
endmodule
