//! Expressions by precedence climbing.

use super::number::unquote;
use super::*;

/// Binding strength (IEEE 1800-2017 table 11-2; larger binds tighter).
fn binary(t: &str) -> Option<(u8, BinaryOp)> {
    use BinaryOp::*;
    Some(match t {
        "**" => (12, Pow),
        "*" => (11, Mul),
        "/" => (11, Div),
        "%" => (11, Mod),
        "+" => (10, Add),
        "-" => (10, Sub),
        "<<" => (9, Shl),
        ">>" => (9, Shr),
        "<<<" => (9, AShl),
        ">>>" => (9, AShr),
        "<" => (8, Lt),
        "<=" => (8, Le),
        ">" => (8, Gt),
        ">=" => (8, Ge),
        "==" => (7, Eq),
        "!=" => (7, Ne),
        "===" => (7, CaseEq),
        "!==" => (7, CaseNe),
        "==?" => (7, WildEq),
        "!=?" => (7, WildNe),
        "&" => (6, And),
        "^" => (5, Xor),
        "~^" | "^~" => (5, Xnor),
        "|" => (4, Or),
        "&&" => (3, LogicalAnd),
        "||" => (2, LogicalOr),
        "->" => (0, Implies),
        "<->" => (0, Iff),
        _ => return None,
    })
}
const INSIDE: u8 = 8;
const CONDITIONAL: u8 = 1;

