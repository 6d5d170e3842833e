// mem_unit: register file with two read ports and a write-through bypass
// ---------------------------------------------------------------------------
// What it is
//   Written at the clock edge, read at any time.  A word that is being written
//   is read as its new value in the same cycle.  No asserts, see proofs/.
//
// Parameters
//   WORDS   words, a power of two (>= 4)
//   WIDTH   bits of a word
//   ADDR_W  derived, do not set
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   clk                  clock; there is no reset, the words hold anything
//                        before they are first written
//   we, waddr, wdata     word waddr becomes wdata at this clk edge
//   raddr0, rdata0       first read port
//   raddr1, rdata1       second read port
//
// How it works
//   The array is `mem`.  Each port compares its address with waddr; if they are
//   equal in a cycle with we, the bypass (byp0, byp1) gives wdata for mem[raddr].
//
// Seeded bugs
//   1  the second port has no bypass: it reads the old word
//   2  the bypass of the first port does not compare the top bit of the address
// ---------------------------------------------------------------------------
module mem_unit #(
    parameter int WORDS  = 32,
    parameter int WIDTH  = 16,
    parameter int BUG    = 0,
    // derived, do not set
    parameter int ADDR_W = $clog2(WORDS)
) (
    input  logic              clk,

    input  logic              we,
    input  logic [ADDR_W-1:0] waddr,
    input  logic [WIDTH-1:0]  wdata,

    input  logic [ADDR_W-1:0] raddr0,
    output logic [WIDTH-1:0]  rdata0,
    input  logic [ADDR_W-1:0] raddr1,
    output logic [WIDTH-1:0]  rdata1
);

    logic [WIDTH-1:0] mem [0:WORDS-1];

    logic byp0, byp1;

    always_ff @(posedge clk) begin
        if (we) mem[waddr] <= wdata;
    end

    generate
        if (BUG == 2) begin : g_bug_short
            assign byp0 = we & (raddr0[ADDR_W-2:0] == waddr[ADDR_W-2:0]);
        end else begin : g_compare
            assign byp0 = we & (raddr0 == waddr);
        end
    endgenerate

    assign byp1 = (BUG == 1) ? 1'b0 : we & (raddr1 == waddr);

    assign rdata0 = byp0 ? wdata : mem[raddr0];
    assign rdata1 = byp1 ? wdata : mem[raddr1];

endmodule
