//! Steps of a proof: read from the file, and carried out in the kernel.

use super::expr::{ExprId, Use};
use super::load::{Build, Gather, Sketch};
use super::sentence::When;
use super::spec::{Fields, Loops, sentences, text, texts, wrong};
use crate::net::Lit;
use crate::project::yaml::{Kind, Text, Yaml};
use crate::proof::kernel::{Identity, Kernel, Refused, Theorem};
use crate::source::Diagnostic;
use crate::ste::check::plain;
use crate::ste::terms::{Claim, Leaf};
use crate::ste::{Circuit, Terms};
use crate::word::{Design, NodeId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A step.
pub struct Plan {
    /// Theorems it starts from, as written; `*` stands for anything.
    pub of: Vec<Text>,
    kind: Kinds,
    /// Facts that help.
    pub using: Vec<Text>,
    /// The whole step.
    pub span: crate::source::Span,
}

enum Kinds {
    Strengthen(Condition),
    Weaken(Vec<Sketch>, Vec<Claim>),
    Conjoin,
    Compose(Values),
    Split(Condition),
    Instantiate(Values),
    Shift(i64),
    Fact { formula: Condition, constraint: Option<Condition>, algebra: bool, sides: Option<(NodeId, NodeId)> },
}

struct Condition {
    expr: ExprId,
    text: Text,
    lit: Lit,
}

#[derive(Default)]
struct Values {
    list: Vec<(u32, ExprId, Text)>,
    bits: Vec<((u32, u32), Lit)>,
}

/// Reads a step.
pub fn plan(y: &Yaml, g: &mut Gather) -> Result<Plan, Diagnostic> {
    let rules = ["strengthen", "weaken", "conjoin", "compose", "split", "instantiate", "shift", "fact"];
    let mut known = rules.to_vec();
    known.extend(["where", "then", "using", "with", "by"]);
    let f = Fields::new(y, &known)?;
    let given: Vec<&str> = rules.iter().copied().filter(|r| f.get(r).is_some()).collect();
    let [rule] = given.as_slice() else {
        return Err(wrong(y.span, "a step has exactly one rule").help(format!("the rules are {}", rules.join(", "))));
    };
    let only = |allowed: &[&str]| -> Result<(), Diagnostic> {
        let extra =
            ["where", "then", "using", "with", "by"].into_iter().find(|k| f.get(k).is_some() && !allowed.contains(k));
        match extra {
            Some(k) => Err(wrong(f.get(k).map_or(y.span, |v| v.span), format!("`{rule}` has no `{k}`"))),
            None => Ok(()),
        }
    };
    let mut condition = |y: &Yaml| -> Result<Condition, Diagnostic> {
        let t = text(y)?;
        Ok(Condition { expr: g.exprs.add(&t, Use::Truth), text: t, lit: Lit::FALSE })
    };
    let mut of = if *rule == "fact" { Vec::new() } else { texts(f.get(rule))? };
    let kind = match *rule {
        "strengthen" => {
            only(&["where"])?;
            Kinds::Strengthen(condition(f.need("where")?)?)
        }
        "split" => {
            only(&["where"])?;
            Kinds::Split(condition(f.need("where")?)?)
        }
        "weaken" => {
            only(&["then", "using"])?;
            let list = sentences(Some(f.need("then")?), &Loops::new(), &[])?;
            if let Some(s) = list.iter().find(|s| s.when == When::Always) {
                return Err(wrong(s.whole.whole(), "`always` has no end in a theorem").help("write from TIME to TIME"));
            }
            let list = list.iter().map(|s| g.sentence(s)).collect::<Result<Vec<_>, _>>()?;
            Kinds::Weaken(list, Vec::new())
        }
        "conjoin" => {
            only(&[])?;
            Kinds::Conjoin
        }
        "compose" => {
            only(&["with"])?;
            Kinds::Compose(values(f.get("with"), g)?)
        }
        "instantiate" => {
            only(&["with"])?;
            Kinds::Instantiate(values(Some(f.need("with")?), g)?)
        }
        "shift" => {
            only(&["by"])?;
            let t = text(f.need("by")?)?;
            Kinds::Shift(super::sentence::number(&t, &|_| None)?)
        }
        _ => {
            only(&["where", "by"])?;
            let formula = condition(f.need("fact")?)?;
            let constraint = f.get("where").map(condition).transpose()?;
            let algebra = match f.text("by")?.as_ref().map(|t| (t.text.as_str(), t)) {
                Some(("algebra", _)) => true,
                None | Some(("sat", _)) => false,
                Some((_, t)) => return Err(wrong(t.whole(), "a fact is shown by `algebra` or by `sat`")),
            };
            Kinds::Fact { formula, constraint, algebra, sides: None }
        }
    };
    if of.is_empty() && *rule != "fact" {
        return Err(wrong(y.span, format!("`{rule}` names no theorem")));
    }
    of.dedup();
    Ok(Plan { of, kind, using: texts(f.get("using"))?, span: y.span })
}

fn values(y: Option<&Yaml>, g: &mut Gather) -> Result<Values, Diagnostic> {
    let mut v = Values::default();
    match y.map(|y| (&y.kind, y)) {
        None => {}
        Some((Kind::Map(m), _)) => {
            for (name, e) in m {
                let (vector, width) = g.vector(name)?;
                let t = text(e)?;
                v.list.push((vector, g.exprs.add(&t, Use::Value(width)), t));
            }
        }
        Some((_, y)) => return Err(wrong(y.span, "`with` is a map from vectors to values")),
    }
    Ok(v)
}

impl Values {
    fn build(&mut self, b: &mut Build) -> Result<(), Diagnostic> {
        for (v, e, t) in &self.list {
            for (i, l) in b.bits(*e, t)?.into_iter().enumerate() {
                self.bits.push(((*v, i as u32), l));
            }
        }
        Ok(())
    }
}

impl Plan {
    /// Turns expressions into formulas.
    pub fn build(&mut self, b: &mut Build) -> Result<(), Diagnostic> {
        let set = |c: &mut Condition, b: &mut Build| -> Result<(), Diagnostic> {
            c.lit = b.truth(c.expr, &c.text)?;
            Ok(())
        };
        match &mut self.kind {
            Kinds::Strengthen(c) | Kinds::Split(c) => set(c, b)?,
            Kinds::Weaken(list, claims) => {
                for (i, s) in list.iter().enumerate() {
                    claims.extend(b.claims(s, 0, i as u32)?);
                }
            }
            Kinds::Compose(v) | Kinds::Instantiate(v) => v.build(b)?,
            Kinds::Fact { formula, constraint, sides, .. } => {
                set(formula, b)?;
                if let Some(c) = constraint {
                    set(c, b)?;
                }
                *sides = b.sides(formula.expr);
            }
            Kinds::Conjoin | Kinds::Shift(_) => {}
        }
        Ok(())
    }

    /// The consequent it asks for, if it asks for one.
    pub fn consequent(&self) -> Option<&[Claim]> {
        match &self.kind {
            Kinds::Weaken(_, claims) => Some(claims),
            _ => None,
        }
    }

    /// Carries it out.
    pub fn apply(
        &self,
        name: &str,
        k: &mut Kernel,
        c: &Circuit,
        words: &Arc<Design>,
        of: &[Theorem],
        using: &[Theorem],
    ) -> Result<Theorem, Refused> {
        let first = || {
            of.first().ok_or(Refused { rule: "step", why: "there is no theorem".into(), counterexample: Vec::new() })
        };
        let all: Vec<&Theorem> = of.iter().collect();
        let facts: Vec<&Theorem> = using.iter().collect();
        match &self.kind {
            Kinds::Strengthen(c) => k.strengthen(name, first()?, c.lit),
            Kinds::Weaken(_, claims) => k.weaken(name, first()?, claims.clone(), &facts),
            Kinds::Conjoin => k.conjoin(name, &all),
            Kinds::Compose(v) => {
                let mut made = first()?.clone();
                for next in &of[1..] {
                    let mut with = v.bits.clone();
                    with.retain(|w| next.statement().vectors(&k.terms).contains(&w.0.0));
                    with.extend(border(&mut k.terms, &made, next, &v.bits));
                    made = k.compose(name, &made, next, with)?;
                }
                Ok(made)
            }
            Kinds::Split(c) => k.split(name, &all, c.lit),
            Kinds::Instantiate(v) => k.instantiate(name, first()?, v.bits.clone()),
            Kinds::Shift(by) => k.shift(name, c, first()?, *by),
            Kinds::Fact { formula, constraint, algebra: false, .. } => {
                k.valid(name, constraint.as_ref().map_or(Lit::TRUE, |c| c.lit), formula.lit)
            }
            Kinds::Fact { formula, sides, constraint, .. } => {
                let no = |why: &str| Refused { rule: "arithmetic fact", why: why.into(), counterexample: Vec::new() };
                if constraint.is_some() {
                    return Err(no("algebra knows no constraint; leave `where` out or use `by: sat`"));
                }
                if formula.lit == Lit::TRUE {
                    return k.valid(name, Lit::TRUE, Lit::TRUE);
                }
                let (left, right) = (*sides).ok_or_else(|| no("it is no equality of two words"))?;
                k.algebra(name, Identity { design: words.clone(), left, right }, formula.lit)
            }
        }
    }
}

/// Values for vectors of the second theorem that the first does not know: what the first says of the nodes that they are
/// bound to.
fn border(terms: &mut Terms, first: &Theorem, second: &Theorem, given: &[((u32, u32), Lit)]) -> Vec<((u32, u32), Lit)> {
    let known = first.statement().vectors(terms);
    let mut says: FxHashMap<crate::ste::Atom, Lit> = FxHashMap::default();
    for c in first.statement().consequent.iter().chain(&first.statement().antecedent) {
        if let (Some(a), Lit::TRUE) = (c.atom, c.guard) {
            let (a, flip) = plain(a);
            says.entry(a).or_insert(c.value.xor(flip));
        }
    }
    let mut list: Vec<((u32, u32), Lit)> = Vec::new();
    let mut done: rustc_hash::FxHashSet<(u32, u32)> = given.iter().map(|g| g.0).collect();
    for c in &second.statement().antecedent {
        let (Some(a), Lit::TRUE) = (c.atom, c.guard) else { continue };
        let Some(Leaf::Var(v, b)) = terms.leaf_of(terms.gates()[c.value.gate().0 as usize]) else { continue };
        let (a, flip) = plain(a);
        if !known.contains(&v) && done.insert((v, b)) {
            // Where the first says nothing as plain as an equation, the vector is what the node is.
            let value = says.get(&a).copied().unwrap_or_else(|| terms.leaf(Leaf::Atom(a)));
            list.push(((v, b), value.xor(flip ^ c.value.complement())));
        }
    }
    list
}
