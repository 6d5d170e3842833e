//! Attacks on the proof kernel and on the replay of certificates.
//!
//! Wrong uses of each rule must be refused with their own reason, wrong certificates must not be confirmed, and
//! whatever is proved or confirmed must be true by brute force over all runs of tiny circuits. `ENTAIL_SEED` seeds,
//! `ENTAIL_PROOF_TIMES` multiplies the number of random cases.

#[allow(dead_code)]
mod support_proof;
#[allow(dead_code)]
mod support_ste;

use entail::net::{Builder, Gate, Lit, Memory};
use entail::proof::file::{self, ProofFile, RuleFile};
use entail::proof::kernel::LATEST;
use entail::proof::replay::{Said, replay};
use entail::proof::second::{Effort, confirm};
use entail::proof::words::IdentityFile;
use entail::proof::{Kernel, Refused, Statement, Theorem};
use entail::source::Span;
use entail::ste::check::Answer;
use entail::ste::realise::{Run, Wanted, judge, realise};
use entail::ste::{self, Assertion, Atom, Circuit, Claim, Clocking, Leaf, Place, Start, Terms};
use entail::word::Bits;
use fastrand::Rng;
use rustc_hash::FxHashSet;
use std::time::Instant;
use support_proof::bench::*;
use support_proof::truth::{Judge, Verdict};
use support_proof::{calm, edit};
use support_ste::case::{self as cases, Case, Expr, Said as Claimed, Style, YES};
use support_ste::circuit::{Shape, netlist};
use support_ste::look::{plain, random_run};
use support_ste::number;

/// That a rule refuses, for that reason.
#[track_caller]
fn refuses<T>(rule: &str, why: &str, done: Result<T, Refused>) {
    match done {
        Ok(_) => panic!("accepted: {rule}, {why}"),
        Err(e) => assert!(e.rule == rule && e.why.contains(why), "expected {rule}: {why}\n     got {e}"),
    }
}

// ---------------------------------------------------------------------------------------------------------------
// 1. Rules

/// Theorems to attack with.
struct Attack {
    k: Kernel,
    p: Pipe,
    /// Vectors x, y, z of one bit, w and u of two.
    x: Lit,
    y: Lit,
    z: Lit,
    w: [Lit; 2],
    /// a@0 = x, b@0 = y gives r1@1 = x ^ y.
    first: Theorem,
    /// r1@1 = z gives r2@2 = z.
    second: Theorem,
}

fn attack() -> Attack {
    let p = pipe(false, Start::Any);
    let mut t = terms(&[("x", 1), ("y", 1), ("z", 1), ("w", 2), ("u", 2)]);
    let (x, y, z, w) = (t.var(0, 0), t.var(1, 0), t.var(2, 0), [t.var(3, 0), t.var(3, 1)]);
    let differ = t.xor(x, y);
    let mut k = Kernel::new(t);
    let first = run(&mut k, &p.c, Lit::TRUE, &[is(p.a, 0, x), is(p.b, 0, y)], &[is(p.r1, 1, differ)]);
    let later = run(&mut k, &p.c, Lit::TRUE, &[is(p.r1, 0, z)], &[is(p.r2, 1, z)]);
    let second = k.shift("later", &p.c, &later, 1).expect("later");
    Attack { k, p, x, y, z, w, first, second }
}

#[test]
fn composition_needs_every_border_signal_as_it_is() {
    const RULE: &str = "composition";
    let Attack { mut k, p, x, y, z, w, first, second } = attack();
    let d = k.terms.xor(x, y);
    let z_is = |l: Lit| vec![((2, 0), l)];
    let whole = k.compose("right", &first, &second, z_is(d)).expect("the right use");
    assert_eq!(whole.statement().consequent.len(), 2);
    // A signal left out: the second needs b, too.
    let more = run(&mut k, &p.c, Lit::TRUE, &[is(p.r1, 1, z), is(p.b, 1, y)], &[is(p.r2, 2, z)]);
    refuses(RULE, "of which the first says nothing", k.compose("", &first, &more, z_is(d)));
    // At a shifted time.
    let late = k.shift("", &p.c, &second, 1).expect("later");
    refuses(RULE, "of which the first says nothing", k.compose("", &first, &late, z_is(d)));
    // A time of which the first speaks, and says something else.
    let both = run(&mut k, &p.c, Lit::TRUE, &[is(p.a, 0, x), is(p.b, 0, y), is(p.r1, 0, w[0])], &[is(p.r1, 1, d)]);
    let early = run(&mut k, &p.c, Lit::TRUE, &[is(p.r1, 0, z)], &[is(p.r2, 1, z)]);
    refuses(RULE, "what the second starts from does not follow", k.compose("", &both, &early, z_is(d)));
    // Complemented.
    let not = run(&mut k, &p.c, Lit::TRUE, &[is(!p.r1, 1, z)], &[is(!p.r2, 2, z)]);
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &not, z_is(d)));
    k.compose("", &first, &not, z_is(!d)).expect("complemented twice");
    // Another bit, of the same name or not.
    let other = run(&mut k, &p.c, Lit::TRUE, &[is(p.r2, 1, z)], &[is(p.r2, 1, z)]);
    refuses(RULE, "of which the first says nothing", k.compose("", &first, &other, z_is(d)));
    // Another netlist, though only in what the border does not show; and a fact, which is about none.
    let q = pipe(true, Start::Any);
    let foreign = run(&mut k, &q.c, Lit::TRUE, &[is(q.r1, 1, z)], &[is(!q.r2, 2, z)]);
    refuses(RULE, "different circuits", k.compose("", &first, &foreign, z_is(d)));
    let fact = k.valid("", z, z).expect("a fact");
    refuses(RULE, "different circuits", k.compose("", &first, &fact, vec![]));
    refuses(RULE, "different circuits", k.compose("", &fact, &first, vec![]));
    // The second's constraint.
    let narrow = run(&mut k, &p.c, z, &[is(p.r1, 1, z)], &[is(p.r2, 2, Lit::TRUE)]);
    refuses(RULE, "the second's constraint does not follow", k.compose("", &first, &narrow, z_is(d)));
    let free = run(&mut k, &p.c, w[0], &[is(p.r1, 1, z)], &[is(p.r2, 2, z)]);
    refuses(RULE, "the second's constraint does not follow", k.compose("", &first, &free, z_is(d)));
    // Values: the wrong ones, none, and a first that says it only where a guard is.
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &second, z_is(x)));
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &second, z_is(!d)));
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &second, vec![]));
    let partly = k.weaken("", &first, vec![Claim { guard: x, ..is(p.r1, 1, d) }], &[]).expect("less");
    refuses(RULE, "what the second starts from does not follow", k.compose("", &partly, &second, z_is(d)));
    // The other way round.
    refuses(RULE, "of which the first says nothing", k.compose("", &second, &first, vec![]));
    // Vectors: swapped, half, twice, none, a bit beyond, values of nodes.
    let wide = run(&mut k, &p.c, Lit::TRUE, &[is(p.a, 0, w[0]), is(p.b, 0, w[1])], &[is(p.a, 0, w[0])]);
    let swapped = vec![((3, 0), y), ((3, 1), x)];
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &wide, swapped));
    k.compose("", &first, &wide, vec![((3, 0), x), ((3, 1), y)]).expect("in the right order");
    refuses(RULE, "some bits of `w` and not others", k.compose("", &first, &wide, vec![((3, 0), x)]));
    refuses(RULE, "a bit twice", k.compose("", &first, &second, vec![((2, 0), d), ((2, 0), d)]));
    refuses(RULE, "a vector that there is not", k.compose("", &first, &second, vec![((9, 0), d)]));
    refuses(RULE, "a vector that there is not", k.compose("", &first, &second, vec![((2, 1), d)]));
    let node = k.terms.leaf(Leaf::Atom(at(p.r1, 1)));
    // A value may be what a node is; the statement is judged below. A node of which the first says nothing is no value.
    k.compose("", &first, &second, z_is(node)).expect("what the border is");
    let elsewhere = k.terms.leaf(Leaf::Atom(at(p.r2, 1)));
    refuses(RULE, "what the second starts from does not follow", k.compose("", &first, &second, z_is(elsewhere)));
    // A memory word or node that there is not is a signal like any other.
    let mut judge = Judge::default();
    for s in k.steps() {
        let c = if s.statement.circuit == Some(q.c.hash()) { &q.c } else { &p.c };
        assert!(matches!(judge.judge(c, &k.terms, &s.statement), Verdict::True(_)), "{}", s.name);
    }
}

#[test]
fn composition_of_an_adder_needs_the_right_bit() {
    const RULE: &str = "composition";
    let d = adder();
    let mut t = terms(&[("w", 2), ("u", 2), ("c", 1)]);
    let (w, u, c) = ([t.var(0, 0), t.var(0, 1)], [t.var(1, 0), t.var(1, 1)], t.var(2, 0));
    let (low, carry) = (t.xor(w[0], u[0]), t.and(w[0], u[0]));
    let half = t.xor(w[1], u[1]);
    let high = t.xor(half, c);
    let mut k = Kernel::new(t);
    let given = [is(d.a[0], 0, w[0]), is(d.b[0], 0, u[0]), is(d.a[1], 0, w[1]), is(d.b[1], 0, u[1])];
    let first = run(&mut k, &d.c, Lit::TRUE, &given, &[is(d.s[0], 0, low), is(d.carry, 0, carry)]);
    let upper = [is(d.a[1], 0, w[1]), is(d.b[1], 0, u[1])];
    let from = |l: Lit| [upper[0], upper[1], is(l, 0, c)];
    let second = run(&mut k, &d.c, Lit::TRUE, &from(d.carry), &[is(d.s[1], 0, high)]);
    k.compose("right", &first, &second, vec![((2, 0), carry)]).expect("the carry");
    refuses(RULE, "does not follow", k.compose("", &first, &second, vec![((2, 0), low)]));
    // The sum where the carry should be; the carry of the other stage.
    let sum = run(&mut k, &d.c, Lit::TRUE, &from(d.s[0]), &[is(d.s[0], 0, c)]);
    refuses(RULE, "does not follow", k.compose("", &first, &sum, vec![((2, 0), carry)]));
    let top = run(&mut k, &d.c, Lit::TRUE, &[is(d.s[2], 0, c)], &[is(d.s[2], 0, c)]);
    refuses(RULE, "of which the first says nothing", k.compose("", &first, &top, vec![((2, 0), carry)]));
    // Vectors exchanged, where that matters: an upper half that is given to the lower one.
    let swap = vec![((0, 0), w[1]), ((0, 1), w[0]), ((2, 0), carry)];
    refuses(RULE, "does not follow", k.compose("", &first, &second, swap));
}

