//! A look at the text before it is parsed: PSL, which the parser does not know, text that is switched
//! off for synthesis, and units that may be written in another language.
//!
//! PSL stands in comments (`-- psl …`), in verification units, and in VHDL-2008 between other
//! statements. It is blanked with spaces, so that every place stays what it is, and kept as
//! ranges of the text.

use smol_str::SmolStr;
use std::ops::Range;

/// Where a piece of PSL was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PslKind {
    /// Behind `-- psl`.
    Comment,
    /// A directive or declaration among statements.
    Inline,
    /// A `vunit`, `vprop` or `vmode`.
    Unit,
}

#[derive(Default, Debug)]
pub struct Scan {
    /// Where nesting gets deeper than a recursive parser survives.
    pub too_deep: Option<usize>,
    /// Text between `-- synthesis translate_off` and `translate_on`: not hardware.
    pub off: Vec<Range<usize>>,
    pub psl: Vec<(PslKind, Range<usize>)>,
    /// Entities declared here, in lower case.
    pub entities: Vec<SmolStr>,
    /// Entities instantiated directly: library and name.
    pub instantiated: Vec<(SmolStr, SmolStr)>,
    /// Components declared here.
    pub components: Vec<SmolStr>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind<'t> {
    /// As written.
    Word(&'t str),
    Symbol(char),
    /// Literals.
    Other,
}

struct Token<'t> {
    kind: Kind<'t>,
    at: Range<usize>,
}

impl<'t> Token<'t> {
    fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word(w) if w.eq_ignore_ascii_case(word))
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.is(w))
    }

    fn symbol(&self, c: char) -> bool {
        self.kind == Kind::Symbol(c)
    }

    fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Word(_))
    }

    /// An identifier as we spell it.
    fn name(&self) -> Option<SmolStr> {
        match self.kind {
            Kind::Word(w) if w.starts_with('\\') => Some(w.into()),
            Kind::Word(w) => Some(w.to_ascii_lowercase().into()),
            _ => None,
        }
    }
}

pub fn scan(text: &str) -> Scan {
    let mut out = Scan::default();
    let tokens = tokens(text, &mut out);
    for (i, w) in tokens.windows(3).enumerate() {
        let [a, b, c] = w else { continue };
        if a.is("entity")
            && let Some(name) = b.name()
        {
            if c.is("is") {
                out.entities.push(name);
            } else if c.symbol('.')
                && let Some(unit) = tokens.get(i + 3).and_then(Token::name)
            {
                out.instantiated.push((name, unit));
            }
        }
        if a.is("component") && !tokens[..i].last().is_some_and(|t| t.is("end")) {
            out.components.extend(b.name());
        }
    }
    out.too_deep = too_deep(&tokens);
    statements(&tokens, &mut out.psl);
    out.psl.sort_by_key(|(_, r)| r.start);
    out
}

/// The text with all that the parser must not see turned into spaces: one for each character if the text was
/// Latin-1 (`wide`), else one for each byte, since the parser takes every byte for a character.
pub fn blanked(text: &str, scan: &Scan, wide: bool) -> Option<String> {
    let psl = scan.psl.iter().filter(|(k, _)| *k != PslKind::Comment).map(|(_, r)| r);
    let mut hidden: Vec<&Range<usize>> = psl.chain(&scan.off).collect();
    hidden.sort_by_key(|r| r.start);
    if hidden.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for r in hidden {
        if r.start < at {
            continue;
        }
        out.push_str(&text[at..r.start]);
        for c in text[r.clone()].chars() {
            match c {
                '\n' | '\r' => out.push(c),
                _ if wide => out.push(' '),
                _ => out.extend(std::iter::repeat_n(' ', c.len_utf8())),
            }
        }
        at = r.end;
    }
    out.push_str(&text[at..]);
    Some(out)
}

