//! E05xx: drivers, loops and storage, found once the design is a network.

super::family! { NETLIST:

E0501 "multiple drivers" r#"
A net or variable is driven from two places at once. In hardware the two outputs fight: the
value is undefined and the current may be harmful.

    assign y = a & b;
    assign y = c | d;

Fix: choose with a multiplexer, or give each driver a net of its own. A variable may be
assigned in one `always_ff` or `always_comb` only. For a shared bus, use tri-state drivers
(`en ? data : 'z`) on a `wire`.
"#

E0502 "combinational loop" r#"
A signal depends on itself without a register in between. Such logic may oscillate or hold a
value by accident, and a cycle-based model of it has no single meaning.

    assign a = b ^ en;
    assign b = a;

Fix: break the loop with a register. The places shown follow the loop once around. Bits of a
vector are followed one by one, so every loop shown is a real one.
"#

W0503 "latch inferred" r#"
On some path through a combinational process the variable is not assigned, so it must keep
its value: this is a level-sensitive latch. A latch that was not meant is a common bug, and
one that was meant deserves to be visible.

    always @(*) if (sel) y = a;            // and when `sel` is 0?

Fix: assign a default first, `y = '0;`, or add the missing `else` or `default`. If you want a
latch, write `always_latch`.
"#

W0504 "undriven net" r#"
A net is read but nothing drives it. entail lets it take any value in any cycle, so properties
may fail for a reason that is not in the design; in hardware it floats.

    logic enable;
    always_ff @(posedge clk) if (enable) q <= d;

Fix: drive it, or make it an input if the environment is meant to choose. A misspelt name in
a port connection is a usual cause.
"#

W0505 "latch in always_comb" r#"
`always_comb` promises combinational logic, but on some path the variable is not assigned and
so keeps its value. The promise is broken: the hardware contains a latch.

    always_comb
      case (op)
        ADD: y = a + b;
        SUB: y = a - b;                    // and for the other operations?
      endcase

Fix: assign a default before the `case`, or add `default: y = 'x;` if the value never matters.
"#

E0506 "assignment to an input or constant" r#"
The design assigns something that it may only read: an input port, a parameter, a genvar, or
an interface signal that the modport declares as input.

    module stage (input logic [7:0] d, …);
      assign d = 8'h00;

Fix: if the module is meant to drive the signal, declare it as `output`. Otherwise assign a
signal of its own.
"#

E0508 "tri-state cannot be resolved" r#"
A net has high-impedance drivers that cannot be turned into a multiplexer: `z` is stored in a
register, takes part in arithmetic, or several drivers are not controlled by an enable.

    always_ff @(posedge clk) q <= en ? d : 1'bz;     // a register cannot store `z`

Fix: store the data and the enable, and drive the net in one place outside:
`assign pad = en_q ? data_q : 1'bz;`.
"#

W0509 "asynchronous load value is not constant" r#"
On an asynchronous reset or set, the register loads a value that is not constant. Few cell
libraries have such a cell; synthesis builds it from latches, and the value must be stable
when the control is released.

    always_ff @(posedge clk or posedge load)
      if (load) q <= data;                 // `data` is a signal
      else      q <= q + 1;

Fix: reset to a constant, and load with a synchronous enable.
"#

W0510 "register without reset or initial value" r#"
The register is never reset and has no initial value, so it starts with any value at all.
That is common and fine in a data path whose valid bit is reset; in control logic it is not.

    always_ff @(posedge clk) state <= next_state;

Fix: reset it, give it an initial value if the technology has one, or leave it: entail checks
properties for every starting value, so nothing is missed.
"#

W0511 "full_case believed" r#"
The attribute `full_case` tells synthesis that the values without a label never occur. A
simulator does not see it, and keeps the old value. entail lets the outcome be anything for such
a value, which covers both.

    (* full_case *)
    case (state)            // two bits, three labels
      2'd0: y = a;
      2'd1: y = b;
      2'd2: y = c;
    endcase

Fix: add a `default`, or write `priority case`, whose promise simulators check.
"#

W0512 "incomplete sensitivity list" r#"
A combinational VHDL process, or the asynchronous reset of a clocked one, reads signals that do
not wake it up. A simulator keeps the old result until a listed signal changes; hardware, and
entail, follow at once.

    process (a)            -- b is missing
    begin
      y <= a and b;
    end process;

Fix: write `process (all)`, or complete the list.
"#

W0513 "processes share a variable without order" r#"
Several processes use a shared variable at clock edges. When two of them run at the same edge,
their order is not defined: entail takes a read to see the value from before the edge, and a
word that two write at once to be anything.

    if rising_edge(clk) then mem(a) := d; end if;     -- one process
    if rising_edge(clk) then q <= mem(b); end if;     -- another: old or new?

Fix: none is needed for a memory whose ports do not meet at one address; else use a signal.
"#

W0514 "initial value depends on a signal" r#"
The initial value of a variable or signal is computed from a signal. In a simulation that is the
value of the signal when time begins; hardware has none, so entail lets it start unknown.

    variable last : unsigned(3 downto 0) := count - 1;

Fix: initialise with a constant, or reset it.
"#
}