#[test]
fn splitting_strengthening_and_weakening_only_say_what_follows() {
    let Attack { mut k, p, x, y, z, w, first, .. } = attack();
    let d = k.terms.xor(x, y);
    let given = [is(p.a, 0, x), is(p.b, 0, y)];
    let on = run(&mut k, &p.c, x, &given, &[is(p.r1, 1, d)]);
    let off = run(&mut k, &p.c, !x, &given, &[is(p.r1, 1, d)]);
    k.split("right", &[&on, &off], Lit::TRUE).expect("both cases");
    const SPLIT: &str = "case split";
    refuses(SPLIT, "leave something out", k.split("", &[&on], Lit::TRUE));
    refuses(SPLIT, "leave something out", k.split("", &[&on, &on], Lit::TRUE));
    refuses(SPLIT, "leave something out", k.split("", &[&on], y));
    refuses(SPLIT, "no cases", k.split("", &[], Lit::FALSE));
    let less = run(&mut k, &p.c, !x, &[is(p.a, 0, x), is(p.b, 0, y), is(p.r2, 0, z)], &[is(p.r1, 1, d)]);
    refuses(SPLIT, "different antecedents", k.split("", &[&on, &less], Lit::TRUE));
    let guarded = [Claim { guard: y, ..given[0] }, given[1]];
    let differs = run(&mut k, &p.c, !x, &[guarded[0], given[0], given[1]], &[is(p.r1, 1, d)]);
    refuses(SPLIT, "different antecedents", k.split("", &[&on, &differs], Lit::TRUE));
    let other = run(&mut k, &p.c, !x, &given, &[is(p.r1, 1, y)]);
    refuses(SPLIT, "different consequents", k.split("", &[&on, &other], Lit::TRUE));
    let later = run(&mut k, &p.c, !x, &given, &[is(p.x, 0, d)]);
    refuses(SPLIT, "different consequents", k.split("", &[&on, &later], Lit::TRUE));
    let q = pipe(true, Start::Any);
    let foreign = run(&mut k, &q.c, !x, &given, &[is(p.r1, 1, d)]);
    refuses(SPLIT, "different circuits", k.split("", &[&on, &foreign], Lit::TRUE));
    let node = k.terms.leaf(Leaf::Atom(at(p.r1, 1)));
    refuses(SPLIT, "speaks of nodes", k.split("", &[&on, &off], node));

    const STRONG: &str = "strengthening";
    refuses(STRONG, "allows what the old one does not", k.strengthen("", &on, Lit::TRUE));
    refuses(STRONG, "allows what the old one does not", k.strengthen("", &on, y));
    refuses(STRONG, "allows what the old one does not", k.strengthen("", &on, !x));
    let either = k.terms.or(x, y);
    refuses(STRONG, "allows what the old one does not", k.strengthen("", &on, either));
    refuses(STRONG, "speaks of nodes", k.strengthen("", &on, node));

    const WEAK: &str = "weakening";
    refuses(WEAK, "nothing is left", k.weaken("", &first, vec![], &[]));
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![is(p.r1, 1, x)], &[]));
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![is(p.r1, 2, d)], &[]));
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![is(!p.r1, 1, d)], &[]));
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![is(p.r2, 1, d)], &[]));
    let two = vec![is(p.r1, 1, d), is(p.a, 0, y)];
    refuses(WEAK, "claim 1 of the new consequent", k.weaken("", &first, two, &[]));
    // Another node of the netlist is no part of the logic, even where the netlist makes it so.
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![is(p.x, 0, d)], &[]));
    refuses(WEAK, "about a circuit", k.weaken("", &first, vec![is(p.r1, 1, d)], &[&on]));
    refuses(WEAK, "about a circuit", k.weaken("", &first, vec![is(p.r1, 1, d)], &[&first]));
    // Facts: false ones cannot be had, others do not help, and those with a constraint help only there.
    refuses("fact", "does not hold for all values", k.valid("", Lit::TRUE, x));
    refuses("fact", "does not hold for all values", k.valid("", x, y));
    refuses("fact", "does not hold for all values", k.valid("", Lit::TRUE, Lit::FALSE));
    refuses("fact", "speaks of nodes", k.valid("", Lit::TRUE, node));
    refuses("fact", "speaks of nodes", k.valid("", node, Lit::TRUE));
    let either = k.terms.or(w[0], !w[0]);
    let irrelevant = k.valid("", Lit::TRUE, either).expect("a fact");
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![says(x)], &[&irrelevant]));
    let where_x = k.valid("", x, x).expect("a fact");
    refuses(WEAK, "claim 0 of the new consequent", k.weaken("", &first, vec![says(x)], &[&where_x]));
    refuses("fact", "it would be vacuous", k.valid("", Lit::FALSE, Lit::FALSE));

    const BOTH: &str = "conjunction";
    refuses(BOTH, "nothing to put together", k.conjoin("", &[]));
    refuses(BOTH, "constraints differ", k.conjoin("", &[&on, &off]));
    refuses(BOTH, "constraints differ", k.conjoin("", &[&first, &on]));
    refuses(BOTH, "antecedents differ", k.conjoin("", &[&off, &less]));
    refuses(BOTH, "different circuits", k.conjoin("", &[&off, &foreign]));
    refuses(BOTH, "different circuits", k.conjoin("", &[&first, &irrelevant]));
}

#[test]
fn vectors_and_times_are_replaced_as_a_whole_and_forwards() {
    let Attack { mut k, p, x, y, w, first, second, .. } = attack();
    const INST: &str = "instantiation";
    let wide = run(&mut k, &p.c, Lit::TRUE, &[is(p.a, 0, w[0]), is(p.b, 0, w[1])], &[is(p.a, 0, w[0])]);
    refuses(INST, "some bits of `w` and not others", k.instantiate("", &wide, vec![((3, 1), x)]));
    refuses(INST, "a bit twice", k.instantiate("", &wide, vec![((3, 0), x), ((3, 1), y), ((3, 0), x)]));
    refuses(INST, "a vector that there is not", k.instantiate("", &first, vec![((5, 0), x)]));
    refuses(INST, "a vector that there is not", k.instantiate("", &first, vec![((u32::MAX, 0), x)]));
    refuses(INST, "a vector that there is not", k.instantiate("", &first, vec![((0, 1), x)]));
    let node = k.terms.leaf(Leaf::Atom(at(p.r1, 1)));
    refuses(INST, "speaks of nodes", k.instantiate("", &first, vec![((0, 0), node)]));
    // All at once: x and y change places.
    let t = k.instantiate("", &wide, vec![((3, 0), w[1]), ((3, 1), w[0])]).expect("all at once");
    assert_eq!(t.statement().antecedent[0].value, w[1]);
    assert_eq!(t.statement().antecedent[1].value, w[0]);

    const SHIFT: &str = "time shift";
    refuses(SHIFT, "earlier times", k.shift("", &p.c, &second, -1));
    refuses(SHIFT, "earlier times", k.shift("", &p.c, &first, i64::MIN));
    refuses(SHIFT, "earlier times", k.shift("", &p.c, &first, 1 << 32));
    refuses(SHIFT, "too late", k.shift("", &p.c, &first, i64::from(LATEST) + 1));
    let q = pipe(true, Start::Any);
    refuses(SHIFT, "another circuit", k.shift("", &q.c, &first, 1));
    let fact = k.valid("", Lit::TRUE, Lit::TRUE).expect("a fact");
    refuses(SHIFT, "another circuit", k.shift("", &p.c, &fact, 1));
    let i = pipe(false, Start::Initial);
    let at_start = run(&mut k, &i.c, Lit::TRUE, &[], &[is(i.r1, 0, Lit::FALSE)]);
    refuses(SHIFT, "initial state", k.shift("", &i.c, &at_start, 1));
    refuses(SHIFT, "another circuit", k.shift("", &p.c, &at_start, 1));

    const MODEL: &str = "model equality";
    k.model("", &first, &pipe(false, Start::Any).c).expect("made twice, and the same");
    refuses(MODEL, "not the same", k.model("", &first, &q.c));
    refuses(MODEL, "not the same", k.model("", &first, &i.c));
    refuses(MODEL, "not the same", k.model("", &fact, &p.c));
    let phases = Circuit::new(p.c.net.clone(), Clocking::Phases, Start::Any);
    refuses(MODEL, "not the same", k.model("", &first, &phases));
    let mut net = p.c.net.clone();
    net.registers[0].init = None;
    let open = Circuit::new(net, p.c.clocking.clone(), Start::Any);
    refuses(MODEL, "not the same", k.model("", &first, &open));
}

#[test]
fn theorems_of_another_kernel_are_refused_by_every_rule() {
    const WHY: &str = "a theorem of another kernel";
    let Attack { mut k, p, x, first, second, .. } = attack();
    let foreign = attack();
    let (f, g) = (&foreign.first, &foreign.second);
    let keep = first.statement().consequent.clone();
    refuses("strengthening", WHY, k.strengthen("", f, x));
    refuses("weakening", WHY, k.weaken("", f, keep.clone(), &[]));
    refuses("weakening", WHY, k.weaken("", &first, keep, &[f]));
    refuses("conjunction", WHY, k.conjoin("", &[&first, f]));
    refuses("conjunction", WHY, k.conjoin("", &[f]));
    refuses("composition", WHY, k.compose("", f, &second, vec![]));
    refuses("composition", WHY, k.compose("", &first, g, vec![]));
    refuses("case split", WHY, k.split("", &[&first, f], x));
    refuses("instantiation", WHY, k.instantiate("", f, vec![]));
    refuses("time shift", WHY, k.shift("", &p.c, f, 1));
    refuses("model equality", WHY, k.model("", f, &p.c));
}

