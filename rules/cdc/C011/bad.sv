// Info: a counter crosses in gray code, registered in clk_a and synchronised in clk_b, and is recognised.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       step,
    output logic [2:0] number = 0
);
    logic       step_a = 0;
    logic [2:0] count = 0, gray = 0;
    logic [2:0] next;
    (* ASYNC_REG = "TRUE" *) logic [2:0] first = 0;
    (* ASYNC_REG = "TRUE" *) logic [2:0] second = 0;

    assign next = count + {2'd0, step_a};

    always_ff @(posedge clk_a) begin
        step_a <= step;
        count  <= next;
        gray   <= next ^ (next >> 1);
    end

    always_ff @(posedge clk_b) begin
        first  <= gray;
        second <= first;
        number <= second ^ (second >> 1) ^ (second >> 2);
    end
endmodule
