//! Descriptions (modules, interfaces, packages) and the items inside them.

use super::*;

const GATES: &[&str] = &[
    "and", "or", "xor", "nand", "nor", "xnor", "not", "buf", "bufif0", "bufif1", "notif0", "notif1", "pullup",
    "pulldown", "nmos", "pmos", "cmos", "tran", "tranif0", "tranif1", "rtran", "rnmos", "rpmos", "rcmos",
];

impl Parser<'_, '_> {
    /// One description of the file.
    pub(super) fn description(&mut self, unit: &mut Unit) -> Parsed<()> {
        while self.tok().kind == Kind::DefaultNettype {
            self.no_implicit_nets = self.tok().text == "none";
            self.pos += 1;
        }
        if self.at_end() {
            return Ok(());
        }
        let attrs_at = self.pos;
        self.attributes()?;
        let extern_at = self.at("extern");
        if extern_at {
            self.skip_to_semicolon()?;
            return Ok(());
        }
        match self.tok().text {
            "module" | "macromodule" => {
                let m = self.module(ModuleKind::Module, "endmodule")?;
                unit.modules.push(m);
            }
            "interface" if !self.nth_is(1, "class") => {
                let m = self.module(ModuleKind::Interface, "endinterface")?;
                unit.modules.push(m);
            }
            "package" => {
                let m = self.module(ModuleKind::Package, "endpackage")?;
                unit.modules.push(m);
            }
            "program" => {
                self.bump();
                self.skip_to(&["program"], "endprogram")?;
                self.end_label()?;
            }
            "primitive" => {
                self.bump();
                let name = self.ident()?;
                self.skip_to(&[], "endprimitive")?;
                self.end_label()?;
                unit.modules.push(self.udp(name));
            }
            "config" => {
                self.bump();
                self.skip_to(&[], "endconfig")?;
                self.end_label()?;
            }
            "checker" => {
                self.bump();
                self.skip_to(&["checker"], "endchecker")?;
                self.end_label()?;
            }
            _ => {
                self.pos = attrs_at;
                let item = self.item()?;
                unit.items.push(item);
            }
        }
        Ok(())
    }

    /// A user-defined primitive: a module that says so if a design reaches it.
    fn udp(&self, name: Ident) -> Module {
        let span = name.span;
        let what = Self::unsupported("E0405", "a user-defined primitive");
        let item = Item { kind: ItemKind::Unsupported(what), attrs: Vec::new(), span };
        Module {
            kind: ModuleKind::Module,
            name,
            params: Vec::new(),
            has_param_header: false,
            header_imports: Vec::new(),
            ports: PortList::Ansi(Vec::new()),
            items: vec![item],
            no_implicit_nets: false,
            span,
        }
    }

    fn module(&mut self, kind: ModuleKind, end: &str) -> Parsed<Module> {
        let start = self.span();
        let no_implicit_nets = self.no_implicit_nets;
        self.bump();
        if !self.eat("automatic") {
            self.eat("static");
        }
        let name = self.ident()?;
        let mut header_imports = Vec::new();
        while kind != ModuleKind::Package && self.at("import") {
            header_imports.push(self.import()?);
        }
        let params = self.param_header()?;
        let ports = if kind == ModuleKind::Package { PortList::Ansi(Vec::new()) } else { self.port_list()? };
        self.expect(";")?;
        let span = self.since(start);
        let mut items = Vec::new();
        while !self.at(end) {
            if self.at_end() || self.at_any(&["endmodule", "endpackage", "endinterface"]) {
                return self.fail(&format!("expected `{end}`"));
            }
            items.push(self.item()?);
        }
        self.bump();
        self.end_label()?;
        Ok(Module {
            kind,
            name,
            has_param_header: params.is_some(),
            params: params.unwrap_or_default(),
            header_imports,
            ports,
            items,
            no_implicit_nets,
            span,
        })
    }

    /// One item of a module, interface, package, generate block or the file itself.
    pub(super) fn item(&mut self) -> Parsed<Item> {
        self.nested(Self::item_inner)
    }

    fn item_inner(&mut self) -> Parsed<Item> {
        let start = self.span();
        let attrs = self.attributes()?;
        let mut item = self.item_body(start)?;
        item.attrs.extend(attrs);
        item.span = self.since(start);
        Ok(item)
    }

