//! Which clock everything belongs to, and from which clocks each signal comes.

use super::clocks::{Clocks, Tree, is_reset_name};
use super::sdc::{Placed, Relation, Sdc};
use super::sets::{SetId, Sets};
use crate::net::{Gate, GateId, Lit, Net, Netlist, Register};
use crate::word::MONITOR;
use rustc_hash::{FxHashMap, FxHashSet};

/// A domain by number.
pub type DomainId = u32;

/// What has no clock that is known: inputs that may change at any time.
pub const NONE: DomainId = 0;

/// Everything that ticks with the same clocks.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// Names of its clocks, joined by `|`.
    pub name: String,
    /// Its clocks.
    pub roots: Vec<GateId>,
    /// Register bits in it.
    pub registers: usize,
    /// Latch bits in it.
    pub latches: usize,
    /// Memory ports in it.
    pub ports: usize,
    /// Input bits in it.
    pub inputs: usize,
    /// Output bits that only it drives.
    pub outputs: usize,
}

/// Domains of a netlist.
pub struct Domains {
    /// All domains; the first is [`NONE`].
    pub list: Vec<Domain>,
    /// Domain of each register.
    pub register: Vec<DomainId>,
    /// Domain of each latch; `None` if its enable is no clock.
    pub latch: Vec<Option<DomainId>>,
    /// Domain of each write port of each memory.
    pub write: Vec<Vec<DomainId>>,
    /// Domain of each input gate that is data.
    pub input: FxHashMap<GateId, DomainId>,
    /// Input gates that several domains use and nothing places.
    pub shared: Vec<GateId>,
    /// Input gates that are declared to belong to no clock (`entail_clock = "none"`).
    pub loose: Vec<GateId>,
    /// Clock tree of each register.
    pub tree: Vec<Tree>,
    /// For each gate the domains its value comes from.
    pub from: Vec<SetId>,
    /// The same for asynchronous controls: inputs that reset count, too, as if sent by the clock that releases them.
    control: Vec<SetId>,
    /// Input gates that reset something asynchronously, with the clock that releases them.
    release: FxHashMap<GateId, DomainId>,
    /// The sets.
    pub sets: Sets,
    apart: FxHashMap<(DomainId, DomainId), Relation>,
    /// Whether relations between clocks were declared.
    pub declared: bool,
    /// For each output bit what drives it, and the clock it was declared to belong to.
    pub output: Vec<(GateId, Option<DomainId>)>,
}

impl Domains {
    /// Finds them.
    pub fn new(net: &Netlist, sdc: &Sdc) -> Domains {
        let sdc_has_relations = sdc.has_relations();
        let sdc = sdc.place(net);
        let mut clocks = Clocks::new(net, sdc.clock_gates());
        let mut d = Domains {
            list: vec![Domain { name: "no clock".into(), ..Domain::default() }],
            register: Vec::new(),
            latch: Vec::new(),
            write: Vec::new(),
            input: FxHashMap::default(),
            shared: Vec::new(),
            loose: Vec::new(),
            tree: Vec::new(),
            from: Vec::new(),
            control: Vec::new(),
            release: FxHashMap::default(),
            sets: Sets::default(),
            apart: FxHashMap::default(),
            declared: sdc_has_relations,
            output: Vec::new(),
        };
        let mut index: FxHashMap<Vec<GateId>, DomainId> = FxHashMap::default();
        for r in &net.registers {
            let t = clocks.tree(r.clock);
            let id = d.place(net, &sdc, &t, &mut index);
            d.list[id as usize].registers += 1;
            d.register.push(id);
            d.tree.push(t);
        }
        for l in &net.latches {
            let id = clocks.latch_tree(l.enable).map(|t| d.place(net, &sdc, &t, &mut index));
            if let Some(id) = id {
                d.list[id as usize].latches += 1;
            }
            d.latch.push(id);
        }
        for m in &net.memories {
            let ids: Vec<DomainId> =
                m.writes.iter().map(|w| d.place(net, &sdc, &clocks.tree(w.clock), &mut index)).collect();
            ids.iter().for_each(|i| d.list[*i as usize].ports += 1);
            d.write.push(ids);
        }
        d.relate(&sdc);
        d.place_inputs(net, &sdc);
        d.place_resets(net, &sdc);
        d.flows(net);
        d.place_outputs(net, &sdc);
        d
    }

