// Wrong: one register of clk_a goes through two synchronisers of clk_b, whose outputs can disagree.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       d,
    output logic       lamp,
    output logic [3:0] count = 0
);
    logic d_a = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] lamp_sync = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] count_sync = 0;

    always_ff @(posedge clk_a) d_a <= d;

    always_ff @(posedge clk_b) begin
        lamp_sync  <= {lamp_sync[0], d_a};
        count_sync <= {count_sync[0], d_a};
        if (count_sync[1]) count <= count + 4'd1;
    end

    assign lamp = lamp_sync[1];
endmodule
