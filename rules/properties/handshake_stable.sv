// A request stays until it is acknowledged, and so does its data.
// clk, rst (1 resets), req, ack as the sender sees it, data.
module handshake_stable #(parameter int W = 8) (input logic clk, rst, req, ack, input logic [W-1:0] data);
    request_stays: assert property (@(posedge clk) disable iff (rst) req && !ack |=> req);
    data_stays: assert property (@(posedge clk) disable iff (rst) req && !ack |=> $stable(data));
endmodule