    fn place(
        &mut self,
        net: &Netlist,
        sdc: &Placed,
        t: &Tree,
        index: &mut FxHashMap<Vec<GateId>, DomainId>,
    ) -> DomainId {
        if t.roots.is_empty() {
            return NONE;
        }
        *index.entry(t.roots.clone()).or_insert_with(|| {
            let name = |g: &GateId| match net.gates[g.0 as usize] {
                Gate::Input(..) => input_name(net, *g),
                _ => sdc.name(*g).map_or_else(|| net.names().or_number(Lit::new(*g, false)), str::to_string),
            };
            let names: Vec<String> = t.roots.iter().map(name).collect();
            let id = self.list.len() as DomainId;
            self.list.push(Domain { name: names.join("|"), roots: t.roots.clone(), ..Domain::default() });
            id
        })
    }

    /// Whether what one domain sends may change while the other looks.
    pub fn is_apart(&self, from: DomainId, to: DomainId) -> bool {
        self.relation(from, to) == Relation::Asynchronous
    }

    /// How two domains stand to each other.
    pub fn relation(&self, from: DomainId, to: DomainId) -> Relation {
        match self.apart.get(&(from, to)) {
            Some(r) => *r,
            None if from == to && from != NONE => Relation::Synchronous,
            // Without declarations every clock is on its own.
            None => Relation::Asynchronous,
        }
    }

    fn relate(&mut self, sdc: &Placed) {
        for a in 1..self.list.len() {
            for b in 1..self.list.len() {
                if a != b && self.declared {
                    let r = sdc.relation(&self.list[a].roots, &self.list[b].roots);
                    self.apart.insert((a as DomainId, b as DomainId), r);
                }
            }
        }
    }

    /// The domains that may write a memory.
    pub fn writers<'d>(&'d self, net: &'d Netlist, m: u32) -> impl Iterator<Item = DomainId> + 'd {
        writers(net, &self.write, m)
    }

