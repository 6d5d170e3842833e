//! Re-checks a proof from its file, with other code than made it.
//!
//! There is no kernel here. A step by evaluation is evaluated by [`super::second`]; every other step must follow from
//! earlier ones, as they stand or with vectors replaced, by propositional logic alone: one question for a solver whose
//! proof is checked, whatever the rule was. Only a shift in time and a fact of algebra are of another kind. A statement
//! about the circuit can follow only from such statements and facts about the same circuit.

use super::file::{ProofFile, RuleFile, StatementFile, assertion_of, circuit_of, gate_of, hint_of, run_of};
use super::kernel::{LATEST, Statement};
use super::second::{self, Effort};
use super::side::{self, Refusal};
use super::words::equality;
use crate::net::{Gate, Lit};
use crate::ste::circuit::{Circuit, Start};
use crate::ste::realise::judge;
use crate::ste::terms::{Atom, Claim, Leaf, Terms};
use rustc_hash::FxHashMap;

/// What is said of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// It is so, and how that was seen.
    Confirmed(String),
    /// It was not decided.
    Unchecked(String),
    /// It is not shown.
    Refuted(String),
}

/// A file, read and rebuilt.
pub struct Rebuilt {
    /// The circuit.
    pub circuit: Circuit,
    /// Formulas.
    pub terms: Terms,
    /// What each step says.
    pub statements: Vec<Statement>,
    lits: Vec<Lit>,
}

/// Reads a file's circuit and formulas.
pub fn rebuild(f: &ProofFile) -> Result<Rebuilt, String> {
    let circuit = circuit_of(&f.circuit)?;
    if f.vectors.iter().any(|v| v.width == 0 || v.width > 4096) {
        return Err("a vector of no width".into());
    }
    let mut terms = Terms::new(f.vectors.clone());
    let mut lits: Vec<Lit> = Vec::with_capacity(f.gates.len());
    for (i, w) in f.gates.iter().enumerate() {
        let at = |l: Lit| lits[l.gate().0 as usize].xor(l.complement());
        let l = match gate_of(*w, i).ok_or("a formula that cannot be")? {
            Gate::False => Lit::FALSE,
            Gate::Input(0, k) => {
                let leaf = *f.leaves.get(k as usize).ok_or("a leaf that there is not")?;
                let fits = match leaf {
                    Leaf::Var(v, b) => f.vectors.get(v as usize).is_some_and(|v| b < v.width),
                    Leaf::Atom(a) => circuit.has(a.place) && a.time <= LATEST,
                };
                if !fits {
                    return Err("a leaf that there is not".into());
                }
                terms.leaf(leaf)
            }
            Gate::And(a, b) => terms.and(at(a), at(b)),
            Gate::Xor(a, b) => terms.xor(at(a), at(b)),
            Gate::Mux(s, t, e) => terms.mux(at(s), at(t), at(e)),
            _ => return Err("a formula that cannot be".into()),
        };
        lits.push(l);
    }
    let mut r = Rebuilt { circuit, terms, statements: Vec::new(), lits };
    for s in &f.steps {
        let s = r.statement(&s.statement)?;
        r.statements.push(s);
    }
    Ok(r)
}

impl Rebuilt {
    fn lit(&self, l: u32) -> Result<Lit, String> {
        let found = self.lits.get((l >> 1) as usize).ok_or("a formula that there is not")?;
        Ok(found.xor(l & 1 == 1))
    }

