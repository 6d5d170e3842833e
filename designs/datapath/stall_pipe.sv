// stall_pipe: three-stage arithmetic pipeline that can be stalled
// ---------------------------------------------------------------------------
// What it is
//   y = (a + b) ^ (c rotated left by 1), three cycles later; one operation a
//   cycle.  While stall is high nothing moves.  No asserts, see proofs/.
//
// Parameters
//   WIDTH   bits of a word (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   clk               clock; there is no reset
//   stall             all stages hold at this clk edge; the inputs are not taken
//   in_valid, a, b, c an operation
//   out_valid, y      its result: three edges without stall later
//
// How it works
//   S1  s1_*  the operands as they came
//   S2  s2_*  the sum; c travels along
//   S3  s3_*  the result
//   Whatever the registers hold at first is gone after three edges without
//   stall.
//
// Seeded bugs
//   1  S2 ignores a stall: it takes S1 again, and loses what it had
//   2  c is not delayed with the sum: S3 takes the c of S1
//   3  out_valid is not held in a stall: it falls, and the result is lost
// ---------------------------------------------------------------------------
module stall_pipe #(
    parameter int WIDTH = 16,
    parameter int BUG   = 0
) (
    input  logic             clk,
    input  logic             stall,

    input  logic             in_valid,
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    input  logic [WIDTH-1:0] c,

    output logic             out_valid,
    output logic [WIDTH-1:0] y
);

    logic             s1_valid, s2_valid, s3_valid;
    logic [WIDTH-1:0] s1_a, s1_b, s1_c;
    logic [WIDTH-1:0] s2_sum, s2_c;
    logic [WIDTH-1:0] s3_y;

    logic             move2;
    logic [WIDTH-1:0] late_c;

    assign move2  = (BUG == 1) | ~stall;
    assign late_c = (BUG == 2) ? s1_c : s2_c;

    // ---- S1: operands ---------------------------------------------------------
    always_ff @(posedge clk) begin
        if (!stall) begin
            s1_valid <= in_valid;
            s1_a     <= a;
            s1_b     <= b;
            s1_c     <= c;
        end
    end

    // ---- S2: sum --------------------------------------------------------------
    always_ff @(posedge clk) begin
        if (move2) begin
            s2_valid <= s1_valid;
            s2_sum   <= s1_a + s1_b;
            s2_c     <= s1_c;
        end
    end

    // ---- S3: result -----------------------------------------------------------
    always_ff @(posedge clk) begin
        if (!stall) begin
            s3_valid <= s2_valid;
            s3_y     <= s2_sum ^ {late_c[WIDTH-2:0], late_c[WIDTH-1]};
        end else if (BUG == 3) begin
            s3_valid <= 1'b0;
        end
    end

    assign out_valid = s3_valid;
    assign y         = s3_y;

endmodule
