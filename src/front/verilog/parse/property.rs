//! Properties, sequences and clocking blocks (IEEE 1800-2017 clauses 14 and 16).
//!
//! Properties and sequences are one tree with one climb over the operators of table 16-3: which of
//! the two a name stands for is known only to elaboration. An opening parenthesis may start either a
//! boolean or a property; it is read as a boolean first, and once more if that fails.

use super::*;

/// Binding strength (table 16-3; larger binds tighter).
const DELAY: u8 = 10;
const THROUGHOUT: u8 = 9;
const WITHIN: u8 = 8;
const INTERSECT: u8 = 7;
const NOT: u8 = 6;
const AND: u8 = 5;
const OR: u8 = 4;
const IFF: u8 = 3;
const UNTIL: u8 = 2;
const IMPLICATION: u8 = 1;

impl Parser<'_, '_> {
    fn property_node(&self, start: Span, kind: PropertyOp) -> Property {
        Property { kind, span: self.since(start) }
    }

    /// `@(clock) disable iff (e) property`.
    pub(super) fn property_spec(&mut self) -> Parsed<PropertySpec> {
        let clock = if self.at("@") { Some(self.event_control()?) } else { None };
        let disable = if self.eat("disable") {
            self.expect("iff")?;
            self.expect("(")?;
            let e = self.expr()?;
            self.expect(")")?;
            Some(e)
        } else {
            None
        };
        Ok(PropertySpec { clock, disable, body: self.property(0)? })
    }

    fn property(&mut self, min: u8) -> Parsed<Property> {
        self.nested(|p| p.property_inner(min))
    }

    fn property_inner(&mut self, min: u8) -> Parsed<Property> {
        let start = self.span();
        let mut left = self.property_prefix()?;
        loop {
            let t = self.tok();
            if !matches!(t.kind, Kind::Punct | Kind::Keyword) {
                return Ok(left);
            }
            let level = match t.text {
                "##" => DELAY,
                "throughout" => THROUGHOUT,
                "within" => WITHIN,
                "intersect" => INTERSECT,
                "and" => AND,
                "or" => OR,
                "iff" => IFF,
                "implies" | "until" | "s_until" | "until_with" | "s_until_with" => UNTIL,
                "|->" | "|=>" | "#-#" | "#=#" => IMPLICATION,
                _ => return Ok(left),
            };
            if level < min {
                return Ok(left);
            }
            self.bump();
            let times = if level == DELAY { Some(self.delay_range()?) } else { None };
            let right_associative = matches!(level, THROUGHOUT | IFF | UNTIL | IMPLICATION);
            let right = Box::new(self.property(if right_associative { level } else { level + 1 })?);
            let a = Box::new(left);
            let overlapped = matches!(t.text, "|->" | "#-#");
            let kind = match (t.text, times) {
                (_, Some(times)) => PropertyOp::Delay(Some(a), times, right),
                ("throughout", _) => PropertyOp::Throughout(a, right),
                ("within", _) => PropertyOp::Pair(SequencePair::Within, a, right),
                ("intersect", _) => PropertyOp::Pair(SequencePair::Intersect, a, right),
                ("and", _) => PropertyOp::And(a, right),
                ("or", _) => PropertyOp::Or(a, right),
                ("iff", _) => PropertyOp::Iff(a, right),
                ("implies", _) => PropertyOp::Implies(a, right),
                ("|->" | "|=>", _) => PropertyOp::Implication { overlapped, antecedent: a, consequent: right },
                ("#-#" | "#=#", _) => PropertyOp::FollowedBy { overlapped, antecedent: a, consequent: right },
                _ => PropertyOp::Unbounded(t.text.into()),
            };
            left = self.property_node(start, kind);
        }
    }

    /// `##n`, `##(e)`, `##[m:n]`, `##[*]`, `##[+]`; the `##` is already taken.
    fn delay_range(&mut self) -> Parsed<Times> {
        if !self.at("[") {
            // A name only: what stands in parentheses behind it is the next operand.
            return Ok(Times { low: self.atom()?, high: None });
        }
        let span = self.bump().span;
        if self.at_any(&["*", "+"]) {
            let low = if self.bump().text == "*" { 0 } else { 1 };
            self.expect("]")?;
            return Ok(Self::unbounded_times(low, self.since(span)));
        }
        self.times()
    }

