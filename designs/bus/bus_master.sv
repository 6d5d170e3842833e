// bus_master: turns commands into bus transfers
// ---------------------------------------------------------------------------
// Parameters
//   ADDR_W, DATA_W   as in bus_if
//   MAX_WAIT         wait states after which a transfer counts as hung
//   BUG              0 = correct; 2 = command not held (see bus_top)
//
// Ports
//   bus              the bus, master end; brings clock and reset
//   cmd_valid, cmd_write, cmd_addr, cmd_wdata   a command is offered
//   cmd_ready        it is taken at this clk edge if cmd_valid
//   rsp_valid        high one cycle: the command has ended
//   rsp_rdata, rsp_err   the word read (zero on writes); refused
//
// How it works
//   IDLE takes a command into registers that drive the bus; XFER keeps valid up
//   until ready, then registers the response.
//
// Which asserts guard it
//   a transfer ends within MAX_WAIT wait states
// ---------------------------------------------------------------------------
module bus_master #(
    parameter int ADDR_W   = 8,
    parameter int DATA_W   = 16,
    parameter int MAX_WAIT = 7,
    parameter int BUG      = 0
) (
    bus_if.master bus,

    input  logic              cmd_valid,
    output logic              cmd_ready,
    input  logic              cmd_write,
    input  logic [ADDR_W-1:0] cmd_addr,
    input  logic [DATA_W-1:0] cmd_wdata,

    output logic              rsp_valid,
    output logic [DATA_W-1:0] rsp_rdata,
    output logic              rsp_err
);

    localparam int CW = $clog2(MAX_WAIT + 2);

    typedef enum logic {IDLE, XFER} state_t;

    state_t            state;
    logic              write_q;
    logic [ADDR_W-1:0] addr_q;
    logic [DATA_W-1:0] wdata_q;
    logic [CW-1:0]     waits;

    assign cmd_ready = (state == IDLE);

    assign bus.valid = (state == XFER);
    assign bus.write = write_q;
    assign bus.addr  = addr_q;
    assign bus.wdata = wdata_q;

    always_ff @(posedge bus.clk or negedge bus.rst_n) begin
        if (!bus.rst_n) begin
            state     <= IDLE;
            write_q   <= 1'b0;
            addr_q    <= '0;
            wdata_q   <= '0;
            rsp_valid <= 1'b0;
            rsp_rdata <= '0;
            rsp_err   <= 1'b0;
            waits     <= '0;
        end else begin
            rsp_valid <= 1'b0;
            case (state)
                IDLE: if (cmd_valid) begin
                    state   <= XFER;
                    write_q <= cmd_write;
                    addr_q  <= cmd_addr;
                    wdata_q <= cmd_wdata;
                    waits   <= '0;
                end
                default: begin
                    if (BUG == 2) addr_q <= cmd_addr;
                    if (bus.ready) begin
                        state     <= IDLE;
                        rsp_valid <= 1'b1;
                        rsp_rdata <= bus.rdata;
                        rsp_err   <= bus.err;
                    end else if (waits != CW'(MAX_WAIT + 1)) begin
                        waits <= waits + 1'b1;
                    end
                end
            endcase
        end
    end

    always @(posedge bus.clk) begin
        if (bus.rst_n) begin
            assert (waits <= CW'(MAX_WAIT))
                else $error("bus_master: transfer hangs");
        end
    end

endmodule
