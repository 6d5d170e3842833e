// barrel: barrel shifter and rotator
// ---------------------------------------------------------------------------
// What it is
//   Shifts or rotates by any distance.  Combinational; no asserts, see proofs/.
//
// Parameters
//   WIDTH   bits of the word, a power of two (>= 4)
//   LOG     derived, do not set
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   mode    0 left, 1 right logical, 2 right arithmetic, 3 rotate right
//   x       the word
//   n       the distance, 0 .. WIDTH-1
//   y       the result
//
// How it works
//   LOG stages to the right: stage k moves by 2**k if n[k] is set, and fills
//   from the left with zeros, the sign, or what leaves on the right.  A left
//   shift is a right shift between two reversals of the word.
//   g_stage[k].row and .moved are the word before and after stage k.
//
// Why it is right
//   Moves of one kind add up, and n is the sum of n[k] * 2**k.  After some
//   arithmetic moves the top bit still is the sign of x.
//
// Seeded bugs
//   1  the last stage of an arithmetic shift fills with zeros
//   2  rotation: one wire of the last stage is crossed; the top bit takes
//      bit WIDTH/2 of the row for bit WIDTH/2 - 1
//   3  a short cut for rotation by WIDTH-1 (to the left by 1) loses the bit
//      that wraps around.  Rare: one distance of one mode, half of the words.
// ---------------------------------------------------------------------------
module barrel #(
    parameter int WIDTH = 64,
    parameter int BUG   = 0,
    // derived, do not set
    parameter int LOG   = $clog2(WIDTH)
) (
    input  logic [1:0]       mode,
    input  logic [WIDTH-1:0] x,
    input  logic [LOG-1:0]   n,
    output logic [WIDTH-1:0] y
);

    localparam logic [1:0] LEFT = 2'd0, ARITH = 2'd2, ROTATE = 2'd3;

    logic             sign;                      // what an arithmetic shift fills with
    logic [WIDTH-1:0] first, last;               // the word before and after the stages

    assign last = g_stage[LOG-1].moved;
    assign sign = (mode == ARITH) & x[WIDTH-1];

    generate
        for (genvar i = 0; i < WIDTH; i++) begin : g_first
            assign first[i] = (mode == LEFT) ? x[WIDTH-1-i] : x[i];
        end

        for (genvar k = 0; k < LOG; k++) begin : g_stage
            localparam int D = 1 << k;
            logic [WIDTH-1:0] row, moved;        // the word before, and after
            logic [D-1:0]     low, in;           // what leaves; what comes in

            if (k == 0) begin : g_from_x
                assign row = first;
            end else begin : g_from_stage
                assign row = g_stage[k-1].moved;
            end

            if (BUG == 2 && k == LOG - 1) begin : g_crossed
                assign low = {row[D], row[D-2:0]};
            end else begin : g_straight
                assign low = row[D-1:0];
            end

            if (BUG == 1 && k == LOG - 1) begin : g_unsigned
                assign in = (mode == ROTATE) ? low : '0;
            end else begin : g_signed
                assign in = (mode == ROTATE) ? low : {D{sign}};
            end

            assign moved = n[k] ? {in, row[WIDTH-1:D]} : row;
        end

        for (genvar i = 0; i < WIDTH; i++) begin : g_last
            if (BUG == 3 && i == 0) begin : g_short
                assign y[i] = (mode == LEFT) ? last[WIDTH-1-i]
                            : last[i] & ~((mode == ROTATE) & (&n));
            end else begin : g_full
                assign y[i] = (mode == LEFT) ? last[WIDTH-1-i] : last[i];
            end
        end
    endgenerate

endmodule
