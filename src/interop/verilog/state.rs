//! Registers and latches.

use super::*;
use crate::net::{GateId, Latch, Register};

/// What a register or latch bit is in the file.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A variable that a process assigns.
    Variable,
    /// A value that never changes.
    Constant(bool),
    /// Never changes, but starts with either value.
    Anyconst,
    /// A latch that is always open.
    Wire(Lit),
}

fn register_kind(r: &Register) -> Kind {
    match r.init {
        _ if r.clock.as_const().is_none() || !r.asyncs.is_empty() => Kind::Variable,
        Some(v) => Kind::Constant(v),
        None => Kind::Anyconst,
    }
}

fn latch_kind(l: &Latch) -> Kind {
    match (l.enable.as_const(), l.init) {
        (None, _) => Kind::Variable,
        (Some(true), _) => Kind::Wire(l.data),
        (Some(false), Some(v)) => Kind::Constant(v),
        (Some(false), None) => Kind::Anyconst,
    }
}

/// Positions of the controls that can act: a condition that was tested before never does again.
fn acting(r: &Register) -> Vec<usize> {
    let seen = |k: usize| r.asyncs[..k].iter().any(|a| a.0 == r.asyncs[k].0);
    (0..r.asyncs.len()).filter(|&k| r.asyncs[k].0 != Lit::FALSE && !seen(k)).collect()
}