#[test]
fn an_evaluation_needs_its_own_circuit_formulas_and_a_run() {
    const RULE: &str = "trajectory evaluation";
    let Attack { mut k, p, x, y, .. } = attack();
    let d = k.terms.xor(x, y);
    let a = assertion(Lit::TRUE, &[is(p.a, 0, x), is(p.b, 0, y)], &[is(p.r1, 1, d)]);
    let (seen, good) = see(&k.terms, &p.c, &a).expect("it holds");
    let q = pipe(true, Start::Any);
    refuses(RULE, "another circuit", k.run("", &q.c, seen.clone(), good.clone()));
    let mut other = Kernel::new(terms(&[("x", 1), ("y", 1), ("z", 1), ("w", 2), ("u", 2)]));
    refuses(RULE, "other formulas", other.run("", &p.c, seen.clone(), good.clone()));
    let mut with = |change: &dyn Fn(&mut Run), why: &str| {
        let mut run = good.clone();
        change(&mut run);
        refuses(RULE, why, k.run("", &p.c, seen.clone(), run));
    };
    with(&|r| r.assignment.0[0] = Bits::from_u64(!r.assignment.0[0].bit(0) as u64, 1), "it may be vacuous");
    with(&|r| r.assignment.0[3] = Bits::zero(3), "other vectors");
    with(&|r| r.assignment.0[0] = Bits::zero(0), "other vectors");
    with(&|r| _ = r.assignment.0.pop(), "too short");
    with(&|r| r.assignment.0.push(Bits::zero(1)), "too short");
    with(&|r| _ = r.phases.pop(), "too short");
    with(&|r| r.phases.clear(), "too short");
    let flip = |r: &mut Run, phase: usize, l: Lit| {
        r.phases[phase].iter_mut().filter(|i| i.0 == l.gate().0).for_each(|i| i.1 = !i.1);
    };
    with(&|r| flip(r, 0, p.clk), "does not tick");
    with(&|r| flip(r, 1, p.clk), "does not tick");
    with(&|r| r.phases[0].retain(|i| i.0 != p.clk.gate().0), "does not tick");
    with(&|r| r.phases[1].push((p.a.gate().0, false)), "moves with the clock");
    with(&|r| r.phases[0].push((p.r1.gate().0, false)), "sets what is no input");
    with(&|r| r.phases[2].push((p.x.gate().0, false)), "sets what is no input");
    with(&|r| r.phases[2].push((9999, false)), "sets what is no input");
    with(&|r| r.start.push((p.x.gate().0, false)), "starts what is no state");
    with(&|r| r.start.push((9999, false)), "starts what is no state");
    with(&|r| r.words.push((0, 0, 0, false)), "a word that there is not");
    // A start that is not the design's.
    let i = pipe(false, Start::Initial);
    let a = assertion(Lit::TRUE, &[is(i.a, 0, x), is(i.b, 0, y)], &[is(i.r1, 1, d)]);
    let (seen, mut run) = see(&k.terms, &i.c, &a).expect("it holds");
    run.start.push((i.r2.gate().0, true));
    refuses(RULE, "does not start as the design does", k.run("", &i.c, seen, run));
}

#[test]
fn arithmetic_facts_must_be_true() {
    const RULE: &str = "arithmetic fact";
    let Attack { mut k, p, .. } = attack();
    let (right, equal) = identity(&mut k.terms, &distributes(true));
    let (wrong, other) = identity(&mut k.terms, &distributes(false));
    refuses(RULE, "the sides differ", k.algebra("", wrong, other));
    let node = k.terms.leaf(Leaf::Atom(at(p.r1, 1)));
    refuses(RULE, "speaks of nodes", k.algebra("", right.clone(), node));
    let t = k.algebra("", right, equal).expect("it distributes");
    assert!(matches!(Judge::default().judge(&p.c, &k.terms, t.statement()), Verdict::True(_)));
}

// ---------------------------------------------------------------------------------------------------------------
// 1b. Ways around the rules

/// `algebra` does not believe its caller that the formula is the equality.
#[test]
fn the_formula_of_an_arithmetic_fact_is_the_equality_of_its_words() {
    for which in 0..3 {
        let Attack { mut k, p, x, .. } = attack();
        let (right, equal) = identity(&mut k.terms, &distributes(true));
        let formula = [x, Lit::FALSE, !equal][which];
        if let Ok(t) = k.algebra("", right, formula) {
            let verdict = Judge::default().judge(&p.c, &k.terms, t.statement());
            panic!("formula {which} of an unrelated identity became a fact: {verdict:?}");
        }
    }
}

/// The parts of a circuit can be changed after it is made; it has another hash then.
#[test]
fn a_circuit_that_was_changed_is_another() {
    let Attack { mut k, p, first, .. } = attack();
    let mut changed = p.c.clone();
    changed.net.registers[1].next = Lit::TRUE;
    let a = assertion(Lit::TRUE, &[], &[is(p.r2, 1, Lit::TRUE)]);
    if let Some((seen, run)) = see(&k.terms, &changed, &a)
        && let Ok(t) = k.run("", &changed, seen, run)
    {
        let verdict = Judge::default().judge(&p.c, &k.terms, t.statement());
        assert!(t.statement().circuit != first.statement().circuit, "proved of the unchanged circuit: {verdict:?}");
    }
}

#[test]
fn a_start_that_was_changed_does_not_allow_later_times() {
    let i = pipe(false, Start::Initial);
    let mut k = Kernel::new(terms(&[("x", 1)]));
    let t = run(&mut k, &i.c, Lit::TRUE, &[], &[is(i.r1, 0, Lit::FALSE)]);
    let mut changed = i.c.clone();
    changed.start = Start::Any;
    if let Ok(t) = k.shift("", &changed, &t, 1) {
        let verdict = Judge::default().judge(&i.c, &k.terms, t.statement());
        panic!("shifted: {verdict:?}");
    }
}

/// The formulas of a kernel can be exchanged for others in which literals mean something else.
#[test]
fn formulas_that_were_exchanged_make_another_kernel() {
    let p = pipe(false, Start::Any);
    let mut t = terms(&[("x", 1), ("y", 1)]);
    let (x, y) = (t.var(0, 0), t.var(1, 0));
    let both = t.and(x, y);
    let mut k = Kernel::new(t);
    let fact = k.valid("", both, x).expect("x and y, so x");
    // The same number, another meaning.
    let mut other = terms(&[("x", 1), ("y", 1)]);
    let (x, y) = (other.var(0, 0), other.var(1, 0));
    let differ = other.xor(x, y);
    assert_eq!(differ, both);
    k.terms = other;
    if let Ok(t) = k.strengthen("", &fact, differ) {
        let verdict = Judge::default().judge(&p.c, &k.terms, t.statement());
        panic!("a theorem made with other formulas is used: {verdict:?}");
    }
}

/// A run may not stop its clock, nor set the state at the start under another name.
#[test]
fn runs_that_are_none_do_not_fit() {
    let i = pipe(false, Start::Initial);
    let t = terms(&[("x", 1)]);
    let wrong = |a: &Assertion, change: &dyn Fn(&mut Run)| {
        let mut run = Run { assignment: ste::set::Assignment(vec![Bits::zero(1)]), ..Run::default() };
        let clk = i.clk.gate().0;
        run.phases = (0..i.c.phases(a.last(&t))).map(|p| vec![(clk, p % 2 == 1)]).collect();
        change(&mut run);
        judge(&i.c, &t, a, &run).is_ok_and(|s| s.fits)
    };
    // r1 is 0 at the start, so nothing fits this.
    let a = assertion(Lit::TRUE, &[is(i.r1, 0, Lit::TRUE)], &[is(i.r1, 0, Lit::TRUE)]);
    let none = realise(&i.c, &t, &a, Wanted::Witness, None, &control()).expect("no limit");
    assert!(none.is_none());
    let r1 = i.r1.gate().0;
    let by_before = wrong(&a, &|r| r.before.push((r1, true)));
    // r1 takes a ^ b, which is 1.
    let given = [is(i.a, 0, Lit::TRUE), is(i.b, 0, Lit::FALSE), is(i.r1, 1, Lit::FALSE)];
    let a = assertion(Lit::TRUE, &given, &[is(i.r1, 1, Lit::FALSE)]);
    let none = realise(&i.c, &t, &a, Wanted::Witness, None, &control()).expect("no limit");
    assert!(none.is_none());
    let by_clock = wrong(&a, &|r| {
        r.phases[0].push((i.a.gate().0, true));
        r.phases[1].clear();
        r.phases[2].clear();
    });
    assert!(!by_before && !by_clock, "fits: state set by `before` {by_before}, clock that stands still {by_clock}");
}

