// Right: the gate ends in a register of clk_a, and only that register feeds the synchroniser.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic x,
    input  logic y,
    output logic q
);
    logic x_a = 0, y_a = 0, differ = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) begin
        x_a    <= x;
        y_a    <= y;
        differ <= x_a ^ y_a;
    end

    always_ff @(posedge clk_b) sync <= {sync[0], differ};

    assign q = sync[1];
endmodule