    fn statement(&self, s: &StatementFile) -> Result<Statement, String> {
        let claims = |list: &[super::file::ClaimFile]| {
            list.iter()
                .enumerate()
                .map(|(i, (atom, guard, value))| {
                    let fits = atom.is_none_or(|a| {
                        let constant = matches!(a.place, crate::ste::Place::Node(0 | 1));
                        (constant || self.circuit.has(a.place)) && a.time <= LATEST
                    });
                    if !fits {
                        return Err("a claim about a node that there is not".to_string());
                    }
                    Ok(Claim { atom: *atom, guard: self.lit(*guard)?, value: self.lit(*value)?, origin: i as u32 })
                })
                .collect::<Result<Vec<Claim>, String>>()
        };
        let made = Statement {
            circuit: s.circuit.then(|| self.circuit.hash()),
            constraint: self.lit(s.constraint)?,
            antecedent: claims(&s.antecedent)?,
            consequent: claims(&s.consequent)?,
        };
        let given: Vec<Lit> =
            made.antecedent.iter().flat_map(|c| [c.guard, c.value]).chain([made.constraint]).collect();
        if self.terms.support(&given).iter().any(|l| matches!(l, Leaf::Atom(_))) {
            return Err("a constraint or a given value speaks of nodes".into());
        }
        if made.antecedent.iter().any(|c| c.atom.is_none()) {
            return Err("a given claim is about nothing".into());
        }
        Ok(made)
    }
}

/// Re-checks every step. `done` is told of each.
pub fn replay(
    f: &ProofFile,
    effort: &Effort,
    done: &mut dyn FnMut(usize, &Said),
) -> Result<(Rebuilt, Vec<Said>), String> {
    let mut r = rebuild(f)?;
    let mut all = Vec::new();
    for (i, s) in f.steps.iter().enumerate() {
        let said = match step(&mut r, f, i, &s.rule, effort) {
            Ok(said) => said,
            Err(why) => Said::Refuted(why),
        };
        done(i, &said);
        all.push(said);
    }
    Ok((r, all))
}

fn step(r: &mut Rebuilt, f: &ProofFile, i: usize, rule: &RuleFile, effort: &Effort) -> Result<Said, String> {
    let own = r.statements[i].clone();
    let earlier = |k: usize| if k < i { Ok(k) } else { Err("it rests on a later step".to_string()) };
    match rule {
        RuleFile::Run { weakened, hints, witness, engine, .. } => {
            if own.circuit.is_none() {
                return Err("an evaluation of no circuit".into());
            }
            let hints = hints.iter().map(|h| hint_of(h, f.vectors.len())).collect::<Option<Vec<_>>>();
            let a = assertion_of(&f.steps[i].name, &own, weakened, hints.ok_or("an order that cannot be")?);
            let seen = judge(&r.circuit, &r.terms, &a, &run_of(witness))?;
            if !seen.fits || !seen.broken.is_empty() {
                return Err("the run that should fit it does not".into());
            }
            let effort = Effort { solver_first: engine == "sat", ..*effort };
            match second::confirm(&r.circuit, &r.terms, &a, &effort) {
                Ok(by) => Ok(Said::Confirmed(format!("evaluated again, {by}"))),
                Err(second::Refusal::TooLarge) => Ok(Said::Unchecked("too large for the second library".into())),
                Err(second::Refusal::Unsettled) => {
                    Ok(Said::Unchecked("it does not settle in the second evaluation".into()))
                }
                Err(second::Refusal::NotShown(k)) => Err(format!("claim {k} does not hold, or is not shown")),
                Err(second::Refusal::Wrong(why)) => Err(why),
            }
        }
        RuleFile::Algebra(k) => {
            let words = f.identities.get(*k).ok_or("words that there are not")?;
            let (identity, made) = equality(words, &mut r.terms)?;
            let says = match own.consequent.as_slice() {
                [Claim { atom: None, guard: Lit::TRUE, value, .. }] if own.antecedent.is_empty() => *value,
                _ => return Err("a fact that says more than an equality".into()),
            };
            if made != says || own.circuit.is_some() {
                return Err("the formula is not the equality of the words".into());
            }
            let limits = crate::algebra::Limits::default();
            let points = crate::algebra::recheck(&identity.design, identity.left, identity.right, &limits)?;
            Ok(Said::Confirmed(format!("equal at {points} points, which decide")))
        }
        RuleFile::Shift(of, by) => {
            let of = r.statements[earlier(*of)?].clone();
            if r.circuit.start != Start::Any {
                return Err("runs start in the initial state, and later times do not".into());
            }
            if *by > LATEST || of.circuit != own.circuit || own.circuit.is_none() {
                return Err("it is moved too far, or to another circuit".into());
            }
            let moved = shifted(&mut r.terms, &of, *by);
            if moved.constraint != own.constraint
                || !same(&moved.antecedent, &own.antecedent)
                || !same(&moved.consequent, &own.consequent)
            {
                return Err("it is not the earlier step at later times".into());
            }
            Ok(Said::Confirmed("the same at later times".into()))
        }
        RuleFile::Follows(_, premises) => {
            let mut given = vec![own.constraint];
            for c in &own.antecedent {
                given.push(r.terms.claim(c));
            }
            for (k, with) in premises {
                let mut p = r.statements[earlier(*k)?].clone();
                if p.circuit.is_some() && p.circuit != own.circuit {
                    return Err("it rests on a statement about a circuit, and is about none".into());
                }
                if !with.is_empty() {
                    p = replaced(r, &p, with)?;
                }
                let mut before = vec![p.constraint];
                before.extend(p.antecedent.iter().map(|c| r.terms.claim(c)).collect::<Vec<_>>());
                let after: Vec<Lit> = p.consequent.iter().map(|c| r.terms.claim(c)).collect();
                let (before, after) = (r.terms.all(&before), r.terms.all(&after));
                let implied = r.terms.or(!before, after);
                given.push(implied);
            }
            let goals: Vec<Lit> = own.consequent.iter().map(|c| r.terms.claim(c)).collect();
            match side::follow_together(&r.terms, &given, &goals, &|| false) {
                Ok(n) => Ok(Said::Confirmed(format!("{n} refutations, each with an LRAT proof that checks"))),
                Err(Refusal::Counterexample(k, _)) => {
                    Err(format!("claim {k} does not follow from the steps it rests on"))
                }
                Err(Refusal::Undecided(why)) => Ok(Said::Unchecked(why)),
            }
        }
    }
}

