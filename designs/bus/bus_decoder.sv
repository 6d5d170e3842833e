// bus_decoder: one master segment to two slave segments, by address
// ---------------------------------------------------------------------------
// Parameters
//   ADDR_W   as in bus_if
//   BUG      0 = correct; 1, 4 see bus_top
//
// Ports
//   up         the segment of the master (this module is its slave)
//   regs       addresses 0x00 .. 0x0F
//   ram        addresses 0x10 .. 0x1F
//
// How it works
//   The address above bit 3 selects a slave, or none; an unmapped address is
//   answered here, at once, with err.  Only the selected slave sees valid.
//   Combinational throughout.
//
// Which asserts guard it
//   at most one slave is selected; a slave not selected is silent
// ---------------------------------------------------------------------------
module bus_decoder #(
    parameter int ADDR_W = 8,
    parameter int BUG    = 0
) (
    bus_if.slave  up,
    bus_if.master regs,
    bus_if.master ram
);

    localparam int PAGE_W = ADDR_W - 4;

    logic [PAGE_W-1:0] page;
    logic              sel_regs, sel_ram, sel_none;

    assign page     = up.addr[ADDR_W-1:4];
    assign sel_regs = (page == PAGE_W'(0));
    assign sel_ram  = (BUG == 1) ? (page <= PAGE_W'(1)) : (page == PAGE_W'(1));
    assign sel_none = ~(sel_regs | sel_ram);

    assign regs.valid = up.valid & sel_regs;
    assign regs.write = up.write;
    assign regs.addr  = up.addr;
    assign regs.wdata = up.wdata;

    assign ram.valid  = up.valid & sel_ram;
    assign ram.write  = up.write;
    assign ram.addr   = up.addr;
    assign ram.wdata  = up.wdata;

    // a slave that is not selected drives zeros, so the answers can be ORed
    assign up.ready = regs.ready | ram.ready | (up.valid & sel_none & (BUG != 4));
    assign up.rdata = regs.rdata | ram.rdata;
    assign up.err   = regs.err | ram.err | (up.valid & sel_none);

    // ---- checks -------------------------------------------------------------
    always @(posedge up.clk) begin
        if (up.rst_n) begin
            assert (!(regs.valid && ram.valid))
                else $error("bus_decoder: two slaves selected");
            assert ((regs.valid || !regs.ready) && (ram.valid || !ram.ready))
                else $error("bus_decoder: answer from a slave not selected");
        end
    end

    // each segment brings its own copy of clock and reset; one is enough
    wire unused = &{1'b0, regs.clk, regs.rst_n, ram.clk, ram.rst_n};

endmodule
