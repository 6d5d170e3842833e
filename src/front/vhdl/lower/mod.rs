//! `vhdl_lang`'s analysed tree into ours.

mod concurrent;
mod decl;
mod expr;
mod stmt;
mod types;
mod unit;

use super::ast::*;
use super::entities::Interner;
use crate::source::{FileId, Span};
use smol_str::SmolStr;
use vhdl_lang::ast::token_range::WithTokenSpan;
use vhdl_lang::ast::{self as va, WithDecl};
use vhdl_lang::{HasTokenSpan, Position, Reference, TokenAccess, TokenId, TokenSpan};

/// Where the lines of a file start, to turn positions into offsets.
pub struct Lines {
    pub file: FileId,
    pub starts: Vec<u32>,
    /// The text as we show it, if a character of the parser is not always one byte of it.
    pub wide: Option<std::sync::Arc<str>>,
    pub len: u32,
}

impl Lines {
    pub fn offset(&self, p: Position) -> u32 {
        let Some(start) = self.starts.get(p.line as usize) else { return self.len };
        match &self.wide {
            None => (start + p.character).min(self.len),
            Some(text) => {
                let line = &text[*start as usize..];
                start + line.chars().take(p.character as usize).map(|c| c.len_utf8() as u32).sum::<u32>()
            }
        }
    }
}

pub struct Lower<'c> {
    pub ctx: &'c dyn TokenAccess,
    pub lines: &'c Lines,
    pub ents: &'c mut Interner,
}

fn lower_case(name: String) -> SmolStr {
    if name.starts_with('\\') { name.into() } else { name.to_ascii_lowercase().into() }
}

fn designator(d: &va::Designator) -> SmolStr {
    match d {
        va::Designator::Identifier(s) => lower_case(s.name_utf8()),
        va::Designator::OperatorSymbol(op) => op_name(operator(*op)).into(),
        va::Designator::Character(c) => format!("'{}'", char::from(*c)).into(),
        va::Designator::Anonymous(n) => format!("anonymous{n}").into(),
    }
}

/// The designator an operator is declared with, in quotes.
pub fn op_name(op: Op) -> &'static str {
    use Op::*;
    match op {
        And => "\"and\"",
        Or => "\"or\"",
        Nand => "\"nand\"",
        Nor => "\"nor\"",
        Xor => "\"xor\"",
        Xnor => "\"xnor\"",
        Abs => "\"abs\"",
        Not => "\"not\"",
        Minus => "\"-\"",
        Plus => "\"+\"",
        Condition => "\"??\"",
        Eq => "\"=\"",
        Ne => "\"/=\"",
        Lt => "\"<\"",
        Le => "\"<=\"",
        Gt => "\">\"",
        Ge => "\">=\"",
        MatchEq => "\"?=\"",
        MatchNe => "\"?/=\"",
        MatchLt => "\"?<\"",
        MatchLe => "\"?<=\"",
        MatchGt => "\"?>\"",
        MatchGe => "\"?>=\"",
        Sll => "\"sll\"",
        Srl => "\"srl\"",
        Sla => "\"sla\"",
        Sra => "\"sra\"",
        Rol => "\"rol\"",
        Ror => "\"ror\"",
        Concat => "\"&\"",
        Times => "\"*\"",
        Div => "\"/\"",
        Mod => "\"mod\"",
        Rem => "\"rem\"",
        Pow => "\"**\"",
    }
}

pub fn operator(op: va::Operator) -> Op {
    use va::Operator as V;
    match op {
        V::And => Op::And,
        V::Or => Op::Or,
        V::Nand => Op::Nand,
        V::Nor => Op::Nor,
        V::Xor => Op::Xor,
        V::Xnor => Op::Xnor,
        V::Abs => Op::Abs,
        V::Not => Op::Not,
        V::Minus => Op::Minus,
        V::Plus => Op::Plus,
        V::QueQue => Op::Condition,
        V::EQ => Op::Eq,
        V::NE => Op::Ne,
        V::LT => Op::Lt,
        V::LTE => Op::Le,
        V::GT => Op::Gt,
        V::GTE => Op::Ge,
        V::QueEQ => Op::MatchEq,
        V::QueNE => Op::MatchNe,
        V::QueLT => Op::MatchLt,
        V::QueLTE => Op::MatchLe,
        V::QueGT => Op::MatchGt,
        V::QueGTE => Op::MatchGe,
        V::SLL => Op::Sll,
        V::SRL => Op::Srl,
        V::SLA => Op::Sla,
        V::SRA => Op::Sra,
        V::ROL => Op::Rol,
        V::ROR => Op::Ror,
        V::Concat => Op::Concat,
        V::Times => Op::Times,
        V::Div => Op::Div,
        V::Mod => Op::Mod,
        V::Rem => Op::Rem,
        V::Pow => Op::Pow,
    }
}

impl Lower<'_> {
    fn tokens(&self, a: TokenId, b: TokenId) -> Span {
        let lo = self.lines.offset(self.ctx.get_pos(a).range.start);
        let hi = self.lines.offset(self.ctx.get_pos(b).range.end);
        Span { file: self.lines.file, lo, hi }
    }

    fn span(&self, s: TokenSpan) -> Span {
        self.tokens(s.start_token, s.end_token)
    }

    fn ent(&mut self, r: &Reference) -> Option<Ent> {
        r.get().map(|id| self.ents.intern(id.to_raw()))
    }

    /// The entity of a declaration; one that the analysis gave up gets a number nobody refers to.
    fn decl(&mut self, r: &Reference) -> Ent {
        self.ent(r).unwrap_or_else(|| self.ents.fresh())
    }

    fn ident(&mut self, i: &WithDecl<va::Ident>) -> Ident {
        Ident {
            name: lower_case(i.tree.item.name_utf8()),
            ent: self.decl(&i.decl),
            span: self.tokens(i.tree.token, i.tree.token),
        }
    }

    fn label(&mut self, i: &WithDecl<Option<va::Ident>>) -> Option<Ident> {
        let id = i.tree.as_ref()?;
        Some(Ident {
            name: lower_case(id.item.name_utf8()),
            ent: self.decl(&i.decl),
            span: self.tokens(id.token, id.token),
        })
    }
}
