// Info: a toggle handshake; the word is held in clk_a from the request until the acknowledge is back.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       send,
    input  logic [3:0] d,
    output logic [3:0] q = 0
);
    logic       send_a = 0, req = 0, ack = 0;
    logic [3:0] d_a = 0, hold = 0;
    (* ASYNC_REG = "TRUE" *) logic [1:0] req_sync = 0;   // in clk_b
    (* ASYNC_REG = "TRUE" *) logic [1:0] ack_sync = 0;   // in clk_a

    always_ff @(posedge clk_a) begin
        send_a   <= send;
        d_a      <= d;
        ack_sync <= {ack_sync[0], ack};
        if (send_a && req == ack_sync[1]) begin
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