    /// Members of the set of a gate that are apart from a domain.
    pub fn foreign(&self, g: GateId, to: DomainId) -> impl Iterator<Item = DomainId> + '_ {
        self.sets.get(self.from[g.0 as usize]).iter().copied().filter(move |d| self.is_apart(*d, to))
    }

    /// The domain of the state behind a leaf.
    pub fn of_leaf(&self, net: &Netlist, g: GateId) -> Option<DomainId> {
        match net.gates[g.0 as usize] {
            Gate::Register(r) => Some(self.register[r as usize]),
            Gate::Latch(l) => self.latch[l as usize],
            Gate::Input(..) => self.input.get(&g).copied(),
            Gate::Read(m, ..) => self.writers(net, m).next(),
            _ => None,
        }
    }

    /// Inputs: declared ones first, then those that one domain alone uses.
    fn place_inputs(&mut self, net: &Netlist, sdc: &Placed) {
        let mut to: Vec<SetId> = vec![0; net.gates.len()];
        let add = |to: &mut Vec<SetId>, sets: &mut Sets, l: Lit, d: DomainId| {
            let one = sets.of(&[d]);
            let at = &mut to[l.gate().0 as usize];
            *at = sets.union(*at, one);
        };
        // Who only synchronises an input does not claim it.
        let (heads, mut synchronised) = (chain_heads(net, &self.register), FxHashMap::default());
        for (i, (r, d)) in net.registers.iter().zip(&self.register).enumerate() {
            if is_monitor(net, r) {
                continue;
            }
            if heads.contains(&(i as u32)) {
                synchronised.entry(r.next.gate()).or_insert(*d);
            } else {
                add(&mut to, &mut self.sets, r.next, *d);
            }
        }
        for (l, d) in net.latches.iter().zip(&self.latch) {
            let d = d.unwrap_or(NONE);
            add(&mut to, &mut self.sets, l.data, d);
        }
        for (m, ids) in net.memories.iter().zip(&self.write) {
            for (w, d) in m.writes.iter().zip(ids) {
                w.addr.iter().chain(&w.data).chain(&w.mask).chain([&w.enable]).for_each(|l| {
                    add(&mut to, &mut self.sets, *l, *d);
                });
            }
        }
        self.towards_leaves(net, &mut to);
        let clocks: Vec<GateId> = self.list.iter().flat_map(|d| d.roots.clone()).collect();
        for (p, net_in) in net.inputs.iter().enumerate() {
            for (i, l) in net_in.bits.iter().enumerate() {
                let g = l.gate();
                let mut users: Vec<u32> = self.sets.get(to[g.0 as usize]).to_vec();
                if users.is_empty() {
                    users.extend(synchronised.get(&g));
                }
                let declared = self.claimed(sdc, &net.inputs[p], i as u32, true);
                if declared == Some(NONE) {
                    self.loose.push(g);
                }
                let id = match (declared, users.as_slice()) {
                    (Some(d), _) => d,
                    (None, [one]) => *one,
                    (None, []) => continue,
                    (None, many) => {
                        let apart = many.iter().any(|a| many.iter().any(|b| a != b && self.is_apart(*a, *b)));
                        if apart && !clocks.contains(&g) && !is_reset_name(&net_in.name) {
                            self.shared.push(g);
                        }
                        if apart { NONE } else { many[0] }
                    }
                };
                self.input.insert(g, id);
                self.list[id as usize].inputs += 1;
            }
        }
    }

    /// Takes every input that is neither a clock nor a reset for one that may change at any time.
    pub fn free_inputs(&mut self, net: &Netlist) {
        let clocks: Vec<GateId> = self.list.iter().flat_map(|d| d.roots.clone()).collect();
        for (g, d) in &mut self.input {
            let named =
                matches!(net.gates[g.0 as usize], Gate::Input(p, _) if is_reset_name(&net.inputs[p as usize].name));
            if !named && !clocks.contains(g) {
                *d = NONE;
            }
        }
        self.flows(net);
    }

    /// Whether inputs that reset are read as data by several clocks: by their names they are no crossings.
    pub fn has_shared_resets(&self, net: &Netlist) -> bool {
        let named = |g: &GateId| matches!(net.gates[g.0 as usize], Gate::Input(p, _) if is_reset_name(&net.inputs[p as usize].name));
        self.input.iter().any(|(g, d)| *d == NONE && named(g) && !self.loose.contains(g))
    }

    /// Inputs that reset: one that a single clock uses is released with it; one that several use is not, with any.
    fn place_resets(&mut self, net: &Netlist, sdc: &Placed) {
        let mut to: Vec<SetId> = vec![0; net.gates.len()];
        for (r, d) in net.registers.iter().zip(&self.register).filter(|(r, _)| !is_monitor(net, r)) {
            let one = self.sets.of(&[*d]);
            for (l, _) in &r.asyncs {
                let at = &mut to[l.gate().0 as usize];
                *at = self.sets.union(*at, one);
            }
        }
        self.towards_leaves(net, &mut to);
        for (p, port) in net.inputs.iter().enumerate() {
            for (i, l) in port.bits.iter().enumerate() {
                let g = l.gate();
                let users = self.sets.get(to[g.0 as usize]).to_vec();
                let apart = users.iter().any(|a| users.iter().any(|b| a != b && self.is_apart(*a, *b)));
                let id = match (self.claimed(sdc, &net.inputs[p], i as u32, true), users.first()) {
                    (_, None) => continue,
                    (Some(d), _) => d,
                    (None, _) if apart => NONE,
                    (None, Some(one)) => *one,
                };
                self.release.insert(g, id);
            }
        }
    }

    /// Passes sets on from gates to what they read.
    fn towards_leaves(&mut self, net: &Netlist, to: &mut [SetId]) {
        for g in (0..net.gates.len()).rev() {
            let set = to[g];
            if set != 0 {
                net.fanin(GateId(g as u32), |l| {
                    let at = l.gate().0 as usize;
                    to[at] = self.sets.union(to[at], set);
                });
            }
        }
    }

    /// The domain that a bit of a port was declared to belong to, by constraints or an attribute.
    fn claimed(&self, sdc: &Placed, port: &Net, bit: u32, input: bool) -> Option<DomainId> {
        let of = |wanted: &dyn Fn(&Domain) -> bool| self.list.iter().position(wanted).map(|d| d as DomainId);
        if let Some(root) = sdc.port_clock(port, bit, input) {
            return of(&|d| d.roots.contains(&root));
        }
        let attribute = port.attrs.iter().find(|a| a.0 == "entail_clock")?;
        match attribute.1.trim_matches('"') {
            "none" => Some(NONE),
            name => of(&|d| d.name == name),
        }
    }

    /// Outputs: declared ones, then those that one domain alone drives.
    fn place_outputs(&mut self, net: &Netlist, sdc: &Placed) {
        for o in &net.outputs {
            for (i, l) in o.bits.iter().enumerate() {
                let claimed = self.claimed(sdc, o, i as u32, false);
                let driven = match self.sets.get(self.from[l.gate().0 as usize]) {
                    [one] => Some(*one),
                    _ => None,
                };
                if let Some(d) = claimed.or(driven) {
                    self.list[d as usize].outputs += 1;
                }
                self.output.push((l.gate(), claimed));
            }
        }
    }

    fn flows(&mut self, net: &Netlist) {
        self.from = self.flow(net, false);
        self.control = self.flow(net, true);
    }

    /// Members of the set of a gate, as an asynchronous control, that are apart from a domain.
    pub fn foreign_control(&self, g: GateId, to: DomainId) -> impl Iterator<Item = DomainId> + '_ {
        self.sets.get(self.control[g.0 as usize]).iter().copied().filter(move |d| self.is_apart(*d, to))
    }

    /// The domains that each gate's value comes from.
    fn flow(&mut self, net: &Netlist, control: bool) -> Vec<SetId> {
        let mut all: Vec<SetId> = vec![0; net.gates.len()];
        // Latches without a clock pass on what they read, which may stand behind them: until nothing moves.
        for _ in 0..=net.latches.len() {
            let mut moved = false;
            for g in 0..net.gates.len() {
                let id = GateId(g as u32);
                let released = if control { self.release.get(&id).copied() } else { None };
                let mut set = match released.or_else(|| self.of_leaf(net, id)) {
                    Some(d) if released.is_some() => self.sets.of(&[d]),
                    // A reset is no data.
                    Some(NONE) if matches!(net.gates[g], Gate::Input(p, _) if is_reset_name(&net.inputs[p as usize].name)) => {
                        0
                    }
                    Some(d) => self.sets.of(&[d]),
                    None => 0,
                };
                let sets = &mut self.sets;
                net.fanin(id, |l| set = sets.union(set, all[l.gate().0 as usize]));
                // Each clock that writes a memory may change its words.
                if let Gate::Read(m, ..) = net.gates[g] {
                    for d in writers(net, &self.write, m) {
                        let one = sets.of(&[d]);
                        set = sets.union(set, one);
                    }
                }
                if let Gate::Latch(l) = net.gates[g]
                    && self.latch[l as usize].is_none()
                {
                    let l = &net.latches[l as usize];
                    for x in [l.data, l.enable] {
                        set = sets.union(set, all[x.gate().0 as usize]);
                    }
                }
                moved |= set != all[g] && matches!(net.gates[g], Gate::Latch(_));
                all[g] = set;
            }
            if !moved {
                break;
            }
        }
        all
    }
}

