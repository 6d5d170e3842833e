// async_fifo: dual-clock FIFO with Gray-coded pointers
// ---------------------------------------------------------------------------
// What it is
//   A first-in first-out queue written in one clock domain and read in another,
//   unrelated one.  2**LOG_DEPTH words of WIDTH bits, first word falls through
//   (rdata shows the oldest word whenever rempty is low).
//
// Parameters
//   WIDTH        bits in a word                          (>= 1)
//   LOG_DEPTH    log2 of the number of words             (>= 1)
//   SYNC_STAGES  flops in each pointer synchroniser      (>= 2)
//   BUG          0 = correct; other values seed a defect, see below
//
// Ports
//   wclk, wrst_n   write clock; write-side reset, active low, asynchronous
//   winc, wdata    push wdata at this wclk edge (ignored while wfull is high)
//   wfull          no room; registered, may stay high a few cycles too long
//   rclk, rrst_n   read clock; read-side reset, active low, asynchronous
//   rinc           pop the shown word at this rclk edge (ignored while rempty)
//   rdata          the oldest word; zero while rempty is high
//   rempty         nothing to read; registered, may stay high a few cycles long
//   Both resets must be asserted together before first use.
//
// How it works
//   Each side keeps a binary pointer with one bit more than the address, so
//   that "full" and "empty" (equal addresses) differ in the top bit.  The Gray
//   code of each pointer is held in its own register and crosses to the other
//   side through SYNC_STAGES flops.  One Gray bit changes a step, so a sample
//   taken during a change is either the old or the new pointer, never a third
//   value.  An old value is merely pessimistic: the writer believes the queue
//   fuller, the reader believes it emptier, than it is.
//     empty: next read Gray pointer  == synchronised write Gray pointer
//     full : next write Gray pointer == synchronised read Gray pointer with
//            its two top bits inverted (the Gray image of "one lap ahead")
//   The memory itself crosses without a synchroniser: a word is only read once
//   the write pointer that covers it has arrived, so it has long been stable.
//
// Which asserts guard it
//   write side  no overflow    occupancy seen by the writer <= DEPTH
//               no lost word   memory is never written while wfull
//               gray           the crossing pointer changes in <= 1 bit an edge
//   read side   no underflow   occupancy seen by the reader <= DEPTH
//                              (reading past the writer wraps to > DEPTH)
//               flag honest    rempty low implies occupancy is not zero
//               stable         an unread word does not change
//               gray           the crossing pointer changes in <= 1 bit an edge
//
// Seeded bugs
//   1  Gray encoder not registered: XOR gates drive the crossing, so a binary
//      step with many toggling bits glitches into the synchroniser.  Structural
//      (combinational logic before a synchroniser); invisible at zero delay.
//   2  binary pointers cross: several bits may change at once, and a torn
//      sample is an unrelated pointer.  Breaks both gray asserts; overflow and
//      underflow follow only under a crossing model.
//   3  one-stage synchronisers.  Structural, no time to settle.
//   4  full compares the wrong bits (only the top bit inverted, the rule for
//      binary pointers).  Functional: overflow, lost words.
//   5  read pointer not synchronised: used raw in the write domain.  Structural.
//   6  empty computed from the present, not the next, read pointer: rempty is
//      one cycle late.  Functional: underflow on back-to-back reads.
//   7  memory write enable ignores wfull: a push on a full queue overwrites the
//      oldest word.  Functional: lost-word and stable asserts.
//   8  one-sided reset: the read pointer starts at 0 but is not reset, so that a
//      reset in mid-run takes the write pointer back alone.  Functional:
//      overflow, underflow, and gray codes that jump under the reader's eyes.
// ---------------------------------------------------------------------------
module async_fifo #(
    parameter int WIDTH       = 8,
    parameter int LOG_DEPTH   = 3,
    parameter int SYNC_STAGES = 2,
    parameter int BUG         = 0
) (
    input  logic             wclk,
    input  logic             wrst_n,
    input  logic             winc,
    input  logic [WIDTH-1:0] wdata,
    output logic             wfull,

    input  logic             rclk,
    input  logic             rrst_n,
    input  logic             rinc,
    output logic [WIDTH-1:0] rdata,
    output logic             rempty
);

    localparam int PTR    = LOG_DEPTH + 1;                     // pointer bits
    localparam int DEPTH  = 1 << LOG_DEPTH;                    // words
    localparam int STAGES = (BUG == 3) ? 1 : SYNC_STAGES;
    localparam logic [PTR-1:0] DEPTH_P = {1'b1, {LOG_DEPTH{1'b0}}};

    // Gray image of the pointer one lap ahead: invert the two top bits.
    localparam logic [PTR-1:0] LAP =
        (BUG == 4) ? DEPTH_P : (DEPTH_P | (DEPTH_P >> 1));

    function automatic logic [PTR-1:0] to_gray(input logic [PTR-1:0] bin);
        to_gray = bin ^ (bin >> 1);
    endfunction

    function automatic logic [PTR-1:0] to_bin(input logic [PTR-1:0] gray);
        to_bin = gray;
        for (int i = 1; i < PTR; i++) to_bin = to_bin ^ (gray >> i);
    endfunction

    logic [WIDTH-1:0] mem [DEPTH];

    // Pointers, and their form as they cross to the other domain.
    logic [PTR-1:0] wbin, wbin_next, wgray, wcross;
    logic [PTR-1:0] rbin, rbin_next, rgray, rcross;
    // The other side's Gray pointer after synchronisation.
    logic [PTR-1:0] rgray_w, wgray_r;

    // ---- write domain -----------------------------------------------------
    logic push, mem_we;

    assign push      = winc & ~wfull;
    assign mem_we    = (BUG == 7) ? winc : push;
    assign wbin_next = wbin + {{LOG_DEPTH{1'b0}}, push};

    always_ff @(posedge wclk or negedge wrst_n) begin
        if (!wrst_n) begin
            wbin  <= '0;
            wgray <= '0;
            wfull <= 1'b0;
        end else begin
            wbin  <= wbin_next;
            wgray <= to_gray(wbin_next);
            wfull <= (to_gray(wbin_next) == (rgray_w ^ LAP));
        end
    end

    always_ff @(posedge wclk) begin
        if (mem_we) mem[wbin[LOG_DEPTH-1:0]] <= wdata;
    end

    // ---- read domain ------------------------------------------------------
    logic pop;

    assign pop       = rinc & ~rempty;
    assign rbin_next = rbin + {{LOG_DEPTH{1'b0}}, pop};
    assign rdata     = rempty ? '0 : mem[rbin[LOG_DEPTH-1:0]];

    always_ff @(posedge rclk or negedge rrst_n) begin
        if (!rrst_n) begin
            if (BUG != 8) begin
                rbin  <= '0;
                rgray <= '0;
            end
            rempty <= 1'b1;
        end else begin
            rbin   <= rbin_next;
            rgray  <= to_gray(rbin_next);
            rempty <= ((BUG == 6) ? rgray : to_gray(rbin_next)) == wgray_r;
        end
    end

    generate
        if (BUG == 8) begin : g_start
            initial begin
                rbin  = '0;
                rgray = '0;
            end
        end
    endgenerate

    // ---- what crosses -----------------------------------------------------
    generate
        if (BUG == 1) begin : g_cross_comb
            assign wcross = to_gray(wbin);
            assign rcross = to_gray(rbin);
        end else if (BUG == 2) begin : g_cross_binary
            assign wcross = wbin;
            assign rcross = rbin;
        end else begin : g_cross_gray
            assign wcross = wgray;
            assign rcross = rgray;
        end
    endgenerate

    // ---- synchronisers ----------------------------------------------------
    (* ASYNC_REG = "TRUE" *) logic [STAGES-1:0][PTR-1:0] w2r;   // in rclk
    (* ASYNC_REG = "TRUE" *) logic [STAGES-1:0][PTR-1:0] r2w;   // in wclk

    always_ff @(posedge rclk or negedge rrst_n) begin
        if (!rrst_n) w2r <= '0;
        else begin
            w2r[0] <= wcross;
            for (int i = 1; i < STAGES; i++) w2r[i] <= w2r[i-1];
        end
    end

    always_ff @(posedge wclk or negedge wrst_n) begin
        if (!wrst_n) r2w <= '0;
        else begin
            r2w[0] <= rcross;
            for (int i = 1; i < STAGES; i++) r2w[i] <= r2w[i-1];
        end
    end

    generate
        if (BUG == 2) begin : g_arrive_binary
            assign wgray_r = to_gray(w2r[STAGES-1]);
            assign rgray_w = to_gray(r2w[STAGES-1]);
        end else if (BUG == 5) begin : g_arrive_raw
            assign wgray_r = w2r[STAGES-1];
            assign rgray_w = rcross;
        end else begin : g_arrive
            assign wgray_r = w2r[STAGES-1];
            assign rgray_w = r2w[STAGES-1];
        end
    endgenerate

    // ---- checks, write domain ---------------------------------------------
    logic [PTR-1:0] wcross_q, wdiff, wcount;

    assign wdiff  = wcross ^ wcross_q;
    assign wcount = wbin - to_bin(rgray_w);   // words, as the writer sees them

    always_ff @(posedge wclk or negedge wrst_n) begin
        if (!wrst_n) wcross_q <= '0;
        else         wcross_q <= wcross;
    end

    always @(posedge wclk) begin
        if (wrst_n) begin
            assert (wcount <= DEPTH_P)
                else $error("async_fifo: overflow");
            assert (!(mem_we && wfull))
                else $error("async_fifo: memory written while full");
            assert ((wdiff & (wdiff - 1'b1)) == '0)
                else $error("async_fifo: write pointer crossed with more than one bit changed");
        end
    end

    // ---- checks, read domain ----------------------------------------------
    logic [PTR-1:0]   rcross_q, rdiff, rcount;
    logic [WIDTH-1:0] rdata_q;
    logic             held_q;                 // a word was shown and not taken

    assign rdiff  = rcross ^ rcross_q;
    assign rcount = to_bin(wgray_r) - rbin;   // words, as the reader sees them

    always_ff @(posedge rclk or negedge rrst_n) begin
        if (!rrst_n) begin
            rcross_q <= '0;
            rdata_q  <= '0;
            held_q   <= 1'b0;
        end else begin
            rcross_q <= rcross;
            rdata_q  <= rdata;
            held_q   <= ~rempty & ~rinc;
        end
    end

    always @(posedge rclk) begin
        if (rrst_n) begin
            assert (rcount <= DEPTH_P)
                else $error("async_fifo: underflow");
            assert (rempty || rcount != '0)
                else $error("async_fifo: not empty, but holds nothing");
            assert ((rdiff & (rdiff - 1'b1)) == '0)
                else $error("async_fifo: read pointer crossed with more than one bit changed");
            assert (!held_q || (!rempty && rdata == rdata_q))
                else $error("async_fifo: unread word changed");
        end
    end

endmodule