    fn plain(&self, start: Span, kind: ItemKind) -> Item {
        Item { kind, attrs: Vec::new(), span: self.since(start) }
    }

    fn refused(&self, start: Span, code: &str, what: &str) -> Item {
        self.plain(start, ItemKind::Unsupported(Self::unsupported(code, what)))
    }

    fn item_body(&mut self, start: Span) -> Parsed<Item> {
        let t = self.tok();
        if t.kind == Kind::System {
            let e = self.expr()?;
            self.expect(";")?;
            if let ExprKind::SysCall(name, args) = e.kind {
                return Ok(self.plain(start, ItemKind::ElabTask(name, args)));
            }
            return self.fail("expected an item");
        }
        if self.is_ident(0) {
            return self.named_item(start);
        }
        if t.kind != Kind::Keyword {
            if self.eat(";") {
                return Ok(self.plain(start, ItemKind::Empty));
            }
            return self.fail("expected a declaration, instance or process");
        }
        let kind = match t.text {
            "parameter" | "localparam" => {
                let item = self.params_item()?;
                self.expect(";")?;
                return Ok(item);
            }
            "typedef" => return self.typedef(),
            "import" => return self.import(),
            "export" => {
                self.skip_to_semicolon()?;
                ItemKind::Empty
            }
            "input" | "output" | "inout" => self.port_decl()?,
            "wire" | "tri" | "wand" | "wor" | "tri0" | "tri1" | "triand" | "trior" | "trireg" | "supply0"
            | "supply1" | "uwire" => self.net_decl()?,
            "assign" => {
                self.bump();
                self.strength()?;
                if self.at("#") {
                    self.delay()?;
                }
                let list = self.comma_list(|p| {
                    let l = p.lvalue()?;
                    p.expect("=")?;
                    Ok((l, p.expr()?))
                })?;
                self.expect(";")?;
                ItemKind::Assign(list)
            }
            "always" | "always_comb" | "always_ff" | "always_latch" => {
                self.bump();
                let kind = match t.text {
                    "always" => AlwaysKind::Plain,
                    "always_comb" => AlwaysKind::Comb,
                    "always_ff" => AlwaysKind::Ff,
                    _ => AlwaysKind::Latch,
                };
                let sensitivity = if self.at("@") { Some(self.event_control()?) } else { None };
                ItemKind::Always { kind, sensitivity, body: self.stmt()? }
            }
            "initial" => {
                self.bump();
                ItemKind::Initial(self.stmt()?)
            }
            "final" => {
                self.bump();
                self.stmt()?;
                ItemKind::Empty
            }
            "generate" => {
                self.bump();
                let mut items = Vec::new();
                while !self.eat("endgenerate") {
                    if self.at_end() {
                        return self.fail("expected `endgenerate`");
                    }
                    items.push(self.item()?);
                }
                ItemKind::Generate(items)
            }
            "for" => self.gen_for()?,
            "if" => self.gen_if()?,
            "case" => self.gen_case()?,
            "begin" => ItemKind::GenBlock(self.gen_block()?),
            "genvar" => {
                self.bump();
                let names = self.comma_list(Self::ident)?;
                self.expect(";")?;
                ItemKind::Genvar(names)
            }
            "function" | "task" => self.subprogram()?,
            "modport" => self.modport()?,
            "bind" => self.bind()?,
            "assert" | "assume" | "cover" | "restrict" => {
                let s = self.stmt()?;
                match s.kind {
                    StmtKind::Concurrent(c) => ItemKind::Concurrent(c),
                    _ => ItemKind::Assert(s),
                }
            }
            "property" | "sequence" => self.property_decl()?,
            "default" if self.nth_is(1, "disable") => {
                self.bump();
                self.bump();
                self.expect("iff")?;
                let e = self.expr()?;
                self.expect(";")?;
                ItemKind::DefaultDisable(e)
            }
            "default" | "clocking" | "global" => self.clocking()?,
            "specify" => {
                self.bump();
                self.skip_to(&[], "endspecify")?;
                ItemKind::Empty
            }
            "specparam" | "timeunit" | "timeprecision" => {
                self.skip_to_semicolon()?;
                ItemKind::Empty
            }
            "class" | "virtual" if t.text == "class" || self.nth_is(1, "class") => {
                self.eat("virtual");
                self.bump();
                self.skip_to(&["class"], "endclass")?;
                self.end_label()?;
                // A class declaration is harmless until something uses it.
                ItemKind::Empty
            }
            "interface" if self.nth_is(1, "class") => {
                self.bump();
                self.bump();
                self.skip_to(&["class"], "endclass")?;
                self.end_label()?;
                ItemKind::Empty
            }
            "covergroup" => {
                self.bump();
                self.skip_to(&[], "endgroup")?;
                self.end_label()?;
                ItemKind::Empty
            }
            "defparam" => {
                self.bump();
                let list = self.comma_list(|p| {
                    let l = p.lvalue()?;
                    p.expect("=")?;
                    Ok((l, p.expr()?))
                })?;
                self.expect(";")?;
                ItemKind::Defparam(list)
            }
            "alias" | "let" | "nettype" | "interconnect" | "constraint" => {
                self.skip_to_semicolon()?;
                return Ok(self.refused(start, "E0405", &format!("`{}`", t.text)));
            }
            "module" | "program" | "checker" | "primitive" => {
                self.bump();
                self.skip_to(&[t.text], &format!("end{}", t.text))?;
                self.end_label()?;
                return Ok(self.refused(start, "E0405", &format!("a nested `{}`", t.text)));
            }
            g if GATES.contains(&g) => {
                self.bump();
                self.strength()?;
                if self.at("#") {
                    self.delay()?;
                }
                let instances = self.comma_list(Self::instance)?;
                self.expect(";")?;
                ItemKind::Gate { gate: g.into(), instances }
            }
            _ => return self.var_decl(),
        };
        Ok(self.plain(start, kind))
    }

