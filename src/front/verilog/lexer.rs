//! Preprocessed text into tokens with spans in the original files.
//!
//! Whitespace, comments and the directives that survive preprocessing are skipped;
//! `` `default_nettype `` is the only one with a meaning here and becomes a token. The lexer never
//! fails: a character that starts no token becomes a token of its own for the parser to refuse.

use crate::source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ident,
    /// `\name ` without the backslash in its text.
    Escaped,
    Keyword,
    /// `$name`.
    System,
    /// Decimal digits.
    Digits,
    /// `'hff`, `'sd3`.
    Based,
    /// `'0 '1 'x 'z`.
    Fill,
    Real,
    /// `10ns`.
    Time,
    Str,
    Punct,
    /// `` `default_nettype X ``: text is X.
    DefaultNettype,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Span,
}

const PUNCT: &[&str] = &[
    "<<<=", ">>>=", "===", "!==", "==?", "!=?", "<<<", ">>>", "<<=", ">>=", "&&&", "|->", "|=>", "<->", "->>", "#-#",
    "#=#", "...", "::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||",
    "**", "<<", ">>", "->", "=>", "*>", "~&", "~|", "~^", "^~", "+:", "-:", "##", "(*", "*)", "'{", "@@",
];

/// Splits `text`; `origin` maps an offset to the original file and offset.
pub fn lex<'a>(text: &'a str, origin: &mut dyn FnMut(usize, usize) -> Span) -> Vec<Token<'a>> {
    let b = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4);
    let mut i = 0;
    let mut in_attribute = false;
    while i < b.len() {
        let c = b[i];
        let start = i;
        if c.is_ascii_whitespace() || c == 0 {
            i += 1;
            continue;
        }
        if b[i..].starts_with(b"//") {
            i = find(b, i, b"\n");
            continue;
        }
        if b[i..].starts_with(b"/*") {
            i = (find(b, i + 2, b"*/") + 2).min(b.len());
            continue;
        }
        if c == b'`' {
            i = directive(text, i, &mut out, origin);
            continue;
        }
        let kind = match c {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                i = word_end(b, i);
                if is_keyword(&text[start..i]) { Kind::Keyword } else { Kind::Ident }
            }
            b'\\' => {
                while i < b.len() && !b[i].is_ascii_whitespace() {
                    i += 1;
                }
                let t = &text[start + 1..i];
                out.push(Token { kind: Kind::Escaped, text: t, span: origin(start, i) });
                continue;
            }
            b'$' => {
                i = word_end(b, i + 1);
                if i == start + 1 { Kind::Punct } else { Kind::System }
            }
            b'0'..=b'9' => number(b, &mut i),
            b'\'' => apostrophe(b, &mut i),
            b'"' => {
                i += 1;
                while i < b.len() && b[i] != b'"' && b[i] != b'\n' {
                    i += if b[i] == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(b.len());
                while !text.is_char_boundary(i) {
                    i += 1;
                }
                Kind::Str
            }
            _ => {
                punct(text, &mut i, &mut in_attribute);
                Kind::Punct
            }
        };
        out.push(Token { kind, text: &text[start..i], span: origin(start, i) });
    }
    out.push(Token { kind: Kind::Eof, text: "", span: origin(text.len(), text.len()) });
    out
}

fn find(b: &[u8], from: usize, what: &[u8]) -> usize {
    b.get(from..).and_then(|r| r.windows(what.len()).position(|w| w == what)).map_or(b.len(), |p| from + p)
}

fn word_end(b: &[u8], mut i: usize) -> usize {
    while i < b.len() && (b[i].is_ascii_alphanumeric() || b[i] == b'_' || b[i] == b'$') {
        i += 1;
    }
    i
}

/// Digits, a real, or a time such as `1.5ns`.
fn number(b: &[u8], i: &mut usize) -> Kind {
    let digits = |i: &mut usize| {
        while *i < b.len() && (b[*i].is_ascii_digit() || b[*i] == b'_') {
            *i += 1;
        }
    };
    digits(i);
    let mut kind = Kind::Digits;
    if b.get(*i) == Some(&b'.') && b.get(*i + 1).is_some_and(u8::is_ascii_digit) {
        *i += 1;
        digits(i);
        kind = Kind::Real;
    }
    if matches!(b.get(*i), Some(b'e' | b'E')) {
        let mut j = *i + 1;
        if matches!(b.get(j), Some(b'+' | b'-')) {
            j += 1;
        }
        if b.get(j).is_some_and(u8::is_ascii_digit) {
            digits(&mut j);
            *i = j;
            kind = Kind::Real;
        }
    }
    for unit in [&b"fs"[..], b"ps", b"ns", b"us", b"ms", b"s"] {
        if b[*i..].starts_with(unit) && word_end(b, *i) == *i + unit.len() {
            *i += unit.len();
            return Kind::Time;
        }
    }
    kind
}

