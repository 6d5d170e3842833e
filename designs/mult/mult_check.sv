// mult_check: mult next to the operator *, with an assert
// ---------------------------------------------------------------------------
// Parameters and ports as in mult, and
//   clk    when to look: the assert samples the settled product at its rise, so
//          that simulators do not report the glitches of a wide tree
//   good   high if the product is right, for all a and b
// There are no registers, and so no reset.
// ---------------------------------------------------------------------------
module mult_check #(
    parameter int WIDTH  = 8,
    parameter int SIGNED = 0,
    parameter int PP     = 1,
    parameter int TREE   = 1,
    parameter int ADDER  = 1,
    parameter int BUG    = 0
) (
    input  logic               clk,
    input  logic [WIDTH-1:0]   a,
    input  logic [WIDTH-1:0]   b,
    output logic [2*WIDTH-1:0] p,
    output logic               good
);

    logic [2*WIDTH-1:0] ax, bx, expect_p;

    // extend to the width of the product: then one unsigned * serves both
    assign ax       = {{WIDTH{(SIGNED != 0) & a[WIDTH-1]}}, a};
    assign bx       = {{WIDTH{(SIGNED != 0) & b[WIDTH-1]}}, b};
    assign expect_p = ax * bx;

    mult #(
        .WIDTH (WIDTH),
        .SIGNED(SIGNED),
        .PP    (PP),
        .TREE  (TREE),
        .ADDER (ADDER),
        .BUG   (BUG)
    ) dut (
        .a(a),
        .b(b),
        .p(p)
    );

    assign good = (p == expect_p);

    always @(posedge clk) begin
        assert (good) else $error("mult_check: wrong product");
    end

endmodule