/// Times add up.
#[test]
fn shifting_again_and_again_ends() {
    let p = pipe(false, Start::Any);
    let mut k = Kernel::new(terms(&[("x", 1)]));
    let x = k.terms.var(0, 0);
    let mut t = run(&mut k, &p.c, Lit::TRUE, &[is(p.r1, 0, x)], &[is(p.r2, 1, x)]);
    let done = calm(|| {
        for _ in 0..4100 {
            match k.shift("", &p.c, &t, i64::from(LATEST)) {
                Ok(next) => t = next,
                Err(e) => return e.why,
            }
        }
        "never".into()
    });
    let late = t.statement().antecedent[0].atom.map_or(0, |a| a.time);
    assert!(done.as_ref().is_ok_and(|why| why != "never"), "{done:?} at time {late}");
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Certificates

/// A proof by all rules.
fn proof() -> (Kernel, Pipe) {
    let Attack { mut k, p, x, y, z, first, second, .. } = attack();
    let d = k.terms.xor(x, y);
    let given = [is(p.a, 0, x), is(p.b, 0, y)];
    let gate = run(&mut k, &p.c, Lit::TRUE, &given, &[is(p.x, 0, d)]);
    let both = k.conjoin("both", &[&first, &gate]).expect("conjoin");
    let whole = k.compose("whole", &both, &second, vec![((2, 0), d)]).expect("compose");
    let (words, equal) = identity(&mut k.terms, &distributes(true));
    let fact = k.algebra("fact", words, equal).expect("algebra");
    let weak = k.weaken("weak", &whole, vec![is(p.r2, 2, d), says(equal)], &[&fact]).expect("weaken");
    let on = run(&mut k, &p.c, x, &given, &[is(p.r1, 1, d)]);
    let off = run(&mut k, &p.c, !x, &given, &[is(p.r1, 1, d)]);
    let split = k.split("split", &[&on, &off], Lit::TRUE).expect("split");
    let inst = k.instantiate("inst", &split, vec![((0, 0), z), ((1, 0), Lit::TRUE)]).expect("instantiate");
    k.shift("shift", &p.c, &inst, 1).expect("shift");
    k.strengthen("strong", &weak, y).expect("strengthen");
    k.valid("valid", x, x).expect("valid");
    k.model("model", &weak, &p.c).expect("model");
    (k, p)
}

/// A proof of a circuit that starts as it is initialised, with an evaluation that leaves things out.
fn initial() -> (Kernel, Pipe) {
    let p = pipe(false, Start::Initial);
    let mut k = Kernel::new(terms(&[("x", 1)]));
    let x = k.terms.var(0, 0);
    let start = run(&mut k, &p.c, Lit::TRUE, &[], &[is(p.r1, 0, Lit::FALSE)]);
    let next = run(&mut k, &p.c, Lit::TRUE, &[], &[is(p.r2, 1, Lit::FALSE)]);
    k.conjoin("both", &[&start, &next]).expect("conjoin");
    let mut a =
        assertion(Lit::TRUE, &[is(p.a, 0, x), is(p.b, 0, x)], &[is(p.x, 0, Lit::FALSE), is(p.r1, 1, Lit::FALSE)]);
    a.weakened.insert((p.r2.gate().0, 0));
    a.hints.push(ste::order::Hint::Interleave(vec![0]));
    try_run(&mut k, &p.c, &a).expect("it holds");
    (k, p)
}

fn certificate(k: &Kernel, c: &Circuit) -> ProofFile {
    file::write(k, c, "test", "none", &[], &[], Some(k.steps().len() - 1))
}

fn small() -> Effort {
    Effort { nodes: 100_000, room: 2_000_000, gates: 50_000, conflicts: 20, solver_first: false }
}

/// What replay says: all confirmed, or what first is not.
fn replayed(f: &ProofFile) -> Result<entail::proof::replay::Rebuilt, String> {
    let (r, said) = replay(f, &small(), &mut |_, _| {})?;
    match said.iter().enumerate().find(|(_, s)| !matches!(s, Said::Confirmed(_))) {
        Some((i, s)) => Err(format!("step {i}: {s:?}")),
        None => Ok(r),
    }
}

fn through_text(f: &ProofFile) -> ProofFile {
    let text = serde_json::to_string(f).expect("a text");
    serde_json::from_str(&text).expect("the same again")
}

#[test]
fn certificates_of_valid_proofs_are_confirmed() {
    for (k, p) in [proof(), initial()] {
        let f = certificate(&k, &p.c);
        let back = through_text(&f);
        assert_eq!(f, back);
        let r = replayed(&back).expect("confirmed");
        assert_eq!(r.circuit.hash(), p.c.hash());
        assert_eq!(r.statements.len(), k.steps().len());
    }
}

/// Steps by name.
fn step(f: &mut ProofFile, name: &str) -> usize {
    f.steps.iter().position(|s| s.name == name).expect("a step of that name")
}

fn premises<'f>(f: &'f mut ProofFile, name: &str) -> &'f mut Vec<file::PremiseFile> {
    let i = step(f, name);
    match &mut f.steps[i].rule {
        RuleFile::Follows(_, p) => p,
        _ => panic!("no such rule"),
    }
}

