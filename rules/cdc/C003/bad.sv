// Wrong: the first stage asks for a chain of three registers, but logic uses the second one already.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       d,
    output logic [3:0] count = 0
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE", entail_stages = "3" *) logic first = 0;
    (* ASYNC_REG = "TRUE" *) logic second = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        first  <= d_a;
        second <= first;
        if (second) count <= count + 4'd1;
    end
endmodule
