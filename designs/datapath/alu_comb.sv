// alu_comb: combinational arithmetic and logic unit
// ---------------------------------------------------------------------------
// What it is
//   One of eleven operations on two words, and flags.  No asserts, see proofs/.
//
// Parameters
//   WIDTH   bits of a word, a power of two (>= 4)
//   BUG     0 = correct; other values seed a defect, see below
//
// Ports
//   op         0 ADD   1 SUB   2 AND   3 OR   4 XOR   5 SLT   6 SLTU
//              7 SLL   8 SRL   9 SRA  10 PASSB; others give 0
//   a, b       operands; shifts take the low log2 WIDTH bits of b
//   y          the result; SLT, SLTU give 1 if a < b (signed, unsigned), else 0
//   zero       y is 0
//   carry      ADD, SUB: the carry out; for SUB, 1 says a >= b unsigned.  Else 0
//   overflow   ADD, SUB: the signed result does not fit.  Else 0
//
// How it works
//   One adder serves ADD, SUB, SLT and SLTU: a - b = a + ~b + 1.  One barrel
//   shifter serves the shifts.
//
// Why it is right
//   a + ~b + 1 = a - b + 2**WIDTH carries just if a >= b.  A sum overflows if
//   both operands (b as it enters the adder) have one sign, the result the
//   other; its true sign is then the opposite of the sign bit, so a < b signed
//   just if sign bit and overflow differ.
//
// Seeded bugs
//   1  overflow of SUB uses b, not ~b: the rule of ADD; SLT goes wrong with it
//   2  SLTU compares as SLT does
//   3  a needle: SLT and SLTU forget the "+ 1" of the subtraction, so that equal
//      operands are less.  One pair in 2**WIDTH.
// ---------------------------------------------------------------------------
module alu_comb #(
    parameter int WIDTH = 32,
    parameter int BUG   = 0
) (
    input  logic [3:0]       op,
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] y,
    output logic             zero,
    output logic             carry,
    output logic             overflow
);

    localparam int LOG = $clog2(WIDTH);

    localparam logic [3:0] ADD = 4'd0, SUB  = 4'd1, AND = 4'd2, OR  = 4'd3,
                           XOR = 4'd4, SLT  = 4'd5, SLTU = 4'd6, SLL = 4'd7,
                           SRL = 4'd8, SRA  = 4'd9, PASSB = 4'd10;

    // ---- adder ----------------------------------------------------------------
    logic             minus, plus_one, cout, over, less, below;
    logic [WIDTH-1:0] bx, sum;

    assign minus    = (op == SUB) | (op == SLT) | (op == SLTU);
    assign plus_one = (BUG == 3) ? (op == SUB) : minus;
    assign bx       = b ^ {WIDTH{minus}};

    adder_unit #(.WIDTH(WIDTH), .KIND(1), .BUG(0)) add (
        .a(a), .b(bx), .cin(plus_one), .sum(sum), .cout(cout));

    assign over  = (a[WIDTH-1] == ((BUG == 1) ? b[WIDTH-1] : bx[WIDTH-1]))
                 & (a[WIDTH-1] != sum[WIDTH-1]);
    assign less  = sum[WIDTH-1] ^ over;
    assign below = (BUG == 2) ? less : ~cout;

    // ---- shifter --------------------------------------------------------------
    logic [1:0]       mode;
    logic [WIDTH-1:0] moved;

    assign mode = (op == SLL) ? 2'd0 : (op == SRL) ? 2'd1 : 2'd2;

    barrel #(.WIDTH(WIDTH), .BUG(0)) shift (
        .mode(mode), .x(a), .n(b[LOG-1:0]), .y(moved));

    // ---- result and flags -----------------------------------------------------
    always_comb begin
        case (op)
            ADD, SUB:      y = sum;
            AND:           y = a & b;
            OR:            y = a | b;
            XOR:           y = a ^ b;
            SLT:           y = {{(WIDTH-1){1'b0}}, less};
            SLTU:          y = {{(WIDTH-1){1'b0}}, below};
            SLL, SRL, SRA: y = moved;
            PASSB:         y = b;
            default:       y = '0;
        endcase
    end

    assign zero     = ~(|y);
    assign carry    = cout & ((op == ADD) | (op == SUB));
    assign overflow = over & ((op == ADD) | (op == SUB));

endmodule
