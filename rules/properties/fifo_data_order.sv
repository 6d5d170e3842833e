// Words come out as they went in, none lost, none twice, in their order.
// Any one word may be picked when it is pushed; the words before it are counted, and when they are gone the
// next word popped must be the one picked. Leave `pick` open: then every choice is tried.
// wclk, rclk, rst (1 resets both sides), push with data, pop with value.
module fifo_data_order #(parameter int W = 8, DEPTH = 8)
    (input logic wclk, rclk, rst, push, pop, pick, input logic [W-1:0] data, value);
    localparam int N = $clog2(DEPTH + 1) + 1;
    logic [N-1:0] written, taken, place;
    logic [W-1:0] word;
    logic picked;
    always_ff @(posedge wclk or posedge rst)
        if (rst) begin
            written <= '0;
            place <= '0;
            word <= '0;
            picked <= 1'b0;
        end else if (push) begin
            written <= written + 1'b1;
            if (pick && !picked) begin
                picked <= 1'b1;
                place <= written;
                word <= data;
            end
        end
    logic done;
    always_ff @(posedge rclk or posedge rst)
        if (rst) begin
            taken <= '0;
            done <= 1'b0;
        end else if (pop) begin
            taken <= taken + 1'b1;
            if (picked && taken == place) done <= 1'b1;
        end
    always_ff @(posedge rclk)
        if (!rst && pop) begin
            order: assert (!(picked && !done && taken == place) || value == word);
            no_ghost: assert (written != taken);
        end
endmodule
