//! Names of constructs, for the statistics of what was generated.

use super::{Cast, Expr, Step};
use crate::support::types::Type;

impl Expr {
    /// A name for the statistics of what was generated.
    pub fn label(&self) -> String {
        match self {
            Expr::Lit(l) => {
                let base = l.text.split('\'').nth(1).map_or("plain", |t| {
                    let t = t.trim_start_matches(['s', 'S']);
                    match t.as_bytes()[0].to_ascii_lowercase() {
                        b'b' => "binary",
                        b'o' => "octal",
                        b'd' => "decimal",
                        _ => "hexadecimal",
                    }
                });
                let signed = if l.ty.signed { "signed" } else { "unsigned" };
                format!("literal {} {base} {signed}", if l.sized { "sized" } else { "unsized" })
            }
            Expr::Fill(_) => "literal fill".into(),
            Expr::Ref(r) => {
                let mut name = String::from("reference");
                for s in &r.steps {
                    name.push_str(match s {
                        Step::Index(e) if matches!(**e, Expr::Lit(_)) => " [constant]",
                        Step::Index(_) => " [variable]",
                        Step::Part(..) => " [l:r]",
                        Step::Indexed { up: true, .. } => " [+:]",
                        Step::Indexed { .. } => " [-:]",
                        Step::Field(_) => " .field",
                    });
                }
                name
            }
            Expr::Unary(op, _) => format!("unary {op}"),
            Expr::Binary(op, ..) => format!("binary {op}"),
            Expr::Cond(..) => "?:".into(),
            Expr::Concat(_) => "concatenation".into(),
            Expr::Repl(..) => "replication".into(),
            Expr::ConcatPart(..) => "concatenation [l:r]".into(),
            Expr::Cast(c, _) => match c {
                Cast::Size(_) => "cast size".into(),
                Cast::Type(t) => match &**t {
                    Type::Atom { text, .. } => format!("cast {text}"),
                    Type::Enum { .. } => "cast enum".into(),
                    Type::Struct { .. } => "cast struct".into(),
                    _ => "cast typedef".into(),
                },
                Cast::Signed => "cast signed'".into(),
                Cast::Unsigned => "cast unsigned'".into(),
                Cast::SystemSigned => "$signed".into(),
                Cast::SystemUnsigned => "$unsigned".into(),
            },
            Expr::Sys(name, _) => name.to_string(),
            Expr::Inside(..) => "binary inside".into(),
            Expr::Stream(right, ..) => format!("stream {}", if *right { ">>" } else { "<<" }),
            Expr::Call(..) => "function call".into(),
            Expr::Paren(_) => "extra parentheses".into(),
        }
    }
}