impl<'a> Parser<'_, 'a> {
    /// A whole expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.climb(0)
    }

    fn climb(&mut self, min: u8) -> Parsed<Expr> {
        self.nested(|p| p.climb_inner(min))
    }

    fn climb_inner(&mut self, min: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        loop {
            let t = self.tok();
            let start = left.span;
            if t.kind == Kind::Keyword && t.text == "inside" && INSIDE >= min {
                self.bump();
                self.expect("{")?;
                let set = self.comma_list(Self::set_member)?;
                self.expect("}")?;
                left = Expr { kind: ExprKind::Inside(Box::new(left), set), span: self.since(start) };
                continue;
            }
            if t.kind != Kind::Punct {
                return Ok(left);
            }
            if t.text == "?" && CONDITIONAL >= min {
                self.bump();
                self.attributes()?;
                // Right associative: both arms may hold another conditional.
                let then = self.climb(CONDITIONAL)?;
                self.expect(":")?;
                let other = self.climb(CONDITIONAL)?;
                left = Expr {
                    kind: ExprKind::Cond(Box::new(left), Box::new(then), Box::new(other)),
                    span: self.since(start),
                };
                continue;
            }
            let Some((level, op)) = binary(t.text) else { return Ok(left) };
            if level < min {
                return Ok(left);
            }
            self.bump();
            self.attributes()?;
            // `->` and `<->` associate to the right, all others to the left.
            let right = self.climb(if level == 0 { 0 } else { level + 1 })?;
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span: self.since(start) };
        }
    }

    /// A value or `[a:b]` in a set.
    pub(super) fn set_member(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.eat("[") {
            return self.expr();
        }
        let a = self.expr()?;
        self.expect(":")?;
        let b = self.expr()?;
        self.expect("]")?;
        Ok(Expr { kind: ExprKind::ValueRange(Box::new(a), Box::new(b)), span: self.since(start) })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        use UnaryOp::*;
        let t = self.tok();
        if t.kind != Kind::Punct {
            return self.primary();
        }
        let op = match t.text {
            "+" => Plus,
            "-" => Minus,
            "!" => LogicalNot,
            "~" => Not,
            "&" => RedAnd,
            "~&" => RedNand,
            "|" => RedOr,
            "~|" => RedNor,
            "^" => RedXor,
            "~^" | "^~" => RedXnor,
            "++" | "--" => {
                self.bump();
                let target = self.nested(Self::unary)?;
                let kind = ExprKind::IncDec { target: Box::new(target), increment: t.text == "++", prefix: true };
                return Ok(Expr { kind, span: self.since(t.span) });
            }
            _ => return self.primary(),
        };
        self.bump();
        self.attributes()?;
        let arg = self.nested(Self::unary)?;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(arg)), span: self.since(t.span) })
    }

    /// A primary with its selects, calls and casts.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let mut e = self.atom()?;
        loop {
            let start = e.span;
            if self.tok().kind != Kind::Punct {
                return Ok(e);
            }
            match self.tok().text {
                "." if self.is_ident(1) || self.peek(1).kind == Kind::Keyword => {
                    self.bump();
                    // Array methods share names with keywords: and, or, xor, unique.
                    let t = self.bump();
                    let member = Ident { name: t.text.into(), span: t.span };
                    e = Expr { kind: ExprKind::Member(Box::new(e), member), span: self.since(start) };
                }
                "[" if !self.at_repetition() => e = self.select(e)?,
                "(" if callable(&e) => {
                    let args = self.call_args()?;
                    e = Expr { kind: ExprKind::Call(Box::new(e), args), span: self.since(start) };
                }
                "'" if self.nth_is(1, "(") => {
                    self.bump();
                    self.bump();
                    let inner = self.expr()?;
                    self.expect(")")?;
                    e = Expr { kind: ExprKind::Cast(Box::new(e), Box::new(inner)), span: self.since(start) };
                }
                "'{" => {
                    let items = self.pattern_items()?;
                    e = Expr { kind: ExprKind::Pattern(Some(Box::new(e)), items), span: self.since(start) };
                }
                "++" | "--" => {
                    let increment = self.bump().text == "++";
                    let kind = ExprKind::IncDec { target: Box::new(e), increment, prefix: false };
                    e = Expr { kind, span: self.since(start) };
                }
                "#" if matches!(e.kind, ExprKind::Ident(_)) && self.nth_is(1, "(") => {
                    self.bump();
                    self.skip_group()?;
                    while self.eat("::") {
                        self.ident()?;
                    }
                    let what = Self::unsupported("E0403", "a parameterised class");
                    e = Expr { kind: ExprKind::Unsupported(what), span: self.since(start) };
                }
                _ => return Ok(e),
            }
        }
    }

    fn select(&mut self, base: Expr) -> Parsed<Expr> {
        let start = base.span;
        self.expect("[")?;
        let a = self.expr()?;
        let kind = if self.eat(":") {
            RangeKind::Plain
        } else if self.eat("+:") {
            RangeKind::Up
        } else if self.eat("-:") {
            RangeKind::Down
        } else {
            self.expect("]")?;
            return Ok(Expr { kind: ExprKind::Index(Box::new(base), Box::new(a)), span: self.since(start) });
        };
        let b = self.expr()?;
        self.expect("]")?;
        let kind = ExprKind::Range(Box::new(base), kind, Box::new(a), Box::new(b));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `(a, , .name(b))`.
    pub(super) fn call_args(&mut self) -> Parsed<Vec<Arg>> {
        self.expect("(")?;
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            if self.at(".") && self.is_ident(1) {
                self.bump();
                let name = self.ident()?;
                self.expect("(")?;
                let value = if self.at(")") { None } else { Some(self.expr_or_type()?) };
                self.expect(")")?;
                args.push(Arg { name: Some(name), value });
            } else if self.at(",") || self.at(")") {
                args.push(Arg { name: None, value: None });
            } else if self.at("@") {
                return self.fail("an event is no argument here");
            } else {
                args.push(Arg { name: None, value: Some(self.expr_or_type()?) });
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    /// An expression, or a type written with keywords or packed dimensions.
    pub(super) fn expr_or_type(&mut self) -> Parsed<Expr> {
        if self.at_type_keyword() && !(self.nth_is(1, "'") && self.nth_is(2, "(")) {
            let ty = self.data_type()?;
            let span = ty.span;
            return Ok(Expr { kind: ExprKind::Type(Box::new(ty)), span });
        }
        self.expr()
    }

    pub(super) fn atom(&mut self) -> Parsed<Expr> {
        let t = self.tok();
        let one = |p: &mut Self, kind| {
            p.bump();
            Ok(Expr { kind, span: t.span })
        };
        match t.kind {
            Kind::Digits | Kind::Based => self.number(),
            Kind::Fill => Ok(self.fill()),
            Kind::Real => {
                let v = t.text.replace('_', "").parse().unwrap_or(0.0);
                one(self, ExprKind::Real(v))
            }
            Kind::Time => one(self, ExprKind::Unsupported(Self::unsupported("E0401", "a time literal"))),
            Kind::Str => one(self, ExprKind::Str(unquote(t.text))),
            Kind::System => {
                self.bump();
                let args = if self.at("(") { self.call_args()? } else { Vec::new() };
                Ok(Expr { kind: ExprKind::SysCall(t.text.into(), args), span: self.since(t.span) })
            }
            Kind::Ident | Kind::Escaped => {
                if t.kind == Kind::Ident && self.nth_is(1, "::") {
                    return self.scoped();
                }
                one(self, ExprKind::Ident(t.text.into()))
            }
            Kind::Keyword => self.keyword_atom(),
            Kind::Punct => match t.text {
                "(" => self.parenthesised(),
                "{" => self.braces(),
                "'{" => {
                    let items = self.pattern_items()?;
                    Ok(Expr { kind: ExprKind::Pattern(None, items), span: self.since(t.span) })
                }
                "$" => one(self, ExprKind::Dollar),
                _ => self.fail("expected an expression"),
            },
            Kind::DefaultNettype | Kind::Eof => self.fail("expected an expression"),
        }
    }

    fn scoped(&mut self) -> Parsed<Expr> {
        let scope = self.ident()?;
        self.expect("::")?;
        let name = self.ident()?;
        let span = self.since(scope.span);
        if self.at("::") {
            return self.fail("nested scopes are for classes, which hardware cannot have");
        }
        Ok(Expr { kind: ExprKind::Scoped(scope, name.name), span })
    }

    fn keyword_atom(&mut self) -> Parsed<Expr> {
        let t = self.tok();
        match t.text {
            "signed" | "unsigned" if self.nth_is(1, "'") => {
                self.bump();
                self.bump();
                self.expect("(")?;
                let e = self.expr()?;
                self.expect(")")?;
                Ok(Expr { kind: ExprKind::SignCast(t.text == "signed", Box::new(e)), span: self.since(t.span) })
            }
            "const" if self.nth_is(1, "'") => {
                self.bump();
                self.bump();
                self.expect("(")?;
                let e = self.expr()?;
                self.expect(")")?;
                Ok(e)
            }
            "this" | "super" | "new" | "null" => {
                self.bump();
                if t.text == "new" && self.at("(") {
                    self.skip_group()?;
                }
                let what = Self::unsupported("E0403", format!("`{}`", t.text));
                Ok(Expr { kind: ExprKind::Unsupported(what), span: t.span })
            }
            "tagged" => {
                self.bump();
                self.ident()?;
                let what = Self::unsupported("E0405", "a tagged union");
                Ok(Expr { kind: ExprKind::Unsupported(what), span: t.span })
            }
            _ if self.at_type_keyword() => {
                let ty = self.data_type()?;
                let span = ty.span;
                Ok(Expr { kind: ExprKind::Type(Box::new(ty)), span })
            }
            _ => self.fail("expected an expression"),
        }
    }

    /// `(e)`, `(min:typ:max)` or `(a = b)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.expect("(")?;
        let e = self.expr()?;
        if let Some(op) = self.assign_op() {
            self.bump();
            let rhs = self.expr()?;
            self.expect(")")?;
            let kind = ExprKind::Assign(Box::new(e), op, Box::new(rhs));
            return Ok(Expr { kind, span: self.since(start) });
        }
        let e = if self.eat(":") {
            let typical = self.expr()?;
            self.expect(":")?;
            self.expr()?;
            typical
        } else {
            e
        };
        self.expect(")")?;
        Ok(Expr { kind: e.kind, span: self.since(start) })
    }

    /// The assignment operator at hand; `Some(None)` is plain `=`.
    pub(super) fn assign_op(&self) -> Option<Option<BinaryOp>> {
        use BinaryOp::*;
        if self.tok().kind != Kind::Punct {
            return None;
        }
        Some(match self.tok().text {
            "=" => None,
            "+=" => Some(Add),
            "-=" => Some(Sub),
            "*=" => Some(Mul),
            "/=" => Some(Div),
            "%=" => Some(Mod),
            "&=" => Some(And),
            "|=" => Some(Or),
            "^=" => Some(Xor),
            "<<=" => Some(Shl),
            ">>=" => Some(Shr),
            "<<<=" => Some(AShl),
            ">>>=" => Some(AShr),
            _ => return Option::None,
        })
    }

    /// Concatenation, replication or streaming.
    fn braces(&mut self) -> Parsed<Expr> {
        let start = self.expect("{")?;
        if self.at_any(&["<<", ">>"]) {
            let reverse = self.bump().text == "<<";
            let slice = if self.at("{") { None } else { Some(Box::new(self.expr_or_type()?)) };
            self.expect("{")?;
            let items = self.comma_list(Self::expr)?;
            self.expect("}")?;
            self.expect("}")?;
            return Ok(Expr { kind: ExprKind::Stream { reverse, slice, items }, span: self.since(start) });
        }
        if self.eat("}") {
            let what = Self::unsupported("E0413", "an empty queue");
            return Ok(Expr { kind: ExprKind::Unsupported(what), span: self.since(start) });
        }
        let first = self.expr()?;
        if self.at("{") {
            self.bump();
            let items = self.comma_list(Self::expr)?;
            self.expect("}")?;
            self.expect("}")?;
            return Ok(Expr { kind: ExprKind::Repl(Box::new(first), items), span: self.since(start) });
        }
        let mut items = vec![first];
        while self.eat(",") {
            items.push(self.expr()?);
        }
        self.expect("}")?;
        Ok(Expr { kind: ExprKind::Concat(items), span: self.since(start) })
    }

    /// `'{ … }`.
    fn pattern_items(&mut self) -> Parsed<Vec<PatternItem>> {
        self.expect("'{")?;
        let mut items = Vec::new();
        while !self.at("}") {
            if self.at("default") {
                self.bump();
                self.expect(":")?;
                items.push(PatternItem { key: PatternKey::Default, value: self.expr()? });
            } else {
                let e = self.expr_or_type()?;
                if self.eat(":") {
                    items.push(PatternItem { key: PatternKey::Key(e), value: self.expr()? });
                } else if self.at("{") {
                    self.bump();
                    let list = self.comma_list(Self::expr)?;
                    self.expect("}")?;
                    let value = e.clone();
                    items.push(PatternItem { key: PatternKey::Repeat(e, list), value });
                } else {
                    items.push(PatternItem { key: PatternKey::Positional, value: e });
                }
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(items)
    }

    /// A constant or name as the target of an assignment: no binary operators.
    pub(super) fn lvalue(&mut self) -> Parsed<Expr> {
        self.nested(Self::primary)
    }
}

fn callable(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Ident(_) | ExprKind::Scoped(..) | ExprKind::Member(..))
}
