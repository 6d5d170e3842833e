// uart: transmitter and receiver, with loopback
// ---------------------------------------------------------------------------
// What it is
//   A UART, 8 data bits, no parity, 1 stop bit.
//
// Parameters
//   DIVISOR   clk cycles a bit (>= 4)
//   BUG       0 = correct; other values seed a defect, see below
//
// Ports
//   clk, rst_n           clock; reset, active low, asynchronous
//   loopback             1: receive what is sent, and ignore rxd
//   tx_valid, tx_data    a byte to send is offered
//   tx_ready             it is taken at this clk edge if tx_valid
//   txd                  the line out
//   rxd                  the line in, asynchronous
//   rx_valid             high one cycle: a byte has come
//   rx_data, rx_error    the byte; frame error
//
// How it works
//   See uart_tx and uart_rx.  The loopback multiplexer stands before the
//   receiver's synchroniser.  It is the one gate on that path: change loopback
//   only while the lines are idle.
//
// Which asserts guard it
//   loopback: as long as it has been on ever since reset, each
//   byte received is the byte sent, without error.  That byte is noted when
//   its stop bit begins, and kept until the next one's does; the receiver
//   reports between the two.
//
// Seeded bugs
//   1  receiver waits a whole bit after the start edge, so it samples at the
//      edges of bits, not the middles.  Functional: loopback assert.
//   2  receiver shifts the wrong way: bits reversed.  Functional: loopback assert.
//   3  rxd not synchronised: the state machine sees the raw line.  Structural;
//      in loopback, where txd is in the same clock domain, it is harmless.
//   4  transmitter's stop bit lasts one cycle.  Functional: loopback assert, on
//      bytes sent back to back.
// ---------------------------------------------------------------------------
module uart #(
    parameter int DIVISOR = 16,
    parameter int BUG     = 0
) (
    input  logic       clk,
    input  logic       rst_n,
    input  logic       loopback,

    input  logic       tx_valid,
    output logic       tx_ready,
    input  logic [7:0] tx_data,
    output logic       txd,

    (* entail_clock = "none" *) input logic rxd,
    output logic       rx_valid,
    output logic [7:0] rx_data,
    output logic       rx_error
);

    logic line, stop;

    assign line = loopback ? txd : rxd;

    uart_tx #(.DIVISOR(DIVISOR), .BUG(BUG)) tx (
        .clk  (clk),
        .rst_n(rst_n),
        .valid(tx_valid),
        .ready(tx_ready),
        .data (tx_data),
        .txd  (txd),
        .stop (stop)
    );

    uart_rx #(.DIVISOR(DIVISOR), .BUG(BUG)) rx (
        .clk  (clk),
        .rst_n(rst_n),
        .rxd  (line),
        .valid(rx_valid),
        .data (rx_data),
        .error(rx_error)
    );

    // ---- checks -------------------------------------------------------------
    // now: the byte in the transmitter; sent: the last one whose stop bit began
    // clean: since reset, loopback has never been off
    logic [7:0] now, sent;
    logic       clean;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            now   <= '0;
            sent  <= '0;
            clean <= 1'b1;
        end else begin
            if (tx_valid && tx_ready) now <= tx_data;
            if (stop) sent <= now;
            if (!loopback) clean <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (rst_n) begin
            assert (!(clean && rx_valid) || (rx_data == sent && !rx_error))
                else $error("uart: loopback byte differs from the byte sent");
        end
    end

endmodule