/// The domains of the write ports of a memory that are not tied off.
fn writers<'d>(net: &'d Netlist, write: &'d [Vec<DomainId>], m: u32) -> impl Iterator<Item = DomainId> + 'd {
    let ports = net.memories[m as usize].writes.iter().zip(&write[m as usize]);
    ports.filter(|(w, _)| w.enable != Lit::FALSE).map(|(_, d)| *d)
}

/// Whether a register only watches: it belongs to a property, and decides nothing about the design.
fn is_monitor(net: &Netlist, r: &Register) -> bool {
    net.nets[r.net.0 as usize].attrs.iter().any(|a| a.0 == MONITOR)
}

/// Registers that read an input straight and are read by registers of their clock alone.
fn chain_heads(net: &Netlist, domain: &[DomainId]) -> FxHashSet<u32> {
    let mut read: FxHashSet<GateId> = net.outputs.iter().flat_map(|o| &o.bits).map(|l| l.gate()).collect();
    for g in 0..net.gates.len() {
        net.fanin(GateId(g as u32), |l| {
            read.insert(l.gate());
        });
    }
    let mut readers: FxHashMap<GateId, Vec<u32>> = FxHashMap::default();
    for (i, r) in net.registers.iter().enumerate() {
        readers.entry(r.next.gate()).or_default().push(i as u32);
        read.extend(r.asyncs.iter().flat_map(|a| [a.0.gate(), a.1.gate()]).chain([r.clock.gate()]));
    }
    read.extend(net.latches.iter().flat_map(|l| [l.data.gate(), l.enable.gate()]));
    let is_head = |i: &u32| {
        let r = &net.registers[*i as usize];
        let next = readers.get(&r.gate).map_or(&[][..], Vec::as_slice);
        matches!(net.gates[r.next.gate().0 as usize], Gate::Input(..))
            && !read.contains(&r.gate)
            && !next.is_empty()
            && next.iter().all(|n| n != i && domain[*n as usize] == domain[*i as usize])
    };
    (0..net.registers.len() as u32).filter(is_head).collect()
}

/// The name of an input gate.
pub fn input_name(net: &Netlist, g: GateId) -> String {
    match net.gates[g.0 as usize] {
        Gate::Input(p, i) => net.inputs[p as usize].bit_name(i),
        _ => format!("gate {}", g.0),
    }
}
