// Wrong: go is 1 for one period of clk_a; a slower clk_b may never see it.
module top (
    input  logic clk_a,
    input  logic clk_b,
    input  logic start,
    output logic q
);
    logic start_a = 0, start_p = 0, go = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] sync = 0;

    always_ff @(posedge clk_a) begin
        start_a <= start;
        start_p <= start_a;
        go      <= start_a & ~start_p;
    end

    always_ff @(posedge clk_b) sync <= {sync[0], go};

    assign q = sync[1];
endmodule