fn same(a: &[Claim], b: &[Claim]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x.atom, x.guard, x.value) == (y.atom, y.guard, y.value))
}

fn shifted(terms: &mut Terms, s: &Statement, by: u32) -> Statement {
    let mut one = |l: Lit| {
        terms.substitute(&[l], &mut |t, leaf| match leaf {
            Leaf::Atom(a) => Some(t.leaf(Leaf::Atom(Atom { time: a.time.saturating_add(by), ..a }))),
            Leaf::Var(..) => None,
        })[0]
    };
    let mut claims = |list: &[Claim]| -> Vec<Claim> {
        let moved = |a: Atom| Atom { time: a.time.saturating_add(by), ..a };
        list.iter().map(|c| Claim { atom: c.atom.map(moved), guard: one(c.guard), value: one(c.value), ..*c }).collect()
    };
    let (antecedent, consequent) = (claims(&s.antecedent), claims(&s.consequent));
    Statement { circuit: s.circuit, constraint: s.constraint, antecedent, consequent }
}

/// A statement with vectors replaced. It holds for each run and all values of the vectors, so also for values that are read off
/// the run: what replaces them may speak of nodes.
fn replaced(r: &mut Rebuilt, s: &Statement, with: &[(u32, u32, u32)]) -> Result<Statement, String> {
    let mut map: FxHashMap<Leaf, Lit> = FxHashMap::default();
    for (v, b, l) in with {
        let l = r.lit(*l)?;
        if map.insert(Leaf::Var(*v, *b), l).is_some() {
            return Err("a bit is replaced twice".into());
        }
    }
    let terms = &mut r.terms;
    let mut one = |l: Lit| terms.substitute(&[l], &mut |_, leaf| map.get(&leaf).copied())[0];
    let constraint = one(s.constraint);
    let mut claims = |list: &[Claim]| -> Vec<Claim> {
        list.iter().map(|c| Claim { guard: one(c.guard), value: one(c.value), ..*c }).collect()
    };
    let (antecedent, consequent) = (claims(&s.antecedent), claims(&s.consequent));
    Ok(Statement { circuit: s.circuit, constraint, antecedent, consequent })
}
