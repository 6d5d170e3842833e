// Right: the word is held until a synchronised request has loaded it and a synchronised answer is back.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic [3:0] d,
    output logic [3:0] q = 0
);
    logic [3:0] d_a = 0, hold = 0;
    logic req = 0, ack = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] req_sync = 0;   // in clk_b
    (* ASYNC_REG = "TRUE" *) logic [1:0] ack_sync = 0;   // in clk_a

    always_ff @(posedge clk_a) begin
        d_a      <= d;
        ack_sync <= {ack_sync[0], ack};
        if (req == ack_sync[1]) begin
            hold <= d_a;
            req  <= ~req;
        end
    end

    always_ff @(posedge clk_b) begin
        req_sync <= {req_sync[0], req};
        if (req_sync[1] != ack) begin
            q   <= hold;
            ack <= ~ack;
        end
    end
endmodule
