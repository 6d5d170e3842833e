// bus_regs: slave, a block of four registers; no wait states
// ---------------------------------------------------------------------------
// Parameters
//   DATA_W    as in bus_if
//
// Ports
//   bus       the bus, slave end; only the low two address bits are decoded
//   control   register 0
//   status    register 1 shows this input
//
// Registers
//   0  CONTROL  read/write
//   1  STATUS   read only; a write is refused (err)
//   2  SCRATCH  read/write
//   3  WRITES   read only: accepted writes to this block; a write is refused
//
// Which asserts guard it
//   a refused write changes nothing; an accepted one counts
// ---------------------------------------------------------------------------
module bus_regs #(
    parameter int DATA_W = 16
) (
    bus_if.slave              bus,
    output logic [DATA_W-1:0] control,
    input  logic [DATA_W-1:0] status
);

    typedef enum logic [1:0] {
        CONTROL = 2'd0,
        STATUS  = 2'd1,
        SCRATCH = 2'd2,
        WRITES  = 2'd3
    } reg_t;

    logic [DATA_W-1:0] scratch, writes;
    reg_t              which;
    logic              refuse, accept;

    assign which  = reg_t'(bus.addr[1:0]);
    assign refuse = bus.write && (which == STATUS || which == WRITES);
    assign accept = bus.valid && bus.write && !refuse;

    always_ff @(posedge bus.clk or negedge bus.rst_n) begin
        if (!bus.rst_n) begin
            control <= '0;
            scratch <= '0;
            writes  <= '0;
        end else if (accept) begin
            writes <= writes + 1'b1;
            if (which == CONTROL) control <= bus.wdata;
            if (which == SCRATCH) scratch <= bus.wdata;
        end
    end

    always_comb begin
        bus.ready = bus.valid;
        bus.err   = bus.valid & refuse;
        bus.rdata = '0;
        if (bus.valid && !bus.write) begin
            case (which)
                CONTROL: bus.rdata = control;
                STATUS:  bus.rdata = status;
                SCRATCH: bus.rdata = scratch;
                default: bus.rdata = writes;
            endcase
        end
    end

    // ---- checks -------------------------------------------------------------
    logic              accept_p;
    logic [DATA_W-1:0] control_p, scratch_p, writes_p;

    always_ff @(posedge bus.clk or negedge bus.rst_n) begin
        if (!bus.rst_n) begin
            accept_p  <= 1'b0;
            control_p <= '0;
            scratch_p <= '0;
            writes_p  <= '0;
        end else begin
            accept_p  <= accept;
            control_p <= control;
            scratch_p <= scratch;
            writes_p  <= writes;
        end
    end

    always @(posedge bus.clk) begin
        if (bus.rst_n) begin
            assert (accept_p || (control == control_p && scratch == scratch_p))
                else $error("bus_regs: register changed without a write");
            assert (writes == writes_p + {{(DATA_W-1){1'b0}}, accept_p})
                else $error("bus_regs: writes miscounted");
        end
    end

endmodule
