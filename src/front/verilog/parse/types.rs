//! Data types and dimensions.

use super::*;

impl Parser<'_, '_> {
    /// Whether a type written with a keyword starts here.
    pub(super) fn at_type_keyword(&self) -> bool {
        self.type_keyword_at(0)
    }

    pub(super) fn type_keyword_at(&self, n: usize) -> bool {
        const WORDS: &[&str] = &[
            "logic",
            "bit",
            "reg",
            "byte",
            "shortint",
            "int",
            "longint",
            "integer",
            "time",
            "struct",
            "union",
            "enum",
            "string",
            "real",
            "shortreal",
            "realtime",
            "void",
            "event",
            "chandle",
            "virtual",
        ];
        let t = self.peek(n);
        t.kind == Kind::Keyword && (WORDS.contains(&t.text) || t.text == "type" && self.nth_is(n + 1, "("))
    }

    /// A type that must be there: with a keyword or a name.
    pub(super) fn data_type(&mut self) -> Parsed<DataType> {
        let start = self.span();
        let t = self.tok();
        let kind = if t.kind == Kind::Keyword { self.keyword_type()? } else { self.named_type()? };
        let dims = self.packed_dims()?;
        Ok(DataType { kind, dims, span: self.since(start) })
    }

    fn named_type(&mut self) -> Parsed<TypeKind> {
        let mut name = self.ident()?;
        let mut scope = None;
        if self.at("#") && self.nth_is(1, "(") {
            self.bump();
            self.skip_group()?;
            while self.eat("::") {
                self.ident()?;
            }
            return Ok(TypeKind::Unsupported(Self::unsupported("E0403", "a parameterised class type")));
        }
        if self.eat("::") {
            scope = Some(name);
            name = self.ident()?;
            if self.at("::") {
                return self.fail("nested scopes are for classes, which hardware cannot have");
            }
        }
        if self.at(".") && self.is_ident(1) && scope.is_none() {
            self.bump();
            let modport = Some(self.ident()?);
            return Ok(TypeKind::Interface { name, modport });
        }
        Ok(TypeKind::Named { scope, name })
    }

    fn signing(&mut self) -> Option<bool> {
        if self.eat("signed") {
            Some(true)
        } else if self.eat("unsigned") {
            Some(false)
        } else {
            None
        }
    }

    fn keyword_type(&mut self) -> Parsed<TypeKind> {
        let t = self.bump();
        let int = |p: &mut Self, base| Ok(TypeKind::Int { base, signed: p.signing() });
        match t.text {
            "logic" | "reg" => int(self, IntType::Logic),
            "bit" => int(self, IntType::Bit),
            "byte" => int(self, IntType::Byte),
            "shortint" => int(self, IntType::Shortint),
            "int" => int(self, IntType::Int),
            "longint" => int(self, IntType::Longint),
            "integer" => int(self, IntType::Integer),
            "time" => int(self, IntType::Time),
            "real" | "shortreal" | "realtime" => Ok(TypeKind::Real),
            "string" => Ok(TypeKind::Str),
            "void" => Ok(TypeKind::Void),
            "event" => Ok(TypeKind::Event),
            "chandle" => Ok(TypeKind::Unsupported(Self::unsupported("E0413", "a chandle"))),
            "virtual" => {
                self.eat("interface");
                self.ident()?;
                if self.eat(".") {
                    self.ident()?;
                }
                Ok(TypeKind::Unsupported(Self::unsupported("E0403", "a virtual interface")))
            }
            "type" => {
                self.expect("(")?;
                let e = self.expr_or_type()?;
                self.expect(")")?;
                Ok(TypeKind::TypeOf(Box::new(e)))
            }
            "struct" | "union" => self.struct_type(t.text == "union"),
            "enum" => self.enum_type(),
            "interface" => {
                let name = Ident { name: "".into(), span: t.span };
                let modport = if self.eat(".") { Some(self.ident()?) } else { None };
                Ok(TypeKind::Interface { name, modport })
            }
            _ => {
                self.pos -= 1;
                self.fail("expected a type")
            }
        }
    }

