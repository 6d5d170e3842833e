//! `--eval`: specifications, executed for given values.

use super::super::ExitCode;
use crate::proof::script::load::Loaded;
use crate::ste::check::{bind, plain};
use crate::ste::logic::Plain;
use crate::ste::machine::{Request, evaluate};
use crate::ste::rails::Rails;
use crate::ste::set::Assignment;
use crate::ste::terms::{Leaf, Place};
use crate::word::Bits;
use rustc_hash::FxHashMap;

/// Reads `a=3,b=0x1f`.
fn values(l: &Loaded, text: &str) -> Result<Assignment, String> {
    let mut a = Assignment::zero(&l.terms.vectors);
    let mut given = vec![false; l.terms.vectors.len()];
    for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` has no `=`"))?;
        let name = name.trim();
        let v = l.terms.vectors.iter().position(|v| v.name == name);
        let v = v.ok_or_else(|| {
            let all: Vec<&str> = l.terms.vectors.iter().map(|v| v.name.as_str()).collect();
            format!("there is no vector `{name}`; the vectors are {}", all.join(", "))
        })?;
        let width = l.terms.vectors[v].width;
        let bits = number(value.trim(), width).ok_or_else(|| format!("`{value}` is no value of {width} bits"))?;
        if std::mem::replace(&mut given[v], true) {
            return Err(format!("`{name}` is given twice"));
        }
        a.0[v] = bits;
    }
    let missing: Vec<&str> = l.terms.vectors.iter().zip(&given).filter(|x| !*x.1).map(|x| x.0.name.as_str()).collect();
    if missing.is_empty() { Ok(a) } else { Err(format!("no value for {}", missing.join(", "))) }
}

/// A number in decimal, `0x` or `0b`, negative ones in two's complement.
fn number(text: &str, width: u32) -> Option<Bits> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(d) => (d, true),
        None => (text, false),
    };
    let (digits, radix) = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(d), _) => (d, 16),
        (_, Some(d)) => (d, 2),
        _ => (digits, 10),
    };
    let clean = digits.replace('_', "");
    let n = num_bigint::BigUint::parse_bytes(clean.as_bytes(), radix)?;
    if n.bits() > u64::from(width) {
        return None;
    }
    let b = Bits::from_bits((0..u64::from(width)).map(|i| n.bit(i)));
    Some(if negative { b.neg() } else { b })
}

pub fn run(l: &Loaded, text: &str, only: &[String]) -> ExitCode {
    let a = match values(l, text) {
        Ok(a) => a,
        Err(e) => {
            eprintln!("error: --eval '{text}': {e}\n  help: give every vector a value, as in 'a=3,b=0x1f'");
            return ExitCode::Source;
        }
    };
    let mut code = ExitCode::Ok;
    for r in &l.assertions {
        let x = &r.assertion;
        if !only.is_empty() && !only.iter().any(|p| crate::cdc::sdc::fits(p, &x.name)) {
            continue;
        }
        let leaf = |leaf: Leaf| match leaf {
            Leaf::Var(v, b) => a.bit(v, b),
            Leaf::Atom(_) => false,
        };
        if !l.terms.values(&[x.constraint], &mut { leaf })[0] {
            println!("{}: the constraint does not allow these values", x.name);
            continue;
        }
        println!("{}", x.name);
        code = code.worst(one(l, r, &a));
    }
    code
}

/// Expected values of one assertion beside those that the circuit has.
fn one(l: &Loaded, r: &crate::proof::script::load::Ready, a: &Assignment) -> ExitCode {
    let x = &r.assertion;
    let mut rails = Rails { logic: Plain };
    let mut own = FxHashMap::default();
    for (v, vector) in l.terms.vectors.iter().enumerate() {
        (0..vector.width).for_each(|b| _ = own.insert((v as u32, b), a.bit(v as u32, b)));
    }
    let mut memo = FxHashMap::default();
    let wanted = x.wanted(&l.terms);
    let found = bind(&l.terms, &x.antecedent, &mut rails, &own, &mut memo).and_then(|(bound, _)| {
        let request = Request {
            bound: &bound,
            wanted: &wanted,
            weakened: &x.weakened,
            most: None,
            last: x.last(&l.terms),
            open: None,
            watch: None,
        };
        evaluate(&l.circuit, &mut rails, request)
    });
    let t = match found {
        Ok(t) => t,
        Err(e) => {
            println!("  {e}");
            return ExitCode::Unknown;
        }
    };
    let value = |atom: crate::ste::Atom| {
        let (p, flip) = plain(atom);
        match p.place {
            Place::Node(0) => Some((flip, !flip)),
            _ => t.atoms.get(&p).map(|r| if flip { (r.low, r.high) } else { (r.high, r.low) }),
        }
    };
    let letter = |high: bool, low: bool| match (high, low) {
        (true, true) => 'x',
        (true, false) => '1',
        (false, true) => '0',
        (false, false) => 'T',
    };
    let mut code = ExitCode::Ok;
    for (i, s) in r.sentences.iter().enumerate() {
        let claims: Vec<&crate::ste::Claim> = x.consequent.iter().filter(|c| c.origin as usize == i).collect();
        if claims.is_empty() {
            continue;
        }
        let times: std::collections::BTreeSet<u32> = claims.iter().filter_map(|c| c.atom).map(|a| a.time).collect();
        if times.is_empty() {
            println!("  {}", s.text);
        }
        for time in times {
            let (mut expected, mut found) = (String::new(), String::new());
            for c in claims.iter().rev().filter(|c| c.atom.is_some_and(|a| a.time == time)) {
                let Some(atom) = c.atom else { continue };
                let mut leaf = |leaf: Leaf| match leaf {
                    Leaf::Var(v, b) => a.bit(v, b),
                    Leaf::Atom(at) => value(at).is_some_and(|v| v.0 && !v.1),
                };
                let v = l.terms.values(&[c.guard, c.value], &mut leaf);
                let (high, low) = value(atom).unwrap_or((true, true));
                if v[0] {
                    expected.push(if v[1] { '1' } else { '0' });
                    found.push(letter(high, low));
                    if (high, low) != (v[1], !v[1]) {
                        code = ExitCode::Unexpected;
                    }
                }
            }
            if expected.is_empty() {
                println!("  at {time}: {}  (says nothing for these values)", s.text);
            } else {
                let mark = if expected == found { "" } else { "   <-- differs" };
                println!(
                    "  at {time}: {}\n    expected {}  the design has {}{mark}",
                    s.text,
                    shown(&expected),
                    shown(&found)
                );
            }
        }
    }
    code
}

/// Bits, and the number they are.
fn shown(bits: &str) -> String {
    if bits.len() > 1 && bits.chars().all(|c| c == '0' || c == '1') {
        let n = num_bigint::BigUint::parse_bytes(bits.as_bytes(), 2).unwrap_or_default();
        return format!("0x{n:x} ({n})");
    }
    bits.to_string()
}