    /// `(strong0, pull1)` and the like.
    fn strength(&mut self) -> Parsed<()> {
        const WORDS: &[&str] = &[
            "strong0", "strong1", "pull0", "pull1", "weak0", "weak1", "highz0", "highz1", "supply0", "supply1",
            "small", "medium", "large",
        ];
        if self.at("(") && WORDS.iter().any(|w| self.nth_is(1, w)) {
            self.skip_group()?;
        }
        Ok(())
    }

    /// An item that starts with a name: an instance, a declaration with a named type, or a labelled
    /// assertion.
    fn named_item(&mut self, start: Span) -> Parsed<Item> {
        if self.nth_is(1, ":") {
            let label = self.ident()?;
            self.expect(":")?;
            if self.at("begin") {
                let mut b = self.gen_block()?;
                b.label = Some(label);
                return Ok(self.plain(start, ItemKind::GenBlock(b)));
            }
            let mut item = self.item()?;
            match &mut item.kind {
                ItemKind::Concurrent(c) => c.label = Some(label),
                ItemKind::Assert(s) => {
                    if let StmtKind::Assert { label: l, .. } = &mut s.kind {
                        *l = Some(label);
                    }
                }
                _ => {}
            }
            return Ok(item);
        }
        let is_instance = if self.nth_is(1, "#") {
            let n = if self.nth_is(2, "(") { self.after_group(2) } else { 3 };
            !self.nth_is(n, "::")
        } else if self.is_ident(1) {
            let mut n = 2;
            while self.nth_is(n, "[") {
                n = self.after_group(n);
            }
            self.nth_is(n, "(")
        } else {
            // A primitive or module instance without a name.
            self.nth_is(1, "(")
        };
        if is_instance {
            let inst = self.instantiation()?;
            return Ok(self.plain(start, ItemKind::Instantiation(inst)));
        }
        if self.at_named_type() {
            return self.var_decl();
        }
        self.fail("expected a declaration, instance or process")
    }

    pub(super) fn var_decl(&mut self) -> Parsed<Item> {
        let start = self.span();
        let mut constant = false;
        let mut automatic = false;
        let mut var = false;
        loop {
            if self.eat("const") {
                constant = true;
            } else if self.eat("automatic") {
                automatic = true;
            } else if self.eat("var") {
                var = true;
            } else if !self.eat("static") && !self.eat("rand") {
                break;
            }
        }
        let ty = if var || constant { self.data_type_or_implicit()? } else { self.data_type()? };
        let names = self.comma_list(Self::declarator)?;
        self.expect(";")?;
        let kind = ItemKind::Decl { net: NetKind::Var, constant, automatic, ty, names };
        Ok(self.plain(start, kind))
    }