fn tokens<'t>(text: &'t str, found: &mut Scan) -> Vec<Token<'t>> {
    let bytes = text.as_bytes();
    let mut out: Vec<Token<'t>> = Vec::new();
    // A PSL comment goes on in the next ones until its semicolon.
    let mut open: Option<usize> = None;
    // Where text was switched off.
    let mut off: Option<usize> = None;
    let mut i = 0;
    while i < bytes.len() {
        let c = bytes[i];
        let rest = &bytes[i..];
        if c.is_ascii_whitespace() {
            i += 1;
            continue;
        }
        if rest.starts_with(b"--") {
            let end = i + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            let body = text[i + 2..end].trim_start();
            match (switch(body), off) {
                (Some(false), None) => off = Some(end),
                (Some(true), Some(from)) => {
                    found.off.push(from..i);
                    off = None;
                }
                _ => {}
            }
            if off.is_some() {
                i = end;
                continue;
            }
            let psl = &mut found.psl;
            let starts = body.get(..3).is_some_and(|w| w.eq_ignore_ascii_case("psl"))
                && body[3..].starts_with(|c: char| c.is_whitespace());
            if starts && open.is_none() {
                open = Some(psl.len());
                psl.push((PslKind::Comment, i..end));
            } else if let Some(n) = open {
                psl[n].1.end = end;
            }
            if body.trim_end().ends_with(';') {
                open = None;
            }
            i = end;
            continue;
        }
        open = None;
        if off.is_some() {
            i += text[i..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if rest.starts_with(b"/*") {
            i += text[i + 2..].find("*/").map_or(rest.len(), |n| n + 4);
            continue;
        }
        let start = i;
        let kind = match c {
            b'a'..=b'z' | b'A'..=b'Z' => {
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
                Kind::Word(&text[start..i])
            }
            b'\\' => {
                i += 1 + rest[1..].iter().position(|b| matches!(b, b'\\' | b'\n')).map_or(rest.len() - 1, |n| n + 1);
                Kind::Word(&text[start..i])
            }
            b'"' => {
                i += 1 + rest[1..].iter().position(|b| matches!(b, b'"' | b'\n')).map_or(rest.len() - 1, |n| n + 1);
                Kind::Other
            }
            b'\'' => {
                // A character, unless it follows a name: then it is an attribute or a qualification.
                let name = out
                    .last()
                    .is_some_and(|t| t.symbol(')') || t.symbol(']') || (t.is_word() && !t.is_one_of(OPERATORS)));
                let wide = text[i + 1..].chars().next().map_or(1, char::len_utf8);
                if !name && bytes.get(i + 1 + wide) == Some(&b'\'') {
                    i += 2 + wide;
                    Kind::Other
                } else {
                    i += 1;
                    Kind::Symbol('\'')
                }
            }
            b'0'..=b'9' => {
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'#' | b'.')) {
                    i += 1;
                }
                Kind::Other
            }
            _ => {
                let c = text[i..].chars().next().unwrap_or(' ');
                i += c.len_utf8();
                Kind::Symbol(c)
            }
        };
        out.push(Token { kind, at: start..i });
    }
    found.off.extend(off.map(|from| from..text.len()));
    out
}

/// How many parentheses or statements may stand in each other, and operators in a row.
const MAX_NESTING: usize = 2_000;
const MAX_CHAIN: usize = 20_000;

