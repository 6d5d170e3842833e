// Right: reset is asserted at once, but each clock has two registers of its own that release it.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       rst_n,
    input  logic       step_a,
    input  logic       step_b,
    output logic [3:0] count_a = 0,
    output logic [3:0] count_b = 0
);
    (* ASYNC_REG = "TRUE" *) logic [1:0] release_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] release_b = 0;
    logic clear_a_n, clear_b_n;

    always_ff @(posedge clk_a or negedge rst_n) begin
        if (!rst_n) release_a <= 2'b00;
        else        release_a <= {release_a[0], 1'b1};
    end
    always_ff @(posedge clk_b or negedge rst_n) begin
        if (!rst_n) release_b <= 2'b00;
        else        release_b <= {release_b[0], 1'b1};
    end
    assign clear_a_n = release_a[1];
    assign clear_b_n = release_b[1];

    always_ff @(posedge clk_a or negedge clear_a_n) begin
        if (!clear_a_n)  count_a <= 4'd0;
        else if (step_a) count_a <= count_a + 4'd1;
    end
    always_ff @(posedge clk_b or negedge clear_b_n) begin
        if (!clear_b_n)  count_b <= 4'd0;
        else if (step_b) count_b <= count_b + 4'd1;
    end
endmodule
