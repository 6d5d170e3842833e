// uart_rx: UART receiver
// ---------------------------------------------------------------------------
// What it is
//   Receives the frames of uart_tx from a line of unknown phase.
//
// Parameters
//   DIVISOR   clk cycles a bit (>= 4)
//   BUG       0 = correct; 1, 2, 3 see uart
//
// Ports
//   clk, rst_n   clock; reset, active low, asynchronous
//   rxd          the line, asynchronous to clk
//   valid        high one cycle: a byte has come, or a bad frame
//   data         the byte, lowest bit first on the line
//   error        with valid: the stop bit was low (frame error)
//
// How it works
//   The line passes a two-flop synchroniser.  A low line starts a frame; half a
//   bit later it must still be low, otherwise it was a spike.  From there one
//   sample each whole bit falls in the middle of the data bits and of the stop
//   bit.  The receiver is idle again in the middle of the stop bit (or, after a
//   frame error, as soon as the line is high), half a bit ahead of the next
//   start bit.
//
// Which asserts guard it
//   the counters stay in range; valid lasts one cycle; no frame begins before
//   the line is high again
// ---------------------------------------------------------------------------
module uart_rx #(
    parameter int DIVISOR = 16,
    parameter int BUG     = 0
) (
    input  logic       clk,
    input  logic       rst_n,
    input  logic       rxd,
    output logic       valid,
    output logic [7:0] data,
    output logic       error
);

    localparam int TW = $clog2(DIVISOR + 1);
    localparam logic [TW-1:0] LAST = TW'(DIVISOR - 1);
    localparam logic [TW-1:0] HALF = (BUG == 1) ? LAST : TW'(DIVISOR / 2 - 1);

    typedef enum logic [2:0] {IDLE, START, DATA, STOP, BREAK} state_t;

    state_t        state;
    logic [TW-1:0] tick;
    logic [2:0]    nth;
    logic          line;

    // ---- the line, in this clock domain ---------------------------------------
    generate
        if (BUG == 3) begin : g_raw
            assign line = rxd;
        end else begin : g_sync
            (* ASYNC_REG = "TRUE" *) logic [1:0] sync;
            always_ff @(posedge clk or negedge rst_n) begin
                if (!rst_n) sync <= 2'b11;
                else        sync <= {sync[0], rxd};
            end
            assign line = sync[1];
        end
    endgenerate

    // ---- the frame --------------------------------------------------------------
    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state <= IDLE;
            tick  <= '0;
            nth   <= '0;
            valid <= 1'b0;
            data  <= '0;
            error <= 1'b0;
        end else begin
            valid <= 1'b0;
            tick  <= tick + 1'b1;
            case (state)
                IDLE: begin
                    tick <= '0;
                    if (!line) state <= START;
                end
                START: if (tick == HALF) begin
                    tick  <= '0;
                    nth   <= '0;
                    state <= line ? IDLE : DATA;
                end
                DATA: if (tick == LAST) begin
                    tick <= '0;
                    nth  <= nth + 1'b1;
                    data <= (BUG == 2) ? {data[6:0], line} : {line, data[7:1]};
                    if (nth == 3'd7) state <= STOP;
                end
                STOP: if (tick == LAST) begin
                    tick  <= '0;
                    valid <= 1'b1;
                    error <= ~line;
                    state <= line ? IDLE : BREAK;
                end
                default: begin                               // BREAK
                    tick <= '0;
                    if (line) state <= IDLE;
                end
            endcase
        end
    end

    // ---- checks -----------------------------------------------------------------
    logic valid_p;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_p <= 1'b0;
        else        valid_p <= valid;
    end

    always @(posedge clk) begin
        if (rst_n) begin
            assert (tick <= LAST)
                else $error("uart_rx: bit counter out of range");
            assert (!(valid && valid_p))
                else $error("uart_rx: valid longer than a cycle");
            assert (!(valid && error) || state == BREAK)
                else $error("uart_rx: frame error, but ready for a frame");
            assert (state == DATA || nth == 3'd0)
                else $error("uart_rx: data bit counter not at rest");
        end
    end

endmodule
