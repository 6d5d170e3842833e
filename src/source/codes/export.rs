//! E09xx: writing a design for another tool.

super::family! { EXPORT:

E0901 "design cannot be written in this format" r#"
The format has no way to say what the design does, and writing something close would mean
another design. AIGER and BTOR2, for example, know steps but no clocks, so a clock that
depends on data within one step cannot be written.

    entail export ring.sv --to aiger       # the clock of one register is the output of another

Fix: choose another format (`--to verilog` and `--to json` take every design), or cut the
design at the place the message names.
"#
}
