//! Tests of SMV files: an interpreter runs them beside the system.

use super::smv::Smv;
use super::{random_system, seen};
use crate::number;
use crate::support_export::random::{ALL, design};
use crate::support_export::{gates, sources};
use entail::front::mixed::{Request, elaborate};
use entail::interop::smv;
use entail::model::{Clocks, Role, System, of_net};
use entail::project::filelist::parse_args;
use entail::source::SourceMap;
use fastrand::Rng;
use std::collections::HashMap;
use std::path::Path;

/// The name that is written, where no other signal has it already.
fn smv_name(name: &str) -> String {
    name.trim_end_matches(']').chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Interprets the text beside the system. Returns how many registers stand in domains.
fn compare_smv(sys: &System, rng: &mut Rng, steps: usize, context: &str) -> usize {
    let text = smv::write(sys, &sources());
    let file = Smv::parse(&text);
    let bits = file.bits();
    let domains = bits.iter().filter(|b| b.contains('.')).count();
    assert_eq!(bits.len(), sys.inputs.len() + sys.states.len(), "{context}\n{text}");
    // Inputs come first, and in order; a state is a variable of its name, or one in the module of a clock.
    let (inputs, rest) = bits.split_at(sys.inputs.len());
    let find = |name: &str| {
        let name = smv_name(name);
        let is = |b: &&String| **b == name || b.ends_with(&format!(".{name}.q"));
        rest.iter().find(is).unwrap_or_else(|| panic!("{context}: no state {name}\n{text}"))
    };
    let states: Vec<&String> = sys.states.iter().map(|s| find(&s.symbol.name)).collect();
    assert_eq!(file.fairness_count(), sys.fairness.len(), "{context}");
    assert_eq!(file.spec_names().len(), sys.goals.len(), "{context}");
    let nothing = HashMap::new();
    let mut state = Vec::new();
    for (s, bit) in sys.states.iter().zip(&states) {
        assert_eq!(file.at(&nothing).init(bit), s.init, "{context}: start of {bit}");
        state.push(s.init.unwrap_or_else(|| rng.bool()));
    }
    for step in 0..steps {
        let chosen: Vec<bool> = sys.inputs.iter().map(|_| rng.bool()).collect();
        let values = sys.evaluate(&state, &chosen);
        let mut now: HashMap<String, bool> = inputs.iter().cloned().zip(chosen).collect();
        now.extend(states.iter().map(|s| s.to_string()).zip(state.iter().copied()));
        let mut at = file.at(&now);
        for i in inputs {
            assert_eq!(at.next(i), None, "{context}: input {i}");
        }
        for (s, v) in sys.states.iter().zip(&state) {
            assert_eq!(at.see(&smv_name(&s.symbol.name)), *v, "{context}: {} can be read", s.symbol.name);
        }
        let next: Vec<bool> = states.iter().map(|s| at.next(s).expect("a next value")).collect();
        let mut got = next.clone();
        got.extend(at.rest(sys.outputs.len()));
        assert_eq!(got, seen(sys, &values), "{context}, step {step}\n{text}");
        state = next;
    }
    domains
}

#[test]
fn smv_says_what_the_system_does() {
    let seed = number("ENTAIL_SEED", 1);
    let mut domains = 0;
    for n in 0..400 {
        let mut rng = Rng::with_seed(seed.wrapping_mul(3_000_017).wrapping_add(n));
        let mut sys = random_system(&mut rng);
        for (i, input) in sys.inputs.iter_mut().enumerate().filter(|(_, i)| i.symbol.name.starts_with("tick")) {
            input.role = Role::Tick { port: i as u32, bit: 0, falling: rng.bool() };
        }
        domains += compare_smv(&sys, &mut rng, 20, &format!("seed {seed}, system {n}"));
    }
    assert!(domains > 400, "{domains} registers in domains");
    let mut moved = Vec::new();
    for flavour in ALL {
        let mut count = 0;
        for seed in 0..30 {
            let sys = of_net(&gates(&design(seed, flavour, false)), Clocks::Ticks).expect("a model");
            count += compare_smv(&sys, &mut Rng::with_seed(seed), 20, &format!("{flavour:?} seed {seed}"));
        }
        moved.push(count);
    }
    println!("registers in domains: {domains} of random systems, {moved:?} of designs");
}

/// Two clocks, an asynchronous reset, a constraint, a cover and an assertion: the text as it is read by people.
#[test]
fn smv_of_two_clocks_is_as_it_was() {
    let text = "\
module crossing (input logic a_clk, b_clk, rst_n, d, output logic q);
  logic sent, meta, seen;
  always_ff @(posedge a_clk or negedge rst_n) if (!rst_n) sent <= 0; else sent <= sent ^ d;
  initial meta = 0;
  always_ff @(posedge b_clk) begin meta <= sent; seen <= meta; end
  assign q = seen & ~meta;
  change: assume property (@(posedge a_clk) d || rst_n);
  falls: cover property (@(posedge b_clk) seen && !meta);
  never: assert property (@(posedge b_clk) !(seen && sent));
endmodule
";
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("crossing.sv");
    std::fs::write(&path, text).expect("written");
    let list = parse_args(&[path.display().to_string()], Path::new(""), &|_| None, &mut SourceMap::new());
    let e = elaborate(&Request::new(list.expect("one file"), None), SourceMap::new());
    let d = e.design.unwrap_or_else(|| panic!("{:?}", e.diagnostics));
    let sys = of_net(&gates(&d), Clocks::Ticks).expect("a model");
    assert!(compare_smv(&sys, &mut Rng::with_seed(1), 50, "crossing") >= 3);
    let text = smv::write(&sys, &e.sources).replace(&format!("{}/", dir.path().display()), "");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/models/crossing.smv");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        std::fs::write(&path, text).expect("written");
        return;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(old == text, "{} differs; run with UPDATE_SNAPSHOTS=1 and read the difference\n{text}", path.display());
}
