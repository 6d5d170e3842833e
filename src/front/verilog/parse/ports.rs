//! Headers: parameters, ports, instances and their connections.

use super::*;

impl Parser<'_, '_> {
    /// `#( … )` of a module header.
    pub(super) fn param_header(&mut self) -> Parsed<Option<Vec<ParamDecl>>> {
        if !self.at("#") {
            return Ok(None);
        }
        self.bump();
        self.expect("(")?;
        let mut out = Vec::new();
        let mut local = false;
        let mut ty: Option<DataType> = None;
        let mut is_type = false;
        while !self.at(")") {
            self.attributes()?;
            let keyword = self.at_any(&["parameter", "localparam"]);
            if keyword {
                local = self.bump().text == "localparam";
                ty = None;
                is_type = false;
            }
            if self.at("type") && !self.nth_is(1, "(") {
                self.bump();
                is_type = true;
            } else if self.at_type_keyword() || self.at_named_type() || self.at_any(&["[", "signed", "unsigned"]) {
                ty = Some(self.data_type_or_implicit()?);
                is_type = false;
            }
            out.push(self.param_decl(local, is_type, ty.as_ref())?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(Some(out))
    }

    fn param_decl(&mut self, local: bool, is_type: bool, ty: Option<&DataType>) -> Parsed<ParamDecl> {
        let name = self.ident()?;
        if is_type {
            let default = if self.eat("=") { Some(self.data_type()?) } else { None };
            return Ok(ParamDecl { local, name, kind: ParamKind::Type { default } });
        }
        let dims = self.packed_dims()?;
        let default = if self.eat("=") { Some(self.expr_or_type()?) } else { None };
        let implicit = DataType { kind: TypeKind::Implicit { signed: false }, dims: Vec::new(), span: name.span };
        let ty = ty.cloned().unwrap_or(implicit);
        Ok(ParamDecl { local, name, kind: ParamKind::Value { ty, dims, default } })
    }

    /// `parameter …` / `localparam …` without the semicolon.
    pub(super) fn params_item(&mut self) -> Parsed<Item> {
        let start = self.span();
        let local = self.bump().text == "localparam";
        let mut list = Vec::new();
        if self.at("type") && !self.nth_is(1, "(") {
            self.bump();
            list = self.comma_list(|p| p.param_decl(local, true, None))?;
        } else {
            let ty = self.data_type_or_implicit()?;
            let named = !matches!(ty.kind, TypeKind::Implicit { signed: false }) || !ty.dims.is_empty();
            let ty = named.then_some(&ty);
            loop {
                list.push(self.param_decl(local, false, ty)?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(Item { kind: ItemKind::Param(list), attrs: Vec::new(), span: self.since(start) })
    }

    pub(super) fn net_kind(&mut self) -> Option<NetKind> {
        let kind = match self.tok().text {
            _ if self.tok().kind != Kind::Keyword => return None,
            "wire" | "uwire" | "tri" => NetKind::Wire,
            "wand" | "wor" | "triand" | "trior" | "tri0" | "tri1" | "trireg" => NetKind::Other,
            "supply0" => NetKind::Supply0,
            "supply1" => NetKind::Supply1,
            "var" => NetKind::Var,
            _ => return None,
        };
        self.bump();
        Some(kind)
    }

    pub(super) fn direction(&mut self) -> Option<Direction> {
        let d = match self.tok().text {
            _ if self.tok().kind != Kind::Keyword => return None,
            "input" => Direction::Input,
            "output" => Direction::Output,
            "inout" => Direction::Inout,
            "ref" => Direction::Ref,
            _ => return None,
        };
        self.bump();
        Some(d)
    }

    /// `( … )` of a module header, if there is one.
    pub(super) fn port_list(&mut self) -> Parsed<PortList> {
        if !self.eat("(") {
            return Ok(PortList::Ansi(Vec::new()));
        }
        if self.eat(")") {
            return Ok(PortList::Ansi(Vec::new()));
        }
        if self.is_ident(0) && (self.nth_is(1, ",") || self.nth_is(1, ")")) {
            let names = self.comma_list(Self::ident)?;
            self.expect(")")?;
            return Ok(PortList::Names(names));
        }
        if self.at(".") || self.at("{") {
            return self.fail("ports made of expressions are not supported");
        }
        let ports = self.ansi_ports()?;
        self.expect(")")?;
        Ok(PortList::Ansi(ports))
    }

    /// Ports of a module, function or task; direction and type carry over from the one before.
    pub(super) fn ansi_ports(&mut self) -> Parsed<Vec<Port>> {
        let mut ports: Vec<Port> = Vec::new();
        while !self.at(")") {
            let attrs = self.attributes()?;
            self.eat("const");
            let direction = self.direction();
            let net = self.net_kind();
            let typed = self.at_type_keyword()
                || self.at_named_type()
                || self.at("interface")
                || self.at_any(&["[", "signed", "unsigned"]);
            let port = if direction.is_none() && net.is_none() && !typed {
                let Some(last) = ports.last().cloned() else { return self.fail("expected a port") };
                Port { decl: self.declarator()?, attrs, ..last }
            } else {
                let ty = if self.at("interface") { self.data_type()? } else { self.data_type_or_implicit()? };
                let carried = ports.last().and_then(|p| p.direction);
                let iface = matches!(ty.kind, TypeKind::Interface { .. });
                let direction = direction.or(if iface { None } else { carried });
                Port { direction, net, ty, decl: self.declarator()?, attrs }
            };
            ports.push(port);
            if !self.eat(",") {
                break;
            }
        }
        Ok(ports)
    }

    /// `module_name #(…) name (…), … ;`.
    pub(super) fn instantiation(&mut self) -> Parsed<Instantiation> {
        let module = self.ident()?;
        let params = if self.eat("#") {
            if self.at("(") {
                self.call_args()?
            } else {
                let e = self.primary()?;
                vec![Arg { name: None, value: Some(e) }]
            }
        } else {
            Vec::new()
        };
        let instances = self.comma_list(Self::instance)?;
        self.expect(";")?;
        Ok(Instantiation { module, params, instances })
    }

    pub(super) fn instance(&mut self) -> Parsed<Instance> {
        let name = if self.at("(") { Ident { name: "".into(), span: self.span() } } else { self.ident()? };
        let dims = self.packed_dims()?;
        self.expect("(")?;
        let mut ports = Vec::new();
        while !self.at(")") {
            self.attributes()?;
            if self.at(".") && self.nth_is(1, "*") || self.at(".*") {
                self.bump();
                self.bump();
                ports.push(Connection::Star);
            } else if self.eat(".") {
                let name = self.ident()?;
                if self.eat("(") {
                    let e = if self.at(")") { None } else { Some(self.expr()?) };
                    self.expect(")")?;
                    ports.push(Connection::Named(name, e));
                } else {
                    ports.push(Connection::Implicit(name));
                }
            } else if self.at(",") {
                ports.push(Connection::Positional(None));
            } else {
                ports.push(Connection::Positional(Some(self.expr()?)));
            }
            if !self.eat(",") {
                break;
            }
            if self.at(")") && matches!(ports.last(), Some(Connection::Positional(_))) {
                ports.push(Connection::Positional(None));
            }
        }
        self.expect(")")?;
        Ok(Instance { name, dims, ports })
    }
}
