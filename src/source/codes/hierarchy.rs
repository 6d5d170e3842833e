//! E02xx: names, modules, ports and the hierarchy they form.

super::family! { HIERARCHY:

E0201 "top module not found" r#"
The top module that was asked for does not exist, or none was named and there is not exactly
one module that no other instantiates. The top decides what is verified, so it is not chosen
by chance.

    module core (…); endmodule
    module debug_probe (…); endmodule      // never instantiated: two candidates

Fix: name it with `--top NAME`. Check that the file which defines it is in the file list.
"#

E0202 "unknown module" r#"
An instance names a module that no source file defines. Whatever it drives would be free to
take any value, and properties could then fail, or hold, for the wrong reason.

    pll u_pll (.ref(clk_in), .out(clk));   // `pll` is an analogue macro, not RTL

Fix: add its file, or a library with `-y DIR` or `-v FILE`. If it has no source on purpose,
declare it with `--blackbox pll`; its outputs are then free inputs of the model.
"#

E0203 "defined twice" r#"
Two declarations in one scope have the same name. Tools differ in which of the two they take,
so simulation and synthesis could be looking at different designs.

    logic [7:0] count;
    wire        count;                     // same scope

Fix: remove or rename one. For a module that is defined in two files, keep one file in the
list; a simulation model and its RTL often share a name.
"#

E0204 "unknown name" r#"
A name is used that no enclosing scope declares and no import provides. For a simple net in a
port connection Verilog would declare a one-bit wire by itself; everywhere else, and under
`` `default_nettype none ``, the name must exist.

    always_comb next = cuont + 1;          // declared as `count`

Fix: correct the spelling, declare it before its use, or import the package that holds it.
"#

E0205 "unknown port" r#"
A connection names a port that the module does not have. The signal would be connected to
nothing.

    module adder (input [7:0] a, b, output [7:0] sum); … endmodule
    adder u (.a(x), .b(y), .s(z));         // the port is called `sum`

Fix: correct the name. If the module has changed, remove the connection.
"#

E0206 "unknown parameter" r#"
An instance or the command line overrides a parameter that the module does not have, or one
declared as `localparam`, which cannot be overridden. The module would silently keep its
default.

    module fifo #(parameter DEPTH = 16) (…); … endmodule
    fifo #(.SIZE(64)) u (…);

Fix: use the declared name. If it is a `localparam`, override the parameter it is computed
from.
"#

E0207 "too many positional connections" r#"
An instance lists more ports, or more parameters, by position than the module declares. At
least one connection is to something that is not there, and often all of them are shifted.

    module inv (input a, output y); … endmodule
    inv u (p, q, r);

Fix: connect by name, `inv u (.a(p), .y(q));`. A positional list breaks whenever the module
gains a port.
"#

E0208 "unknown package" r#"
`import` or `package::name` refers to a package that no source file defines before this
point. Its types, constants and functions are missing.

    import bus_pkg::*;                     // bus_pkg.sv comes later in the file list

Fix: add the file of the package, and place it in the list before the files that use it.
"#

E0209 "not a type" r#"
A name stands where a type must stand, but it denotes something else.

    localparam word = 32;
    word data;                             // `word` is a number

Fix: declare it with `typedef`, or write the type out: `logic [word-1:0] data;`. If the type
lives in a package, import it; if it is a parameter, declare it as `parameter type`.
"#

E0210 "instantiation recursion too deep" r#"
Modules instantiate themselves, directly or through others, beyond the limit. Recursion is
legal when a parameter shrinks and a `generate if` ends it; here nothing seems to end it.

    module tree #(parameter N = 8) (…);
      tree #(.N(N / 2)) left (…);          // N reaches 0 and stays there
    endmodule

Fix: guard the inner instance, `if (N > 1) begin : split … end`.
"#

E0211 "ambiguous wildcard import" r#"
Two packages imported with `::*` both provide the name, and neither is preferred. Choosing
one would make the meaning depend on the tool.

    import alu_pkg::*;
    import fpu_pkg::*;
    assign y = (op == ADD);                // both packages declare ADD

Fix: write `alu_pkg::ADD`, or import that one name explicitly: `import alu_pkg::ADD;`.
"#

E0212 "unknown member" r#"
A struct, union or interface has no member of this name.

    typedef struct packed { logic valid; logic [7:0] data; } beat_t;
    beat_t b;
    assign ready = b.vld;                  // the member is `valid`

Fix: correct the name. For an interface, check that the modport in use lists the signal.
"#

E0213 "name used as the wrong kind of thing" r#"
The name exists but denotes another kind of thing than its place demands: a module where a
value is expected, a type used as a signal, a function without its call.

    function automatic logic parity(input logic [7:0] x); return ^x; endfunction
    assign p = parity;                     // a function, not a value

Fix: see where the name is declared (the second place shown) and use it as declared.
"#

E0214 "interface port not connected" r#"
An interface port is left open, or is connected to something that is not an instance of that
interface. An interface port has no default: without an instance it has no signals at all.

    module slave (axi_if.slave bus); … endmodule
    slave u (.bus(clk));                   // a net, not an `axi_if`

Fix: declare an instance, `axi_if bus0 (…);`, and connect it: `slave u (.bus(bus0));`.
"#

E0215 "port connected twice" r#"
One port appears twice in the connections of an instance. Only one of the two signals can be
meant.

    adder u (.a(x), .b(y), .a(z), .sum(s));

Fix: remove one. After copying a line of connections, check that its port was renamed too.
"#

E0216 "bind target not found" r#"
A `bind` directive names a module or an instance that is not in the hierarchy under the top.
The assertions it carries would never be checked, and the run would look clean.

    bind fifo_ctl fifo_checks u_chk (.*);  // the module is `fifo_ctrl`

Fix: correct the name. If the target is only present in some configurations, leave the file
with the `bind` out of the list for the others.
"#

W0217 "input port left unconnected" r#"
An input of an instance has no connection and no default. It floats: entail lets it take any
value in any cycle, simulation shows `z`, and hardware does what it likes.

    counter u (.clk(clk), .en(), .q(q));   // `en` floats

Fix: tie it to a constant, `.en(1'b1)`. If it is open on purpose, waive this warning there.
"#

W0218 "VHDL analysis has a doubt" r#"
The VHDL analyser found something that the language forbids, such as a type mismatch or an
unknown name. It can be mistaken, so this is a warning: entail goes on, and reports an error
where it meets a construct that it cannot understand.

    signal a : std_logic_vector(7 downto 0);
    ...
    a <= b + 1;      -- no "+" for std_logic_vector is visible

Fix: correct the text; ignore the warning if another tool accepts it and entail elaborates it.
"#
}
