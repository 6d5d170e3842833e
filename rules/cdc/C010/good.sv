// Right: the counter crosses from a register in gray code and becomes a number again in clk_b.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic step,
    output logic over = 0
);
    logic       step_a = 0;
    logic [3:0] count = 0, gray = 0;
    logic [3:0] next, number;
    (* ASYNC_REG = "TRUE" *) logic [3:0] first = 0;
    (* ASYNC_REG = "TRUE" *) logic [3:0] second = 0;

    assign next   = count + {3'd0, step_a};
    assign number = second ^ (second >> 1) ^ (second >> 2) ^ (second >> 3);

    always_ff @(posedge clk_a) begin
        step_a <= step;
        count  <= next;
        gray   <= next ^ (next >> 1);
    end

    always_ff @(posedge clk_b) begin
        first  <= gray;
        second <= first;
        over   <= (number > 4'd9);
    end
endmodule
