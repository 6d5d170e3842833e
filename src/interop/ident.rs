//! Verilog identifiers: keywords, escapes, and names that are taken.

use rustc_hash::FxHashSet;

/// The names used so far in one module.
#[derive(Default)]
pub(crate) struct Scope {
    taken: FxHashSet<String>,
}

impl Scope {
    /// The name itself if it is free, else with a number behind it. Characters that even an
    /// escaped identifier cannot hold are replaced.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let clean: String = wanted.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
        let clean = if clean.is_empty() { "_".to_string() } else { clean };
        let mut name = clean.clone();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{clean}${n}");
            n += 1;
        }
        name
    }
}

/// The name as Verilog text. An escaped identifier ends with the space that belongs to it.
pub(crate) fn verilog(name: &str) -> String {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        && KEYWORDS.binary_search(&name).is_err();
    if plain { name.to_string() } else { format!("\\{name} ") }
}

/// A Verilog string literal.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => out.push('?'),
        }
    }
    out.push('"');
    out
}

/// Reserved words of Verilog-2005 and SystemVerilog-2017, since readers take the file as either.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign",
    "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0",
    "bufif1", "byte", "case", "casex", "casez", "cell", "chandle", "checker", "class", "clocking", "cmos",
    "config", "const", "constraint", "context", "continue", "cover", "covergroup", "coverpoint", "cross",
    "deassign", "default", "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase",
    "endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup",
    "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram", "endproperty", "endsequence",
    "endspecify", "endtable", "endtask", "enum", "event", "eventually", "expect", "export", "extends", "extern",
    "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function", "generate",
    "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins", "implements",
    "implies", "import", "incdir", "include", "initial", "inout", "input", "inside", "instance", "int",
    "integer", "interconnect", "interface", "intersect", "join", "join_any", "join_none", "large", "let",
    "liblist", "library", "local", "localparam", "logic", "longint", "macromodule", "matches", "medium",
    "modport", "module", "nand", "negedge", "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled",
    "not", "notif0", "notif1", "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge",
    "primitive", "priority", "program", "property", "protected", "pull0", "pull1", "pulldown", "pullup",
    "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase", "randsequence", "rcmos",
    "real", "realtime", "ref", "reg", "reject_on", "release", "repeat", "restrict", "return", "rnmos", "rpmos",
    "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with",
    "scalared", "sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve",
    "specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct", "super", "supply0",
    "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time",
    "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior",
    "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until", "until_with", "untyped",
    "use", "uwire", "var", "vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0",
    "weak1", "while", "wildcard", "wire", "with", "within", "wor", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn only_odd_names_are_escaped() {
        assert_eq!(verilog("data_q"), "data_q");
        assert_eq!(verilog("u.data"), "\\u.data ");
        assert_eq!(verilog("wire"), "\\wire ");
        assert_eq!(verilog("logic"), "\\logic ");
        assert_eq!(verilog("3d"), "\\3d ");
    }

    #[test]
    fn a_name_is_given_once() {
        let mut s = Scope::default();
        assert_eq!([s.fresh("a"), s.fresh("a"), s.fresh("a b"), s.fresh("a_b")], ["a", "a$2", "a_b", "a_b$2"]);
    }
}