impl Writer<'_> {
    /// Names for all state bits. A net of which every bit is a variable becomes a vector.
    pub(super) fn name_state(&mut self) {
        let net = self.net;
        let registers = net.registers.iter().map(|r| (r.net, r.gate, register_kind(r), r.init));
        let latches = net.latches.iter().map(|l| (l.net, l.gate, latch_kind(l), l.init));
        let state: Vec<_> = registers.chain(latches).collect();
        let mut variables: FxHashMap<u32, usize> = FxHashMap::default();
        for ((n, i), gate, kind, _) in &state {
            let l = net.nets[*n as usize].bits[*i as usize];
            *variables.entry(*n).or_default() += (*kind == Kind::Variable && l == Lit::new(*gate, false)) as usize;
        }
        for &((n, i), gate, kind, init) in &state {
            let owner = &net.nets[n as usize];
            let name = match kind {
                Kind::Variable if variables[&n] == owner.bits.len() => self.vector(n).bit(i as usize),
                _ => {
                    let name = self.fresh(&owner.bit_name(i));
                    let (src, attrs) = (self.src(owner.span), attributes(owner));
                    let init = init.map_or(String::new(), |v| format!(" = 1'b{}", v as u32));
                    match kind {
                        Kind::Variable => self.declared.push(format!("{src}{attrs}reg {name}{init};")),
                        Kind::Constant(v) => {
                            self.declared.push(format!("{src}{attrs}wire {name}; assign {name} = 1'b{};", v as u32))
                        }
                        Kind::Anyconst => self.declared.push(format!("{src}{attrs}(* anyconst *) reg {name};")),
                        Kind::Wire(_) => self.declared.push(format!("{src}{attrs}wire {name};")),
                    }
                    name
                }
            };
            self.gate[gate.0 as usize] = name;
        }
    }

    fn vector(&mut self, n: u32) -> Vector {
        if let Some((v, _)) = self.vectors.get(&n) {
            return v.clone();
        }
        let owner = &self.net.nets[n as usize];
        self.known_nets[n as usize] = true;
        // An output that is this vector is declared in the header.
        let port = self.net.outputs.iter().position(|o| o.name == owner.name && o.bits == owner.bits);
        let v = match port {
            Some(o) => self.outputs[o].clone(),
            None => {
                let v = Vector::new(self.fresh(&owner.name), owner.range, owner.bits.len());
                let (src, attrs) = (self.src(owner.span), attributes(owner));
                let init = self.initial(n);
                self.declared.push(format!("{src}{attrs}reg {}{init};", v.declared()));
                v
            }
        };
        self.vectors.insert(n, (v.clone(), port));
        v
    }

    /// ` = 4'b01x1`, or nothing if no bit has an initial value.
    pub(super) fn initial(&self, n: u32) -> String {
        let net = self.net;
        let bits = &net.nets[n as usize].bits;
        let init: Vec<Option<bool>> = bits
            .iter()
            .map(|l| match net.gates[l.gate().0 as usize] {
                Gate::Register(r) => net.registers[r as usize].init,
                Gate::Latch(r) => net.latches[r as usize].init,
                _ => None,
            })
            .collect();
        if init.iter().all(Option::is_none) {
            return String::new();
        }
        let digits: String = init.iter().rev().map(|b| b.map_or('x', |v| if v { '1' } else { '0' })).collect();
        format!(" = {}'b{digits}", bits.len())
    }

    /// The event of a literal becoming 1 (`clock`: for registers; otherwise a control that acts).
    pub(super) fn event(&mut self, l: Lit, clock: bool) -> String {
        if self.derived {
            return format!("posedge {}", self.edge(l, clock));
        }
        let edge = if l.complement() { "negedge" } else { "posedge" };
        format!("{edge} {}", self.gate[l.gate().0 as usize])
    }

    /// A literal as a process with events reads it.
    fn level(&mut self, l: Lit) -> String {
        if self.derived && l.as_const().is_none() { self.edge(l, false) } else { self.lit(l) }
    }

    /// The delayed copy of a literal. Of a clock the first level is no edge, so the copy starts
    /// with 1; of a control it is, so the copy starts with 0. An unknown level changes nothing.
    fn edge(&mut self, l: Lit, clock: bool) -> String {
        if let Some((.., name)) = self.edges.iter().find(|e| (e.0, e.1) == (l, clock)) {
            return name.clone();
        }
        self.guarded = true;
        let name = self.fresh(&format!("entail_edge_{}", self.edges.len()));
        let value = self.lit(l);
        let start = clock as u32;
        let _ = write!(
            self.out,
            "`ifdef ENTAIL_PLAIN\n  wire {name} = {value};\n`else\n  reg {name} = 1'b{start};\n  \
             always begin if (({value}) !== 1'bx) {name} <= {value}; @({value}); end\n`endif\n"
        );
        self.edges.push((l, clock, name.clone()));
        name
    }

    pub(super) fn state(&mut self) {
        let net = self.net;
        // Bits of one name with the same clock and controls share a process, in table order.
        type Group = (u32, Lit, Vec<Lit>);
        let mut order: Vec<Group> = Vec::new();
        let mut members: FxHashMap<Group, Vec<&Register>> = FxHashMap::default();
        for r in net.registers.iter().filter(|r| register_kind(r) == Kind::Variable) {
            let group = (r.net.0, r.clock, r.asyncs.iter().map(|a| a.0).collect());
            let list = members.entry(group).or_default();
            if list.is_empty() {
                order.push((r.net.0, r.clock, r.asyncs.iter().map(|a| a.0).collect()));
            }
            list.push(r);
        }
        for group in order {
            let list = &members[&group];
            if group.1.as_const().is_some() {
                self.controlled_latch(list);
            } else {
                self.registers(list);
            }
        }
        self.latches();
    }

    /// The left side of an assignment to state bits of one net, least significant first.
    fn target(&self, list: &[((u32, u32), GateId)]) -> String {
        let net = list[0].0.0;
        let whole = self.vectors.get(&net).map(|v| &v.0);
        let in_order = list.iter().enumerate().all(|(i, (at, _))| at.1 as usize == i);
        match whole {
            Some(v) if in_order && list.len() == self.net.nets[net as usize].bits.len() => v.name.clone(),
            _ => join(list.iter().map(|(_, gate)| self.gate[gate.0 as usize].clone())),
        }
    }

    fn register_target(&self, list: &[&Register]) -> String {
        self.target(&list.iter().map(|r| (r.net, r.gate)).collect::<Vec<_>>())
    }

    fn registers(&mut self, list: &[&Register]) {
        let first = list[0];
        let target = self.register_target(list);
        let src = self.src(first.span);
        let next = self.bits(&list.iter().map(|r| r.next).collect::<Vec<_>>());
        let clock = self.event(first.clock, true);
        let controls = acting(first);
        let mut events = vec![clock.clone()];
        for &k in controls.iter().filter(|k| first.asyncs[**k].0.as_const().is_none()) {
            let event = self.event(first.asyncs[k].0, false);
            events.push(event);
        }
        let chain = self.control_chain(list, &target, "<=");
        let process = format!("{src}always @({}) {chain}{target} <= {next};", events.join(" or "));
        if controls.len() > 1 {
            // Other tools get controls of which at most one is active, so that their order cannot
            // be mistaken (Yosys 0.23 takes the last of several for the first).
            let mut alone = vec![clock];
            let mut text = String::new();
            let plain = self.exclusive_chain(list, &target, &mut alone, &mut text);
            let _ = writeln!(
                self.out,
                "`ifdef ENTAIL_PLAIN\n{text}  {src}always @({}) {plain}{target} <= {next};\n`else",
                alone.join(" or ")
            );
            self.line(process);
            self.hold_while_active(list, &target);
            self.out.push_str("`endif\n");
        } else {
            self.line(process);
        }
        if controls.len() == 1 && list.iter().any(|r| r.asyncs[controls[0]].1.as_const().is_none()) {
            self.out.push_str("`ifndef ENTAIL_PLAIN\n");
            self.hold_while_active(list, &target);
            self.out.push_str("`endif\n");
        }
        // Delayed copies act from the start; a plain control that is active then has no edge.
        if !self.derived && !controls.is_empty() || first.asyncs.iter().any(|a| a.0 == Lit::TRUE) {
            self.start(&format!("{chain};"));
        }
    }

    fn control_values(&self, list: &[&Register], k: usize) -> Vec<Lit> {
        list.iter().map(|r| r.asyncs[k].1).collect()
    }

    /// `if (rst) q <= 0; else if (set) q <= 1; else `
    fn control_chain(&mut self, list: &[&Register], target: &str, assign: &str) -> String {
        let mut chain = String::new();
        for k in acting(list[0]) {
            let condition = self.level(list[0].asyncs[k].0);
            let values: Vec<String> = self.control_values(list, k).iter().map(|v| self.level(*v)).collect();
            let _ = write!(chain, "if ({condition}) {target} {assign} {}; else ", join(values.into_iter()));
        }
        chain
    }

    /// The same with a wire per control that is 1 only if no earlier control is. Their declarations
    /// go to `text`, their events to `events`.
    fn exclusive_chain(
        &mut self,
        list: &[&Register],
        target: &str,
        events: &mut Vec<String>,
        text: &mut String,
    ) -> String {
        let mut chain = String::new();
        let mut earlier: Vec<Lit> = Vec::new();
        for k in acting(list[0]) {
            let condition = list[0].asyncs[k].0;
            let wire = self.fresh("entail_only");
            let terms: Vec<String> =
                [condition].into_iter().chain(earlier.iter().map(|e| !*e)).map(|l| self.lit(l)).collect();
            let _ = writeln!(text, "  wire {wire} = {};", terms.join(" & "));
            let value = self.bits(&self.control_values(list, k));
            let _ = write!(chain, "if ({wire}) {target} <= {value}; else ");
            events.push(format!("posedge {wire}"));
            earlier.push(condition);
        }
        chain
    }

    /// What the edges alone miss: a control that is active while another ends or its value moves.
    fn hold_while_active(&mut self, list: &[&Register], target: &str) {
        let mut levels: Vec<String> = Vec::new();
        for k in acting(list[0]) {
            for l in [list[0].asyncs[k].0].into_iter().chain(self.control_values(list, k)) {
                let level = self.level(l);
                if l.as_const().is_none() && !levels.contains(&level) {
                    levels.push(level);
                }
            }
        }
        let chain = self.control_chain(list, target, "<=");
        self.guarded = true;
        self.line(format!("always @({}) {chain};", levels.join(" or ")));
    }

    /// A register whose clock never moves is a latch of its controls.
    fn controlled_latch(&mut self, list: &[&Register]) {
        let target = self.register_target(list);
        let src = self.src(list[0].span);
        let derived = std::mem::replace(&mut self.derived, false);
        let chain = self.control_chain(list, &target, "=");
        self.derived = derived;
        let chain = chain.strip_suffix(" else ").unwrap_or(&chain).to_string();
        self.line(format!("{src}always @* {chain}"));
        self.start(&chain);
    }

    /// Bits of one name with the same enable share a process.
    fn latches(&mut self) {
        let mut order: Vec<(u32, Lit)> = Vec::new();
        let mut members: FxHashMap<(u32, Lit), Vec<&Latch>> = FxHashMap::default();
        for l in &self.net.latches {
            match latch_kind(l) {
                Kind::Wire(data) => {
                    let (name, data) = (self.gate[l.gate.0 as usize].clone(), self.lit(data));
                    self.line(format!("assign {name} = {data};"));
                }
                Kind::Variable => {
                    let list = members.entry((l.net.0, l.enable)).or_default();
                    if list.is_empty() {
                        order.push((l.net.0, l.enable));
                    }
                    list.push(l);
                }
                _ => {}
            }
        }
        for group in order {
            let list = &members[&group];
            let target = self.target(&list.iter().map(|l| (l.net, l.gate)).collect::<Vec<_>>());
            let data = self.bits(&list.iter().map(|l| l.data).collect::<Vec<_>>());
            let text = format!("if ({}) {target} = {data};", self.lit(group.1));
            let src = self.src(list[0].span);
            self.line(format!("{src}always @* {text}"));
            self.start(&text);
        }
    }

    /// `always @*` waits for a change, but a latch may be open from the start.
    fn start(&mut self, text: &str) {
        self.guarded = true;
        self.out.push_str("`ifndef ENTAIL_PLAIN\n");
        self.line(format!("initial #0 {text}"));
        self.out.push_str("`endif\n");
    }
}
