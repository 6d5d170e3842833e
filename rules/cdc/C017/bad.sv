// Wrong: one reset input resets registers of two clocks; its release cannot be in step with both.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       rst_n,
    input  logic       step_a,
    input  logic       step_b,
    output logic [3:0] count_a = 0,
    output logic [3:0] count_b = 0
);
    always_ff @(posedge clk_a or negedge rst_n) begin
        if (!rst_n)      count_a <= 4'd0;
        else if (step_a) count_a <= count_a + 4'd1;
    end

    always_ff @(posedge clk_b or negedge rst_n) begin
        if (!rst_n)      count_b <= 4'd0;
        else if (step_b) count_b <= count_b + 4'd1;
    end
endmodule