/// `'hff` (blanks allowed after the base), `'0`, `'{`, or a lone apostrophe.
fn apostrophe(b: &[u8], i: &mut usize) -> Kind {
    let mut j = *i + 1;
    if matches!(b.get(j), Some(b's' | b'S')) {
        j += 1;
    }
    if matches!(b.get(j), Some(b'b' | b'B' | b'o' | b'O' | b'd' | b'D' | b'h' | b'H')) {
        j += 1;
        while matches!(b.get(j), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            j += 1;
        }
        let digit = |c: u8| c.is_ascii_hexdigit() || matches!(c, b'_' | b'x' | b'X' | b'z' | b'Z' | b'?');
        if b.get(j).is_some_and(|c| digit(*c)) {
            while b.get(j).is_some_and(|c| digit(*c)) {
                j += 1;
            }
            *i = j;
            return Kind::Based;
        }
    }
    if matches!(b.get(*i + 1), Some(b'0' | b'1' | b'x' | b'X' | b'z' | b'Z' | b'?'))
        && !b.get(*i + 2).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_')
    {
        *i += 2;
        return Kind::Fill;
    }
    *i += if b.get(*i + 1) == Some(&b'{') { 2 } else { 1 };
    Kind::Punct
}

fn punct(text: &str, i: &mut usize, in_attribute: &mut bool) {
    let rest = &text[*i..];
    for p in PUNCT {
        if rest.starts_with(p) {
            // `@(*)` is no attribute, and `*)` ends one only where one is open.
            match *p {
                "(*" if rest[2..].trim_start().starts_with(')') => break,
                "(*" => *in_attribute = true,
                "*)" if !*in_attribute => break,
                "*)" => *in_attribute = false,
                _ => {}
            }
            *i += p.len();
            return;
        }
    }
    *i += rest.chars().next().map_or(1, char::len_utf8);
}

/// Skips a directive line; `default_nettype` is kept.
fn directive<'a>(
    text: &'a str,
    at: usize,
    out: &mut Vec<Token<'a>>,
    origin: &mut dyn FnMut(usize, usize) -> Span,
) -> usize {
    let b = text.as_bytes();
    let end = word_end(b, at + 1);
    let name = &text[at + 1..end];
    match name {
        "default_nettype" => {
            let mut j = end;
            while matches!(b.get(j), Some(b' ' | b'\t')) {
                j += 1;
            }
            let k = word_end(b, j);
            out.push(Token { kind: Kind::DefaultNettype, text: &text[j..k], span: origin(at, k) });
            k
        }
        "timescale"
        | "line"
        | "pragma"
        | "unconnected_drive"
        | "begin_keywords"
        | "default_decay_time"
        | "default_trireg_strength" => find(b, at, b"\n"),
        "define" | "undef" => {
            // Already carried out by the preprocessor; a definition goes on behind a backslash.
            let mut j = find(b, at, b"\n");
            while b[..j].trim_ascii_end().ends_with(b"\\") && j < b.len() {
                j = find(b, j + 1, b"\n");
            }
            j
        }
        "resetall" => {
            out.push(Token { kind: Kind::DefaultNettype, text: "wire", span: origin(at, end) });
            end
        }
        "celldefine"
        | "endcelldefine"
        | "nounconnected_drive"
        | "end_keywords"
        | "delay_mode_path"
        | "suppress_faults"
        | "enable_portfaults"
        | "disable_portfaults"
        | "nosuppress_faults"
        | "delay_mode_unit"
        | "delay_mode_zero"
        | "delay_mode_distributed" => end,
        _ => {
            out.push(Token { kind: Kind::Punct, text: &text[at..end.max(at + 1)], span: origin(at, end) });
            end.max(at + 1)
        }
    }
}

fn is_keyword(w: &str) -> bool {
    KEYWORDS.binary_search(&w).is_ok()
}

