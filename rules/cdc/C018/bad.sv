// Wrong: when only rst_a_n is asserted, x changes between edges of clk_a while y, not in reset, samples it.
module top (
    input  logic clk_a,
    input  logic rst_a_n,
    input  logic rst_b_n,
    input  logic d,
    output logic y = 0
);
    logic x = 0;
    logic x_rst_n, y_rst_n;
    (* ASYNC_REG = "TRUE" *) logic [1:0] x_release = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] y_release = 0;

    always_ff @(posedge clk_a or negedge rst_a_n) begin
        if (!rst_a_n) x_release <= 2'b00;
        else          x_release <= {x_release[0], 1'b1};
    end

    always_ff @(posedge clk_a or negedge rst_b_n) begin
        if (!rst_b_n) y_release <= 2'b00;
        else          y_release <= {y_release[0], 1'b1};
    end

    assign x_rst_n = x_release[1];
    assign y_rst_n = y_release[1];

    always_ff @(posedge clk_a or negedge x_rst_n) begin
        if (!x_rst_n) x <= 1'b0;
        else          x <= d;
    end

    always_ff @(posedge clk_a or negedge y_rst_n) begin
        if (!y_rst_n) y <= 1'b0;
        else          y <= x;
    end
endmodule
