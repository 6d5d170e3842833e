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

E0902 "property cannot be attached" r#"
A property of the library is attached to a design by the nets its ports are connected to. The
name, a port, a parameter or a net of the command line does not exist, or widths differ.

    entail check fifo.sv --attach 'gray_one_bit(clk=wclk, rst=!wrst_n, value=wptr)'

Fix: name nets as they are after elaboration, with dots between levels (`entail lint -v` lists
the sizes, `entail export --to verilog` all names). A port that is left out is free.
"#
}
