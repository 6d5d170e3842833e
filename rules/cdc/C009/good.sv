// Right: the two bits are combined and registered in clk_a, and one bit crosses.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic x,
    input  logic y,
    output logic q
);
    logic x_a = 0, y_a = 0, both = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) begin
        x_a  <= x;
        y_a  <= y;
        both <= x_a & y_a;
    end

    always_ff @(posedge clk_b) sync <= {sync[0], both};

    assign q = sync[1];
endmodule
