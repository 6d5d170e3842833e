//! Memories: lowered to registers, kept, and a plain model of them, on the same traffic.

use super::support::*;
use crate::net::sim::Fill;
use crate::net::{LowerOptions, Sim, SimOptions};
use crate::word::*;

/// A memory with two masked write ports and two read ports, all from inputs.
fn design(size: u64, width: u32, address_bits: u32, second_clock: bool) -> Design {
    let mut d = Design::new("memory");
    let clk = input(&mut d, "clk", 1);
    let clk2 = input(&mut d, "clk2", 1);
    let init = (0..size.min(64)).map(|a| (a, Bits::from_u64(a.wrapping_mul(0x9e37_79b9), width))).collect();
    let mut writes = Vec::new();
    for p in 0..2 {
        let enable = input(&mut d, &format!("we{p}"), 1);
        let addr = input(&mut d, &format!("wa{p}"), address_bits);
        let data = input(&mut d, &format!("wd{p}"), width);
        let mask = input(&mut d, &format!("wm{p}"), width);
        let clock = if second_clock && p == 1 { clk2 } else { clk };
        writes.push(WritePort { clock, edge: Edge::Pos, enable, addr, data, mask, span: place(800 + p) });
    }
    d.memories.push(Memory { name: "m".into(), width, size, init, writes, attrs: vec![], span: place(799) });
    for p in 0..2 {
        let addr = input(&mut d, &format!("ra{p}"), address_bits);
        let word = d.mem_read(MemoryId(0), addr);
        output(&mut d, &format!("rd{p}"), word);
    }
    d
}

#[test]
fn lowered_and_kept_memories_agree_with_a_model() {
    for (seed, size, width, address_bits, second) in [
        (1, 8, 5, 3, false),
        (2, 5, 70, 3, false),
        (3, 1, 3, 2, false),
        (4, 13, 4, 6, false),
        (5, 8, 3, 3, true),
        (6, 7, 3, 2, false),
    ] {
        let d = design(size, width, address_bits, second);
        let (small, _) = netlist_with(&d, &LowerOptions::default());
        let (kept, _) = netlist_with(&d, &LowerOptions { memory_limit_bits: 0 });
        assert_eq!((small.memories.len(), kept.memories.len()), (second as usize, 1));
        let mut sims = [&small, &kept].map(|n| Sim::<u64>::new(n, SimOptions::default()));
        let mut models: Vec<Vec<Bits>> = vec![d.memories[0].init.iter().map(|(_, v)| v.clone()).collect(); 64];
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut levels = [[false; 2]; 64];
        for step in 0..200 {
            for lane in 0..64 {
                let value = |rng: &mut fastrand::Rng, w: u32| Bits::from_bits((0..w).map(|_| rng.bool()));
                let inputs: Vec<Bits> = d.inputs().map(|s| value(&mut rng, d.signals[s.index()].width)).collect();
                for sim in &mut sims {
                    for (port, v) in inputs.iter().enumerate() {
                        sim.set_input_bits(port, lane as u32, v);
                    }
                }
                // Ports: clk clk2, then enable, address, data, mask of each write port.
                if step == 0 {
                    levels[lane] = [inputs[0].is_true(), inputs[1].is_true()];
                    continue;
                }
                let now = [inputs[0].is_true(), inputs[1].is_true()];
                for p in 0..2 {
                    let clock = (second && p == 1) as usize;
                    let [enable, addr, data, mask] = [0, 1, 2, 3].map(|k| &inputs[2 + 4 * p + k]);
                    let addr = addr.to_u64().expect("known");
                    if !levels[lane][clock] && now[clock] && enable.is_true() && addr < size {
                        let old = &mut models[lane][addr as usize];
                        *old = data.and(mask).or(&old.and(&mask.not()));
                    }
                }
                levels[lane] = now;
            }
            for sim in &mut sims {
                if step == 0 {
                    sim.prime();
                    continue;
                }
                sim.settle().expect("settles");
                for lane in 0..64 {
                    for p in 0..2 {
                        let addr = sim.net_bits(&format!("ra{p}"), lane).and_then(|b| b.to_u64()).expect("known");
                        // Beyond the memory: free values, which are 0 here.
                        let want = models[lane as usize].get(addr as usize).cloned().unwrap_or(Bits::zero(width));
                        assert_eq!(sim.output_bits(p, lane), want, "seed {seed} step {step} lane {lane} port {p}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_read_beyond_the_memory_is_free_and_one_within_is_not() {
    let d = design(5, 3, 3, false);
    for limit in [0, 1000] {
        let (net, _) = netlist_with(&d, &LowerOptions { memory_limit_bits: limit });
        let mut sim = Sim::<u64>::new(&net, SimOptions { frees: Fill::Random(3), ..SimOptions::default() });
        let port = sim.input_index("ra0").expect("there is such a port");
        let mut different = 0;
        for (addr, inside) in [(4, true), (5, false), (7, false)] {
            (0..64).for_each(|lane| sim.set_input_bits(port, lane, &Bits::from_u64(addr, 3)));
            sim.settle().expect("settles");
            let words: std::collections::HashSet<Bits> = (0..64).map(|lane| sim.output_bits(0, lane)).collect();
            if inside {
                assert_eq!(words, [Bits::from_u64(4 * 0x9e37_79b9, 3)].into());
            } else {
                different += words.len();
            }
        }
        assert!(different > 8, "free values differ between lanes");
    }
}

/// 2^40 words of 64 lanes: only what is written takes room.
#[test]
fn a_huge_memory_is_simulated_sparsely() {
    let mut d = design(1 << 40, 8, 40, false);
    d.memories[0].init.clear();
    let net = netlist(&d);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let port = |sim: &Sim<u64>, n: &str| sim.input_index(n).expect("there is such a port");
    let ports = ["we0", "wa0", "wd0", "wm0", "ra0", "clk"].map(|n| port(&sim, n));
    for lane in 0..64 {
        let addr = Bits::from_u64(0x12_3456_789a ^ (lane as u64) << 33, 40);
        let values =
            [Bits::ones(1), addr.clone(), Bits::from_u64(lane as u64 + 1, 8), Bits::ones(8), addr, Bits::ones(1)];
        for (p, v) in ports.iter().zip(&values) {
            sim.set_input_bits(*p, lane, v);
        }
    }
    sim.settle().expect("settles");
    for lane in 0..64 {
        assert_eq!(sim.output_bits(0, lane).to_u64(), Some(lane as u64 + 1));
    }
}

#[test]
fn a_memory_nobody_writes_is_constants_and_a_write_beyond_it_does_nothing() {
    let mut d = Design::new("rom");
    let addr = input(&mut d, "addr", 2);
    let init = (0..4).map(|a| (a, Bits::from_u64(3 * a, 4))).collect();
    d.memories.push(Memory {
        name: "rom".into(),
        width: 4,
        size: 4,
        init,
        writes: vec![],
        attrs: vec![],
        span: place(1),
    });
    let word = d.mem_read(MemoryId(0), addr);
    output(&mut d, "word", word);
    let net = netlist(&d);
    assert!(net.registers.is_empty() && net.frees.is_empty());
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    (0..4).for_each(|lane| sim.set_input_bits(0, lane, &Bits::from_u64(lane as u64, 2)));
    sim.settle().expect("settles");
    (0..4).for_each(|lane| assert_eq!(sim.output_bits(0, lane).to_u64(), Some(3 * lane as u64)));
    assert_eq!(net.net_named("rom[3]").map(|n| n.bits.len()), Some(4));
}