type Change = (&'static str, fn(&mut ProofFile));

#[test]
fn changed_certificates_are_refused() {
    let changes: Vec<Change> = vec![
        ("rests on itself", |f| {
            let i = step(f, "whole");
            premises(f, "whole")[0].0 = i;
        }),
        ("rests on a later step", |f| premises(f, "both")[0].0 = 6),
        ("two steps rest on each other", |f| {
            let (i, j) = (step(f, "whole"), step(f, "weak"));
            *premises(f, "whole") = vec![(j, vec![])];
            *premises(f, "weak") = vec![(i, vec![])];
        }),
        ("rests on a step that there is not", |f| premises(f, "whole")[1].0 = usize::MAX),
        ("a premise less", |f| _ = premises(f, "both").pop()),
        ("no premises", |f| premises(f, "weak").clear()),
        ("another premise", |f| premises(f, "both")[0].0 = 1),
        ("a case is left out", |f| _ = premises(f, "split").pop()),
        ("a case twice", |f| premises(f, "split")[1] = premises(f, "split")[0].clone()),
        ("no values for the second's vectors", |f| premises(f, "whole")[1].1.clear()),
        ("the wrong value", |f| premises(f, "whole")[1].1[0].2 ^= 1),
        ("a value for another vector", |f| premises(f, "whole")[1].1[0].0 = 0),
        ("a value twice", |f| {
            let w = premises(f, "whole")[1].1[0];
            premises(f, "whole")[1].1.push(w);
        }),
        ("a value that there is not", |f| premises(f, "whole")[1].1[0].2 = u32::MAX),
        ("another instance", |f| premises(f, "inst")[0].1[1].2 ^= 1),
        ("a shift by more", |f| {
            let i = step(f, "shift");
            let RuleFile::Shift(of, by) = f.steps[i].rule.clone() else { panic!("a shift") };
            f.steps[i].rule = RuleFile::Shift(of, by + 1);
        }),
        ("a shift by nothing", |f| {
            let i = step(f, "shift");
            let RuleFile::Shift(of, _) = f.steps[i].rule.clone() else { panic!("a shift") };
            f.steps[i].rule = RuleFile::Shift(of, 0);
        }),
        ("a shift by too much", |f| {
            let i = step(f, "shift");
            f.steps[i].rule = RuleFile::Shift(0, u32::MAX);
        }),
        ("a shift of itself by nothing", |f| {
            let i = step(f, "shift");
            f.steps[i].rule = RuleFile::Shift(i, 0);
        }),
        ("a shift of a later step", |f| {
            let i = step(f, "shift");
            f.steps[i].rule = RuleFile::Shift(i + 1, 1);
        }),
        ("a shift of a fact", |f| {
            let (i, j) = (step(f, "fact"), step(f, "valid"));
            f.steps[j].statement = f.steps[i].statement.clone();
            f.steps[j].rule = RuleFile::Shift(i, 0);
        }),
        ("a fabricated step", |f| {
            let mut new = f.steps[0].clone();
            new.statement.consequent[0].2 ^= 1;
            new.rule = RuleFile::Follows("fact".into(), vec![]);
            f.steps.push(new);
        }),
        ("a fabricated step of the name of a rule", |f| {
            let mut new = f.steps[0].clone();
            new.rule = RuleFile::Follows("model equality".into(), vec![]);
            f.steps.push(new);
        }),
        ("a fabricated algebra", |f| {
            let i = step(f, "weak");
            f.steps[i].rule = RuleFile::Algebra(0);
        }),
        ("an identity that there is not", |f| {
            let i = step(f, "fact");
            f.steps[i].rule = RuleFile::Algebra(1);
        }),
        ("another identity", |f| f.identities[0].nodes[6].0 = "sub".into()),
        ("another side", |f| f.identities[0].right = 5),
        ("a side that there is not", |f| f.identities[0].left = u32::MAX),
        ("an operand that there is not", |f| f.identities[0].nodes[6].1[0] = 99),
        ("an operand of itself", |f| f.identities[0].nodes[6].1[0] = 6),
        ("a word too wide", |f| f.identities[0].nodes[6].2 = u32::MAX),
        ("a word of no bits", |f| f.identities[0].nodes[6].2 = 0),
        ("another input", |f| f.identities[0].nodes[0].0 = "input u".into()),
        ("an input that there is not", |f| f.identities[0].nodes[0].0 = "input q".into()),
        ("the fact says something else", |f| {
            let i = step(f, "fact");
            f.steps[i].statement.consequent[0].2 ^= 1;
        }),
        ("the fact says more", |f| {
            let i = step(f, "fact");
            f.steps[i].statement.consequent.push((None, 1, 0));
        }),
        ("the fact is about the circuit", |f| {
            let i = step(f, "fact");
            f.steps[i].statement.circuit = true;
        }),
        ("another gate", |f| {
            let i = f.circuit.gates.iter().position(|g| g[0] == 7).expect("the exclusive or");
            f.circuit.gates[i][0] = 6;
        }),
        ("a gate of other operands", |f| {
            let i = f.circuit.gates.iter().position(|g| g[0] == 7).expect("the exclusive or");
            f.circuit.gates[i][1] ^= 1;
        }),
        ("a gate that reads a later one", |f| {
            let i = f.circuit.gates.iter().position(|g| g[0] == 7).expect("the exclusive or");
            f.circuit.gates[i][1] = 2 * i as u32;
        }),
        ("a gate of no kind", |f| f.circuit.gates[3][0] = 9),
        ("a register loads something else", |f| f.circuit.registers[1].1 ^= 1),
        ("a register of another clock", |f| f.circuit.registers[0].2 ^= 1),
        ("a register under control", |f| f.circuit.registers[0].3.push((1, 0))),
        ("a register of another gate", |f| f.circuit.registers[0].0 = 1),
        ("a literal beyond the gates", |f| f.circuit.registers[0].1 = 1000),
        ("a register less", |f| _ = f.circuit.registers.pop()),
        ("an input less", |f| _ = f.circuit.inputs.pop()),
        ("an input too wide", |f| f.circuit.inputs[0].1 = u32::MAX),
        ("times are phases", |f| f.circuit.clocks = None),
        ("no clock ticks", |f| f.circuit.clocks = Some(vec![])),
        ("another clock ticks", |f| f.circuit.clocks = Some(vec![2])),
        ("a clock that is no input", |f| f.circuit.clocks = Some(vec![4])),
        ("a clock that there is not", |f| f.circuit.clocks = Some(vec![4000])),
        ("runs start in the initial state", |f| f.circuit.initial = true),
        ("a constraint is dropped", |f| {
            let i = step(f, "valid");
            f.steps[i].statement.constraint = 1;
        }),
        ("a constraint that speaks of nodes", |f| {
            let k = f.leaves.iter().position(|l| matches!(l, Leaf::Atom(_))).expect("an atom") as u32;
            let g = f.gates.iter().position(|g| g[0] == 1 && g[2] == k).expect("its gate") as u32;
            f.steps[0].statement.constraint = g << 1;
        }),
        ("a given claim about nothing", |f| f.steps[0].statement.antecedent[0].0 = None),
        ("a given claim less", |f| _ = f.steps[0].statement.antecedent.pop()),
        ("a given claim less, later", |f| {
            let i = step(f, "whole");
            _ = f.steps[i].statement.antecedent.remove(0);
        }),
        ("a weaker given claim", |f| f.steps[0].statement.antecedent[0].1 = f.steps[0].statement.antecedent[0].2),
        ("another value", |f| f.steps[0].statement.consequent[0].2 ^= 1),
        ("another value, at the end", |f| {
            let i = step(f, "strong");
            f.steps[i].statement.consequent[0].2 ^= 1;
        }),
        ("another time", |f| {
            if let Some(a) = &mut f.steps[0].statement.consequent[0].0 {
                a.time = 0;
            }
        }),
        ("a time that is too late", |f| {
            if let Some(a) = &mut f.steps[0].statement.consequent[0].0 {
                a.time = u32::MAX;
            }
        }),
        ("another node", |f| {
            if let Some(a) = &mut f.steps[0].statement.consequent[0].0 {
                a.place = Place::Node(12);
            }
        }),
        ("a node that there is not", |f| {
            if let Some(a) = &mut f.steps[0].statement.consequent[0].0 {
                a.place = Place::Node(u32::MAX);
            }
        }),
        ("a word that there is not", |f| {
            if let Some(a) = &mut f.steps[0].statement.consequent[0].0 {
                a.place = Place::Word(0, 0, 0);
            }
        }),
        ("leaves in another order", |f| f.leaves.swap(0, 2)),
        ("a leaf that there is not", |f| f.leaves[0] = Leaf::Var(0, 7)),
        ("a vector that there is not", |f| f.leaves[0] = Leaf::Var(99, 0)),
        ("leaves are missing", |f| f.leaves.truncate(1)),
        ("formulas are missing", |f| f.gates.truncate(4)),
        ("a formula that reads itself", |f| {
            let i = f.gates.iter().position(|g| g[0] == 7).expect("an exclusive or");
            f.gates[i][1] = 2 * i as u32;
        }),
        ("another formula", |f| {
            let i = f.gates.iter().position(|g| g[0] == 7).expect("an exclusive or");
            f.gates[i][0] = 6;
        }),
        ("a formula that there is not", |f| f.steps[0].statement.consequent[0].2 = u32::MAX),
        ("a guard that there is not", |f| f.steps[0].statement.consequent[0].1 = 4_000_000),
        ("a vector of no width", |f| f.vectors[0].width = 0),
        ("a vector of any width", |f| f.vectors[0].width = u32::MAX),
        ("a vector less", |f| _ = f.vectors.pop()),
        ("about no circuit", |f| f.steps[0].statement.circuit = false),
        ("about no circuit, by logic", |f| {
            let i = step(f, "whole");
            f.steps[i].statement.circuit = false;
        }),
        ("about no circuit, shifted", |f| {
            let i = step(f, "shift");
            f.steps[i].statement.circuit = false;
        }),
        ("a witness for other values", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            let bit = witness.assignment[0].bit(0);
            witness.assignment[0] = Bits::from_bool(!bit);
        }),
        ("a witness of another width", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.assignment[0] = Bits::zero(2);
        }),
        ("a witness that is too short", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            _ = witness.phases.pop();
        }),
        ("a witness of no clock", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.phases[0].retain(|i| i.0 != 1);
        }),
        ("a witness of gates", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.phases[0].push((6, true));
        }),
        ("a witness of a gate that there is not", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.start.push((u32::MAX, true));
        }),
        ("a witness of a word that there is not", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.words.push((0, u64::MAX, 0, true));
        }),
        ("what matters is left out", |f| {
            let RuleFile::Run { weakened, .. } = &mut f.steps[0].rule else { panic!("a run") };
            weakened.push((6, 0));
        }),
        ("an order of vectors that there are not", |f| {
            let RuleFile::Run { hints, .. } = &mut f.steps[0].rule else { panic!("a run") };
            hints.push(("down".into(), vec![99]));
        }),
        ("a run of no circuit by a rule of logic", |f| f.steps[0].rule = RuleFile::Follows("run".into(), vec![])),
    ];
    let (k, p) = proof();
    let whole = through_text(&certificate(&k, &p.c));
    let gate = p.x.gate().0;
    assert_eq!((gate, p.clk.gate().0, p.a.gate().0, p.r1.gate().0), (6, 1, 2, 4), "the changes above know numbers");
    let mut wrong = Vec::new();
    for (name, change) in &changes {
        let mut f = whole.clone();
        change(&mut f);
        assert!(f != whole, "{name}: nothing was changed");
        match calm(|| replayed(&f).map(|_| ())) {
            Ok(Err(_)) => {}
            Ok(Ok(())) => wrong.push(format!("{name}: confirmed")),
            Err(what) => wrong.push(format!("{name}: panic: {what}")),
        }
    }
    println!("{} changes of certificates were refused", changes.len() - wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn changed_certificates_of_an_initial_state_are_refused() {
    let changes: Vec<Change> = vec![
        ("another initial value", |f| f.circuit.registers[0].4 = Some(true)),
        ("no initial value", |f| f.circuit.registers[0].4 = None),
        ("any start", |f| f.circuit.initial = false),
        ("a shift", |f| {
            let mut new = f.steps[0].clone();
            new.statement.consequent[0].0 = Some(Atom { place: Place::Node(8), time: 1 });
            new.rule = RuleFile::Shift(0, 1);
            f.steps.push(new);
        }),
        ("a shift by nothing", |f| {
            let mut new = f.steps[0].clone();
            new.rule = RuleFile::Shift(0, 0);
            f.steps.push(new);
        }),
        ("a witness that starts elsewhere", |f| {
            let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
            witness.start.push((4, true));
        }),
        ("an order of no kind", |f| {
            let RuleFile::Run { hints, .. } = &mut f.steps[3].rule else { panic!("a run") };
            hints[0].0 = "up".into();
        }),
        ("more is left out", |f| {
            let RuleFile::Run { weakened, .. } = &mut f.steps[3].rule else { panic!("a run") };
            weakened.push((6, 0));
        }),
    ];
    let (k, p) = initial();
    let whole = through_text(&certificate(&k, &p.c));
    for (name, change) in changes {
        let mut f = whole.clone();
        change(&mut f);
        assert!(replayed(&f).is_err(), "{name}: confirmed");
    }
}

/// A vacuous statement with a run that is none: by a clock that stands still, by a start that is not the design's.
#[test]
fn a_vacuous_evaluation_with_a_run_that_is_none_is_refused() {
    let (k, p) = initial();
    let whole = certificate(&k, &p.c);
    let r1 = p.r1.gate().0;
    let mut f = whole.clone();
    // r1 is 1 at the start: so everything follows, r2@1 = 0 among it.
    let one = (Some(Atom { place: Place::Node(r1 << 1), time: 0 }), 1, 1);
    f.steps.truncate(2);
    f.goal = None;
    for s in &mut f.steps {
        s.statement.antecedent = vec![one];
        s.statement.consequent = vec![one];
        let RuleFile::Run { witness, .. } = &mut s.rule else { panic!("a run") };
        witness.before.push((r1, true));
    }
    let said = calm(|| replayed(&f).map(|_| ()));
    assert!(matches!(said, Ok(Err(_))), "a state that cannot be at the start is given, and it is said: {said:?}");
}

/// Constants whose words do not fit their width.
#[test]
fn constants_that_are_not_well_formed_are_refused() {
    let mut wrong = Vec::new();
    // Left: mux(x, 4 as two bits, 0) < 1. As bits that is always so; as a number it is not x.
    let bits = |width: u32, val: &str, xz: &str| -> Result<Bits, serde_json::Error> {
        serde_json::from_str(&format!("{{\"width\":{width},\"val\":{val},\"xz\":{xz}}}"))
    };
    if let Ok(four) = bits(2, "[4]", "[0]") {
        let mut t = terms(&[("x", 1)]);
        let node = |n: &str, o: &[u32], w: u32, c: Option<Bits>| (n.to_string(), o.to_vec(), w, c);
        let nodes = vec![
            node("input x", &[], 1, None),
            node("const", &[], 2, Some(four)),
            node("const", &[], 2, Some(Bits::zero(2))),
            node("mux", &[0, 1, 2], 2, None),
            node("const", &[], 2, Some(Bits::from_u64(1, 2))),
            node("ult", &[3, 4], 1, None),
            node("not", &[0], 1, None),
        ];
        let words = IdentityFile { nodes, left: 5, right: 6 };
        let made = calm(|| identity(&mut t, &words));
        if let Ok((_, equal)) = made {
            let p = pipe(false, Start::Any);
            let mut k = Kernel::new(t);
            k.valid("fact", equal, equal).expect("trivial");
            let mut f = certificate(&k, &p.c);
            f.identities = vec![words];
            f.steps[0].statement.constraint = 1;
            f.steps[0].rule = RuleFile::Algebra(0);
            let said = calm(|| replayed(&f));
            if let Ok(Ok(r)) = &said {
                let verdict = Judge::default().judge(&r.circuit, &r.terms, &r.statements[0]);
                wrong.push(format!("a fact of a constant beyond its width is confirmed: {verdict:?}"));
            }
            if let Err(what) = said {
                wrong.push(format!("a constant beyond its width: panic: {what}"));
            }
        }
    }
    let (k, p) = proof();
    for (what, width, val, xz) in [("no words", 1, "[]", "[0]"), ("no second words", 1, "[0]", "[]")] {
        let Ok(odd) = bits(width, val, xz) else { continue };
        let mut f = certificate(&k, &p.c);
        let RuleFile::Run { witness, .. } = &mut f.steps[0].rule else { panic!("a run") };
        witness.assignment[0] = odd;
        if let Err(panic) = calm(|| replayed(&f).map(|_| ())) {
            wrong.push(format!("a value with {what}: panic: {panic}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A word that has two initial values has none that can be given twice.
#[test]
fn two_initial_values_of_a_word_prove_nothing() {
    let mut b = Builder::new("memory");
    let clk = input(&mut b, "clk", 1)[0];
    let addr = input(&mut b, "addr", 1)[0];
    let init = vec![(0, Bits::zero(1)), (0, Bits::ones(1))];
    let (name, reads) = ("mem".into(), vec![vec![addr]]);
    b.net.memories.push(Memory { name, width: 1, size: 2, init, reads, writes: vec![], span: Span::NONE });
    let read = b.leaf(Gate::Read(0, 0, 0));
    named(&mut b, "read", read);
    let c = Circuit::new(b.finish(), Clocking::Cycles(vec![clk.gate()]), Start::Initial);
    let mut k = Kernel::new(terms(&[("x", 1)]));
    let x = k.terms.var(0, 0);
    let a = assertion(Lit::TRUE, &[is(addr, 0, Lit::FALSE)], &[is(read, 0, x)]);
    let direct = confirm(&c, &k.terms, &a, &small());
    assert!(direct.is_err(), "read is any x: {direct:?}");
    assert!(see(&k.terms, &c, &a).is_none());
    // The last one counts, as in the simulator.
    let a = assertion(Lit::TRUE, &[is(addr, 0, Lit::FALSE)], &[is(read, 0, Lit::TRUE)]);
    assert!(see(&k.terms, &c, &a).is_some());
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Random edits and random proofs

/// What a random campaign has seen.
#[derive(Default)]
struct Tally {
    accepted: u64,
    unparsed: u64,
    refused: u64,
    panics: std::collections::BTreeMap<String, (u64, String)>,
    untrue: Vec<String>,
    unjudged: u64,
    judged: u64,
    fitting: u64,
}

impl Tally {
    fn take(&mut self, judge: &mut Judge, f: &ProofFile, what: &str) {
        match calm(|| replayed(f)) {
            Err(panic) => {
                let place = panic.lines().next().unwrap_or("").to_string();
                self.panics.entry(place).or_insert((0, format!("{what}: {panic}"))).0 += 1;
            }
            Ok(Err(_)) => self.refused += 1,
            Ok(Ok(r)) => {
                self.accepted += 1;
                if r.circuit.net.memories.iter().any(|m| m.size > 8 || m.width > 4) {
                    self.unjudged += 1;
                    return;
                }
                for (i, s) in r.statements.iter().enumerate() {
                    match judge.judge(&r.circuit, &r.terms, s) {
                        Verdict::True(fits) => {
                            self.judged += 1;
                            self.fitting += u64::from(fits);
                        }
                        Verdict::Unjudged => self.unjudged += 1,
                        Verdict::False(why) => self.untrue.push(format!("{what}: step {i}: {why}")),
                    }
                }
            }
        }
    }

    fn end(&self, name: &str, seed: u64, began: Instant) {
        println!(
            "{name}: accepted {}, refused {}, no certificate {}; statements judged {} (of which {} not for want of runs), \
             not judged {}; panics {}; untrue {} (ENTAIL_SEED={seed}), {:.1?}",
            self.accepted,
            self.refused,
            self.unparsed,
            self.judged,
            self.fitting,
            self.unjudged,
            self.panics.values().map(|p| p.0).sum::<u64>(),
            self.untrue.len(),
            began.elapsed()
        );
        let panics: Vec<String> = self.panics.iter().map(|(k, v)| format!("{} times {k}\n    {}", v.0, v.1)).collect();
        assert!(
            self.untrue.is_empty(),
            "confirmed, but not true:\n{}",
            self.untrue[..self.untrue.len().min(8)].join("\n")
        );
        assert!(panics.is_empty(), "panics:\n{}", panics.join("\n"));
    }
}

const TINY: Shape = Shape { inputs: 3, gates: 7, registers: 2, latches: 1, memories: 1, frees: 1, wild: true };
const PLAIN: Shape = Shape { inputs: 3, gates: 7, registers: 3, latches: 0, memories: 0, frees: 0, wild: false };

fn formula(rng: &mut Rng, t: &mut Terms, leaves: &[Lit], depth: u32) -> Lit {
    if depth == 0 || rng.u8(..3) == 0 {
        return match rng.u8(..6) {
            0 => Lit::FALSE.xor(rng.bool()),
            _ => leaves[rng.usize(..leaves.len())].xor(rng.bool()),
        };
    }
    let (a, b) = (formula(rng, t, leaves, depth - 1), formula(rng, t, leaves, depth - 1));
    match rng.u8(..3) {
        0 => t.and(a, b),
        1 => t.xor(a, b),
        _ => t.or(a, b),
    }
}

/// A kernel with random theorems about a tiny circuit, and what went into it.
struct Made {
    k: Kernel,
    c: Circuit,
    pool: Vec<Theorem>,
    tried: u64,
}

/// Applies rules at random.
fn random_proof(rng: &mut Rng, judge: &mut Judge, steps: usize) -> Made {
    let shape = if rng.bool() { &TINY } else { &PLAIN };
    let (net, clocks) = netlist(rng, shape);
    let clocking = if clocks.is_empty() || rng.u8(..4) == 0 { Clocking::Phases } else { Clocking::Cycles(clocks) };
    let start = if rng.u8(..4) == 0 { Start::Initial } else { Start::Any };
    let c = Circuit::new(net, clocking, start);
    let mut t = terms(&[("v", 2), ("x", 1), ("y", 1)]);
    let vars = [t.var(0, 0), t.var(0, 1), t.var(1, 0), t.var(2, 0)];
    let bits = [(0, 0), (0, 1), (1, 0), (2, 0)];
    let mut k = Kernel::new(t);
    let mut pool: Vec<Theorem> = Vec::new();
    let last = rng.u32(0..=2);
    let mut tried = 0;
    let inputs: Vec<Lit> =
        c.net.inputs.iter().flat_map(|n| n.bits.clone()).filter(|l| c.level(l.gate(), 0).is_none()).collect();
    for _ in 0..steps {
        tried += 1;
        let some = |rng: &mut Rng, pool: &[Theorem]| pool.get(rng.usize(..pool.len().max(1))).cloned();
        let what = if pool.is_empty() { 0 } else { rng.u8(..20) };
        let picked = some(rng, &pool);
        let made = match (what, picked) {
            (0..=5, picked) => {
                // A new evaluation; of the same antecedent as another, of its border, or of a new one.
                let mut given: Vec<Claim> = Vec::new();
                let mut constraint = Lit::TRUE;
                match (rng.u8(..4), picked) {
                    (0, Some(p)) => {
                        given = p.statement().antecedent.clone();
                        constraint = p.statement().constraint;
                        if rng.bool() {
                            constraint = !constraint;
                        }
                    }
                    (1, Some(p)) => {
                        let s = p.statement();
                        for claim in s.antecedent.iter().chain(&s.consequent).filter(|c| c.atom.is_some()) {
                            let value = if rng.bool() { vars[rng.usize(..4)] } else { claim.value };
                            let pure =
                                k.terms.support(&[value, claim.guard]).iter().all(|l| matches!(l, Leaf::Var(..)));
                            if rng.u8(..4) > 0 && pure {
                                given.push(Claim { value, ..*claim });
                            }
                        }
                    }
                    _ => {
                        for time in 0..=last {
                            for l in &inputs {
                                if rng.u8(..3) > 0 {
                                    given.push(is(*l, time, formula(rng, &mut k.terms, &vars, 1)));
                                }
                            }
                        }
                        for _ in 0..rng.u32(..3) {
                            let atom = Some(Atom { place: cases::place(rng, &c.net), time: rng.u32(0..=last) });
                            let guard = if rng.u8(..4) == 0 { vars[rng.usize(..4)] } else { Lit::TRUE };
                            let value = formula(rng, &mut k.terms, &vars, 1);
                            given.push(Claim { atom, guard, value, origin: 0 });
                        }
                    }
                }
                if rng.u8(..4) == 0 {
                    constraint = formula(rng, &mut k.terms, &vars, 2);
                }
                let mut follows = Vec::new();
                let base =
                    Statement { circuit: Some(c.hash()), constraint, antecedent: given.clone(), consequent: vec![] };
                for _ in 0..rng.u32(1..=2) {
                    let atom = Atom { place: cases::place(rng, &c.net), time: rng.u32(0..=last) };
                    let (guard, value) = match rng.u8(..4) {
                        0 => (Lit::TRUE, formula(rng, &mut k.terms, &vars, 1)),
                        _ => judge.forced(&c, &mut k.terms, &base, &vars, atom),
                    };
                    follows.push(Claim { atom: Some(atom), guard, value, origin: 0 });
                }
                let a = assertion(constraint, &given, &follows);
                try_run(&mut k, &c, &a).ok_or_else(String::new)
            }
            (_, None) => continue,
            (6 | 7, Some(p)) => {
                let new = formula(rng, &mut k.terms, &vars, 2);
                let new = if rng.bool() { k.terms.and(new, p.statement().constraint) } else { new };
                k.strengthen("s", &p, new).map_err(|e| e.why)
            }
            (8..=10, Some(p)) => {
                let other = some(rng, &pool).expect("a pool");
                let mut new: Vec<Claim> = p.statement().consequent.clone();
                new.extend(&p.statement().antecedent);
                if rng.u8(..3) == 0 {
                    new.extend(&other.statement().consequent);
                }
                rng.shuffle(&mut new);
                new.truncate(rng.usize(1..=new.len().max(1)));
                for c in &mut new {
                    match rng.u8(..12) {
                        0 => c.value = formula(rng, &mut k.terms, &vars, 1),
                        1 => {
                            let with = formula(rng, &mut k.terms, &vars, 1);
                            c.guard = k.terms.and(c.guard, with);
                        }
                        2 => {
                            // The claim as a formula, or about a node of which another is known.
                            *c = says(k.terms.claim(c));
                        }
                        3 => c.value = !c.value,
                        _ => {}
                    }
                }
                let facts: Vec<&Theorem> = pool.iter().filter(|t| t.statement().circuit.is_none()).take(2).collect();
                let facts = if rng.u8(..10) == 0 { vec![&other] } else { facts };
                k.weaken("w", &p, new, &facts).map_err(|e| e.why)
            }
            (11, Some(p)) => {
                let others: Vec<Theorem> = (0..2).filter_map(|_| some(rng, &pool)).collect();
                let mut list = vec![&p];
                list.extend(others.iter().filter(|o| {
                    let (o, p) = (o.statement(), p.statement());
                    o.antecedent == p.antecedent && o.constraint == p.constraint
                }));
                if rng.u8(..6) == 0 {
                    list.extend(&others);
                }
                k.conjoin("c", &list).map_err(|e| e.why)
            }
            (12..=14, Some(p)) => {
                let second = some(rng, &pool).expect("a pool");
                // Variables that stand for what the first says.
                let mut with: Vec<((u32, u32), Lit)> = Vec::new();
                for c in &second.statement().antecedent {
                    let known = p.statement().antecedent.iter().chain(&p.statement().consequent);
                    let same = known.filter(|o| o.atom == c.atom && o.guard == Lit::TRUE).map(|o| o.value).next();
                    if let (Some(i), Some(v)) = (vars.iter().position(|v| *v == c.value), same)
                        && with.iter().all(|w| w.0 != bits[i])
                    {
                        with.push((bits[i], v));
                    }
                }
                if rng.u8(..3) == 0 {
                    with.push((bits[rng.usize(..4)], formula(rng, &mut k.terms, &vars, 1)));
                }
                for b in 0..2 {
                    if with.iter().any(|w| w.0.0 == 0) && with.iter().all(|w| w.0 != (0, b)) && rng.u8(..8) > 0 {
                        with.push(((0, b), vars[b as usize]));
                    }
                }
                k.compose("o", &p, &second, with).map_err(|e| e.why)
            }
            (15, Some(p)) => {
                let cases: Vec<&Theorem> = pool
                    .iter()
                    .filter(|o| {
                        let (o, p) = (o.statement(), p.statement());
                        o.antecedent == p.antecedent && o.consequent == p.consequent || rng.u8(..20) == 0
                    })
                    .collect();
                let all: Vec<Lit> = cases.iter().map(|t| t.statement().constraint).collect();
                let some = if rng.bool() { k.terms.any(&all) } else { formula(rng, &mut k.terms, &vars, 1) };
                k.split("p", &cases, some).map_err(|e| e.why)
            }
            (16 | 17, Some(p)) => {
                let mut with: Vec<((u32, u32), Lit)> = Vec::new();
                for b in bits {
                    if rng.bool() {
                        with.push((b, formula(rng, &mut k.terms, &vars, 2)));
                    }
                }
                k.instantiate("i", &p, with).map_err(|e| e.why)
            }
            (18, Some(p)) if rng.bool() => {
                let (a, b) = (formula(rng, &mut k.terms, &vars, 1), formula(rng, &mut k.terms, &vars, 2));
                _ = p;
                k.valid("v", a, b).map_err(|e| e.why)
            }
            (18, Some(p)) => k.model("m", &p, &c).map_err(|e| e.why),
            (_, Some(p)) => {
                let room = 3u32.saturating_sub(support_proof::truth::last(&k.terms, p.statement()));
                if room == 0 {
                    continue;
                }
                k.shift("t", &c, &p, i64::from(rng.u32(0..=room.min(1)))).map_err(|e| e.why)
            }
        };
        if let Ok(t) = made {
            pool.push(t);
        }
    }
    Made { k, c, pool, tried }
}

/// Catches any rule that does not check one of its side conditions, and anything that the replay does not follow.
#[test]
fn random_proofs_prove_what_is_true_and_replay_confirms_them() {
    let (seed, times) = (number("ENTAIL_SEED", 1), number("ENTAIL_PROOF_TIMES", 1));
    let began = Instant::now();
    let mut judge = Judge::default();
    let (mut theorems, mut fitting, mut tried, mut unjudged, mut proofs) = (0u64, 0u64, 0u64, 0u64, 0u64);
    let mut restless = 0u64;
    let mut rules: std::collections::BTreeMap<String, u64> = Default::default();
    let mut wrong = Vec::new();
    for n in 0..1_000_000 {
        if fitting >= 1_500 * times {
            break;
        }
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let made = random_proof(&mut rng, &mut judge, 30);
        tried += made.tried;
        proofs += 1;
        for t in &made.pool {
            theorems += 1;
            let rule = format!("{:?}", made.k.steps()[t.step()].rule);
            *rules.entry(rule.split([' ', '{']).next().unwrap_or("").to_string()).or_default() += 1;
            match judge.judge(&made.c, &made.k.terms, t.statement()) {
                Verdict::True(fits) => fitting += u64::from(fits),
                Verdict::Unjudged => unjudged += 1,
                Verdict::False(why) => wrong.push(format!("proof {n}, step {}: {rule}: {why}", t.step())),
            }
        }
        let f = certificate_or_none(&made);
        if let Some(f) = f {
            match calm(|| replayed(&through_text(&f)).map(|_| ())) {
                Ok(Ok(())) => {}
                // The second opinion gives up on some designs that the first sees come to rest.
                Ok(Err(why)) if why.contains("not settle") => restless += 1,
                Ok(Err(why)) => wrong.push(format!("proof {n} is not confirmed: {why}")),
                Err(what) => wrong.push(format!("proof {n}: panic: {what}")),
            }
        }
    }
    println!(
        "random proofs: {proofs} proofs, {theorems} theorems of {tried} tries, {fitting} of them with runs, {unjudged} not judged, \
         {restless} proofs that replay says do not settle, \
         {rules:?} (ENTAIL_SEED={seed}), {:.1?}",
        began.elapsed()
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
    assert!(fitting >= 1_000 && unjudged * 10 < theorems && restless * 20 < proofs + 20);
    for r in ["Run", "Strengthen", "Weaken", "Conjoin", "Compose", "Split", "Instantiate", "Shift", "Model", "Valid"] {
        assert!(rules.get(r).is_some_and(|n| *n >= 10), "{r} was hardly ever proved");
    }
}

fn certificate_or_none(made: &Made) -> Option<ProofFile> {
    (!made.k.steps().is_empty()).then(|| certificate(&made.k, &made.c))
}

/// Certificates to change: two by hand, others at random.
fn originals(rng: &mut Rng) -> Vec<ProofFile> {
    let mut list: Vec<ProofFile> = [proof(), initial()].iter().map(|(k, p)| certificate(k, &p.c)).collect();
    let mut judge = Judge::default();
    while list.len() < 14 {
        let made = random_proof(rng, &mut judge, 15);
        if made.pool.len() >= 4 {
            list.push(certificate(&made.k, &made.c));
        }
    }
    list
}

#[test]
fn randomly_changed_certificates_are_confirmed_only_if_true() {
    let (seed, times) = (number("ENTAIL_SEED", 1), number("ENTAIL_PROOF_TIMES", 1));
    let mut rng = Rng::with_seed(seed);
    let began = Instant::now();
    let originals = originals(&mut rng);
    let mut judge = Judge::default();
    let mut tally = Tally::default();
    for f in &originals {
        tally.take(&mut judge, f, "unchanged");
    }
    assert_eq!(tally.accepted, originals.len() as u64, "originals are confirmed");
    for n in 0..4_000 * times {
        let f = &originals[rng.usize(..originals.len())];
        let mut v = serde_json::to_value(f).expect("a value");
        let mut what = format!("change {n}");
        for _ in 0..rng.usize(1..3) {
            let did = if rng.bool() { edit::aimed(&mut v, &mut rng) } else { edit::edit(&mut v, &mut rng) };
            what = format!("{what}, {did}");
        }
        match serde_json::from_value::<ProofFile>(v) {
            Ok(f) => tally.take(&mut judge, &f, &what),
            Err(_) => tally.unparsed += 1,
        }
    }
    tally.end("structural changes", seed, began);
    assert!(tally.accepted >= 300 && tally.refused >= 1_000, "too one-sided to tell anything");
}

#[test]
fn certificates_with_random_bytes_are_confirmed_only_if_true() {
    let (seed, times) = (number("ENTAIL_SEED", 1), number("ENTAIL_PROOF_TIMES", 1));
    let mut rng = Rng::with_seed(seed ^ 0x5555);
    let began = Instant::now();
    let originals = originals(&mut rng);
    let texts: Vec<String> = originals.iter().map(|f| serde_json::to_string(f).expect("a text")).collect();
    let mut judge = Judge::default();
    let mut tally = Tally::default();
    for n in 0..3_000 * times {
        let text = edit::bytes(&texts[rng.usize(..texts.len())], &mut rng);
        match serde_json::from_slice::<ProofFile>(&text) {
            Ok(f) => tally.take(&mut judge, &f, &format!("bytes {n}")),
            Err(_) => tally.unparsed += 1,
        }
    }
    tally.end("changes of bytes", seed, began);
    assert!(tally.accepted >= 50 && tally.refused >= 500, "too one-sided to tell anything");
}

/// Random words of few bits: what algebra says is equal is so for all values, and so is what the replay's check says.
#[test]
fn what_algebra_says_of_random_words_is_so() {
    let (seed, times) = (number("ENTAIL_SEED", 1), number("ENTAIL_PROOF_TIMES", 1));
    let mut rng = Rng::with_seed(seed ^ 0xa1);
    let began = Instant::now();
    let p = pipe(false, Start::Any);
    let (mut equal, mut other, mut proved) = (0u64, 0u64, 0u64);
    let limits = entail::algebra::Limits::default();
    for n in 0..8_000 * times {
        let vectors = [("w", rng.u32(1..=3)), ("u", rng.u32(1..=3)), ("x", 1)];
        let mut t = terms(&vectors);
        let mut nodes: Vec<(String, Vec<u32>, u32, Option<Bits>)> =
            vectors.iter().map(|(n, w)| (format!("input {n}"), vec![], *w, None)).collect();
        for _ in 0..2 {
            let w = rng.u32(1..=3);
            nodes.push(("const".into(), vec![], w, Some(Bits::from_u64(rng.u64(..8), w))));
        }
        while nodes.len() < 22 {
            let pick = |rng: &mut Rng| rng.u32(..nodes.len() as u32);
            let (i, j, k) = (pick(&mut rng), pick(&mut rng), pick(&mut rng));
            let width = |i: u32| nodes[i as usize].2;
            let same = width(i) == width(j);
            let one = ["not", "neg", "redand", "redor", "redxor"];
            let two = ["and", "or", "xor", "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "eq", "ult", "slt"];
            let new = match rng.u8(..10) {
                0 => {
                    let op = rng.usize(..5);
                    (one[op], vec![i], if op < 2 { width(i) } else { 1 })
                }
                1..=4 if same => {
                    let op = rng.usize(..13);
                    (two[op], vec![i, j], if op < 10 { width(i) } else { 1 })
                }
                5 => (["shl", "lshr", "ashr"][rng.usize(..3)], vec![i, j], width(i)),
                6 if same && width(k) == 1 => ("mux", vec![k, i, j], width(i)),
                7 if width(i) + width(j) <= 6 => ("concat", vec![i, j], width(i) + width(j)),
                8 => {
                    let lo = rng.u32(..width(i));
                    ("slice", vec![i, lo], rng.u32(1..=width(i) - lo))
                }
                9 => (["zext", "sext"][rng.usize(..2)], vec![i], width(i) + rng.u32(..3)),
                _ => continue,
            };
            nodes.push((new.0.into(), new.1, new.2, None));
        }
        let fits: Vec<(u32, u32)> = (5..22u32)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|(i, j)| nodes[*i as usize].2 == nodes[*j as usize].2)
            .collect();
        for _ in 0..3 {
            if fits.is_empty() {
                break;
            }
            let (left, right) = fits[rng.usize(..fits.len())];
            let f = IdentityFile { nodes: nodes.clone(), left, right };
            let (i, formula) = identity(&mut t, &f);
            let s =
                Statement { circuit: None, constraint: Lit::TRUE, antecedent: vec![], consequent: vec![says(formula)] };
            let truth = Judge::default().judge(&p.c, &t, &s);
            let sure = matches!(truth, Verdict::True(_));
            let by_points = entail::algebra::recheck(&i.design, i.left, i.right, &limits).is_ok();
            let by_algebra = entail::algebra::prove_equal(&i.design, i.left, i.right, &limits).is_ok();
            assert!(
                sure || !(by_points || by_algebra),
                "words {n}: {truth:?}, said equal by {by_points} {by_algebra}: {f:?}"
            );
            if sure && formula != Lit::TRUE {
                equal += 1;
                proved += u64::from(by_points && by_algebra);
            } else {
                other += 1;
            }
        }
    }
    println!(
        "random words: {equal} equal though not obviously, {proved} of them proved, {other} others (ENTAIL_SEED={seed}), {:.1?}",
        began.elapsed()
    );
    assert!(proved >= 30 && other >= 1_000);
}

// ---------------------------------------------------------------------------------------------------------------
// 4. The second opinion

/// A case of which some claims say what the trajectory has, perhaps with one mistake; perhaps with nodes left out.
fn told(rng: &mut Rng) -> Case {
    let style = match rng.u8(..3) {
        0 => Style { bits: 3, ..cases::WHOLE },
        _ => cases::DENSE,
    };
    let mut case = cases::case(rng, &style);
    if rng.u8(..4) == 0 {
        for _ in 0..rng.usize(1..4) {
            let g = rng.u32(1..case.net.gates.len() as u32);
            case.weakened.insert((g, rng.u32(0..=case.last)));
        }
    }
    if rng.u8(..4) == 0 {
        return case;
    }
    let c = case.circuit();
    let atoms: Vec<Atom> = (0..4)
        .map(|_| Atom { place: cases::place(rng, &case.net), time: rng.u32(0..=case.last) })
        .map(|a| ste::check::plain(a).0)
        .collect();
    let weakened: FxHashSet<(u32, u32)> = case.weakened.clone();
    let seen: Result<Vec<_>, _> = case.assignments().map(|at| plain(&c, &case, &at, &atoms, &weakened)).collect();
    let Ok(seen) = seen else { return case };
    let calm: Vec<bool> = seen.iter().map(|s| !s.clash).collect();
    let vars = case.vars();
    let mut follows = Vec::new();
    for a in atoms {
        let known: Vec<bool> = seen.iter().zip(&calm).map(|(s, c)| *c && s.atoms[&a].high != s.atoms[&a].low).collect();
        let mut value: Vec<bool> = seen.iter().map(|s| s.atoms[&a].high).collect();
        let places: Vec<usize> = (0..known.len()).filter(|i| known[*i]).collect();
        if places.is_empty() {
            continue;
        }
        if rng.u8(..6) == 0 {
            let i = places[rng.usize(..places.len())];
            value[i] = !value[i];
        }
        let guard = if rng.u8(..8) == 0 { YES } else { Expr::table(&vars, &known) };
        follows.push(Claimed { atom: Some(a), guard, value: Expr::table(&vars, &value) });
    }
    if !follows.is_empty() {
        case.follows = follows;
    }
    // Only where nothing clashes, so that some hold.
    if calm.contains(&true) && rng.u8(..4) > 0 {
        case.constraint = Expr::And(Box::new(case.constraint.clone()), Box::new(Expr::table(&vars, &calm)));
    }
    case
}

/// Catches a second opinion that knows more than runs allow, and one that knows less than the first.
#[test]
fn what_the_second_opinion_confirms_no_run_breaks() {
    let count = 3_000 * number("ENTAIL_PROOF_TIMES", 1);
    let (mut yes, mut no, mut held, mut agreed, mut runs, mut wrong) = (0u64, 0u64, 0u64, 0u64, 0u64, 0u64);
    let mut missed: std::collections::BTreeMap<String, u64> = Default::default();
    support_ste::campaign("second opinion", count, &told, &mut |case| {
        let c = case.circuit();
        let (terms, a) = case.assertion();
        let ctl = control();
        let mut rng = Rng::with_seed(case.seed);
        let effort = Effort { solver_first: rng.u8(..4) == 0, ..small() };
        let said = calm(|| confirm(&c, &terms, &a, &effort)).map_err(|p| format!("panic: {p}"))?;
        let first = ste::check(&c, &terms, &a, &ctl).answer;
        let holds = matches!(first, Answer::Holds);
        if holds {
            held += 1;
            match &said {
                Ok(_) => agreed += 1,
                Err(e) => *missed.entry(format!("{e:?}").split('(').next().unwrap_or("").into()).or_default() += 1,
            }
        }
        let Ok(by) = said else {
            no += 1;
            return Ok(support_ste::Said::Tested);
        };
        yes += 1;
        if matches!(first, Answer::Fails(..)) {
            wrong += 1;
        }
        if let Ok(Some(run)) = realise(&c, &terms, &a, Wanted::Broken, None, &ctl)
            && let Ok(s) = judge(&c, &terms, &a, &run)
            && s.fits
            && !s.broken.is_empty()
        {
            return Err(format!("confirmed by {by}, but a run breaks claim {}; check says {first:?}", s.broken[0]));
        }
        for _ in 0..12 {
            let at = case.random_assignment(&mut rng);
            let run = random_run(&c, case, &at, &mut rng);
            if let Ok(s) = judge(&c, &terms, &a, &run)
                && s.fits
            {
                runs += 1;
                if !s.broken.is_empty() {
                    return Err(format!("confirmed by {by}, but a random run breaks claim {}", s.broken[0]));
                }
            }
        }
        Ok(support_ste::Said::Tested)
    });
    println!(
        "second opinion: {yes} confirmed, {no} not; {runs} random runs fit; of {held} that hold {agreed} are confirmed ({:.2}%), others {missed:?}; \
         {wrong} confirmed that the first says fail",
        100.0 * agreed as f64 / held.max(1) as f64
    );
    assert!(yes >= count / 4 && no >= count / 10, "too one-sided to tell anything");
    assert!(agreed * 100 >= held * 95, "the second opinion confirms too little");
}

/// That the judge of all the above can say no.
#[test]
fn the_judge_knows_true_from_false() {
    let Attack { mut k, p, x, y, z, first, second, .. } = attack();
    let d = k.terms.xor(x, y);
    let mut j = Judge::default();
    let s = first.statement();
    assert!(matches!(j.judge(&p.c, &k.terms, s), Verdict::True(true)));
    assert!(matches!(j.judge(&p.c, &k.terms, second.statement()), Verdict::True(true)));
    let with = |antecedent: Vec<Claim>, consequent: Vec<Claim>| Statement { antecedent, consequent, ..s.clone() };
    for wrong in [
        with(s.antecedent.clone(), vec![is(p.r1, 1, x)]),
        with(s.antecedent[..1].to_vec(), vec![is(p.r1, 1, d)]),
        with(s.antecedent.clone(), vec![is(p.r1, 0, d)]),
        with(s.antecedent.clone(), vec![is(p.r2, 2, !d)]),
        with(vec![], vec![is(p.r2, 1, z)]),
        Statement { circuit: None, ..s.clone() },
    ] {
        assert!(matches!(j.judge(&p.c, &k.terms, &wrong), Verdict::False(_)), "{wrong:?}");
    }
    let never = with(vec![is(p.a, 0, Lit::TRUE), is(p.a, 0, Lit::FALSE)], vec![says(Lit::FALSE)]);
    assert!(matches!(j.judge(&p.c, &k.terms, &never), Verdict::True(false)));
    // A latch that does not come to rest has no runs.
    let mut b = Builder::new("loop");
    let i = input(&mut b, "i", 1)[0];
    let q = b.leaf(Gate::Latch(0));
    let net = named(&mut b, "q", q);
    b.net.latches.push(entail::net::Latch { gate: q.gate(), enable: i, data: !q, init: None, net, span: Span::NONE });
    let c = Circuit::new(b.finish(), Clocking::Phases, Start::Any);
    let t = terms(&[("x", 1)]);
    let s = |claim: Claim| Statement {
        circuit: Some(c.hash()),
        constraint: Lit::TRUE,
        antecedent: vec![],
        consequent: vec![claim],
    };
    assert!(matches!(j.judge(&c, &t, &s(is(i, 0, Lit::FALSE))), Verdict::True(true)));
    assert!(matches!(j.judge(&c, &t, &s(is(q, 0, Lit::FALSE))), Verdict::False(_)));
}