/// IEEE 1800-2017 reserved words, sorted.
const KEYWORDS: &[&str] = &[
    "accept_on",
    "alias",
    "always",
    "always_comb",
    "always_ff",
    "always_latch",
    "and",
    "assert",
    "assign",
    "assume",
    "automatic",
    "before",
    "begin",
    "bind",
    "bins",
    "binsof",
    "bit",
    "break",
    "buf",
    "bufif0",
    "bufif1",
    "byte",
    "case",
    "casex",
    "casez",
    "cell",
    "chandle",
    "checker",
    "class",
    "clocking",
    "cmos",
    "config",
    "const",
    "constraint",
    "context",
    "continue",
    "cover",
    "covergroup",
    "coverpoint",
    "cross",
    "deassign",
    "default",
    "defparam",
    "design",
    "disable",
    "dist",
    "do",
    "edge",
    "else",
    "end",
    "endcase",
    "endchecker",
    "endclass",
    "endclocking",
    "endconfig",
    "endfunction",
    "endgenerate",
    "endgroup",
    "endinterface",
    "endmodule",
    "endpackage",
    "endprimitive",
    "endprogram",
    "endproperty",
    "endsequence",
    "endspecify",
    "endtable",
    "endtask",
    "enum",
    "event",
    "eventually",
    "expect",
    "export",
    "extends",
    "extern",
    "final",
    "first_match",
    "for",
    "force",
    "foreach",
    "forever",
    "fork",
    "forkjoin",
    "function",
    "generate",
    "genvar",
    "global",
    "highz0",
    "highz1",
    "if",
    "iff",
    "ifnone",
    "ignore_bins",
    "illegal_bins",
    "implements",
    "implies",
    "import",
    "incdir",
    "include",
    "initial",
    "inout",
    "input",
    "inside",
    "instance",
    "int",
    "integer",
    "interconnect",
    "interface",
    "intersect",
    "join",
    "join_any",
    "join_none",
    "large",
    "let",
    "liblist",
    "library",
    "local",
    "localparam",
    "logic",
    "longint",
    "macromodule",
    "matches",
    "medium",
    "modport",
    "module",
    "nand",
    "negedge",
    "nettype",
    "new",
    "nexttime",
    "nmos",
    "nor",
    "noshowcancelled",
    "not",
    "notif0",
    "notif1",
    "null",
    "or",
    "output",
    "package",
    "packed",
    "parameter",
    "pmos",
    "posedge",
    "primitive",
    "priority",
    "program",
    "property",
    "protected",
    "pull0",
    "pull1",
    "pulldown",
    "pullup",
    "pulsestyle_ondetect",
    "pulsestyle_onevent",
    "pure",
    "rand",
    "randc",
    "randcase",
    "randsequence",
    "rcmos",
    "real",
    "realtime",
    "ref",
    "reg",
    "reject_on",
    "release",
    "repeat",
    "restrict",
    "return",
    "rnmos",
    "rpmos",
    "rtran",
    "rtranif0",
    "rtranif1",
    "s_always",
    "s_eventually",
    "s_nexttime",
    "s_until",
    "s_until_with",
    "scalared",
    "sequence",
    "shortint",
    "shortreal",
    "showcancelled",
    "signed",
    "small",
    "soft",
    "solve",
    "specify",
    "specparam",
    "static",
    "string",
    "strong",
    "strong0",
    "strong1",
    "struct",
    "super",
    "supply0",
    "supply1",
    "sync_accept_on",
    "sync_reject_on",
    "table",
    "tagged",
    "task",
    "this",
    "throughout",
    "time",
    "timeprecision",
    "timeunit",
    "tran",
    "tranif0",
    "tranif1",
    "tri",
    "tri0",
    "tri1",
    "triand",
    "trior",
    "trireg",
    "type",
    "typedef",
    "union",
    "unique",
    "unique0",
    "unsigned",
    "until",
    "until_with",
    "untyped",
    "use",
    "uwire",
    "var",
    "vectored",
    "virtual",
    "void",
    "wait",
    "wait_order",
    "wand",
    "weak",
    "weak0",
    "weak1",
    "while",
    "wildcard",
    "wire",
    "with",
    "within",
    "wor",
    "xnor",
    "xor",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn check(text: &str, expect: &[&str]) {
        let toks = lex(text, &mut |lo, hi| Span { file: FileId(0), lo: lo as u32, hi: hi as u32 });
        let got: Vec<&str> = toks.iter().map(|t| t.text).collect();
        assert_eq!(got[..got.len() - 1], *expect);
    }

    #[test]
    fn keywords_are_sorted_so_that_search_finds_them() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn literals_operators_and_attributes_split_as_the_standard_says() {
        check("8'hF_f + 4 'b 10x", &["8", "'hF_f", "+", "4", "'b 10x"]);
        check("'0 '{a:1} int'(x) '1;", &["'0", "'{", "a", ":", "1", "}", "int", "'", "(", "x", ")", "'1", ";"]);
        check("@(*) (* keep *) a<<<=2", &["@", "(", "*", ")", "(*", "keep", "*)", "a", "<<<=", "2"]);
        check("\\esc[0] $clog2(1.5e3) 10ns", &["esc[0]", "$clog2", "(", "1.5e3", ")", "10ns"]);
        check("a /* c */ // d\n`timescale 1ns/1ps\nb", &["a", "b"]);
    }
}