    fn net_decl(&mut self) -> Parsed<ItemKind> {
        let Some(net) = self.net_kind() else { return self.fail("expected a net type") };
        self.strength()?;
        if !self.eat("vectored") {
            self.eat("scalared");
        }
        let ty = self.data_type_or_implicit()?;
        if self.at("#") {
            self.delay()?;
        }
        let names = self.comma_list(Self::declarator)?;
        self.expect(";")?;
        Ok(ItemKind::Decl { net, constant: false, automatic: false, ty, names })
    }

    fn port_decl(&mut self) -> Parsed<ItemKind> {
        let Some(direction) = self.direction() else { return self.fail("expected a direction") };
        let net = self.net_kind();
        let ty = self.data_type_or_implicit()?;
        let names = self.comma_list(Self::declarator)?;
        self.expect(";")?;
        Ok(ItemKind::PortDecl { direction, net, ty, names })
    }

    pub(super) fn typedef(&mut self) -> Parsed<Item> {
        let start = self.expect("typedef")?;
        // Forward declarations: `typedef enum name;`, `typedef class c;`, `typedef name;`.
        let skip = usize::from(self.at_any(&["enum", "struct", "union", "class"]));
        if self.is_ident(skip) && self.nth_is(skip + 1, ";") || self.at("interface") {
            self.skip_to_semicolon()?;
            return Ok(self.plain(start, ItemKind::Empty));
        }
        let ty = self.data_type()?;
        let name = self.ident()?;
        let dims = self.packed_dims()?;
        self.expect(";")?;
        Ok(self.plain(start, ItemKind::Typedef { name, ty, dims }))
    }

    pub(super) fn import(&mut self) -> Parsed<Item> {
        let start = self.expect("import")?;
        if self.tok().kind == Kind::Str {
            self.skip_to_semicolon()?;
            return Ok(self.refused(start, "E0405", "a DPI import"));
        }
        let mut items = self.comma_list(|p| {
            let start = p.span();
            let package = p.ident()?;
            p.expect("::")?;
            let name = if p.eat("*") { None } else { Some(p.ident()?) };
            Ok(p.plain(start, ItemKind::Import { package, name }))
        })?;
        self.expect(";")?;
        if items.len() == 1 {
            return Ok(items.swap_remove(0));
        }
        Ok(self.plain(start, ItemKind::Generate(items)))
    }

    fn gen_block(&mut self) -> Parsed<GenBlock> {
        if !self.at("begin") {
            if self.is_ident(0) && self.nth_is(1, ":") && self.nth_is(2, "begin") {
                let label = self.ident()?;
                self.expect(":")?;
                let mut b = self.gen_block()?;
                b.label = Some(label);
                return Ok(b);
            }
            return Ok(GenBlock { label: None, items: vec![self.item()?] });
        }
        self.expect("begin")?;
        let label = if self.eat(":") { Some(self.ident()?) } else { None };
        let mut items = Vec::new();
        while !self.eat("end") {
            if self.at_end() || self.at_any(&["endmodule", "endgenerate"]) {
                return self.fail("expected `end`");
            }
            items.push(self.item()?);
        }
        self.end_label()?;
        Ok(GenBlock { label, items })
    }

    fn gen_for(&mut self) -> Parsed<ItemKind> {
        self.expect("for")?;
        self.expect("(")?;
        self.eat("genvar");
        if self.at_type_keyword() {
            self.data_type()?;
        }
        let genvar = self.ident()?;
        self.expect("=")?;
        let init = self.expr()?;
        self.expect(";")?;
        let cond = self.expr()?;
        self.expect(";")?;
        let step = Box::new(self.simple_stmt()?);
        self.expect(")")?;
        Ok(ItemKind::GenFor { genvar, init, cond, step, body: self.gen_block()? })
    }

