//! Procedural statements.

use super::*;

impl Parser<'_, '_> {
    pub(super) fn stmt(&mut self) -> Parsed<Stmt> {
        self.nested(Self::stmt_inner)
    }

    fn make(&self, start: Span, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.since(start) }
    }

    fn stmt_inner(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let attrs = self.attributes()?;
        if attrs.iter().any(|a| a.name.name == "full_case") && self.at_any(&["case", "casez", "casex"]) {
            let kind = self.case_stmt(Qualifier::Full)?;
            return Ok(self.make(start, kind));
        }
        if self.is_ident(0) && self.nth_is(1, ":") {
            let label = self.ident()?;
            self.expect(":")?;
            let mut s = self.stmt()?;
            match &mut s.kind {
                StmtKind::Block { label: l @ None, .. } | StmtKind::Assert { label: l, .. } => *l = Some(label),
                StmtKind::Concurrent(c) => c.label = Some(label),
                _ => {}
            }
            return Ok(s);
        }
        let t = self.tok();
        if t.kind == Kind::Keyword
            && let Some(s) = self.keyword_stmt(start)?
        {
            return Ok(s);
        }
        if self.at(";") {
            self.bump();
            return Ok(self.make(start, StmtKind::Null));
        }
        if self.at("#") || self.at("##") {
            self.delay()?;
            return self.timing(start, "E0401", "a delay");
        }
        if self.at("@") {
            self.event_control()?;
            return self.timing(start, "E0407", "an event control inside a process");
        }
        if self.at_any(&["->", "->>"]) {
            self.skip_to_semicolon()?;
            let what = Self::unsupported("E0405", "an event trigger");
            return Ok(self.make(start, StmtKind::Unsupported(what)));
        }
        if self.at_local_decl() {
            let item = self.local_decl()?;
            return Ok(self.make(start, StmtKind::Decl(Box::new(item))));
        }
        let s = self.simple_stmt()?;
        self.expect(";")?;
        Ok(s)
    }

    /// A statement behind a delay or event: kept as unsupported with the whole span.
    fn timing(&mut self, start: Span, code: &str, what: &str) -> Parsed<Stmt> {
        if !self.eat(";") {
            self.stmt()?;
        }
        Ok(self.make(start, StmtKind::Unsupported(Self::unsupported(code, what))))
    }

    /// Whether a declaration starts here rather than a statement.
    fn at_local_decl(&self) -> bool {
        self.at_any(&["const", "static", "automatic", "var", "typedef", "localparam", "parameter", "import", "let"])
            || (self.at_type_keyword() && !self.nth_is(1, "'"))
            || self.at_named_type()
    }

    pub(super) fn local_decl(&mut self) -> Parsed<Item> {
        match self.tok().text {
            "typedef" => self.typedef(),
            "localparam" | "parameter" => {
                let item = self.params_item()?;
                self.expect(";")?;
                Ok(item)
            }
            "import" => self.import(),
            _ => self.var_decl(),
        }
    }

    /// An assignment, call or `i++`, without the semicolon.
    pub(super) fn simple_stmt(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        if self.at_any(&["++", "--"]) {
            let e = self.expr()?;
            return Ok(self.make(start, StmtKind::Expr(e)));
        }
        let lhs = self.lvalue()?;
        if let Some(op) = self.assign_op() {
            self.bump();
            if self.at("#") || self.at("@") || self.at("repeat") {
                return self.intra_delay(start, lhs, false);
            }
            let rhs = self.expr()?;
            return Ok(self.make(start, StmtKind::Assign { lhs, op, rhs, nonblocking: false }));
        }
        if self.eat("<=") {
            if self.at("#") || self.at("@") || self.at("repeat") {
                return self.intra_delay(start, lhs, true);
            }
            let rhs = self.expr()?;
            return Ok(self.make(start, StmtKind::Assign { lhs, op: None, rhs, nonblocking: true }));
        }
        match lhs.kind {
            // A task without arguments is called by its name alone.
            ExprKind::Call(..)
            | ExprKind::SysCall(..)
            | ExprKind::IncDec { .. }
            | ExprKind::Ident(_)
            | ExprKind::Scoped(..)
            | ExprKind::Member(..)
            | ExprKind::Cast(..)
            | ExprKind::Unsupported(_) => Ok(self.make(start, StmtKind::Expr(lhs))),
            _ => self.fail("expected an assignment or a call"),
        }
    }

    /// `a <= #1 b`: the delay is not hardware. A constant delay on a non-blocking assignment is the
    /// usual simulation aid and has no effect on a cycle, so it is taken off; others are refused.
    fn intra_delay(&mut self, start: Span, lhs: Expr, nonblocking: bool) -> Parsed<Stmt> {
        if self.at("#") && nonblocking {
            self.delay()?;
            let rhs = self.expr()?;
            return Ok(self.make(start, StmtKind::Assign { lhs, op: None, rhs, nonblocking }));
        }
        while !self.at(";") && !self.at_end() {
            self.bump();
        }
        let what = Self::unsupported("E0401", "a delay inside an assignment");
        Ok(self.make(start, StmtKind::Unsupported(what)))
    }

    /// `#10`, `#(a)`, `#(a,b)`, `##2`.
    pub(super) fn delay(&mut self) -> Parsed<()> {
        self.bump();
        if self.at("(") {
            return self.skip_group();
        }
        if self.is_ident(0) {
            self.lvalue()?;
            return Ok(());
        }
        self.bump();
        Ok(())
    }

    /// `@x`, `@*`, `@(…)`.
    pub(super) fn event_control(&mut self) -> Parsed<Sensitivity> {
        self.expect("@")?;
        if self.eat("*") {
            return Ok(Sensitivity::Star);
        }
        if !self.at("(") {
            let e = self.lvalue()?;
            return Ok(Sensitivity::List(vec![EventExpr { edge: EdgeKind::Level, expr: e, iff: None }]));
        }
        self.expect("(")?;
        if self.eat("*") {
            self.expect(")")?;
            return Ok(Sensitivity::Star);
        }
        let mut list = Vec::new();
        loop {
            let edge = match self.tok().text {
                "posedge" => EdgeKind::Pos,
                "negedge" => EdgeKind::Neg,
                "edge" => EdgeKind::Both,
                _ => EdgeKind::Level,
            };
            if edge != EdgeKind::Level {
                self.bump();
            }
            let expr = self.expr()?;
            let iff = if self.eat("iff") { Some(self.expr()?) } else { None };
            list.push(EventExpr { edge, expr, iff });
            if !self.eat(",") && !self.eat("or") {
                break;
            }
        }
        self.expect(")")?;
        Ok(Sensitivity::List(list))
    }

    fn keyword_stmt(&mut self, start: Span) -> Parsed<Option<Stmt>> {
        let t = self.tok();
        let kind = match t.text {
            "begin" => return self.block().map(Some),
            "if" => self.if_stmt(Qualifier::None)?,
            "case" | "casez" | "casex" => self.case_stmt(Qualifier::None)?,
            "unique" | "unique0" | "priority" => {
                self.bump();
                let q = match t.text {
                    "unique" => Qualifier::Unique,
                    "unique0" => Qualifier::Unique0,
                    _ => Qualifier::Priority,
                };
                if self.at("if") { self.if_stmt(q)? } else { self.case_stmt(q)? }
            }
            "for" => self.for_stmt()?,
            "while" => {
                self.bump();
                self.expect("(")?;
                let cond = self.expr()?;
                self.expect(")")?;
                StmtKind::While { cond, body: Box::new(self.stmt()?) }
            }
            "do" => {
                self.bump();
                let body = Box::new(self.stmt()?);
                self.expect("while")?;
                self.expect("(")?;
                let cond = self.expr()?;
                self.expect(")")?;
                self.expect(";")?;
                StmtKind::DoWhile { cond, body }
            }
            "repeat" => {
                self.bump();
                self.expect("(")?;
                let count = self.expr()?;
                self.expect(")")?;
                StmtKind::Repeat { count, body: Box::new(self.stmt()?) }
            }
            "forever" => {
                self.bump();
                StmtKind::Forever(Box::new(self.stmt()?))
            }
            "foreach" => self.foreach_stmt()?,
            "return" => {
                self.bump();
                let e = if self.at(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                StmtKind::Return(e)
            }
            "break" | "continue" => {
                self.bump();
                self.expect(";")?;
                if t.text == "break" { StmtKind::Break } else { StmtKind::Continue }
            }
            "disable" => {
                self.bump();
                if self.at("fork") {
                    self.skip_to_semicolon()?;
                    StmtKind::Unsupported(Self::unsupported("E0402", "`disable fork`"))
                } else {
                    let name = self.ident()?;
                    self.expect(";")?;
                    StmtKind::Disable(name)
                }
            }
            "fork" => {
                self.bump();
                loop {
                    if self.at_end() {
                        return self.fail("expected `join`");
                    }
                    if matches!(self.bump().text, "join" | "join_any" | "join_none") {
                        break;
                    }
                }
                self.end_label()?;
                StmtKind::Unsupported(Self::unsupported("E0402", "`fork`"))
            }
            "wait" | "wait_order" => {
                self.bump();
                if self.at("(") {
                    self.skip_group()?;
                    if !self.eat(";") {
                        self.stmt()?;
                    }
                } else {
                    self.skip_to_semicolon()?;
                }
                StmtKind::Unsupported(Self::unsupported("E0407", "`wait`"))
            }
            "force" | "release" | "assign" | "deassign" => {
                self.skip_to_semicolon()?;
                StmtKind::Unsupported(Self::unsupported("E0404", format!("procedural `{}`", t.text)))
            }
            "randcase" | "randsequence" | "expect" => {
                return self.fail("random and expect statements are not hardware");
            }
            "assert" | "assume" | "cover" | "restrict" => self.assertion()?,
            "void" if self.nth_is(1, "'") => {
                self.bump();
                self.bump();
                self.expect("(")?;
                let e = self.expr()?;
                self.expect(")")?;
                self.expect(";")?;
                StmtKind::Expr(e)
            }
            _ => return Ok(None),
        };
        Ok(Some(self.make(start, kind)))
    }

    pub(super) fn block(&mut self) -> Parsed<Stmt> {
        let start = self.expect("begin")?;
        let label = if self.eat(":") { Some(self.ident()?) } else { None };
        let mut stmts = Vec::new();
        while !self.at("end") {
            if self.at_end() || self.at_any(&["endmodule", "endfunction", "endtask", "endinterface", "endpackage"]) {
                return self.fail("expected `end`");
            }
            stmts.push(self.stmt()?);
        }
        self.expect("end")?;
        self.end_label()?;
        Ok(self.make(start, StmtKind::Block { label, stmts }))
    }

    fn if_stmt(&mut self, qualifier: Qualifier) -> Parsed<StmtKind> {
        self.expect("if")?;
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        let then = Box::new(self.stmt()?);
        let other = if self.eat("else") { Some(Box::new(self.stmt()?)) } else { None };
        Ok(StmtKind::If { qualifier, cond, then, other })
    }

    fn case_stmt(&mut self, qualifier: Qualifier) -> Parsed<StmtKind> {
        let mut kind = match self.bump().text {
            "case" => CaseKind::Case,
            "casez" => CaseKind::Casez,
            "casex" => CaseKind::Casex,
            _ => return self.fail("expected `case`"),
        };
        self.expect("(")?;
        let expr = self.expr()?;
        self.expect(")")?;
        if self.eat("inside") {
            kind = CaseKind::Inside;
        } else if self.at("matches") {
            return self.fail("pattern matching on tagged unions is not supported");
        }
        let mut items = Vec::new();
        let mut default = None;
        while !self.eat("endcase") {
            if self.eat("default") {
                self.eat(":");
                default = Some(Box::new(self.stmt()?));
                continue;
            }
            let labels = self.comma_list(Self::set_member)?;
            self.expect(":")?;
            items.push((labels, self.stmt()?));
        }
        Ok(StmtKind::Case { kind, qualifier, expr, items, default })
    }

    fn for_stmt(&mut self) -> Parsed<StmtKind> {
        self.expect("for")?;
        self.expect("(")?;
        let mut init = Vec::new();
        if !self.at(";") {
            loop {
                let start = self.span();
                self.eat("var");
                if self.at_type_keyword() || self.at_named_type() {
                    let ty = self.data_type()?;
                    let mut names = vec![self.declarator()?];
                    // `int i = 0, j = 1`: further names of the same type.
                    while self.at(",") && self.is_ident(1) && self.nth_is(2, "=") {
                        self.bump();
                        names.push(self.declarator()?);
                    }
                    let kind = ItemKind::Decl { net: NetKind::Var, constant: false, automatic: true, ty, names };
                    let item = Item { kind, attrs: Vec::new(), span: self.since(start) };
                    init.push(self.make(start, StmtKind::Decl(Box::new(item))));
                } else {
                    init.push(self.simple_stmt()?);
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect(";")?;
        let cond = if self.at(";") { None } else { Some(self.expr()?) };
        self.expect(";")?;
        let step = if self.at(")") { Vec::new() } else { self.comma_list(Self::simple_stmt)? };
        self.expect(")")?;
        Ok(StmtKind::For { init, cond, step, body: Box::new(self.stmt()?) })
    }

    fn foreach_stmt(&mut self) -> Parsed<StmtKind> {
        self.expect("foreach")?;
        self.expect("(")?;
        let mut array = self.atom_name()?;
        loop {
            // `a.b[i][j]`: the last bracket group holds the loop variables.
            if self.at(".") {
                self.bump();
                let m = self.ident()?;
                let span = self.since(array.span);
                array = Expr { kind: ExprKind::Member(Box::new(array), m), span };
            } else if self.at("[") && self.nth_is(self.after_group(0), ")") {
                break;
            } else if self.eat("[") {
                let i = self.expr()?;
                self.expect("]")?;
                let span = self.since(array.span);
                array = Expr { kind: ExprKind::Index(Box::new(array), Box::new(i)), span };
            } else {
                return self.fail("expected loop variables in brackets");
            }
        }
        self.expect("[")?;
        let mut vars = Vec::new();
        while !self.at("]") {
            vars.push(if self.at(",") { None } else { Some(self.ident()?) });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        self.expect(")")?;
        Ok(StmtKind::Foreach { array, vars, body: Box::new(self.stmt()?) })
    }

    fn atom_name(&mut self) -> Parsed<Expr> {
        let n = self.ident()?;
        Ok(Expr { kind: ExprKind::Ident(n.name), span: n.span })
    }

    /// `assert (…)`, `assert #0 (…)`, `assert final (…)` or `assert property (…)`.
    fn assertion(&mut self) -> Parsed<StmtKind> {
        let keyword = self.bump();
        let kind = match keyword.text {
            "assert" => PropertyKind::Assert,
            "cover" => PropertyKind::Cover,
            // What is restricted may be taken for granted.
            _ => PropertyKind::Assume,
        };
        if self.at("property") || self.at("sequence") {
            let every_match = self.bump().text == "sequence";
            self.expect("(")?;
            let spec = self.property_spec()?;
            self.expect(")")?;
            self.action_block()?;
            return Ok(StmtKind::Concurrent(Box::new(Concurrent { label: None, kind, every_match, spec })));
        }
        if self.eat("#") {
            self.bump();
        } else {
            self.eat("final");
        }
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        self.action_block()?;
        Ok(StmtKind::Assert { kind, label: None, cond })
    }

    /// What a simulator does on pass and on failure: reporting, not hardware.
    fn action_block(&mut self) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if !self.at("else") {
            self.stmt()?;
        }
        if self.eat("else") {
            self.stmt()?;
        }
        Ok(())
    }
}
