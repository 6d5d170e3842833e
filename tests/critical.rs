//! Critical gates and paths as section 3.1 of Smrčka et al. defines them, on random designs with registers, latches and
//! memories of three clocks: what `cdc::paths` counts and lists against paths that are walked one by one, forwards from
//! each sender.

use entail::cdc::crossing::{End, Structure};
use entail::cdc::{Domains, Sdc, paths};
use entail::front::verilog::elaborate_text;
use entail::net::{Gate, GateId, Lit, LowerOptions, Netlist, lower};
use std::collections::{BTreeMap, BTreeSet};

fn random_text(rng: &mut fastrand::Rng) -> String {
    const CLOCKS: [&str; 3] = ["c0", "c1", "c2"];
    let state: Vec<(String, usize)> = (0..rng.usize(3..8)).map(|i| (format!("r{i}"), rng.usize(..3))).collect();
    let leaves: Vec<String> = state.iter().map(|s| s.0.clone()).collect();
    fn expr(rng: &mut fastrand::Rng, leaves: &[String], depth: u32) -> String {
        if depth == 0 || rng.u8(..5) == 0 {
            return leaves[rng.usize(..leaves.len())].clone();
        }
        let (x, y) = (expr(rng, leaves, depth - 1), expr(rng, leaves, depth - 1));
        match rng.u8(..4) {
            0 => format!("({x} & {y})"),
            1 => format!("({x} ^ {y})"),
            2 => format!("(~{x} | {y})"),
            _ => format!("({} ? {x} : {y})", leaves[rng.usize(..leaves.len())]),
        }
    }
    let mut text = String::from("module top (input logic c0, c1, c2, i0, i1, i2, output logic o, w);\n");
    text += &format!("  logic {};\n", leaves.join(", "));
    // Shared logic: paths meet and part again.
    let mut all = leaves.clone();
    for i in 0..rng.usize(1..4) {
        text += &format!("  wire s{i} = {};\n", expr(rng, &all, 2));
        all.push(format!("s{i}"));
    }
    for (name, clock) in &state {
        // Each clock has an input of its own, so that no input stands between two.
        let mut own = all.clone();
        own.push(format!("i{clock}"));
        let (c, e) = (CLOCKS[*clock], expr(rng, &own, 3));
        text += &match rng.u8(..5) {
            0 => format!("  always_latch if ({c}) {name} = {e};\n"),
            _ => format!("  always_ff @(posedge {c}) {name} <= {e};\n"),
        };
    }
    // An input is known as a clock once it clocks a register.
    for (i, c) in CLOCKS.iter().enumerate() {
        text += &format!("  logic k{i};\n  always_ff @(posedge {c}) k{i} <= i{i};\n");
    }
    // A memory that is kept as one: written by one clock, read by logic.
    let (clock, place) = (CLOCKS[rng.usize(..3)], &leaves[rng.usize(..leaves.len())]);
    text +=
        &format!("  logic m [0:511];\n  logic a = 0;\n  always_ff @(posedge {clock}) a <= {};\n", expr(rng, &all, 1));
    text += &format!(
        "  always_ff @(posedge {clock}) if ({}) m[{{8'd0, a}}] <= {};\n",
        expr(rng, &all, 1),
        expr(rng, &all, 1)
    );
    text += &format!("  logic z = 0;\n  always_ff @(posedge c1) z <= m[{{8'd0, {place}}}] ^ {};\n", expr(rng, &all, 1));
    text + &format!("  assign o = ^{{{}, z, k0, k1, k2}};\n  assign w = a;\nendmodule\n", leaves.join(", "))
}