    /// `m:n]` or `n]`.
    fn times(&mut self) -> Parsed<Times> {
        let low = self.expr()?;
        let high = if self.eat(":") { Some(self.expr()?) } else { None };
        self.expect("]")?;
        Ok(Times { low, high })
    }

    fn unbounded_times(low: u64, span: Span) -> Times {
        let bits = crate::word::Bits::from_u64(low, 32);
        let low = Expr { kind: ExprKind::Number { bits, signed: true, sized: false }, span };
        Times { low, high: Some(Expr { kind: ExprKind::Dollar, span }) }
    }

    /// Whether a repetition `[* [= [-> [+]` starts here: no select can start like this.
    pub(super) fn at_repetition(&self) -> bool {
        self.at("[")
            && (self.nth_is(1, "*")
                || self.nth_is(1, "=")
                || self.nth_is(1, "->")
                || (self.nth_is(1, "+") && self.nth_is(2, "]")))
    }

    /// Prefix operators and primaries with their repetitions.
    fn property_prefix(&mut self) -> Parsed<Property> {
        let start = self.span();
        let t = self.tok();
        let kind = match (t.kind, t.text) {
            (Kind::Keyword, "not") => {
                self.bump();
                PropertyOp::Not(Box::new(self.property(NOT)?))
            }
            (Kind::Keyword, "nexttime" | "s_nexttime") => {
                self.bump();
                let n = if self.eat("[") {
                    let e = self.expr()?;
                    self.expect("]")?;
                    Some(e)
                } else {
                    None
                };
                PropertyOp::NextTime(n, Box::new(self.property(NOT)?))
            }
            (Kind::Keyword, "if") => {
                self.bump();
                self.expect("(")?;
                let cond = self.expr()?;
                self.expect(")")?;
                let then = Box::new(self.property(0)?);
                let other = if self.eat("else") { Some(Box::new(self.property(0)?)) } else { None };
                PropertyOp::If(cond, then, other)
            }
            (Kind::Keyword, "always" | "s_always" | "eventually" | "s_eventually") => {
                self.bump();
                if self.at("[") {
                    self.skip_group()?;
                }
                self.property(0)?;
                PropertyOp::Unbounded(t.text.into())
            }
            (Kind::Keyword, "accept_on" | "reject_on" | "sync_accept_on" | "sync_reject_on") => {
                self.bump();
                self.skip_group()?;
                self.property(0)?;
                PropertyOp::Unsupported(Self::unsupported("E0405", format!("`{}`", t.text)))
            }
            (Kind::Keyword, "case") => {
                self.bump();
                self.skip_to(&["case"], "endcase")?;
                PropertyOp::Unsupported(Self::unsupported("E0405", "`case` in a property"))
            }
            (Kind::Punct, "##") => {
                self.bump();
                let times = self.delay_range()?;
                PropertyOp::Delay(None, times, Box::new(self.property(DELAY + 1)?))
            }
            (Kind::Punct, "@") => {
                let clock = self.event_control()?;
                PropertyOp::Clocked(clock, Box::new(self.property(0)?))
            }
            _ => return self.repeated(),
        };
        Ok(self.property_node(start, kind))
    }

    /// A primary and the repetitions behind it.
    fn repeated(&mut self) -> Parsed<Property> {
        let start = self.span();
        let mut p = self.property_primary()?;
        while self.at_repetition() {
            self.bump();
            let word = self.bump().text;
            let kind = if self.eat("]") {
                let times = Self::unbounded_times(u64::from(word == "+"), self.since(start));
                PropertyOp::Repeat(Box::new(p), times)
            } else {
                let times = self.times()?;
                match word {
                    "*" => PropertyOp::Repeat(Box::new(p), times),
                    // Any number of ticks may pass between the repetitions.
                    _ => PropertyOp::Unbounded(format!("[{word}]").into()),
                }
            };
            p = self.property_node(start, kind);
        }
        Ok(p)
    }

