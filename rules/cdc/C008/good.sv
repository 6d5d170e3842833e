// Right: each foreign bit has a synchroniser of its own, and the gate comes after them, in clk_c.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic clk_c,
    input  logic x,
    input  logic y,
    output logic q = 0
);
    logic x_a = 0, y_b = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] x_sync = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] y_sync = 0;

    always_ff @(posedge clk_a) x_a <= x;

    always_ff @(posedge clk_b) y_b <= y;

    always_ff @(posedge clk_c) begin
        x_sync <= {x_sync[0], x_a};
        y_sync <= {y_sync[0], y_b};
        q      <= x_sync[1] & y_sync[1];
    end
endmodule
