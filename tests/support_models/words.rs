//! A word-level file that was read, beside the model of the netlist of the same design.

use super::value;
use entail::interop::btor2;
use entail::model::{Clocks, Question, Role, System, of_net};
use entail::net::{Lit, Netlist};
use fastrand::Rng;
use std::collections::HashMap;

/// The name in the file of a bit of a word.
fn name_of(word: &str, width: usize, bit: usize) -> String {
    let word: String = word.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    if width == 1 { word } else { format!("{word}[{bit}]") }
}

/// A goal or constraint by name.
fn properties(sys: &System) -> HashMap<String, Lit> {
    let mut all: HashMap<String, Lit> = sys.constraints.iter().map(|c| (c.0.name.replace(' ', "_"), c.1)).collect();
    for g in &sys.goals {
        if let Question::Never(l) = g.question {
            all.insert(g.symbol.name.replace(' ', "_"), l);
        }
    }
    all
}

/// Runs both under the same inputs. `undef` gives the bit of the word `entail_free` that a free value is; all
/// other values that are left open are 0.
pub fn compare(net: &Netlist, text: &str, undef: &[u32], rng: &mut Rng, steps: usize, context: &str) -> usize {
    let file = btor2::read(text.as_bytes()).unwrap_or_else(|e| panic!("{context}: {e}\n{text}"));
    let gates = of_net(net, Clocks::Levels).unwrap_or_else(|e| panic!("{context}: {}", e.message));
    let names =
        |list: Vec<&String>| list.into_iter().enumerate().map(|(i, n)| (n.clone(), i)).collect::<HashMap<_, _>>();
    let inputs = names(file.inputs.iter().map(|i| &i.symbol.name).collect());
    let states = names(file.states.iter().map(|s| &s.symbol.name).collect());

    // Registers and latches of the netlist, with the state of the file.
    let mut pairs = Vec::new();
    let owners = net.registers.iter().map(|r| r.net).chain(net.latches.iter().map(|l| l.net));
    for (i, at) in owners.enumerate() {
        let owner = &net.nets[at.0 as usize];
        let name = name_of(&owner.name, owner.bits.len(), at.1 as usize);
        if let Some(&k) = states.get(&name) {
            assert_eq!(file.states[k].init, gates.states[i].init, "{context}: {name} starts otherwise");
            pairs.push((i, k));
        }
    }
    let start = |sys: &System| sys.states.iter().map(|s| s.init.unwrap_or(false)).collect::<Vec<bool>>();
    let (mut of_gates, mut of_file) = (start(&gates), start(&file));
    for (i, k) in pairs.iter().filter(|p| gates.states[p.0].init.is_none()) {
        of_gates[*i] = rng.bool();
        of_file[*k] = of_gates[*i];
    }
    let wanted = properties(&gates);
    let got = properties(&file);
    for step in 0..steps {
        let (mut a, mut b) = (vec![false; gates.inputs.len()], vec![false; file.inputs.len()]);
        for (i, input) in gates.inputs.iter().enumerate() {
            let name = match input.role {
                Role::Port(p, k) => {
                    let port = &net.inputs[p as usize];
                    name_of(&port.name, port.bits.len(), k as usize)
                }
                Role::Free(f) if !undef.is_empty() => format!("entail_free[{}]", undef[f as usize]),
                _ => continue,
            };
            a[i] = rng.bool();
            // What nothing reads as a word is not in the file.
            if matches!(input.role, Role::Free(_)) && !inputs.contains_key(&name) {
                continue;
            }
            b[*inputs.get(&name).unwrap_or_else(|| panic!("{context}: no input {name}"))] = a[i];
        }
        let (va, vb) = (gates.evaluate(&of_gates, &a), file.evaluate(&of_file, &b));
        let bits = net.outputs.iter().flat_map(|o| (0..o.bits.len()).map(move |i| name_of(&o.name, o.bits.len(), i)));
        for (name, (_, l)) in bits.zip(&gates.outputs) {
            let (_, m) = file.outputs.iter().find(|o| o.0.name == name).unwrap_or_else(|| panic!("{context}: {name}"));
            assert_eq!(value(&va, *l), value(&vb, *m), "{context}, step {step}, output {name}");
        }
        for (name, l) in &wanted {
            let m = got.get(name).unwrap_or_else(|| panic!("{context}: no property {name}"));
            assert_eq!(value(&va, *l), value(&vb, *m), "{context}, step {step}, {name}");
        }
        of_gates = gates.states.iter().map(|s| value(&va, s.next)).collect();
        of_file = file.states.iter().map(|s| value(&vb, s.next)).collect();
        for (i, k) in &pairs {
            let name = &file.states[*k].symbol.name;
            assert_eq!(of_gates[*i], of_file[*k], "{context}, after step {step}, state {name}");
        }
    }
    pairs.len()
}