    fn struct_type(&mut self, union: bool) -> Parsed<TypeKind> {
        if self.eat("tagged") {
            self.eat("packed");
            self.skip_group()?;
            return Ok(TypeKind::Unsupported(Self::unsupported("E0405", "a tagged union")));
        }
        let packed = self.eat("packed");
        let signed = self.signing().unwrap_or(false);
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.at("}") {
            self.attributes()?;
            self.eat("rand");
            self.eat("randc");
            let ty = self.nested(Self::data_type_or_implicit)?;
            let names = self.comma_list(Self::declarator)?;
            self.expect(";")?;
            members.push(Member { ty, names });
        }
        self.expect("}")?;
        Ok(TypeKind::Struct { packed, signed, union, members })
    }

    fn enum_type(&mut self) -> Parsed<TypeKind> {
        let base = if self.at("{") {
            None
        } else if self.is_ident(0) {
            Some(Box::new(self.data_type()?))
        } else {
            Some(Box::new(self.data_type_or_implicit()?))
        };
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.at("}") {
            let name = self.ident()?;
            let mut range = None;
            if self.eat("[") {
                let a = self.expr()?;
                let b = if self.eat(":") { Some(self.expr()?) } else { None };
                self.expect("]")?;
                range = Some((a, b));
            }
            let value = if self.eat("=") { Some(self.expr()?) } else { None };
            members.push(EnumMember { name, range, value });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(TypeKind::Enum { base, members })
    }

    /// A type, or just signing and dimensions (`signed [3:0]`), or nothing.
    pub(super) fn data_type_or_implicit(&mut self) -> Parsed<DataType> {
        if self.at_type_keyword() || self.at_named_type() {
            return self.data_type();
        }
        let start = self.span();
        let signed = self.signing().unwrap_or(false);
        let dims = self.packed_dims()?;
        Ok(DataType { kind: TypeKind::Implicit { signed }, dims, span: self.since(start) })
    }

    /// A name that is followed by a declared name: it must be a type.
    pub(super) fn at_named_type(&self) -> bool {
        self.named_type_at(0)
    }

    pub(super) fn named_type_at(&self, at: usize) -> bool {
        if !self.is_ident(at) {
            return false;
        }
        let mut n = at + 1;
        if self.nth_is(n, "#") && self.nth_is(n + 1, "(") {
            n = self.after_group(n + 1);
            if !self.nth_is(n, "::") {
                return false;
            }
        }
        while self.nth_is(n, "::") {
            n += 2;
        }
        if self.nth_is(n, ".") && self.is_ident(n + 1) && self.is_ident(n + 2) {
            return true;
        }
        while self.nth_is(n, "[") {
            n = self.after_group(n);
        }
        self.is_ident(n)
    }

    pub(super) fn packed_dims(&mut self) -> Parsed<Vec<Dim>> {
        let mut dims = Vec::new();
        while self.at("[") {
            dims.push(self.dim()?);
        }
        Ok(dims)
    }

    pub(super) fn dim(&mut self) -> Parsed<Dim> {
        let start = self.expect("[")?;
        if self.at("]") || self.at("*") || self.at_type_keyword() {
            while !self.at("]") && !self.at_end() {
                self.bump();
            }
            self.expect("]")?;
            return Ok(Dim::Dynamic(self.since(start)));
        }
        let a = self.expr()?;
        if matches!(a.kind, ExprKind::Dollar) {
            while !self.at("]") && !self.at_end() {
                self.bump();
            }
            self.expect("]")?;
            return Ok(Dim::Dynamic(self.since(start)));
        }
        let dim = if self.eat(":") { Dim::Range(a, self.expr()?) } else { Dim::Size(a) };
        self.expect("]")?;
        Ok(dim)
    }

    /// `name [dims] = init`.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.ident()?;
        let dims = self.packed_dims()?;
        let init = if self.eat("=") { Some(self.expr()?) } else { None };
        Ok(Declarator { name, dims, init })
    }
}
