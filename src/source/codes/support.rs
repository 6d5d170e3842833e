//! E04xx: code that is not hardware, or that entail does not take yet.

super::family! { SUPPORT:

E0401 "delay is not hardware" r#"
A delay `#n` in a process or an assignment has no counterpart in synthesized hardware. If it
were dropped, the order of events that the code relies on could change.

    initial begin
      rst = 1;
      #100 rst = 0;                        // a test bench
    end

Fix: leave test benches out of the file list. Intra-assignment delays in old RTL (`q <= #1 d`)
can be switched off with a macro: `` q <= `TCQ d ``.
"#

E0402 "fork is not hardware" r#"
`fork … join` starts concurrent threads while the design runs. Hardware has a fixed set of
processes, so this cannot become a circuit.

    fork
      send(a);
      receive(b);
    join

Fix: in RTL, write one `always` process for each thread. In a test bench, leave the file out.
"#

E0403 "class is not hardware" r#"
Classes are objects created while a simulation runs. They belong to test benches such as UVM
and have no hardware of their own.

    class packet;
      rand bit [7:0] payload;
    endclass

Fix: leave the verification environment out of the file list. Checks that should hold in the
design belong in `assert property`, in the module or bound to it.
"#

E0404 "force, release or procedural assign" r#"
`force`, `release`, and `assign` or `deassign` inside a process override other drivers for a
while. No circuit does that, and a model with such overrides would be neither the design nor
its test.

    always @(rst) if (rst) assign q = 0; else deassign q;

Fix: describe an asynchronous reset with an edge: `always_ff @(posedge clk or posedge rst)`.
"#

E0405 "construct not supported" r#"
The construct is legal SystemVerilog, but entail does not know how to turn it into hardware.
It is an error rather than a warning, because a design with a part left out is another design.

    primitive majority (output y, input a, b, c); … endprimitive

Fix: rewrite it with simpler constructs; the message says what is meant. If the module around
it does not matter to the property, cut it out with `--blackbox MODULE`.
"#

E0406 "system task or function not supported" r#"
A system function that yields a value, or a system task that changes one, is not supported.
Its result would have to be guessed.

    assign stimulus = $random;
    initial fd = $fopen("log.txt");

Fix: for a value that may be anything, use an unconnected input of the top. Constant
functions (`$clog2`, `$bits`, `$size`, …) and conversions (`$signed`, …) are supported.
"#

E0407 "event control inside a process" r#"
A process waits for an event in its middle. Its position is then hidden state that no
register in the source describes, and synthesis tools refuse it.

    always begin
      @(posedge clk) a <= x;
      @(posedge clk) b <= y;
    end

Fix: write one `always_ff @(posedge clk)` with a state register that says which step is next.
"#

E0408 "cannot tell which edge is the clock" r#"
A process is triggered by several edges, and its body does not show which of them is the
clock. All edges but one must be tested by leading `if`s, as asynchronous resets or sets.

    always_ff @(posedge clk or posedge rst)
      q <= d;                              // `rst` is never tested

Fix: test each asynchronous control first, `if (rst) q <= 0; else q <= d;`, or take it out of
the sensitivity list if the reset is synchronous. An assertion or `$past` without a clock needs
`@(posedge clk)` or a `default clocking`.
"#

E0409 "both edges of one signal" r#"
A process runs on the rising and on the falling edge of the same signal. A flip-flop has one
active edge, so no cell implements this.

    always_ff @(posedge clk or negedge clk)
      q <= d;

Fix: for double data rate, use one register on each edge and a multiplexer. If combinational
logic was meant, write `always_comb`.
"#

E0410 "initial block is not constant" r#"
An `initial` block gives registers their value at power-up, so what it assigns must be
constant. This one reads signals, waits, or depends on another `initial` block.

    initial count = start_value;           // `start_value` is an input

Fix: assign a constant, or load the value under reset. Memories may be filled with a constant
loop, `$readmemh` or `$readmemb`.
"#

E0411 "real arithmetic outside constants" r#"
A `real` or `shortreal` value takes part in the logic. Floating point is fine while
parameters are computed, but a signal has bits, not a real value.

    real gain;
    always_comb y = x * gain;

Fix: use fixed point, with a constant computed from reals if you like:
`localparam int GAIN = int'(1.25 * 256);` and `y = (x * GAIN) >>> 8;`.
"#

E0412 "both blocking and non-blocking" r#"
One variable is assigned with `=` in one place and with `<=` in another. Whether a reader sees
the old or the new value then depends on the order in which a simulator runs the processes.

    always_ff @(posedge clk) begin
      if (clear) count = 0;
      else       count <= count + 1;
    end

Fix: use `<=` for everything that a clock edge stores, and `=` in combinational logic.
"#

E0413 "dynamic data is not hardware" r#"
Strings, queues, dynamic and associative arrays, events and `chandle`s change their size, or
refer to the simulator, while the design runs. A circuit has a fixed number of bits.

    logic [7:0] fifo [$];
    always_ff @(posedge clk) if (push) fifo.push_back(data);

Fix: use an array of fixed size with explicit read and write pointers. Strings are accepted
in parameters and in messages.
"#

W0415 "statement has no effect on hardware" r#"
The statement only prints, records or stops a simulation (`$display`, `$monitor`, `$dumpvars`,
`$finish`, …). It is ignored; the rest of the process is kept.

    always_ff @(posedge clk) begin
      if (overflow) $display("overflow at %t", $time);
      count <= count + 1;
    end

Fix: none is needed. If a message reports something that must never happen, turn it into an
assertion: `assert property (@(posedge clk) !overflow);`.
"#

W0416 "PSL is not checked" r#"
The file has properties in PSL: behind `-- psl`, in a `vunit`, or among VHDL-2008 statements.
The design around them is read as if they were not there, and they are not checked.

    -- psl assert always (req -> eventually! ack);

Fix: none is needed for the netlist. For a property that must be checked now, use a VHDL
`assert` statement.
"#

E0417 "property is not bounded" r#"
An attempt to check the property need not end after a number of ticks known beforehand:
`s_eventually`, `until`, `always`, `##[1:$]`, `[*]`, `[->n]`, `[=n]`, or a property that uses
itself. Assertions here are followed tick by tick until each attempt is decided.

    assert property (@(posedge clk) req |-> s_eventually ack);

Fix: give it a bound; `##[1:16] ack` often says what is really required. A requirement without
any bound is liveness, and belongs in --ltl.
"#

E0418 "sequence without a tick" r#"
A sequence that is used as a property may match without taking a tick, or has no match that
takes one; it would say nothing, or nothing that could come true (IEEE 1800-2017 16.12.22).

    assert property (@(posedge clk) start |-> busy[*0:4]);

Fix: let it take at least one tick, `busy[*1:4]`, or put what follows behind it:
`busy[*0:4] ##1 done`.
"#
}