    fn property_primary(&mut self) -> Parsed<Property> {
        let start = self.span();
        let t = self.tok();
        if t.kind == Kind::Keyword && matches!(t.text, "strong" | "weak") {
            // The same for what ends in a bounded number of ticks.
            self.bump();
            self.expect("(")?;
            let p = self.property(0)?;
            self.expect(")")?;
            return Ok(self.property_node(start, p.kind));
        }
        if t.kind == Kind::Keyword && t.text == "first_match" {
            self.bump();
            self.skip_group()?;
            let what = Self::unsupported("E0405", "`first_match`");
            return Ok(self.property_node(start, PropertyOp::Unsupported(what)));
        }
        let (pos, depth, errors) = (self.pos, self.depth, self.errors.len());
        let group = self.at("(");
        match self.expr() {
            Ok(e) => return Ok(Property { span: e.span, kind: PropertyOp::Expr(e) }),
            Err(()) if !group => return Err(()),
            Err(()) => {}
        }
        // Not a boolean: a property in parentheses.
        (self.pos, self.depth) = (pos, depth);
        self.errors.truncate(errors);
        self.expect("(")?;
        let p = self.property(0)?;
        if self.at(",") {
            self.pos = pos;
            self.skip_group()?;
            let what = Self::unsupported("E0405", "an action at the match of a sequence");
            return Ok(self.property_node(start, PropertyOp::Unsupported(what)));
        }
        self.expect(")")?;
        Ok(self.property_node(start, p.kind))
    }

    /// `property name (formals); … endproperty` and the same for sequences.
    pub(super) fn property_decl(&mut self) -> Parsed<ItemKind> {
        let sequence = self.bump().text == "sequence";
        let end = if sequence { "endsequence" } else { "endproperty" };
        let name = self.ident()?;
        let mut formals = Vec::new();
        if self.eat("(") && !self.eat(")") {
            formals = self.comma_list(Self::property_formal)?;
            self.expect(")")?;
        }
        self.expect(";")?;
        let start = self.span();
        let spec = if self.at_any(&["var", "static", "automatic"]) || self.at_type_keyword() || self.at_named_type() {
            while !self.at(end) && !self.at_end() {
                self.bump();
            }
            let what = Self::unsupported("E0405", "a local variable of a property or sequence");
            let body = self.property_node(start, PropertyOp::Unsupported(what));
            PropertySpec { clock: None, disable: None, body }
        } else {
            self.property_spec()?
        };
        self.eat(";");
        self.expect(end)?;
        self.end_label()?;
        Ok(ItemKind::Property(Box::new(PropertyDecl { name, sequence, formals, spec })))
    }

    fn property_formal(&mut self) -> Parsed<PropertyFormal> {
        if self.at("local") {
            return self.fail("a local argument is not supported");
        }
        let mut ty = None;
        if self.at_any(&["untyped", "sequence", "property"]) {
            self.bump();
        } else if self.at_type_keyword() || self.at_named_type() {
            ty = Some(self.data_type()?);
        }
        let name = self.ident()?;
        if self.at("[") {
            return self.fail("an array as an argument is not supported");
        }
        let default = if self.eat("=") { Some(self.expr()?) } else { None };
        Ok(PropertyFormal { name, ty, default })
    }

    /// `default clocking name @(…); … endclocking`, `default clocking name;`.
    pub(super) fn clocking(&mut self) -> Parsed<ItemKind> {
        let default = self.eat("default");
        if !default {
            self.eat("global");
        }
        self.expect("clocking")?;
        let name = if self.is_ident(0) { Some(self.ident()?) } else { None };
        if default && name.is_some() && self.eat(";") {
            return Ok(ItemKind::Clocking(Clocking { name, default, event: None }));
        }
        let event = Some(self.event_control()?);
        self.expect(";")?;
        self.skip_to(&[], "endclocking")?;
        self.end_label()?;
        Ok(ItemKind::Clocking(Clocking { name, default, event }))
    }
}