    fn gen_if(&mut self) -> Parsed<ItemKind> {
        self.expect("if")?;
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        let then = if self.at(";") {
            self.bump();
            GenBlock { label: None, items: Vec::new() }
        } else {
            self.gen_block()?
        };
        let other = if self.eat("else") { Some(self.gen_block()?) } else { None };
        Ok(ItemKind::GenIf { cond, then, other })
    }

    fn gen_case(&mut self) -> Parsed<ItemKind> {
        self.expect("case")?;
        self.expect("(")?;
        let expr = self.expr()?;
        self.expect(")")?;
        let mut items = Vec::new();
        let mut default = None;
        while !self.eat("endcase") {
            if self.eat("default") {
                self.eat(":");
                default = Some(self.gen_block()?);
                continue;
            }
            let labels = self.comma_list(Self::expr)?;
            self.expect(":")?;
            items.push((labels, self.gen_block()?));
        }
        Ok(ItemKind::GenCase { expr, items, default })
    }

    fn subprogram(&mut self) -> Parsed<ItemKind> {
        let is_task = self.bump().text == "task";
        let end = if is_task { "endtask" } else { "endfunction" };
        let mut automatic = self.eat("automatic");
        if !automatic {
            self.eat("static");
        }
        let mut ret = None;
        if !is_task {
            if self.at("new") {
                return self.fail("a constructor outside a class");
            }
            // `function name (`: no return type at all means one bit of logic.
            ret = Some(self.data_type_or_implicit()?);
        }
        let mut name = self.ident()?;
        if self.at(".") || self.at("::") {
            // An interface or class method defined outside.
            self.bump();
            name = self.ident()?;
            automatic = true;
        }
        let mut ports = Vec::new();
        if self.eat("(") {
            ports = self.ansi_ports()?;
            self.expect(")")?;
        }
        self.expect(";")?;
        let mut items = Vec::new();
        let mut body = Vec::new();
        while !self.at(end) {
            if self.at_end() || self.at("endmodule") {
                return self.fail(&format!("expected `{end}`"));
            }
            if self.at_any(&["input", "output", "inout", "ref"]) {
                let start = self.span();
                let kind = self.port_decl()?;
                items.push(self.plain(start, kind));
            } else {
                body.push(self.stmt()?);
            }
        }
        self.bump();
        self.end_label()?;
        Ok(ItemKind::Subprogram(Box::new(Subprogram { name, is_task, automatic, ret, ports, items, body })))
    }

    fn modport(&mut self) -> Parsed<ItemKind> {
        self.expect("modport")?;
        let list = self.comma_list(|p| {
            let name = p.ident()?;
            p.expect("(")?;
            let mut items = Vec::new();
            let mut direction = Direction::Input;
            while !p.at(")") {
                p.attributes()?;
                if p.at_any(&["import", "export"]) {
                    // Methods: `import function f` or a bare name.
                    p.bump();
                    while !p.at(",") && !p.at(")") && !p.at_end() {
                        if p.at("(") {
                            p.skip_group()?
                        } else {
                            p.bump();
                        }
                    }
                } else if p.eat("clocking") {
                    p.ident()?;
                } else {
                    if let Some(d) = p.direction() {
                        direction = d;
                    }
                    if p.at(".") {
                        return p.fail("modport expressions are not supported");
                    }
                    items.push(ModportItem { direction, name: p.ident()? });
                }
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(")")?;
            Ok((name, items))
        })?;
        self.expect(";")?;
        Ok(ItemKind::Modport(list))
    }

    fn bind(&mut self) -> Parsed<ItemKind> {
        self.expect("bind")?;
        let path = self.lvalue()?;
        let target = match &path.kind {
            ExprKind::Ident(n) => Ident { name: n.clone(), span: path.span },
            _ => Ident { name: "".into(), span: path.span },
        };
        if self.eat(":") {
            // `bind module : instance, instance checker …`: only the named instances.
            let inst_path = self.lvalue()?;
            let inst = self.instantiation()?;
            return Ok(ItemKind::Bind { target, instance_path: Some(inst_path), inst });
        }
        let instance_path = target.name.is_empty().then_some(path);
        Ok(ItemKind::Bind { target, instance_path, inst: self.instantiation()? })
    }
}
