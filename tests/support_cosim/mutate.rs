//! Small mistakes in a netlist, to see that the comparison finds them.

use entail::net::{Gate, GateId, Lit, Netlist};
use fastrand::Rng;

/// The netlist with one operand of one gate complemented. The gate is one that an output depends
/// on; `None` if there is none.
pub fn mutant(net: &Netlist, rng: &mut Rng) -> Option<(GateId, Netlist)> {
    let logic = |g: &GateId| matches!(net.gates[g.0 as usize], Gate::And(..) | Gate::Xor(..) | Gate::Mux(..));
    let gates: Vec<GateId> = observed(net).into_iter().filter(logic).collect();
    let gate = *rng.choice(&gates)?;
    let mut mutant = net.clone();
    mutant.gates[gate.0 as usize] = match net.gates[gate.0 as usize] {
        Gate::And(a, b) => Gate::And(!a, b),
        Gate::Xor(a, b) => Gate::Xor(!a, b),
        Gate::Mux(s, t, e) => Gate::Mux(!s, t, e),
        other => other,
    };
    Some((gate, mutant))
}

/// The gates that outputs depend on, through state too.
fn observed(net: &Netlist) -> Vec<GateId> {
    let mut seen = vec![false; net.gates.len()];
    let mut todo: Vec<Lit> = net.outputs.iter().flat_map(|p| p.bits.clone()).collect();
    while let Some(lit) = todo.pop() {
        if std::mem::replace(&mut seen[lit.gate().0 as usize], true) {
            continue;
        }
        match net.gates[lit.gate().0 as usize] {
            Gate::And(a, b) | Gate::Xor(a, b) => todo.extend([a, b]),
            Gate::Mux(s, t, e) => todo.extend([s, t, e]),
            Gate::Register(r) => {
                let r = &net.registers[r as usize];
                todo.extend([r.next, r.clock]);
                todo.extend(r.asyncs.iter().flat_map(|(c, v)| [*c, *v]));
            }
            Gate::Latch(l) => {
                let l = &net.latches[l as usize];
                todo.extend([l.enable, l.data]);
            }
            Gate::Read(m, port, _) => {
                let m = &net.memories[m as usize];
                todo.extend(&m.reads[port as usize]);
                for w in &m.writes {
                    todo.extend([w.clock, w.enable]);
                    todo.extend(w.addr.iter().chain(&w.data).chain(&w.mask));
                }
            }
            Gate::False | Gate::Input(..) | Gate::Free(_) => {}
        }
    }
    (0..net.gates.len() as u32).map(GateId).filter(|g| seen[g.0 as usize]).collect()
}