/// A capturing place of the walk.
type Place = (&'static str, u32, u32);

/// All paths from state to state of another clock through logic alone: the gates that send and pass on, and the end.
fn walk(net: &Netlist, s: &Structure) -> BTreeSet<(Vec<GateId>, Place)> {
    // The one input called c… in front of a clock pin or an enable, which logic may have been drawn into.
    let clock = |l: Lit| {
        let mut open = vec![l.gate()];
        while let Some(g) = open.pop() {
            if let Gate::Input(p, _) = net.gates[g.0 as usize]
                && net.inputs[p as usize].name.starts_with('c')
            {
                return Some(g);
            }
            net.fanin(g, |l| open.push(l.gate()));
        }
        // A latch that nothing ever opens has none.
        None
    };
    // What is at the end of a wire: the place and its clock.
    let mut ends: BTreeMap<GateId, Vec<(Place, Option<GateId>)>> = BTreeMap::new();
    for (i, r) in net.registers.iter().enumerate() {
        ends.entry(r.next.gate()).or_default().push((("register", i as u32, 0), clock(r.clock)));
    }
    for (i, l) in net.latches.iter().enumerate() {
        // Its data pin: what it reads while it is closed, itself, is no path.
        ends.entry(s.latch_data(i).gate()).or_default().push((("latch", i as u32, 0), clock(l.enable)));
    }
    for (m, mem) in net.memories.iter().enumerate() {
        for (p, w) in mem.writes.iter().enumerate() {
            for l in w.addr.iter().chain(&w.data).chain(&w.mask).chain([&w.enable]) {
                ends.entry(l.gate()).or_default().push((("write", m as u32, p as u32), clock(w.clock)));
            }
        }
    }
    let mut readers: BTreeMap<GateId, Vec<GateId>> = BTreeMap::new();
    for g in (0..net.gates.len() as u32).map(GateId) {
        // A memory's words are state of their own; its address is logic in front of the port.
        net.fanin(g, |l| readers.entry(l.gate()).or_default().push(g));
    }
    let sender = |g: GateId| match net.gates[g.0 as usize] {
        Gate::Register(r) => clock(net.registers[r as usize].clock),
        Gate::Latch(l) => clock(net.latches[l as usize].enable),
        // A memory that nothing ever writes sends nothing.
        Gate::Read(m, ..) => {
            let written = net.memories[m as usize].writes.iter().find(|w| w.enable != Lit::FALSE);
            written.and_then(|w| clock(w.clock))
        }
        _ => None,
    };
    let mut found = BTreeSet::new();
    for g in (0..net.gates.len() as u32).map(GateId) {
        let Some(from) = sender(g) else { continue };
        let mut open = vec![vec![g]];
        while let Some(way) = open.pop() {
            let at = way[way.len() - 1];
            for (place, _) in ends.get(&at).into_iter().flatten().filter(|e| e.1.is_some_and(|to| to != from)) {
                found.insert((way.clone(), *place));
            }
            for r in readers.get(&at).into_iter().flatten() {
                let mut longer = way.clone();
                longer.push(*r);
                open.push(longer);
            }
        }
    }
    found
}

#[test]
fn critical_paths_are_those_of_the_definition() {
    let seed: u64 = std::env::var("ENTAIL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let (mut paths_seen, mut latches, mut memories) = (0, 0, 0);
    for n in 0..300u64 {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(7919).wrapping_add(n));
        let text = random_text(&mut rng);
        let place = format!("seed {seed}, design {n}\n{text}");
        let e = elaborate_text(&text, Some("top"));
        let design = e.design.as_ref().unwrap_or_else(|| panic!("{place}"));
        let net = lower(design, &LowerOptions { memory_limit_bits: 256 }, &mut Vec::new());
        let domains = Domains::new(&net, &Sdc::default());
        let s = Structure::whole(&net, &domains);
        let ends: Vec<(End, u32)> = s.captures().iter().map(|c| (c.end, c.domain)).collect();
        let name = |e: End| match e {
            End::Register(r) => ("register", r, 0),
            End::Latch(l) => ("latch", l, 0),
            End::Write(m, p) => ("write", m, p),
        };
        let (list, more) = paths::list(&s, &ends, usize::MAX);
        assert!(!more);
        let own: BTreeSet<(Vec<GateId>, Place)> = list.iter().map(|p| (p.gates.clone(), name(p.end))).collect();
        let walked = walk(&net, &s);
        assert_eq!(own, walked, "{place}");
        let critical = paths::critical(&s, &ends);
        let expected: BTreeSet<GateId> = walked.iter().flat_map(|(way, _)| way.iter().copied()).collect();
        assert_eq!(critical.all().into_iter().collect::<BTreeSet<_>>(), expected, "{place}");
        // A port may read one wire twice, as address and as data: two paths that look the same.
        let counted: u128 = critical.pairs.values().map(|p| p.paths).sum();
        assert_eq!(counted, list.len() as u128, "{place}");
        let longest = walked.iter().map(|(way, _)| way.len()).max().unwrap_or(0);
        let seen = critical.pairs.values().map(|p| p.longest).max().unwrap_or(0) as usize;
        assert_eq!(seen, longest, "{place}");
        paths_seen += walked.len();
        latches += net.latches.len();
        memories += net.memories.len();
    }
    println!("{paths_seen} paths in designs with {latches} latches and {memories} memories");
    assert!(paths_seen > 5000 && latches > 100 && memories > 100);
}
