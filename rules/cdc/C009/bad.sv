// Wrong: two bits of clk_a, synchronised apart, meet again in one gate of clk_b.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic x,
    input  logic y,
    output logic q = 0
);
    logic x_a = 0, y_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] x_sync = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] y_sync = 0;

    always_ff @(posedge clk_a) begin
        x_a <= x;
        y_a <= y;
    end

    always_ff @(posedge clk_b) begin
        x_sync <= {x_sync[0], x_a};
        y_sync <= {y_sync[0], y_a};
        q      <= x_sync[1] & y_sync[1];
    end
endmodule