fn too_deep(tokens: &[Token<'_>]) -> Option<usize> {
    let (mut parentheses, mut statements, mut chain) = (0usize, 0usize, 0usize);
    let mut ending = false;
    for t in tokens {
        match t.kind {
            Kind::Symbol('(') => (parentheses, chain) = (parentheses + 1, 0),
            Kind::Symbol(')') => parentheses = parentheses.saturating_sub(1),
            Kind::Symbol(',') => chain = 0,
            Kind::Symbol(';') => (parentheses, chain) = (0, 0),
            Kind::Symbol(_) => chain += 1,
            Kind::Word(_) => {
                chain += 1;
                if t.is("end") {
                    statements = statements.saturating_sub(1);
                } else if !ending && t.is_one_of(&["block", "if", "case", "loop", "generate"]) {
                    statements += 1;
                }
            }
            Kind::Other => {}
        }
        ending = t.is("end");
        if parentheses > MAX_NESTING || statements > MAX_NESTING || chain > MAX_CHAIN {
            return Some(t.at.start);
        }
    }
    None
}

/// Whether a comment switches synthesis on or off.
fn switch(comment: &str) -> Option<bool> {
    let mut words = comment.split_whitespace();
    let tool = words.next()?.to_ascii_lowercase();
    let what = words.next()?.to_ascii_lowercase();
    let synthesis = ["synthesis", "synopsys", "pragma", "exemplar", "altera", "xilinx"].contains(&tool.as_str());
    match what.as_str() {
        "translate_off" | "synthesis_off" if synthesis => Some(false),
        "translate_on" | "synthesis_on" if synthesis => Some(true),
        "off" if matches!(tool.as_str(), "rtl_synthesis" | "synthesis") => Some(false),
        "on" if matches!(tool.as_str(), "rtl_synthesis" | "synthesis") => Some(true),
        _ => None,
    }
}

/// Reserved words behind which a quote starts a character.
const OPERATORS: &[&str] = &[
    "and", "or", "nand", "nor", "xor", "xnor", "not", "when", "else", "return", "is", "if", "elsif", "until", "select",
    "to", "downto", "mod", "rem", "sll", "srl", "sla", "sra", "rol", "ror", "assert", "report", "then", "while",
    "case",
];

/// Words behind which a statement or declaration may start.
const OPENERS: &[&str] = &["begin", "is", "generate", "then", "else", "loop"];

/// Words that make an assertion one of PSL.
const TEMPORAL: &[&str] = &[
    "always",
    "never",
    "eventually",
    "next",
    "until",
    "before",
    "abort",
    "next_a",
    "next_e",
    "next_event",
    "next_event_a",
    "next_event_e",
    "until_",
    "before_",
    "async_abort",
    "sync_abort",
];

/// Finds PSL where a statement or declaration may start.
fn statements(tokens: &[Token], psl: &mut Vec<(PslKind, Range<usize>)>) {
    let mut i = 0;
    let mut start = true;
    while i < tokens.len() {
        let t = &tokens[i];
        if start && let Some((kind, end)) = psl_at(tokens, i) {
            // A label goes with what it labels.
            let labelled = i >= 2 && tokens[i - 1].symbol(':') && tokens[i - 2].is_word();
            let first = if labelled { i - 2 } else { i };
            psl.push((kind, tokens[first].at.start..tokens[end].at.end));
            i = end + 1;
            continue;
        }
        let label = t.symbol(':') && !tokens.get(i + 1).is_some_and(|n| n.symbol('='));
        start = t.symbol(';') || label || t.is_one_of(OPENERS);
        i += 1;
    }
}

/// Whether a word stands where only an operator of PSL can. None of them is reserved in VHDL: as the name of
/// an object, `before` stands behind an operator or before one.
fn is_temporal(tokens: &[Token<'_>], k: usize) -> bool {
    let (Some(before), Some(after)) = (tokens.get(k.wrapping_sub(1)), tokens.get(k + 1)) else { return false };
    let operand = match after.kind {
        Kind::Word(_) => after.is("not") || !(after.is("severity") || after.is_one_of(OPERATORS)),
        Kind::Symbol(c) => matches!(c, '(' | '{' | '!' | '['),
        Kind::Other => true,
    };
    let free = match before.kind {
        Kind::Symbol(c) => matches!(c, '(' | ')' | '}' | ']' | ':'),
        _ => !before.is_one_of(&OPERATORS[..7]),
    };
    tokens[k].is_one_of(TEMPORAL) && operand && free
}

/// The last token of the PSL that starts here, if some does.
fn psl_at(tokens: &[Token], i: usize) -> Option<(PslKind, usize)> {
    let next = tokens.get(i + 1)?;
    let after = tokens.get(i + 2);
    let statement_end = || {
        let mut depth = 0i32;
        for (k, t) in tokens.iter().enumerate().skip(i) {
            match t.kind {
                Kind::Symbol('{') => depth += 1,
                Kind::Symbol('}') => depth -= 1,
                Kind::Symbol(';') if depth <= 0 => return k,
                _ => {}
            }
        }
        tokens.len() - 1
    };
    let temporal = |end: usize| {
        tokens[i + 1..end].windows(2).any(|w| {
            let arrow = w[0].symbol('-') && w[1].symbol('>') && w[0].at.end == w[1].at.start;
            arrow || w[0].symbol('{')
        }) || (i + 1..end).any(|k| is_temporal(tokens, k))
    };
    let t = &tokens[i];
    if t.is("default") && next.is("clock") {
        return Some((PslKind::Inline, statement_end()));
    }
    if t.is_one_of(&["property", "sequence"]) {
        let declared = next.is_word() && after.is_some_and(|t| t.is("is") || t.symbol('('));
        return declared.then(|| (PslKind::Inline, statement_end()));
    }
    if t.is("assert") {
        let end = statement_end();
        return temporal(end).then_some((PslKind::Inline, end));
    }
    if t.is_one_of(&["assume", "cover", "restrict", "assume_guarantee", "restrict_guarantee", "fairness"]) {
        let assigned = ['<', ':', '.', '\''].iter().any(|c| next.symbol(*c));
        let call = next.symbol('(') || next.symbol(';');
        let end = statement_end();
        return (!assigned && (!call || temporal(end))).then_some((PslKind::Inline, end));
    }
    if t.is_one_of(&["vunit", "vprop", "vmode"]) && next.is_word() {
        let mut depth = 0;
        for (k, t) in tokens.iter().enumerate().skip(i) {
            if t.symbol('{') {
                depth += 1;
            } else if t.symbol('}') {
                depth -= 1;
                if depth == 0 {
                    return Some((PslKind::Unit, k));
                }
            }
        }
        return Some((PslKind::Unit, tokens.len() - 1));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of PSL found in a text, and that the rest keeps its places.
    fn pieces(text: &str) -> Vec<&str> {
        let s = scan(text);
        if let Some(b) = blanked(text, &s, false) {
            assert_eq!(b.len(), text.len());
            let lines = |t: &str| t.match_indices('\n').map(|m| m.0).collect::<Vec<_>>();
            assert_eq!(lines(&b), lines(text));
        }
        s.psl.iter().map(|(_, r)| &text[r.clone()]).collect()
    }

    #[test]
    fn psl_is_found_in_all_its_places_and_vhdl_is_left_alone() {
        let text = "architecture a of t is\n  default clock is rising_edge(clk);\nbegin\n\
            -- psl assert always (a ->\n--   next b);\n\
            p1 : assert always a -> next b;\n assert a = '1' report \"x -> y\";\n\
            cover {a; b};\n assume never (a and b);\n cover <= '1'; x <= a when b'event else '0';\n end;";
        let want = [
            "default clock is rising_edge(clk);",
            "-- psl assert always (a ->\n--   next b);",
            "p1 : assert always a -> next b;",
            "cover {a; b};",
            "assume never (a and b);",
        ];
        assert_eq!(pieces(text), want);
        assert_eq!(pieces("vunit v (t) { assert always a; }\n"), ["vunit v (t) { assert always a; }"]);
        let name = "assert x or (v = '1' and f'(e, d) = before) report \"m\"; assert before = never; assert a and before; assert before severity note;";
        assert!(pieces(name).is_empty());
        assert_eq!(pieces("assert a before b; assert (a) until b;").len(), 2);
        assert!(pieces("process begin\n assert (not overflow) severity failure; next; end process;").is_empty());
    }

    #[test]
    fn nesting_beyond_reason_is_found() {
        let deep = format!("y <= {}a{};", "(".repeat(3000), ")".repeat(3000));
        assert_eq!(scan(&deep).too_deep, Some(5 + MAX_NESTING));
        let table = format!("c <= ({});", "'0', ".repeat(100_000));
        assert_eq!(scan(&table).too_deep, None);
        let body = "if a then x <= b; end if; case c is when others => null; end case;\n".repeat(5000);
        assert_eq!(scan(&body).too_deep, None);
        assert!(scan(&"b : block begin ".repeat(3000)).too_deep.is_some());
    }

    #[test]
    fn text_switched_off_for_synthesis_is_blanked() {
        let text =
            "a\n-- synthesis translate_off\nx -- pragma\n'\n  --synopsys translate_on\nb\n-- RTL_SYNTHESIS OFF\nc";
        let s = scan(text);
        let b = blanked(text, &s, false).expect("something is blanked");
        assert_eq!(b.split_whitespace().filter(|w| w.len() == 1).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(b.len(), text.len());
    }

    #[test]
    fn units_named_in_the_text_are_listed() {
        let s = scan(
            "entity t is end; architecture a of t is component c is end component; begin\n u : entity lib.e(x); end;",
        );
        assert_eq!(s.entities, ["t"]);
        assert_eq!(s.components, ["c"]);
        assert_eq!(s.instantiated, [("lib".into(), "e".into())]);
    }
}
