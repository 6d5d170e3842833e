//! Clauses of two literals that help induction: pairs of state bits with a combination that never happens.
//!
//! What random paths show is a candidate. Candidates that a step from a state satisfying all of them can break
//! are dropped until none is left to drop (Flanagan and Leino's Houdini); the rest is inductive together.

use super::Control;
use super::encode::Encoder;
use super::evidence::Literal;
use crate::model::System;
use crate::model::reduce::simulate;
use crate::sat::Answer;
use crate::sat::cdcl::{Cdcl, Lit};

/// Candidates that are tried at most.
const MAX_CANDIDATES: usize = 20_000;

/// Clauses that are inductive together, given `known` ones.
pub fn pairs(sys: &System, known: &[Vec<Literal>], ctl: &Control) -> Vec<Vec<Literal>> {
    let mut live = candidates(sys);
    if live.is_empty() {
        return live;
    }
    let (mut solver, mut encoder) = (Cdcl::new(), Encoder::default());
    let mut lit = |l| Lit::from(encoder.lit(&sys.aig, l, &mut solver));
    let now: Vec<Lit> = sys.states.iter().map(|s| lit(s.lit)).collect();
    let next: Vec<Lit> = sys.states.iter().map(|s| lit(s.next)).collect();
    let constraints: Vec<Lit> = sys.constraints.iter().map(|c| lit(c.1)).collect();
    for c in constraints {
        solver.clause(&[c]);
    }
    let at = |word: &[Lit], c: &[Literal]| c.iter().map(|(s, v)| word[*s as usize].xor(!v)).collect::<Vec<_>>();
    for c in known {
        solver.clause(&at(&now, c));
    }
    // A candidate is assumed by its switch; its alarm may be on only if it is broken after the step.
    let mut switches: Vec<Lit> = Vec::new();
    let mut alarms: Vec<Lit> = Vec::new();
    for c in &live {
        let (switch, alarm) = (solver.fresh(), solver.fresh());
        let mut assumed = at(&now, c);
        assumed.push(switch.xor(true));
        solver.clause(&assumed);
        for l in at(&next, c) {
            solver.clause(&[alarm.xor(true), l.xor(true)]);
        }
        switches.push(switch);
        alarms.push(alarm);
    }
    loop {
        let some = solver.fresh();
        let mut any = alarms.clone();
        any.push(some.xor(true));
        solver.clause(&any);
        let mut assumptions = switches.clone();
        assumptions.push(some);
        match solver.solve(&assumptions, &[], None, &|| ctl.stop()) {
            Answer::Unsat => return live,
            Answer::Stopped => return Vec::new(),
            Answer::Sat => {}
        }
        let broken: Vec<bool> =
            live.iter().map(|c| at(&next, c).iter().all(|l| solver.value(*l) == Some(false))).collect();
        let keep = |k: usize| !broken[k];
        let mut k = 0;
        live.retain(|_| (keep(k), k += 1).0);
        (switches, alarms) = (0..broken.len()).filter(|k| keep(*k)).map(|k| (switches[k], alarms[k])).unzip();
        solver.clause(&[some.xor(true)]);
    }
}

/// Pairs of literals of which one was true in every state of some random paths.
fn candidates(sys: &System) -> Vec<Vec<Literal>> {
    // A clause must hold at the start, so bits that may start with any value say little.
    let bits: Vec<usize> = (0..sys.states.len()).filter(|i| sys.states[*i].init.is_some()).collect();
    let seen = simulate(sys);
    let mut out = Vec::new();
    for (i, a) in bits.iter().enumerate() {
        for b in &bits[..i] {
            for (v, w) in [(false, false), (false, true), (true, false), (true, true)] {
                let flip = |word: u64, v: bool| if v { word } else { !word };
                if seen[*a].iter().zip(&seen[*b]).all(|(x, y)| flip(*x, v) | flip(*y, w) == u64::MAX) {
                    out.push(vec![(*b as u32, w), (*a as u32, v)]);
                    if out.len() == MAX_CANDIDATES {
                        return out;
                    }
                }
            }
        }
    }
    out
}
