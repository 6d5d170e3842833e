//! E10xx: constraint files and waivers of the clock-crossing analysis.

super::family! { CONSTRAINTS:

E1001 "constraint cannot be read" r#"
A constraint file (SDC) is read for its clocks and how they stand to each other: `create_clock`,
`create_generated_clock`, `set_clock_groups`, `set_false_path` between clocks, `set_input_delay`
and `set_output_delay`. One of these is not written as it must be, or the Tcl around it is not
of the simple kind that constraints use.

    create_clock -name wclk [get_ports wclk]      # -period is missing

Fix: complete the command, or take program logic (`if`, `foreach`, `proc`) out of the file.
"#

W1002 "constraint has no effect" r#"
The command is not one that the clock-crossing analysis knows. It is passed over.

    set_moon_phase full

Fix: correct its name; nothing needs to be done if it is about timing or area alone.
"#

E1003 "waiver cannot be used" r#"
A waiver names the rule, a pattern for the path of the captured signal, the reason and its
owner, and may have an expiry date. Something of it is missing or cannot be read.

    - rule: C001
      path: top.u_debug.*
      reason: quasi-static, written once at start-up
      owner: clocks team
      expires: 2027-06-30

Fix: complete the entry.
"#

W1004 "constraint names nothing" r#"
The target of a clock is no input of the design. Clocks are found by the names of ports as the
top declares them.

    create_clock -period 5 [get_ports clock]      # the port is called clk

Fix: correct the name or the pattern.
"#
}
