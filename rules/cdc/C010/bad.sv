// Wrong: a binary counter crosses bit by bit; a sample during a carry is a number it never held.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic step,
    output logic over = 0
);
    logic       step_a = 0;
    logic [3:0] count = 0;
    (* ASYNC_REG = "TRUE" *) logic [3:0] first = 0;
    (* ASYNC_REG = "TRUE" *) logic [3:0] second = 0;

    always_ff @(posedge clk_a) begin
        step_a <= step;
        if (step_a) count <= count + 4'd1;
    end

    always_ff @(posedge clk_b) begin
        first  <= count;
        second <= first;
        over   <= (second > 4'd9);
    end
endmodule
