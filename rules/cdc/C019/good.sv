// Right: the gate ends in a register, and that register alone drives the asynchronous reset.
module top (
    input  logic       clk_a,
    input  logic       stop,
    input  logic       fault,
    output logic [3:0] count = 0
);
    logic stop_a = 0, fault_a = 0;
    logic clear_n = 0;

    always_ff @(posedge clk_a) begin
        stop_a  <= stop;
        fault_a <= fault;
        clear_n <= ~(stop_a & fault_a);
    end

    always_ff @(posedge clk_a or negedge clear_n) begin
        if (!clear_n) count <= 4'd0;
        else          count <= count + 4'd1;
    end
endmodule
