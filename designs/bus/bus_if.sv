// bus_if: the bus, as an interface
// ---------------------------------------------------------------------------
// What it is
//   A single-master, wait-state bus.  One interface instance is one segment: a
//   master at one end, a slave at the other.
//
// Parameters
//   ADDR_W, DATA_W   bits of address (in words) and data
//
// Signals
//   valid            the master asks for a transfer
//   write            direction: 1 = write, 0 = read
//   addr, wdata      where, what; stable while valid waits for ready
//   ready            the slave ends the transfer at this clk edge
//   rdata, err       with ready: the word read (zero on writes); refused
//
// Modports
//   master, slave    the two ends
//   monitor          all inputs, to look on
//
// Which asserts guard it
//   a transfer, once begun, neither ends nor changes before ready; ready only
//   answers valid
// ---------------------------------------------------------------------------
interface bus_if #(
    parameter int ADDR_W = 8,
    parameter int DATA_W = 16
) (
    input logic clk,
    input logic rst_n
);

    logic              valid;
    logic              write;
    logic [ADDR_W-1:0] addr;
    logic [DATA_W-1:0] wdata;
    logic              ready;
    logic [DATA_W-1:0] rdata;
    logic              err;

    modport master (
        input  clk, rst_n, ready, rdata, err,
        output valid, write, addr, wdata
    );

    modport slave (
        input  clk, rst_n, valid, write, addr, wdata,
        output ready, rdata, err
    );

    modport monitor (
        input clk, rst_n, valid, write, addr, wdata, ready, rdata, err
    );

    // ---- checks -------------------------------------------------------------
    logic              wait_p;               // a transfer was left waiting
    logic              write_p;
    logic [ADDR_W-1:0] addr_p;
    logic [DATA_W-1:0] wdata_p;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wait_p  <= 1'b0;
            write_p <= 1'b0;
            addr_p  <= '0;
            wdata_p <= '0;
        end else begin
            wait_p  <= valid & ~ready;
            write_p <= write;
            addr_p  <= addr;
            wdata_p <= wdata;
        end
    end

    always @(posedge clk) begin
        if (rst_n) begin
            assert (!wait_p || valid)
                else $error("bus_if: transfer withdrawn");
            assert (!wait_p || (write == write_p && addr == addr_p && wdata == wdata_p))
                else $error("bus_if: transfer changed while waiting");
            assert (!ready || valid)
                else $error("bus_if: ready without valid");
        end
    end

endinterface
