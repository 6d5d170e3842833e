//! The top: which entity it is, and its generics.

use super::instance::Outside;
use super::*;

impl<'a> Elab<'a> {
    pub(super) fn enter_top(&mut self) -> Res<()> {
        let (unit, arch, config) = self.find_top()?;
        self.m.d.name = self.lib.units[unit].name.name.clone();
        let lib = self.lib;
        let UnitKind::Entity { generics, .. } = &lib.units[unit].kind else { unreachable!("found as an entity") };
        let scope = self.entity_scope(unit, SmolStr::default());
        let span = lib.units[unit].name.span;
        for (name, _) in &self.opts.generics {
            if !generics.iter().any(|g| g.name.name == name.to_ascii_lowercase()) {
                let d = Diagnostic::error(codes::E0205, format!("the top has no generic `{name}`")).at(span, "top");
                return Err(Box::new(d));
            }
        }
        for g in generics {
            let given = self.opts.generics.iter().find(|(n, _)| n.to_ascii_lowercase() == g.name.name);
            let crossed = self.opts.given.iter().find(|(n, _)| *n == g.name.name);
            match (given, &g.kind) {
                (Some((name, text)), InterfaceKind::Object { subtype, .. }) => {
                    let ty = self.in_scope(scope, |e| e.subtype(subtype))?;
                    let symbol = self.generic_text(name, text, &ty, span)?;
                    self.scopes[scope.0 as usize].symbols.insert(g.name.ent, symbol);
                }
                (None, InterfaceKind::Object { subtype, .. }) => match crossed {
                    Some((name, value)) => {
                        let ty = self.in_scope(scope, |e| e.subtype(subtype))?;
                        let symbol = self.generic_value(name, value, &ty, g.name.span)?;
                        self.scopes[scope.0 as usize].symbols.insert(g.name.ent, symbol);
                    }
                    None => self.bind_generic(g, None, scope, scope, span)?,
                },
                _ => self.bind_generic(g, None, scope, scope, span)?,
            }
        }
        self.fill(unit, arch.as_deref(), scope, Outside::Top, config, span)
    }

    /// A generic of the top from the command line.
    pub(super) fn generic_text(&mut self, name: &str, text: &str, ty: &Rc<Ty>, span: Span) -> Res<Symbol<'a>> {
        let bad = || {
            Box::new(
                Diagnostic::error(codes::E0205, format!("`{text}` is not a value for generic `{name}`"))
                    .help("integers as 8, enumerations by name, vectors as 0101 or \"0101\", strings in quotes"),
            )
        };
        let plain = text.trim().trim_matches('"').trim_matches('\'');
        let bits = match &ty.kind {
            TyKind::Int { lo, hi, .. } => {
                let v: i128 = plain.replace('_', "").parse().map_err(|_| bad())?;
                if v < *lo || v > *hi {
                    return Err(Box::new(bad().note(format!("it must lie between {lo} and {hi}"))));
                }
                types::int_bits(v, ty.width)
            }
            TyKind::Real => Bits::from_u64(plain.parse::<f64>().map_err(|_| bad())?.to_bits(), 64),
            TyKind::Enum { def, .. } => {
                let lower = plain.to_ascii_lowercase();
                let quoted = format!("'{plain}'");
                let flag = match (def.logic, plain) {
                    (types::Logic::Two, "1") => Some(1),
                    (types::Logic::Two, "0") => Some(0),
                    _ => None,
                };
                match flag.or_else(|| def.literals.iter().position(|l| *l == lower || *l == quoted)) {
                    Some(_) if def.logic == types::Logic::Std => {
                        self.character(plain.bytes().next().unwrap_or(b'X'), def, 1, span)?
                    }
                    Some(p) => Bits::from_u64(p as u64, ty.width),
                    None => return Err(bad()),
                }
            }
            TyKind::Array { .. } => {
                let v = self.constantly(|e| e.string(plain.as_bytes(), Some(ty), span))?;
                let v = self.convert(v, ty, span)?;
                let b = self.m.d.as_const(v.node).cloned().ok_or_else(bad)?;
                return Ok(Symbol::Const(v.ty, b));
            }
            _ => return Err(bad()),
        };
        Ok(Symbol::Const(ty.clone(), bits))
    }

    pub(super) fn find_top(&mut self) -> Res<(usize, Option<SmolStr>, Option<&'a BlockConfig>)> {
        let lib = self.lib;
        let own = |u: &LibraryUnit| !matches!(u.library.as_str(), "std" | "ieee");
        if let Some(text) = &self.opts.top {
            let text = text.to_ascii_lowercase();
            let (name, arch) = match text.split_once('(') {
                Some((n, a)) => (n.trim().to_string(), Some(SmolStr::from(a.trim_end_matches(')').trim()))),
                None => (text.clone(), None),
            };
            let (library, name) = match name.split_once('.') {
                Some((l, n)) if l != "work" => (Some(l.to_string()), n.to_string()),
                Some((_, n)) => (None, n.to_string()),
                None => (None, name),
            };
            for (n, u) in lib.units.iter().enumerate() {
                if !own(u) || u.name.name != name || library.as_ref().is_some_and(|l| *l != u.library) {
                    continue;
                }
                match &u.kind {
                    UnitKind::Entity { .. } => return Ok((n, arch, None)),
                    UnitKind::Configuration { entity, block } => {
                        let key = (u.library.clone(), SmolStr::from(entity.last()));
                        if let Some(&e) = self.entities.get(&key) {
                            return Ok((e, Some(block.of.clone()), Some(block)));
                        }
                    }
                    _ => {}
                }
            }
            let names: Vec<&str> = lib
                .units
                .iter()
                .filter(|u| own(u) && matches!(u.kind, UnitKind::Entity { .. }))
                .map(|u| u.name.name.as_str())
                .collect();
            let mut d = Diagnostic::error(codes::E0201, format!("top entity `{name}` not found"));
            if !names.is_empty() {
                d = d.help(format!("entities read: {}", names.join(", ")));
            }
            return Err(Box::new(d));
        }
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for u in &lib.units {
            if let UnitKind::Architecture { stmts, .. } | UnitKind::Entity { stmts, .. } = &u.kind {
                instantiated(stmts, &mut |n| {
                    used.insert(n);
                });
            }
        }
        let tops: Vec<usize> = lib
            .units
            .iter()
            .enumerate()
            .filter(|(_, u)| {
                own(u) && matches!(u.kind, UnitKind::Entity { .. }) && !used.contains(u.name.name.as_str())
            })
            .map(|(n, _)| n)
            .collect();
        match tops.as_slice() {
            [one] => Ok((*one, None, None)),
            [] => Err(Box::new(
                Diagnostic::error(codes::E0201, "no top entity: none was read, or each is used by another")
                    .help("name one with --top"),
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|n| lib.units[*n].name.name.as_str()).collect();
                let mut d =
                    Diagnostic::error(codes::E0201, format!("several entities could be the top: {}", names.join(", ")));
                for n in many.iter().take(4) {
                    d = d.also(lib.units[*n].name.span, "instantiated by none");
                }
                Err(Box::new(d.help("choose one with --top NAME")))
            }
        }
    }
}
