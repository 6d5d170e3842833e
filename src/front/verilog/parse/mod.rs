//! Tokens into [`Unit`]: a recursive-descent parser of the SystemVerilog that designs use.
//!
//! Operator precedence is IEEE 1800-2017 table 11-2. What hardware cannot have (classes, `fork`,
//! delays, …) is recognised, skipped as a whole and kept as an `Unsupported` node. On a syntax error
//! the parser records it, skips to the end of the enclosing description and goes on, so one run
//! shows the errors of all modules. It never panics and its depth is limited.

mod expr;
mod items;
mod number;
mod ports;
mod property;
mod stmt;
mod types;

use super::ast::*;
use super::lexer::{Kind, Token};
use crate::source::{Diagnostic, Span, codes};

/// Nesting of expressions and statements beyond which a text is refused (E0107).
const MAX_DEPTH: u32 = 2000;

pub struct Parser<'t, 'a> {
    toks: &'t [Token<'a>],
    pos: usize,
    depth: u32,
    no_implicit_nets: bool,
    errors: Vec<Diagnostic>,
}

/// A parse that failed has already been recorded.
pub type Parsed<T> = Result<T, ()>;

/// Parses a whole preprocessed file.
pub fn parse(toks: &[Token<'_>]) -> (Unit, Vec<Diagnostic>) {
    let mut p = Parser { toks, pos: 0, depth: 0, no_implicit_nets: false, errors: Vec::new() };
    let mut unit = Unit::default();
    while !p.at_end() && p.errors.len() < 20 {
        let before = p.pos;
        if p.description(&mut unit).is_err() {
            p.recover(before);
        }
    }
    (unit, p.errors)
}

impl<'t, 'a> Parser<'t, 'a> {
    fn tok(&self) -> Token<'a> {
        self.toks[self.pos.min(self.toks.len() - 1)]
    }

    fn peek(&self, n: usize) -> Token<'a> {
        self.toks[(self.pos + n).min(self.toks.len() - 1)]
    }

    fn at_end(&self) -> bool {
        self.tok().kind == Kind::Eof
    }

    fn span(&self) -> Span {
        self.tok().span
    }

    fn prev_span(&self) -> Span {
        self.toks[self.pos.saturating_sub(1)].span
    }

    /// From `start` to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.join(self.prev_span())
    }

    fn bump(&mut self) -> Token<'a> {
        let t = self.tok();
        if t.kind != Kind::Eof {
            self.pos += 1;
        }
        // `default_nettype` may stand between any two descriptions; elsewhere it is harmless.
        while self.tok().kind == Kind::DefaultNettype {
            self.no_implicit_nets = self.tok().text == "none";
            self.pos += 1;
        }
        t
    }

    /// Whether the current token is this punctuation or keyword.
    fn at(&self, s: &str) -> bool {
        self.nth_is(0, s)
    }

    fn nth_is(&self, n: usize, s: &str) -> bool {
        let t = self.peek(n);
        matches!(t.kind, Kind::Punct | Kind::Keyword) && t.text == s
    }

    fn at_any(&self, list: &[&str]) -> bool {
        list.iter().any(|s| self.at(s))
    }

    fn eat(&mut self, s: &str) -> bool {
        let yes = self.at(s);
        if yes {
            self.bump();
        }
        yes
    }

    fn expect(&mut self, s: &str) -> Parsed<Span> {
        if self.at(s) {
            return Ok(self.bump().span);
        }
        self.fail(&format!("expected `{s}`"))
    }

    fn is_ident(&self, n: usize) -> bool {
        matches!(self.peek(n).kind, Kind::Ident | Kind::Escaped)
    }

    fn ident(&mut self) -> Parsed<Ident> {
        if self.is_ident(0) {
            let t = self.bump();
            return Ok(Ident { name: t.text.into(), span: t.span });
        }
        self.fail("expected a name")
    }

    /// Records a syntax error at the current token.
    fn fail<T>(&mut self, what: &str) -> Parsed<T> {
        let t = self.tok();
        let found = match t.kind {
            Kind::Eof => "the end of the file".to_string(),
            Kind::Keyword => format!("the keyword `{}`", t.text),
            _ => format!("`{}`", t.text),
        };
        self.errors.push(
            Diagnostic::error(codes::E0106, format!("syntax error: {what}, found {found}"))
                .at(t.span, what.to_string()),
        );
        Err(())
    }

    /// Guards recursion.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            self.errors.push(
                Diagnostic::error(codes::E0107, format!("nested more than {MAX_DEPTH} levels deep"))
                    .at(span, "too deep here")
                    .help("split the expression or statement into named parts"),
            );
            return Err(());
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        r
    }

    /// Skips past the end of the description that started at token `start`.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        let closer = match self.toks[start].text {
            "package" => "endpackage",
            "interface" => "endinterface",
            _ => "endmodule",
        };
        if self.pos == start {
            self.bump();
        }
        while !self.at_end() {
            if self.bump().text == closer {
                let _ = self.end_label();
                break;
            }
        }
    }

    /// Skips tokens up to and including the closing word, counting nested openers.
    fn skip_to(&mut self, open: &[&str], close: &str) -> Parsed<()> {
        let mut depth = 1;
        loop {
            if self.at_end() {
                return self.fail(&format!("expected `{close}`"));
            }
            let t = self.bump();
            if t.kind == Kind::Keyword {
                if t.text == close {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                } else if open.contains(&t.text) {
                    depth += 1;
                }
            }
        }
    }

    /// Skips a balanced group; the current token is the opener.
    fn skip_group(&mut self) -> Parsed<()> {
        let mut depth = 0usize;
        loop {
            if self.at_end() {
                return self.fail("expected a closing bracket");
            }
            let t = self.bump();
            if t.kind == Kind::Punct {
                match t.text {
                    "(" | "[" | "{" | "'{" | "(*" => depth += 1,
                    ")" | "]" | "}" | "*)" => {
                        depth = depth.saturating_sub(1);
                        if depth == 0 {
                            return Ok(());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Skips to the `;` that ends the current item, over balanced groups.
    fn skip_to_semicolon(&mut self) -> Parsed<()> {
        while !self.at(";") {
            if self.at_end() {
                return self.fail("expected `;`");
            }
            if self.at_any(&["(", "[", "{", "'{"]) {
                self.skip_group()?;
            } else {
                self.bump();
            }
        }
        self.bump();
        Ok(())
    }

    /// Whether the group opening at token `n` (a bracket) is followed by what `f` accepts; returns
    /// the position after it.
    fn after_group(&self, n: usize) -> usize {
        let mut depth = 0usize;
        let mut i = n;
        loop {
            let t = self.peek(i);
            if t.kind == Kind::Eof {
                return i;
            }
            if t.kind == Kind::Punct {
                match t.text {
                    "(" | "[" | "{" | "'{" => depth += 1,
                    ")" | "]" | "}" => {
                        depth = depth.saturating_sub(1);
                        if depth == 0 {
                            return i + 1;
                        }
                    }
                    _ => {}
                }
            }
            i += 1;
        }
    }

    /// `(* … *)` groups.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut out = Vec::new();
        while self.eat("(*") {
            while !self.at("*)") {
                let name = if self.tok().kind == Kind::Keyword {
                    let t = self.bump();
                    Ident { name: t.text.into(), span: t.span }
                } else {
                    self.ident()?
                };
                let value = if self.eat("=") { Some(self.expr()?) } else { None };
                out.push(Attribute { name, value });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("*)")?;
        }
        Ok(out)
    }

    fn comma_list<T>(&mut self, mut f: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut out = vec![f(self)?];
        while self.eat(",") {
            out.push(f(self)?);
        }
        Ok(out)
    }

    fn unsupported(code: &str, what: impl Into<String>) -> Unsupported {
        Unsupported { code: code.into(), what: what.into() }
    }

    /// `: label` after `end` and friends.
    fn end_label(&mut self) -> Parsed<()> {
        if self.at(":") && (self.is_ident(1) || self.nth_is(1, "new")) {
            self.bump();
            self.bump();
        }
        Ok(())
    }
}

/// Parses a text that is one expression or type.
pub fn parse_expression(toks: &[Token<'_>]) -> Result<Expr, Vec<Diagnostic>> {
    let mut p = Parser { toks, pos: 0, depth: 0, no_implicit_nets: false, errors: Vec::new() };
    match p.expr_or_type() {
        Ok(e) if p.at_end() => Ok(e),
        Ok(_) => {
            let _ = p.fail::<()>("expected the end of the expression");
            Err(p.errors)
        }
        Err(()) => Err(p.errors),
    }
}
