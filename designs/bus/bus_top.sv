// bus_top: a master, a decoder and two slaves
// ---------------------------------------------------------------------------
// What it is
//   A small bus system around the interface bus_if:
//
//     commands --> bus_master ==up==> bus_decoder ==to_regs==> bus_regs
//                                                 ==to_ram===> bus_ram
//
// Parameters
//   ADDR_W, DATA_W   bits of address (>= 6) and data
//   BUG              0 = correct; other values seed a defect, see below
//
// Ports
//   clk, rst_n       clock; reset, active low, asynchronous
//   cmd_*, rsp_*     commands and responses, see bus_master
//   control, status  of the register block, see bus_regs
//
// Address map (words)
//   0x00 .. 0x0F   registers; four, repeated
//   0x10 .. 0x1F   memory
//   other          refused, err
//
// Which asserts guard it
//   protocol on each segment: bus_if.  Decoding: bus_decoder.  Contents:
//   bus_regs, bus_ram.  No hang: bus_master.  Here: the response to an unmapped
//   address is an error.
//
// Seeded bugs (all functional)
//   1  decoder overlap: the memory also answers the registers' addresses.
//      bus_decoder assert; then bus_ram's wait state is cut off: bus_if assert.
//   2  master does not hold the address during wait states.  bus_if assert.
//   3  memory ignores its top address bit: words alias.  bus_ram assert.
//   4  unmapped addresses are never answered: hang.  bus_master assert.
// ---------------------------------------------------------------------------
module bus_top #(
    parameter int ADDR_W = 8,
    parameter int DATA_W = 16,
    parameter int BUG    = 0
) (
    input  logic              clk,
    input  logic              rst_n,

    input  logic              cmd_valid,
    output logic              cmd_ready,
    input  logic              cmd_write,
    input  logic [ADDR_W-1:0] cmd_addr,
    input  logic [DATA_W-1:0] cmd_wdata,

    output logic              rsp_valid,
    output logic [DATA_W-1:0] rsp_rdata,
    output logic              rsp_err,

    output logic [DATA_W-1:0] control,
    input  logic [DATA_W-1:0] status
);

    bus_if #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) up      (.clk(clk), .rst_n(rst_n));
    bus_if #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) to_regs (.clk(clk), .rst_n(rst_n));
    bus_if #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) to_ram  (.clk(clk), .rst_n(rst_n));

    bus_master #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .BUG(BUG)) master (
        .bus      (up),
        .cmd_valid(cmd_valid),
        .cmd_ready(cmd_ready),
        .cmd_write(cmd_write),
        .cmd_addr (cmd_addr),
        .cmd_wdata(cmd_wdata),
        .rsp_valid(rsp_valid),
        .rsp_rdata(rsp_rdata),
        .rsp_err  (rsp_err)
    );

    bus_decoder #(.ADDR_W(ADDR_W), .BUG(BUG)) decoder (
        .up  (up),
        .regs(to_regs),
        .ram (to_ram)
    );

    bus_regs #(.DATA_W(DATA_W)) regs (
        .bus    (to_regs),
        .control(control),
        .status (status)
    );

    bus_ram #(.DATA_W(DATA_W), .LOG_WORDS(4), .BUG(BUG)) ram (
        .bus(to_ram)
    );

    // ---- checks -------------------------------------------------------------
    logic unmapped;                           // of the command under way

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n)                      unmapped <= 1'b0;
        else if (cmd_valid && cmd_ready) unmapped <= (cmd_addr[ADDR_W-1:5] != '0);
    end

    always @(posedge clk) begin
        if (rst_n) begin
            assert (!(rsp_valid && unmapped) || rsp_err)
                else $error("bus_top: unmapped address accepted");
        end
    end

endmodule
