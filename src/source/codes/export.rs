//! E09xx: writing a design for another tool.

super::family! { EXPORT:

E0901 "design cannot be written in this format" r#"
The format has no way to say what the design does, and writing something close would mean
another design. AIGER and BTOR2, for example, know steps but no time, so a circuit that may
not come to rest within one step, such as a counter that clears itself, cannot be written.

    always_ff @(posedge clk or posedge full) if (full) count <= 0; else count <= count + 1;
    assign full = count[3];

Fix: choose another format (`--to verilog` and `--to json` take every design), or cut the
design at the place the message names.
"#
}
