//! Makes a failing case smaller.

use super::Said;
use super::case::{Case, Expr, YES};
use entail::net::{Gate, GateId, Lit, Netlist};
use std::time::{Duration, Instant};

type Law<'l> = &'l mut dyn FnMut(&Case) -> Result<Said, String>;

/// The smallest failing case found in a while, and what is wrong with it.
pub fn shrink(case: &Case, what: &str, law: Law) -> (Case, String) {
    let (mut best, mut said) = (case.clone(), what.to_string());
    let until = Instant::now() + Duration::from_secs(super::number("ENTAIL_STE_SHRINK", 20));
    loop {
        let mut better = false;
        for k in 0..steps(&best) {
            if Instant::now() >= until {
                return (best, said);
            }
            let Some(next) = step(&best, k) else { continue };
            // Other runs may be needed to show it.
            let tries = (0..4).map(|n| Case { seed: best.seed.wrapping_add(n), ..next.clone() });
            if let Some((c, e)) = tries.into_iter().find_map(|c| law(&c).err().map(|e| (c, e))) {
                (best, said) = (c, e);
                better = true;
            }
        }
        if !better {
            return (best, said);
        }
    }
}

fn steps(c: &Case) -> usize {
    1 + c.given.len() * 3
        + c.follows.len() * 2
        + c.weakened.len()
        + 1
        + c.net.gates.len() * 4
        + c.net.registers.len() * 4
        + c.net.latches.len() * 2
        + 8
}

fn step(c: &Case, mut k: usize) -> Option<Case> {
    let mut c = c.clone();
    let mut part = |n: usize| -> Option<usize> {
        if k < n {
            return Some(k);
        }
        k -= n;
        None
    };
    if part(1).is_some() {
        c.last = c.last.checked_sub(1)?;
        let last = c.last;
        c.given.retain(|s| s.atom.is_none_or(|a| a.time <= last));
        c.follows.retain(|s| s.atom.is_none_or(|a| a.time <= last) && !late(&s.value, last));
        return (!c.follows.is_empty()).then_some(c);
    }
    if let Some(i) = part(c.given.len()) {
        c.given.remove(i);
        return Some(c);
    }
    if let Some(i) = part(c.given.len()) {
        (c.given[i].guard != YES).then(|| c.given[i].guard = YES)?;
        return Some(c);
    }
    if let Some(i) = part(c.given.len()) {
        if matches!(c.given[i].value, Expr::Const(_)) {
            return None;
        }
        c.given[i].value = Expr::Const(c.seed >> (i % 64) & 1 == 1);
        return Some(c);
    }
    if let Some(i) = part(c.follows.len()) {
        (c.follows.len() > 1).then(|| c.follows.remove(i))?;
        return Some(c);
    }
    if let Some(i) = part(c.follows.len()) {
        (c.follows[i].guard != YES).then(|| c.follows[i].guard = YES)?;
        return Some(c);
    }
    if let Some(i) = part(c.weakened.len()) {
        let w = *c.weakened.iter().nth(i)?;
        c.weakened.remove(&w);
        return Some(c);
    }
    if part(1).is_some() {
        (c.constraint != YES).then(|| c.constraint = YES)?;
        return Some(c);
    }
    if let Some(i) = part(c.net.gates.len() * 4) {
        let (g, how) = (i / 4, i % 4);
        let gate = c.net.gates[g];
        let operands = match gate {
            Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
            Gate::Mux(s, t, e) => vec![s, t, e],
            _ => return None,
        };
        let zero = Gate::And(Lit::FALSE, Lit::FALSE);
        if gate == zero {
            return None;
        }
        match how {
            0 => c.net.gates[g] = zero,
            n => {
                let by = *operands.get(n - 1)?;
                replace(&mut c.net, GateId(g as u32), by).then_some(())?;
            }
        }
        return Some(c);
    }
    if let Some(i) = part(c.net.registers.len() * 4) {
        let n = i / 4;
        let r = &mut c.net.registers[n];
        match i % 4 {
            0 => {
                let g = r.gate;
                c.net.registers.remove(n);
                c.net.gates[g.0 as usize] = Gate::And(Lit::FALSE, Lit::FALSE);
                for gate in &mut c.net.gates {
                    if let Gate::Register(k) = gate
                        && *k as usize > n
                    {
                        *k -= 1;
                    }
                }
            }
            1 => {
                r.asyncs.pop()?;
            }
            2 => {
                (r.next != Lit::FALSE).then(|| r.next = Lit::FALSE)?;
            }
            _ => {
                (r.init.is_some()).then(|| r.init = None)?;
            }
        }
        return Some(c);
    }
    if let Some(i) = part(c.net.latches.len() * 2) {
        let n = i / 2;
        let l = &mut c.net.latches[n];
        if i % 2 == 1 {
            (l.init.is_some()).then(|| l.init = None)?;
            return Some(c);
        }
        let g = l.gate;
        c.net.latches.remove(n);
        c.net.gates[g.0 as usize] = Gate::And(Lit::FALSE, Lit::FALSE);
        for gate in &mut c.net.gates {
            if let Gate::Latch(k) = gate
                && *k as usize > n
            {
                *k -= 1;
            }
        }
        return Some(c);
    }
    let m = c.net.memories.first_mut()?;
    match k {
        0 | 1 if m.writes.len() > k => {
            m.writes.remove(k);
        }
        2 | 3 if m.init.len() > k - 2 => {
            m.init.remove(k - 2);
        }
        4 | 5 if !m.writes.is_empty() => {
            let w = m.writes.len() - 1;
            if k == 4 { m.writes[w].enable = Lit::TRUE } else { m.writes[w].mask.fill(Lit::TRUE) }
        }
        _ => return None,
    }
    Some(c)
}

fn late(e: &Expr, last: u32) -> bool {
    match e {
        Expr::At(a) => a.time > last,
        Expr::Const(_) | Expr::Var(..) => false,
        Expr::Not(a) => late(a, last),
        Expr::And(a, b) | Expr::Xor(a, b) => late(a, last) || late(b, last),
        Expr::Mux(a, b, c) => late(a, last) || late(b, last) || late(c, last),
    }
}

/// Reads another literal wherever a gate is read. False if it was read nowhere.
fn replace(net: &mut Netlist, g: GateId, by: Lit) -> bool {
    let mut some = false;
    let mut sub = |l: &mut Lit| {
        if l.gate() == g {
            *l = by.xor(l.complement());
            some = true;
        }
    };
    for gate in &mut net.gates {
        match gate {
            Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(&mut sub),
            Gate::Mux(s, t, e) => [s, t, e].into_iter().for_each(&mut sub),
            _ => {}
        }
    }
    for r in &mut net.registers {
        sub(&mut r.next);
        sub(&mut r.clock);
        r.asyncs.iter_mut().for_each(|(c, v)| {
            sub(c);
            sub(v)
        });
    }
    for l in &mut net.latches {
        sub(&mut l.enable);
        sub(&mut l.data);
    }
    for m in &mut net.memories {
        m.reads.iter_mut().flatten().for_each(&mut sub);
        for w in &mut m.writes {
            [&mut w.clock, &mut w.enable].into_iter().for_each(&mut sub);
            w.addr.iter_mut().chain(&mut w.data).chain(&mut w.mask).for_each(&mut sub);
        }
    }
    some
}
