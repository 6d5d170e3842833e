// loopback: words counted out in one clock domain and counted in again in another
// ---------------------------------------------------------------------------
// What it is
//   A SystemVerilog top around the dual-clock queue async_fifo, which is written
//   in VHDL.  The writer sends the numbers 0, 1, 2, … whenever it may; the
//   reader knows what must come next.
//
// Parameters
//   WIDTH, DEPTH_LOG2   of the queue
//   BUG                 handed on to the queue, see there
//
// Ports
//   wclk, wrst_n   write clock; reset, active low, asynchronous
//   rclk, rrst_n   read clock; reset, active low, asynchronous
//   send, receive  push and pop, when there is room and a word
//   full, empty    the queue's status
//   good           the word just read was the one expected
//
// Which asserts guard it
//   rclk   the words arrive in order, none lost and none twice
// ---------------------------------------------------------------------------
module loopback #(
    parameter int WIDTH      = 4,
    parameter int DEPTH_LOG2 = 2,
    parameter int BUG        = 0
) (
    input  logic wclk,
    input  logic wrst_n,
    input  logic rclk,
    input  logic rrst_n,
    input  logic send,
    input  logic receive,
    output logic full,
    output logic empty,
    output logic good
);

    logic [WIDTH-1:0] next_out, next_in, word;

    always_ff @(posedge wclk or negedge wrst_n) begin
        if (!wrst_n)           next_out <= '0;
        else if (send && !full) next_out <= next_out + 1'b1;
    end

    // VHDL does not tell upper from lower case, so names may be written either way.
    Async_FIFO #(
        .Width(WIDTH),
        .DEPTH_LOG2(DEPTH_LOG2),
        .STYLE("distributed"),
        .BUG(BUG)
    ) queue (
        .WR_CLK(wclk),
        .wr_rst_n(wrst_n),
        .wr_en(send),
        .wr_data(next_out),
        .wr_full(full),
        .wr_level(),
        .rd_clk(rclk),
        .rd_rst_n(rrst_n),
        .rd_en(receive),
        .rd_empty(empty),
        .rd_level(),
        .rd_valid(),
        .rd_data(word)
    );

    always_ff @(posedge rclk or negedge rrst_n) begin
        if (!rrst_n)                next_in <= '0;
        else if (receive && !empty) next_in <= next_in + 1'b1;
    end

    assign good = empty || word == next_in;

    always_ff @(posedge rclk) begin
        if (rrst_n && wrst_n) in_order: assert (good);
    end

endmodule
