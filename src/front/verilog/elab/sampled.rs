//! Sampled values: `$past` and its kin, and the clock they are taken at (IEEE 1800-2017 clause 16.9.3).
//!
//! An earlier value is held by a register with the clock of the assertion or process that asks for it;
//! it starts unconstrained, as there was no tick before the first one.

use super::system::arg;
use super::*;
use crate::front::monitor::add_register;
use crate::word::Edge;
use smol_str::format_smolstr;

/// The clock that sampled values are taken at, and the registers that hold them.
pub(super) struct Ticks {
    pub clock: NodeId,
    pub edge: Edge,
    /// A tick is an edge at which this holds.
    pub iff: Option<NodeId>,
    /// Where the registers lie.
    pub name: SmolStr,
    pub span: Span,
    /// Which of several edges is the clock is not known yet: values are free, and the process runs again.
    pub probe: bool,
    /// Something asked for the clock.
    pub asked: bool,
    /// The name is still to be told from others like it.
    pub unnamed: bool,
    count: u32,
    /// The register that holds a value, by the value and the condition under which it is taken.
    held: FxHashMap<(NodeId, Option<NodeId>), NodeId>,
}

impl Ticks {
    pub fn new(clock: NodeId, edge: Edge, iff: Option<NodeId>, name: SmolStr, span: Span) -> Ticks {
        Ticks {
            clock,
            edge,
            iff,
            name,
            span,
            probe: false,
            asked: false,
            unnamed: false,
            count: 0,
            held: FxHashMap::default(),
        }
    }

    /// Whether another clock ticks at the same moments.
    pub fn same(&self, other: &Ticks) -> bool {
        (self.clock, self.edge, self.iff) == (other.clock, other.edge, other.iff)
    }
}

impl<'a> Elab<'a> {
    /// A name under which nothing lies yet.
    pub(super) fn monitor_name(&mut self, base: SmolStr) -> SmolStr {
        let n = self.monitor_names.entry(base.clone()).or_insert(0);
        *n += 1;
        if *n == 1 { base } else { format_smolstr!("{base}_{n}") }
    }

    /// Runs `f` where variables have the values they had before this process assigned any.
    pub(super) fn with_sampled<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let sampled = self.m.env.sampled();
        let saved = std::mem::replace(&mut self.m.env, sampled);
        let r = f(self);
        self.m.env = saved;
        r
    }

    /// Makes sure that there is a clock: that of the assertion or process around, or the default one.
    fn need_ticks(&mut self, name: &str, span: Span) -> Res<()> {
        if self.m.const_mode {
            return error(codes::E0301, format!("`{name}` is not constant"), span, "there is no earlier tick");
        }
        if let Some(t) = &mut self.ticks {
            t.asked = true;
            return Ok(());
        }
        let Some(mut t) = self.default_ticks()? else {
            let d = Diagnostic::error(codes::E0408, format!("`{name}` has no clock here"))
                .at(span, "earlier than which tick?")
                .help("use it in a clocked process or an assertion, or declare a default clocking");
            return Err(Box::new(d));
        };
        let path = self.scope_ref(self.scope).path.clone();
        t.name = self.monitor_name(scope::join(&path, "$sampled"));
        t.span = span;
        self.ticks = Some(t);
        Ok(())
    }

    /// The value of `$past` and its kin.
    pub(super) fn sampled_call(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<NodeId> {
        let a = arg(args, 0, name, span)?;
        let ty = self.integral(a)?;
        if name == "$sampled" {
            return self.with_sampled(|e| e.eval(a, ty.width, ty.signed));
        }
        let outer = self.ticks.is_some();
        self.need_ticks(name, span)?;
        let r = self.sampled_inner(name, args, a, &ty, span);
        if !outer {
            self.ticks = None;
        }
        r
    }

    fn sampled_inner(&mut self, name: &str, args: &'a [Arg], a: &'a Expr, ty: &Ty, span: Span) -> Res<NodeId> {
        let most = if name == "$past" { 3 } else { 1 };
        if args.len() > most {
            return error(codes::E0405, format!("another clock for `{name}` is not supported"), span, "its own clock");
        }
        let now = self.with_sampled(|e| e.eval(a, ty.width, ty.signed))?;
        if name == "$past" {
            let n = match args.get(1).and_then(|a| a.value.as_ref()) {
                Some(e) => self.const_int(e)?,
                None => 1,
            };
            if !(1..=4096).contains(&n) {
                return error(codes::E0311, format!("`$past` of {n} ticks"), span, "from 1 to 4096");
            }
            let gate = match args.get(2).and_then(|a| a.value.as_ref()) {
                Some(e) => Some(self.with_sampled(|s| s.condition(e))?),
                None => None,
            };
            return Ok((0..n).fold(now, |v, _| self.held(v, gate, name)));
        }
        let now = if matches!(name, "$rose" | "$fell") { self.m.d.slice(now, 0, 1) } else { now };
        let before = self.held(now, None, name);
        Ok(match name {
            "$rose" => {
                let was_not = self.m.d.not(before);
                self.m.d.and(now, was_not)
            }
            "$fell" => {
                let is_not = self.m.d.not(now);
                self.m.d.and(before, is_not)
            }
            "$stable" => self.m.d.eq(now, before),
            _ => {
                let same = self.m.d.eq(now, before);
                self.m.d.not(same)
            }
        })
    }

    /// What a value was at the tick before.
    fn held(&mut self, value: NodeId, gate: Option<NodeId>, name: &str) -> NodeId {
        let width = self.m.d.width(value);
        let Some(t) = &mut self.ticks else { return self.m.d.undef(width) };
        if t.probe {
            return self.m.d.undef(width);
        }
        if let Some(n) = t.held.get(&(value, gate)) {
            return *n;
        }
        if std::mem::take(&mut t.unnamed) {
            let n = self.monitor_names.entry(t.name.clone()).or_insert(0);
            *n += 1;
            if *n > 1 {
                t.name = format_smolstr!("{}_{n}", t.name);
            }
        }
        let path = format_smolstr!("{}.{name}{}", t.name, t.count);
        t.count += 1;
        let (number, was) = add_register(&mut self.m.d, path, width, (t.clock, t.edge), Bits::x(width), t.span);
        let enable = match (gate, t.iff) {
            (Some(a), Some(b)) => Some(self.m.d.and(a, b)),
            (a, b) => a.or(b),
        };
        let next = match enable {
            Some(c) => self.m.d.mux(c, value, was),
            None => value,
        };
        self.m.d.registers[number].next = next;
        t.held.insert((value, gate), was);
        was
    }
}
