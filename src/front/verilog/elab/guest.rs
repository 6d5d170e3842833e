//! Instances of units that are written in another language.

use super::ports::{Actual, Face};
use super::scope::{ScopeId, Symbol};
use super::*;
use crate::front::guest::{Direction as Flow, Order, Value};

impl<'a> Elab<'a> {
    /// The unit of another language that a name stands for.
    pub(super) fn find_guest(&mut self, name: &Ident) -> Res<Option<Header>> {
        let Some(guests) = self.guests else { return Ok(None) };
        let mut found = guests.find(&name.name);
        if found.len() > 1 {
            let mut d = Diagnostic::error(codes::E0203, format!("several entities are called `{}`", name.name))
                .at(name.span, "instantiated here");
            for h in found.iter().take(4) {
                d = d.also(h.span, format!("`{}`", h.key));
            }
            return Err(Box::new(d.help("give the files of one of them only")));
        }
        Ok(found.pop())
    }

    pub(super) fn instantiate_guest(&mut self, inst: &'a Instantiation, header: Rc<Header>) -> Res<()> {
        let here = self.scope;
        self.each_instance(inst, &mut |e, i, index, child| {
            let (header, params) = (header.clone(), inst.params.as_slice());
            e.todo.push(Todo::Guest { parent: here, child, header, params, inst: i, index });
            Ok(())
        })
    }

    /// Elaborates an instance of another language and connects it.
    pub(super) fn guest(
        &mut self,
        parent: ScopeId,
        child: ScopeId,
        header: &Header,
        params: &'a [Arg],
        inst: &'a Instance,
        index: Option<(i64, u32)>,
    ) -> Res<()> {
        let depth = self.scope_ref(child).depth;
        if depth > MAX_INSTANCE_DEPTH {
            return error(codes::E0210, format!("`{}` instantiates itself", header.name), inst.name.span, "here");
        }
        // The other language does not tell upper from lower case: ports go by the name given here.
        let spelled = |port: &SmolStr| -> SmolStr {
            let given = inst.ports.iter().find_map(|c| match c {
                Connection::Named(n, _) | Connection::Implicit(n) if n.name.eq_ignore_ascii_case(port) => Some(&n.name),
                _ => None,
            });
            given.unwrap_or(port).clone()
        };
        let ports: Vec<Ident> = header.ports.iter().map(|p| Ident { name: spelled(&p.name), span: p.span }).collect();
        let name = Ident { name: header.name.clone(), span: header.span };
        let face = Face { name, ports, module: None };
        let mut order = Order { key: header.key.clone(), depth, ..Order::default() };
        for (at, (port, p)) in face.ports.iter().zip(&header.ports).enumerate() {
            let open = matches!(self.actual(parent, inst, &port.name, at)?, Actual::Open);
            match p.direction {
                Flow::Inout if !open => {
                    let d = Diagnostic::error(
                        codes::E0508,
                        format!("inout port `{}` between two languages is not supported", port.name),
                    );
                    return Err(Box::new(d.at(inst.name.span, "in this instance").also(port.span, "declared here")));
                }
                Flow::In if open => order.open.push(p.name.clone()),
                _ => {}
            }
        }
        order.values = self.in_scope(parent, |e| e.guest_values(header, params))?;
        let Some(guests) = self.guests else { return Ok(()) };
        let Some(design) = self.m.invite(guests, &order) else { return Ok(()) };
        let path = self.scope_ref(child).path.clone();
        let ranges: Vec<_> = header.ports.iter().map(|p| port_range(&design, &p.name)).collect();
        let vars = self.m.embed(design, header, &path);
        for (((v, range), port), p) in vars.into_iter().zip(ranges).zip(&face.ports).zip(&header.ports) {
            // Variables and their declarations go side by side.
            let Some(v) = v else { continue };
            let width = self.m.var(v).width;
            let ty = match range {
                Some((left, right)) if left.abs_diff(right) + 1 == width as u64 => {
                    let elem = Rc::new(Ty::bit(true));
                    let kind = TyKind::Array { packed: true, left, right, elem };
                    Rc::new(Ty { kind, width, signed: false, four_state: true })
                }
                _ => Ty::vector(width, false, true),
            };
            let direction = Some(if p.direction == Flow::In { Direction::Input } else { Direction::Output });
            self.decls.push(Decl { ty, net: NetKind::Wire, direction, scope: child });
            self.scope_mut(child).names.insert(port.name.clone(), Symbol::Var(v));
            if order.open.contains(&p.name) && !self.m.d.signals[self.m.var(v).signal.index()].drives.is_empty() {
                // It has a value of its own.
                self.scope_mut(child).names.remove(&port.name);
            }
        }
        self.connect(parent, child, &face, inst, index)
    }

    /// Values for generics, evaluated where the instance stands.
    fn guest_values(&mut self, header: &Header, params: &'a [Arg]) -> Res<Vec<(SmolStr, Value)>> {
        let mut out: Vec<(SmolStr, Value)> = Vec::new();
        for (n, a) in params.iter().enumerate() {
            let Some(e) = &a.value else { continue };
            let at = a.name.as_ref().map_or(e.span, |n| n.span);
            let found = match &a.name {
                Some(name) => header.generics.iter().find(|g| g.eq_ignore_ascii_case(&name.name)),
                None => header.generics.get(n),
            };
            let Some(name) = found.cloned() else {
                let text = match &a.name {
                    Some(name) => format!("entity `{}` has no generic `{}`", header.name, name.name),
                    None => format!("entity `{}` has {} generics", header.name, header.generics.len()),
                };
                let d = Diagnostic::error(codes::E0206, text).at(at, "given here");
                return Err(Box::new(d.also(header.span, "declared here")));
            };
            if out.iter().any(|(g, _)| *g == name) {
                return error(codes::E0215, format!("parameter `{name}` is given twice"), at, "again here");
            }
            let value = match &e.kind {
                ExprKind::Real(r) => Value::Real(*r),
                ExprKind::Str(s) => Value::Text(s.clone()),
                _ => {
                    let t = self.type_of(e)?;
                    let bits = if t.is_integral() { self.const_self(e)? } else { self.const_bits(e, &t)? };
                    Value::Bits { bits, signed: t.signed }
                }
            };
            out.push((name, value));
        }
        Ok(out)
    }
}

fn port_range(d: &Design, name: &str) -> Option<(i64, i64)> {
    d.signal_named(name).and_then(|s| d.signals[s.index()].range)
}
