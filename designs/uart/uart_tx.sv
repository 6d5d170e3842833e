// uart_tx: UART transmitter
// ---------------------------------------------------------------------------
// What it is
//   Sends bytes as asynchronous serial frames: a start bit (low), eight data
//   bits, lowest first, a stop bit (high).
//
// Parameters
//   DIVISOR   clk cycles a bit (>= 4, for the receiver's sake)
//   BUG       0 = correct; 4 = stop bit cut short (see uart)
//
// Ports
//   clk, rst_n    clock; reset, active low, asynchronous
//   valid, data   a byte is offered
//   ready         it is taken at this clk edge if valid
//   txd           the line; registered, high when idle
//   stop          the stop bit is on the line
//
// How it works
//   A state machine IDLE -> START -> DATA (eight times) -> STOP -> IDLE; `tick`
//   counts the cycles of a bit, `nth` the data bits, `shift` holds the bits
//   still to go.  txd is a register, so the line does not glitch.
//
// Which asserts guard it
//   the line is high when idle, low in the start bit, high in the stop bit; the
//   counters stay in range; the state is one of the four
// ---------------------------------------------------------------------------
module uart_tx #(
    parameter int DIVISOR = 16,
    parameter int BUG     = 0
) (
    input  logic       clk,
    input  logic       rst_n,
    input  logic       valid,
    output logic       ready,
    input  logic [7:0] data,
    output logic       txd,
    output logic       stop
);

    localparam int TW = $clog2(DIVISOR + 1);
    localparam logic [TW-1:0] LAST = TW'(DIVISOR - 1);

    typedef enum logic [1:0] {IDLE, START, DATA, STOP} state_t;

    state_t          state;
    logic [TW-1:0]   tick;
    logic [2:0]      nth;
    logic [7:0]      shift;
    logic            bit_end;

    assign ready   = (state == IDLE);
    assign stop    = (state == STOP);
    assign bit_end = (tick == LAST) || (BUG == 4 && stop);

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state <= IDLE;
            tick  <= '0;
            nth   <= '0;
            shift <= '0;
            txd   <= 1'b1;
        end else begin
            tick <= (ready || bit_end) ? '0 : tick + 1'b1;
            case (state)
                IDLE: if (valid) begin
                    state <= START;
                    shift <= data;
                    txd   <= 1'b0;
                end
                START: if (bit_end) begin
                    state <= DATA;
                    nth   <= '0;
                    txd   <= shift[0];
                    shift <= {1'b0, shift[7:1]};
                end
                DATA: if (bit_end) begin
                    nth <= nth + 1'b1;
                    if (nth == 3'd7) begin
                        state <= STOP;
                        txd   <= 1'b1;
                    end else begin
                        txd   <= shift[0];
                        shift <= {1'b0, shift[7:1]};
                    end
                end
                default: if (bit_end) state <= IDLE;      // STOP
            endcase
        end
    end

    // ---- checks -------------------------------------------------------------
    always @(posedge clk) begin
        if (rst_n) begin
            assert (state != IDLE || txd)
                else $error("uart_tx: line low when idle");
            assert (state != START || !txd)
                else $error("uart_tx: start bit high");
            assert (state != STOP || txd)
                else $error("uart_tx: stop bit low");
            assert (tick <= LAST)
                else $error("uart_tx: bit counter out of range");
            assert (state == DATA || nth == 3'd0)
                else $error("uart_tx: data bit counter not at rest");
        end
    end

endmodule
