// gray_counter: a binary counter with a registered Gray-coded copy.
// BUG = 1 leaves out one exclusive-or: two bits change at once.
module gray_counter #(
    parameter int WIDTH = 4,
    parameter int BUG = 0
) (
    input  logic             clk,
    input  logic             rst_n,
    input  logic             step,
    output logic [WIDTH-1:0] gray
);
    logic [WIDTH-1:0] count, next;
    assign next = count + WIDTH'(step);

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            count <= '0;
            gray  <= '0;
        end else begin
            count <= next;
            gray  <= (BUG == 1) ? next : next ^ (next >> 1);
        end
    end

`ifndef __ICARUS__  // it reads no concurrent assertions
    logic [WIDTH-1:0] last;
    logic             started;
    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) {started, last} <= '0;
        else        {started, last} <= {1'b1, gray};
    end

    one_bit_at_a_time: assert property (@(posedge clk) disable iff (!rst_n)
        started |-> $onehot0(gray ^ last));
    follows_the_count: assert property (@(posedge clk) disable iff (!rst_n)
        gray == (count ^ (count >> 1)));
    wraps: cover property (@(posedge clk) disable iff (!rst_n) count == '1 && step);
`endif
endmodule
