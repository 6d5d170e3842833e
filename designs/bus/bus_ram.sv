// bus_ram: slave, a small memory; one wait state
// ---------------------------------------------------------------------------
// Parameters
//   DATA_W, LOG_WORDS   word bits; log2 of the number of words
//   BUG                 0 = correct; 3 = top address bit ignored (see bus_top)
//
// Ports
//   bus   the bus, slave end; the low LOG_WORDS address bits are decoded
//
// How it works
//   The first cycle of a transfer reads or writes the memory, the second
//   answers.  The memory has no reset; a flag a word tells whether it has been
//   written, and a word that has not reads as zero.
//
// Which asserts guard it
//   one word, chosen by the first write after reset, is shadowed; a read of its
//   address gives the shadow
// ---------------------------------------------------------------------------
module bus_ram #(
    parameter int DATA_W    = 16,
    parameter int LOG_WORDS = 4,
    parameter int BUG       = 0
) (
    bus_if.slave bus
);

    localparam int WORDS = 1 << LOG_WORDS;

    logic [DATA_W-1:0]    mem [WORDS];
    logic [WORDS-1:0]     written;
    logic [LOG_WORDS-1:0] word, index;
    logic                 second;             // second cycle of the transfer
    logic [DATA_W-1:0]    rdata_q;
    logic                 first;

    assign word  = bus.addr[LOG_WORDS-1:0];
    assign index = (BUG == 3) ? {1'b0, word[LOG_WORDS-2:0]} : word;
    assign first = bus.valid & ~second;

    always_ff @(posedge bus.clk) begin
        if (first && bus.write) mem[index] <= bus.wdata;
    end

    always_ff @(posedge bus.clk or negedge bus.rst_n) begin
        if (!bus.rst_n) begin
            second  <= 1'b0;
            written <= '0;
            rdata_q <= '0;
        end else begin
            second <= first;
            if (first && bus.write) begin
                written[index] <= 1'b1;
                rdata_q        <= '0;
            end else if (first) begin
                rdata_q <= written[index] ? mem[index] : '0;
            end
        end
    end

    assign bus.ready = bus.valid & second;
    assign bus.rdata = bus.ready ? rdata_q : '0;
    assign bus.err   = 1'b0;

    // ---- checks -------------------------------------------------------------
    logic                 watched;
    logic [LOG_WORDS-1:0] watch_at;
    logic [DATA_W-1:0]    shadow;

    always_ff @(posedge bus.clk or negedge bus.rst_n) begin
        if (!bus.rst_n) begin
            watched  <= 1'b0;
            watch_at <= '0;
            shadow   <= '0;
        end else if (first && bus.write) begin
            if (!watched) begin
                watched  <= 1'b1;
                watch_at <= word;
                shadow   <= bus.wdata;
            end else if (word == watch_at) begin
                shadow <= bus.wdata;
            end
        end
    end

    always @(posedge bus.clk) begin
        if (bus.rst_n) begin
            assert (!(bus.ready && !bus.write && watched && word == watch_at) || bus.rdata == shadow)
                else $error("bus_ram: word read differs from the word written");
        end
    end

endmodule
