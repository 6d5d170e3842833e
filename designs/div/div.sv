// div: sequential restoring divider
// ---------------------------------------------------------------------------
// What it is
//   Unsigned division, one quotient bit a cycle: WIDTH cycles a division.
//
// Parameters
//   WIDTH   bits of dividend, divisor, quotient and remainder (>= 2)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   clk, rst_n           clock; reset, active low, asynchronous
//   start, dividend, divisor   begin a division at this clk edge; ignored while
//                        busy.  The operands need not be held.
//   busy                 a division is under way
//   done                 high one cycle: quotient and remainder are valid (they
//                        then stay until the next start)
//   quotient, remainder
//   by_zero              the divisor was zero; then the quotient is all ones
//                        and the remainder is the dividend
//
// How it works
//   rem and quo form one shift register.  Each cycle the next dividend bit
//   leaves quo at the left and enters rem at the right; if the divisor fits, it
//   is subtracted and the quotient bit, which enters quo at the right, is one.
//   The subtraction is tried on one bit more; if it goes negative, the old
//   value is kept ("restored").
//
// Why it is right
//   After k cycles: (the top k dividend bits) = (k quotient bits)*divisor + rem
//   and rem < divisor.  A step doubles both sides and adds a dividend bit, and
//   then at most one subtraction restores rem < divisor.
//
// Which asserts guard it
//   at done      dividend == quotient*divisor + remainder, remainder < divisor
//   while busy   rem < divisor: the loop invariant, inductive by itself
//   always       the cycle counter is in range
//
// Seeded bugs (all functional)
//   1  no restore: a negative trial result is kept.  Both asserts.
//   2  one cycle too few.  Done assert.
//   3  divisor not captured: the input is used throughout.  Done assert if the
//      caller changes it.
// ---------------------------------------------------------------------------
module div #(
    parameter int WIDTH = 8,
    parameter int BUG   = 0
) (
    input  logic             clk,
    input  logic             rst_n,
    input  logic             start,
    input  logic [WIDTH-1:0] dividend,
    input  logic [WIDTH-1:0] divisor,
    output logic             busy,
    output logic             done,
    output logic [WIDTH-1:0] quotient,
    output logic [WIDTH-1:0] remainder,
    output logic             by_zero
);

    localparam int CW     = $clog2(WIDTH + 1);
    localparam int CYCLES = (BUG == 2) ? WIDTH - 1 : WIDTH;

    logic [CW-1:0]    left;                  // cycles left
    logic [WIDTH-1:0] rem, quo, den_q, den;
    logic [WIDTH:0]   shifted, trial;
    logic             fits;

    assign den     = (BUG == 3) ? divisor : den_q;
    assign shifted = {rem, quo[WIDTH-1]};
    assign trial   = shifted - {1'b0, den};
    assign fits    = (shifted >= {1'b0, den});

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            left  <= '0;
            rem   <= '0;
            quo   <= '0;
            den_q <= '0;
            done  <= 1'b0;
        end else begin
            done <= 1'b0;
            if (left != '0) begin
                left <= left - 1'b1;
                rem  <= (fits || BUG == 1) ? trial[WIDTH-1:0] : shifted[WIDTH-1:0];
                quo  <= {quo[WIDTH-2:0], fits};
                done <= (left == CW'(1));
            end else if (start) begin
                left  <= CW'(CYCLES);
                rem   <= '0;
                quo   <= dividend;
                den_q <= divisor;
            end
        end
    end

    assign busy      = (left != '0);
    assign quotient  = quo;
    assign remainder = rem;
    assign by_zero   = (den_q == '0);

    // ---- checks ---------------------------------------------------------------
    logic [WIDTH-1:0]   num_q;               // the dividend, for the check
    logic [2*WIDTH-1:0] back;

    always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n)                 num_q <= '0;
        else if (start && !busy)    num_q <= dividend;
    end

    assign back = {{WIDTH{1'b0}}, quo} * {{WIDTH{1'b0}}, den_q} + {{WIDTH{1'b0}}, rem};

    always @(posedge clk) begin
        if (rst_n) begin
            assert (!done || by_zero || (back == {{WIDTH{1'b0}}, num_q} && rem < den_q))
                else $error("div: wrong quotient or remainder");
            assert (!done || !by_zero || ((&quo) && rem == num_q))
                else $error("div: wrong result of a division by zero");
            assert (!busy || by_zero || rem < den_q)
                else $error("div: partial remainder too large");
            assert (left <= CW'(WIDTH))
                else $error("div: cycle counter out of range");
        end
    end

    // the trial's top bit is only its sign, which fits has already told
    wire unused = &{1'b0, trial[WIDTH], shifted[WIDTH]};

endmodule
