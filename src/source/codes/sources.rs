//! E01xx: reading files, the preprocessor and the parser.

super::family! { SOURCES:

E0101 "cannot read file" r#"
A source file, a file list or a memory image was named but could not be read: it does not
exist, it is a directory, or its permissions forbid it. Nothing is checked without it,
because a verdict about half of a design says nothing about the design.

    rtl/top.f:  core/alu.sv        // the file is in ip/core/alu.sv

Fix: correct the path. Paths in a list read with `-f` are looked up from the list's own
folder first and then from the working directory; with `-F`, only from the list's folder.
"#

E0102 "malformed file list" r#"
A file list, or the command line, cannot be understood: a quote or comment is not closed, an
option lacks its value, an environment variable is not set, or lists include each other in a
circle. Guessing here would silently check another design.

    +incdir+${IP_ROOT}/include     // IP_ROOT is not set
    -y                             // no directory follows

Fix: correct the word that the message points at, or set the variable before the run.
"#

E0103 "unknown option" r#"
An option is not one that entail knows. Options of other tools often change which source is
compiled, so a `-option` is never skipped in silence. An unknown `+plusarg` is only a
warning: by custom these are read by the simulated program itself.

    -makelib work                  // error
    +UVM_VERBOSITY=UVM_LOW         // warning, ignored

Fix: remove the option from the list, or keep options of one tool in a list of its own.
"#

E0104 "include file not found" r#"
A file named by `` `include `` is neither next to the file that includes it nor in any
include directory. Macros, types or parameters that it defines would be missing, and every
message after this one could be a consequence.

    `include "fifo_defs.svh"

Fix: add its folder with `+incdir+DIR` or `-I DIR`. Directories are searched in the order in
which they are given.
"#

E0105 "macro error" r#"
A macro is used but not defined, is given the wrong number of arguments, expands into itself,
or a conditional directive has no partner. The text after preprocessing would not be what its
author wrote.

    `ifdef SYNTHESIS
    assign q = `DELAY d;           // `DELAY is defined only in the other branch
    `endif

Fix: define the macro before its first use, with `` `define `` or `+define+NAME=VALUE`. The
order of files in the list matters: macros live on from one file to the next.
"#

E0106 "syntax error" r#"
The text is not SystemVerilog (IEEE 1800-2017). The place shown is the farthest that the
parser could reach; the mistake is there or shortly before it.

    always_ff @(posedge clk)
      q <= d                       // `;` is missing
    endmodule                      // the parser stops here

Fix: look at the end of the statement before the place shown. If a keyword such as `bit` or
`do` is used as a name in old Verilog, rename it.
"#

E0107 "nesting too deep" r#"
Expressions, blocks, generate constructs or includes are nested more deeply than the limit.
The limit keeps a generated or damaged file from exhausting the stack. Written code seldom
nests more than ten levels.

    assign y = ((((((((((((((((((((((((…a…))))))))))))))))))))))));

Fix: if a script generates the file, let it declare intermediate nets. If a file includes
itself, protect it with an `` `ifndef `` guard.
"#

E0109 "parser failed internally" r#"
The parser accepted the file but handed on a tree that makes no sense, or it crashed. This is
a defect of entail, not of the design. The file is rejected, because a tree that cannot be
trusted cannot be verified.

    error[E0109]: parser failed internally in `core.sv`

Fix: please report it with the smallest file that shows it. Until then, rewriting the
statement at the place shown usually avoids it.
"#

E0110 "malformed memory image" r#"
A file that `$readmemh` or `$readmemb` loads holds something other than numbers, comments and
`@address` marks, a word is wider than the memory, or an address lies outside it. The initial
content of a memory is part of the design, so it is not guessed.

    logic [7:0] rom [0:3];
    initial $readmemh("rom.hex", rom);     // rom.hex:  00 1FF 7G @9 00

Fix: correct the word shown. Use `$readmemh` for hexadecimal and `$readmemb` for binary, and
give every word at most the width of the memory.
"#
}
