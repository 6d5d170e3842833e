//! Ties a proof file to the specification at hand: is it about this design, and does it say what is asked?

use super::file::{ProofFile, RuleFile};
use super::replay::Rebuilt;
use super::script::load::Loaded;
use crate::net::Lit;
use crate::ste::check::plain;
use crate::ste::terms::{Atom, Claim, Leaf, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Says how a file differs from what the specification asks for; nothing if it does not.
pub fn differences(f: &ProofFile, r: &mut Rebuilt, l: &Loaded) -> Vec<String> {
    let mut list = Vec::new();
    if r.circuit.hash() != l.circuit.hash() {
        return vec!["the netlist in the file is not that of the design".into()];
    }
    if f.vectors != l.terms.vectors {
        return vec!["the vectors in the file are not those of the specification".into()];
    }
    let mut asked: FxHashMap<&str, Asked> = FxHashMap::default();
    for a in &l.assertions {
        let x = &a.assertion;
        let all = Asked { constraint: Some(x.constraint), antecedent: Some(&x.antecedent), consequent: &x.consequent };
        asked.insert(&x.name, all);
    }
    for (name, plan) in &l.steps {
        if let Some(c) = plan.consequent() {
            asked.insert(&name.text, Asked { constraint: None, antecedent: None, consequent: c });
        }
    }
    for (i, s) in f.steps.iter().enumerate() {
        let Some(a) = asked.get(s.name.as_str()) else {
            if matches!(s.rule, RuleFile::Run { .. }) {
                list.push(format!("`{}` is no assertion of the specification", s.name));
            }
            continue;
        };
        let own = r.statements[i].clone();
        let mut same = set(&mut r.terms, &l.terms, a.consequent) == plain_set(&own.consequent);
        if let Some(x) = a.antecedent {
            same &= set(&mut r.terms, &l.terms, x) == plain_set(&own.antecedent);
        }
        if let Some(c) = a.constraint {
            same &= moved(&mut r.terms, &l.terms, &[c])[0] == own.constraint;
        }
        if !same {
            list.push(format!("`{}` says something else than the specification", s.name));
        }
    }
    let goal = f.goal.and_then(|g| f.steps.get(g)).map(|s| s.name.as_str());
    let wanted = l.spec.goal.as_ref().map(|g| g.text.as_str());
    if wanted.is_some() && goal != wanted {
        list.push(format!("the goal `{}` is not proved in the file", wanted.unwrap_or_default()));
    }
    list
}

/// What the specification asks for under a name.
struct Asked<'l> {
    constraint: Option<Lit>,
    antecedent: Option<&'l [Claim]>,
    consequent: &'l [Claim],
}

type Said = FxHashSet<(Option<Atom>, Lit, Lit)>;

fn moved(to: &mut Terms, from: &Terms, lits: &[Lit]) -> Vec<Lit> {
    to.copy(from, lits, &mut |t, leaf| match leaf {
        Leaf::Var(v, b) => t.var(v, b),
        atom => t.leaf(atom),
    })
}

fn set(to: &mut Terms, from: &Terms, claims: &[Claim]) -> Said {
    let lits: Vec<Lit> = claims.iter().flat_map(|c| [c.guard, c.value]).collect();
    let new = moved(to, from, &lits);
    let here: Vec<Claim> =
        claims.iter().enumerate().map(|(i, c)| Claim { guard: new[2 * i], value: new[2 * i + 1], ..*c }).collect();
    plain_set(&here)
}

fn plain_set(claims: &[Claim]) -> Said {
    let plainly = |c: &Claim| match c.atom.map(plain) {
        Some((a, flip)) => (Some(a), c.guard, c.value.xor(flip)),
        None => (None, c.guard, c.value),
    };
    claims.iter().map(plainly).collect()
}
