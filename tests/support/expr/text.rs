//! The text of an expression, with as few parentheses as the precedence of its operators allows.

use super::{Cast, Expr, Member, Ref, Step, precedence};
use crate::support::types::Type;
use std::fmt::Write;

const PRIMARY: u32 = 14;
const UNARY_LEVEL: u32 = 13;

impl Ref {
    /// Its text.
    pub fn text(&self, tight: bool) -> String {
        let mut out = self.name.to_string();
        let mut t = (*self.ty).clone();
        for (n, step) in self.steps.iter().enumerate() {
            let _ = match step {
                Step::Index(e) => write!(out, "[{}]", e.text(tight)),
                Step::Part(l, r) => write!(out, "[{l}:{r}]"),
                Step::Indexed { base, width, up } => {
                    write!(out, "[{} {}: {width}]", base.text(tight), if *up { "+" } else { "-" })
                }
                Step::Field(i) => match t.strip() {
                    Type::Struct { fields, .. } => write!(out, ".{}", fields[*i].0),
                    _ => Ok(()),
                },
            };
            t = Ref { steps: self.steps[..=n].to_vec(), ..self.clone() }.selected();
        }
        out
    }
}

impl Expr {
    /// Its text with no more parentheses than needed; `tight` also leaves out spaces.
    pub fn text(&self, tight: bool) -> String {
        let list = |parts: &[Expr]| parts.iter().map(|p| p.text(tight)).collect::<Vec<_>>().join(", ");
        match self {
            Expr::Lit(l) => l.text.clone(),
            Expr::Fill(b) => if *b { "'1" } else { "'0" }.into(),
            Expr::Ref(r) => r.text(tight),
            Expr::Unary(op, a) => format!("{op}{}", a.at_least(PRIMARY, tight)),
            Expr::Binary(op, a, b) => {
                let p = precedence(op);
                // All associate to the left but the implications.
                let (left, right) = if p == 0 { (p + 1, p) } else { (p, p + 1) };
                let (a, b) = (a.at_least(left, tight), b.at_least(right, tight));
                let plain = |c: char| c.is_ascii_alphanumeric() || "_()]}".contains(c);
                if tight && a.ends_with(plain) && b.starts_with(plain) && p > 0 {
                    format!("{a}{op}{b}")
                } else {
                    format!("{a} {op} {b}")
                }
            }
            Expr::Cond(c, a, b) => {
                let p = precedence("?:");
                format!("{} ? {} : {}", c.at_least(p + 1, tight), a.at_least(p, tight), b.at_least(p, tight))
            }
            Expr::Concat(p) => format!("{{{}}}", list(p)),
            Expr::Repl(n, p) => format!("{{{n}{{{}}}}}", list(p)),
            Expr::ConcatPart(p, hi, lo) => format!("{{{}}}[{hi}:{lo}]", list(p)),
            Expr::Cast(cast, a) => {
                let inner = a.text(tight);
                match cast {
                    Cast::Size(w) => format!("{w}'({inner})"),
                    Cast::Type(t) => format!("{}'({inner})", t.prefix()),
                    Cast::Signed => format!("signed'({inner})"),
                    Cast::Unsigned => format!("unsigned'({inner})"),
                    Cast::SystemSigned => format!("$signed({inner})"),
                    Cast::SystemUnsigned => format!("$unsigned({inner})"),
                }
            }
            Expr::Sys(name, a) => format!("{name}({})", a.text(tight)),
            Expr::Inside(a, members) => {
                let set: Vec<String> = members
                    .iter()
                    .map(|m| match m {
                        Member::One(e) => e.text(tight),
                        Member::Range(l, h) => format!("[{}:{}]", l.text(tight), h.text(tight)),
                    })
                    .collect();
                format!("{} inside {{{}}}", a.at_least(precedence("inside"), tight), set.join(", "))
            }
            Expr::Stream(right, n, p) => {
                let dir = if *right { ">>" } else { "<<" };
                let slice = if *n == 1 { String::new() } else { n.to_string() };
                format!("{{{dir}{slice}{{{}}}}}", list(p))
            }
            Expr::Call(f, args) if f.named_call => {
                let args: Vec<String> =
                    f.args.iter().zip(args).map(|((n, _), e)| format!(".{n}({})", e.text(tight))).collect();
                format!("{}({})", f.name, args.join(", "))
            }
            Expr::Call(f, args) => format!("{}({})", f.name, list(args)),
            Expr::Paren(a) => format!("({})", a.text(tight)),
        }
    }

    fn level(&self) -> u32 {
        match self {
            Expr::Unary(..) => UNARY_LEVEL,
            Expr::Binary(op, ..) => precedence(op),
            Expr::Inside(..) => precedence("inside"),
            Expr::Cond(..) => precedence("?:"),
            _ => PRIMARY,
        }
    }

    fn at_least(&self, level: u32, tight: bool) -> String {
        let text = self.text(tight);
        if self.level() < level { format!("({text})") } else { text }
    }
}
