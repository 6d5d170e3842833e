//! The kernel: the only maker of theorems.
//!
//! A theorem says {P(x)} (pre, circuit, post) {Q}: *in every run of the circuit, for all values of the symbolic vectors, if
//! the constraint P and all claims of the antecedent hold, then all claims of the consequent do.* Claims are about nodes
//! at times ([`crate::ste::terms`]). A fact is such a statement without a circuit. Each rule below is one function, checks
//! its side conditions, and has the reason why it is sound above it. Nothing else makes a [`Theorem`].

use super::second::{self, Effort};
use super::side::{self, Refusal};
use super::words::{equality, identity_file};
use crate::net::Lit;
use crate::ste::circuit::Start;
use crate::ste::realise::{Run, judge};
use crate::ste::terms::{Atom, Claim, Leaf, Terms};
use crate::ste::{self, Answer, Assertion, Circuit, Control, Outcome};
use crate::word::{Design, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a theorem says.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The circuit it is about; facts are about none.
    pub circuit: Option<blake3::Hash>,
    /// P: a formula over vectors.
    pub constraint: Lit,
    /// What is given.
    pub antecedent: Vec<Claim>,
    /// What follows.
    pub consequent: Vec<Claim>,
}

impl Statement {
    fn formulas(&self) -> Vec<Lit> {
        let claims = self.antecedent.iter().chain(&self.consequent);
        claims.flat_map(|c| [c.guard, c.value]).chain([self.constraint]).collect()
    }

    /// The vectors it mentions.
    pub fn vectors(&self, terms: &Terms) -> FxHashSet<u32> {
        let leaves = terms.support(&self.formulas()).into_iter();
        leaves
            .filter_map(|l| match l {
                Leaf::Var(v, _) => Some(v),
                Leaf::Atom(_) => None,
            })
            .collect()
    }
}

/// A statement that was proved. Only [`Kernel`] makes one.
#[derive(Clone, Debug)]
pub struct Theorem {
    statement: Statement,
    step: usize,
    kernel: u64,
}

impl Theorem {
    /// What it says.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The step that proved it.
    pub fn step(&self) -> usize {
        self.step
    }
}

/// Why a rule does not apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The rule.
    pub rule: &'static str,
    /// The reason, for people.
    pub why: String,
    /// Values for which a side condition does not hold.
    pub counterexample: Vec<(Leaf, bool)>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.rule, self.why)
    }
}

fn refused<T>(rule: &'static str, why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { rule, why: why.into(), counterexample: Vec::new() })
}

/// How a theorem came about.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Trajectory evaluation: the assertion with what it needs to be evaluated again, and a run that fits it.
    Run { assertion: Box<Assertion>, witness: Box<Run>, engine: &'static str, checked: Option<&'static str> },
    /// A fact by the algebra of words: positions in the list of identities.
    Algebra { identity: usize },
    /// A fact that holds for all values.
    Valid,
    /// The constraint was strengthened.
    Strengthen { of: usize },
    /// The consequent was weakened, with the help of facts.
    Weaken { of: usize, using: Vec<usize> },
    /// Consequents were put together.
    Conjoin { of: Vec<usize> },
    /// One followed the other, whose vectors got these values.
    Compose { first: usize, second: usize, with: Vec<((u32, u32), Lit)> },
    /// Cases that leave nothing out.
    Split { of: Vec<usize> },
    /// Vectors got values.
    Instantiate { of: usize, with: Vec<((u32, u32), Lit)> },
    /// All times became later.
    Shift { of: usize, by: u32 },
    /// The same statement about a circuit that is equal.
    Model { of: usize },
}

/// One step of a proof.
#[derive(Clone, Debug)]
pub struct Step {
    /// A name for people.
    pub name: String,
    /// What was proved.
    pub statement: Statement,
    /// How.
    pub rule: Rule,
    /// Refutations of side conditions, each with a checked proof.
    pub refutations: u32,
    /// How long it took.
    pub time: Duration,
}

/// An identity of words that was proved by algebra.
#[derive(Clone)]
pub struct Identity {
    /// Where the nodes are.
    pub design: Arc<Design>,
    /// Left side.
    pub left: NodeId,
    /// Right side.
    pub right: NodeId,
}

/// Which engine decides an assertion. Not any function: whatever says *holds* becomes a theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Decision diagrams.
    Bdd,
    /// A SAT solver.
    Sat,
}

impl Engine {
    /// Decides an assertion.
    pub fn decide(self, c: &Circuit, terms: &Terms, a: &Assertion, ctl: &Control) -> Outcome {
        match self {
            Engine::Bdd => ste::check(c, terms, a, ctl),
            Engine::Sat => ste::sat::check(c, terms, a, ctl),
        }
    }
}

/// An assertion that was seen to hold, ready for [`Kernel::run`]. Only this file makes one.
#[derive(Clone, Debug)]
pub struct Seen {
    assertion: Assertion,
    circuit: blake3::Hash,
    terms: u64,
    engine: &'static str,
    checked: Option<&'static str>,
    time: Duration,
}

/// Decides an assertion with an engine; if it holds, the second value can become a theorem.
pub fn evaluate(c: &Circuit, terms: &Terms, a: &Assertion, ctl: &Control, engine: Engine) -> (Outcome, Option<Seen>) {
    let outcome = engine.decide(c, terms, a, ctl);
    let seen = matches!(outcome.answer, Answer::Holds).then(|| Seen {
        assertion: a.clone(),
        circuit: c.hash(),
        terms: terms.id(),
        engine: outcome.engine,
        checked: None,
        time: outcome.time,
    });
    (outcome, seen)
}

impl Seen {
    /// Looks at it with other code; true if that confirms it.
    pub fn confirm(&mut self, c: &Circuit, terms: &Terms, effort: &Effort) -> Result<bool, second::Refusal> {
        let began = Instant::now();
        if c.hash() != self.circuit || terms.id() != self.terms {
            return Err(second::Refusal::Wrong("it was seen of another circuit".into()));
        }
        let effort = Effort { solver_first: effort.solver_first || self.engine == "sat", ..*effort };
        match second::confirm(c, terms, &self.assertion, &effort) {
            Ok(by) => self.checked = Some(by),
            Err(second::Refusal::TooLarge | second::Refusal::Unsettled) => {}
            Err(e) => return Err(e),
        }
        self.time += began.elapsed();
        Ok(self.checked.is_some())
    }

    /// By what it was confirmed.
    pub fn checked(&self) -> Option<&'static str> {
        self.checked
    }
}

/// Times beyond this are mistakes.
pub const LATEST: u32 = 1 << 20;

static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Makes theorems over one set of formulas.
pub struct Kernel {
    /// The formulas.
    pub terms: Terms,
    steps: Vec<Step>,
    identities: Vec<Identity>,
    number: u64,
    /// The formulas it began with: a literal means something only there.
    formulas: u64,
    /// Is asked now and then whether to give up a side condition.
    pub stop: Box<dyn Fn() -> bool>,
}

impl Kernel {
    /// A kernel that knows nothing yet.
    pub fn new(terms: Terms) -> Kernel {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let formulas = terms.id();
        Kernel { terms, steps: Vec::new(), identities: Vec::new(), number, formulas, stop: Box::new(|| false) }
    }

    /// All steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All identities so far.
    pub fn identities(&self) -> &[Identity] {
        &self.identities
    }

    fn make(&mut self, name: &str, statement: Statement, rule: Rule, refutations: u32, time: Duration) -> Theorem {
        self.steps.push(Step { name: name.into(), statement: statement.clone(), rule, refutations, time });
        Theorem { statement, step: self.steps.len() - 1, kernel: self.number }
    }

    fn own(&self, rule: &'static str, list: &[&Theorem]) -> Result<(), Refused> {
        if self.terms.id() != self.formulas {
            return refused(rule, "the kernel's formulas were exchanged");
        }
        match list.iter().all(|t| t.kernel == self.number) {
            true => Ok(()),
            false => refused(rule, "a theorem of another kernel"),
        }
    }

    fn follows(
        &self,
        rule: &'static str,
        premises: &[Lit],
        conclusions: &[Lit],
        what: &dyn Fn(usize) -> String,
    ) -> Result<u32, Refused> {
        side::follows(&self.terms, premises, conclusions, &self.stop).map_err(|e| match e {
            Refusal::Counterexample(i, counterexample) => Refused { rule, why: what(i), counterexample },
            Refusal::Undecided(why) => {
                Refused { rule, why: format!("a side condition was not decided: {why}"), counterexample: Vec::new() }
            }
        })
    }

    /// A statement whose constraint and given claims nothing satisfies says nothing, and is not proved.
    fn says_something(&mut self, rule: &'static str, s: &Statement) -> Result<(), Refused> {
        let mut all = self.said(&s.antecedent);
        all.push(s.constraint);
        match side::follows(&self.terms, &all, &[Lit::FALSE], &self.stop) {
            Err(Refusal::Counterexample(..)) => Ok(()),
            Ok(_) => refused(rule, "nothing satisfies the constraint and what is given: it would be vacuous"),
            Err(Refusal::Undecided(why)) => refused(rule, format!("whether it is vacuous was not decided: {why}")),
        }
    }

    /// The literals of claims as formulas.
    fn said(&mut self, list: &[Claim]) -> Vec<Lit> {
        list.iter().map(|c| self.terms.claim(c)).collect()
    }

    /// Formulas that speak of vectors alone.
    fn plain(&self, rule: &'static str, lits: &[Lit]) -> Result<(), Refused> {
        match self.terms.support(lits).iter().all(|l| matches!(l, Leaf::Var(..))) {
            true => Ok(()),
            false => refused(rule, "a constraint or a given value speaks of nodes; only vectors are allowed there"),
        }
    }

    /// **Trajectory evaluation.** The least trajectory lies below every run that satisfies the antecedent (Seger and Bryant), so
    /// what it shows of the consequent holds in all of them. The evaluation was done by [`evaluate`], and again by other
    /// code where `checked` says so. A run that fits constraint and antecedent is demanded, so nothing is proved
    /// for want of runs.
    pub fn run(&mut self, name: &str, c: &Circuit, seen: Seen, witness: Run) -> Result<Theorem, Refused> {
        const RULE: &str = "trajectory evaluation";
        if seen.terms != self.terms.id() {
            return refused(RULE, "it was seen with other formulas");
        }
        if seen.circuit != c.hash() {
            return refused(RULE, "it was seen of another circuit");
        }
        let a = &seen.assertion;
        if a.antecedent.iter().any(|c| c.atom.is_none()) {
            return refused(RULE, "a given claim is about nothing");
        }
        let given: Vec<Lit> = a.antecedent.iter().flat_map(|c| [c.guard, c.value]).chain([a.constraint]).collect();
        self.plain(RULE, &given)?;
        match judge(c, &self.terms, a, &witness) {
            Ok(s) if s.fits && s.broken.is_empty() => {}
            Ok(s) if s.fits => return refused(RULE, "the run that fits it breaks it"),
            Ok(_) => {
                return refused(RULE, "no run is shown that satisfies constraint and antecedent: it may be vacuous");
            }
            Err(why) => return refused(RULE, why),
        }
        let statement = Statement {
            circuit: Some(c.hash()),
            constraint: a.constraint,
            antecedent: a.antecedent.clone(),
            consequent: a.consequent.clone(),
        };
        let rule = Rule::Run {
            assertion: Box::new(a.clone()),
            witness: Box::new(witness),
            engine: seen.engine,
            checked: seen.checked,
        };
        Ok(self.make(name, statement, rule, 0, seen.time))
    }

    /// **Arithmetic fact.** Two words are equal for all values of their inputs, by polynomial algebra; `equal` must be the formula of
    /// their equality, which is made here anew from the words alone.
    pub fn algebra(&mut self, name: &str, identity: Identity, equal: Lit) -> Result<Theorem, Refused> {
        const RULE: &str = "arithmetic fact";
        let began = Instant::now();
        self.plain(RULE, &[equal])?;
        match equality(&identity_file(&identity), &mut self.terms) {
            Ok((_, l)) if l == equal => {}
            Ok(_) => return refused(RULE, "the formula is not the equality of the words"),
            Err(why) => return refused(RULE, why),
        }
        let limits = crate::algebra::Limits::default();
        if let Err(why) = crate::algebra::prove_equal(&identity.design, identity.left, identity.right, &limits) {
            return refused(RULE, why.to_string());
        }
        if let Err(why) = crate::algebra::recheck(&identity.design, identity.left, identity.right, &limits) {
            return refused(RULE, format!("the second check does not confirm it: {why}"));
        }
        self.identities.push(identity);
        let rule = Rule::Algebra { identity: self.identities.len() - 1 };
        Ok(self.make(name, fact(Lit::TRUE, equal), rule, 0, began.elapsed()))
    }

    /// **Valid fact.** The formula follows from the constraint, whatever the vectors are.
    pub fn valid(&mut self, name: &str, constraint: Lit, formula: Lit) -> Result<Theorem, Refused> {
        const RULE: &str = "fact";
        let began = Instant::now();
        self.plain(RULE, &[constraint, formula])?;
        let n = self.follows(RULE, &[constraint], &[formula], &|_| "it does not hold for all values".into())?;
        let statement = fact(constraint, formula);
        self.says_something(RULE, &statement)?;
        Ok(self.make(name, statement, Rule::Valid, n, began.elapsed()))
    }

    /// **Precondition strengthening.** If P ⇒ P′ and the statement holds for all x with P′(x), it holds for all x with P(x).
    pub fn strengthen(&mut self, name: &str, of: &Theorem, constraint: Lit) -> Result<Theorem, Refused> {
        const RULE: &str = "strengthening";
        let began = Instant::now();
        self.own(RULE, &[of])?;
        self.plain(RULE, &[constraint])?;
        let what = |_| "the new constraint allows what the old one does not".to_string();
        let n = self.follows(RULE, &[constraint], &[of.statement.constraint], &what)?;
        let statement = Statement { constraint, ..of.statement.clone() };
        self.says_something(RULE, &statement)?;
        Ok(self.make(name, statement, Rule::Strengthen { of: of.step }, n, began.elapsed()))
    }

    /// **Postcondition weakening.** In each run with P and the antecedent the old consequent holds, and so do the facts; what
    /// follows from all of these for any values of vectors and nodes holds in that run, too.
    pub fn weaken(
        &mut self,
        name: &str,
        of: &Theorem,
        consequent: Vec<Claim>,
        using: &[&Theorem],
    ) -> Result<Theorem, Refused> {
        const RULE: &str = "weakening";
        let began = Instant::now();
        self.own(RULE, &[of])?;
        self.own(RULE, using)?;
        if consequent.is_empty() {
            return refused(RULE, "nothing is left of the consequent");
        }
        let mut premises = vec![of.statement.constraint];
        premises.extend(self.said(&of.statement.antecedent));
        premises.extend(self.said(&of.statement.consequent));
        for t in using {
            if t.statement.circuit.is_some() {
                return refused(RULE, "only facts can help, and one of these is about a circuit");
            }
            let says = self.said(&t.statement.consequent);
            let all = self.terms.all(&says);
            premises.push(self.terms.or(!t.statement.constraint, all));
        }
        let goals = self.said(&consequent);
        let n =
            self.follows(RULE, &premises, &goals, &|i| format!("claim {i} of the new consequent does not follow"))?;
        let statement = Statement { consequent, ..of.statement.clone() };
        let rule = Rule::Weaken { of: of.step, using: using.iter().map(|t| t.step).collect() };
        Ok(self.make(name, statement, rule, n, began.elapsed()))
    }

    /// **Postcondition conjunction.** The same runs and the same x satisfy all consequents. Constraints and antecedents must be the
    /// same, claim for claim.
    pub fn conjoin(&mut self, name: &str, of: &[&Theorem]) -> Result<Theorem, Refused> {
        const RULE: &str = "conjunction";
        self.own(RULE, of)?;
        let Some((first, rest)) = of.split_first() else { return refused(RULE, "nothing to put together") };
        let mut statement = first.statement.clone();
        let mut said: FxHashSet<_> = statement.consequent.iter().map(plain_claim).collect();
        for t in rest {
            if t.statement.circuit != statement.circuit {
                return refused(RULE, "they are about different circuits");
            }
            if t.statement.constraint != statement.constraint {
                return refused(RULE, "their constraints differ; strengthen them to the same one first");
            }
            if !same_claims(&t.statement.antecedent, &statement.antecedent) {
                return refused(RULE, "their antecedents differ");
            }
            statement.consequent.extend(t.statement.consequent.iter().filter(|c| said.insert(plain_claim(c))));
        }
        let rule = Rule::Conjoin { of: of.iter().map(|t| t.step).collect() };
        Ok(self.make(name, statement, rule, 0, Duration::ZERO))
    }

    /// **Sequential composition.** In each run with the first's constraint and antecedent its consequent holds. If the second's
    /// constraint and every claim of its antecedent, its vectors replaced by `with`, follow from these for all values,
    /// then the second applies to that run and those values, so its consequent holds there, replaced the same way. The values
    /// may speak of nodes: for each run they are values. Nothing that the second starts from may be left out: each claim
    /// is a side condition.
    pub fn compose(
        &mut self,
        name: &str,
        first: &Theorem,
        second: &Theorem,
        with: Vec<((u32, u32), Lit)>,
    ) -> Result<Theorem, Refused> {
        const RULE: &str = "composition";
        let began = Instant::now();
        self.own(RULE, &[first, second])?;
        if first.statement.circuit != second.statement.circuit {
            return refused(RULE, "they are about different circuits");
        }
        let inst = self.replaced(RULE, &second.statement, &with, true)?;
        let mut premises = vec![first.statement.constraint];
        premises.extend(self.said(&first.statement.antecedent));
        premises.extend(self.said(&first.statement.consequent));
        // The border by name first: that is what people get wrong.
        let known: FxHashSet<Atom> = first
            .statement
            .antecedent
            .iter()
            .chain(&first.statement.consequent)
            .filter_map(|c| c.atom)
            .map(|a| ste::check::plain(a).0)
            .collect();
        let inside: FxHashSet<Atom> = self
            .terms
            .support(&premises)
            .into_iter()
            .filter_map(|l| match l {
                Leaf::Atom(a) => Some(a),
                Leaf::Var(..) => None,
            })
            .collect();
        for c in &inst.antecedent {
            if let Some(a) = c.atom.map(|a| ste::check::plain(a).0)
                && c.guard != Lit::FALSE
                && !known.contains(&a)
                && !inside.contains(&a)
            {
                return Err(Refused {
                    rule: RULE,
                    why: format!("the second starts from a signal of which the first says nothing: {}", Border(a)),
                    counterexample: Vec::new(),
                });
            }
        }
        let mut goals = vec![inst.constraint];
        goals.extend(self.said(&inst.antecedent));
        let what = |i: usize| match i {
            0 => "the second's constraint does not follow from the first".to_string(),
            i => format!(
                "what the second starts from does not follow from the first: {}",
                inst.antecedent[i - 1].atom.map_or(String::new(), |a| Border(a).to_string())
            ),
        };
        let n = self.follows(RULE, &premises, &goals, &what)?;
        let mut statement = first.statement.clone();
        statement.consequent.extend(inst.consequent);
        let rule = Rule::Compose { first: first.step, second: second.step, with };
        Ok(self.make(name, statement, rule, n, began.elapsed()))
    }

    /// **Case split.** If P ⇒ P₁ ∨ … ∨ Pₙ, then for each x with P(x) one of the cases applies, and all have the same antecedent and
    /// consequent.
    pub fn split(&mut self, name: &str, cases: &[&Theorem], constraint: Lit) -> Result<Theorem, Refused> {
        const RULE: &str = "case split";
        let began = Instant::now();
        self.own(RULE, cases)?;
        self.plain(RULE, &[constraint])?;
        let Some((first, rest)) = cases.split_first() else { return refused(RULE, "no cases") };
        for t in rest {
            if t.statement.circuit != first.statement.circuit {
                return refused(RULE, "the cases are about different circuits");
            }
            if !same_claims(&t.statement.antecedent, &first.statement.antecedent) {
                return refused(RULE, "the cases have different antecedents");
            }
            if !same_claims(&t.statement.consequent, &first.statement.consequent) {
                return refused(RULE, "the cases have different consequents");
            }
        }
        let all: Vec<Lit> = cases.iter().map(|t| t.statement.constraint).collect();
        let some = self.terms.any(&all);
        let n = self.follows(RULE, &[constraint], &[some], &|_| "the cases leave something out".into())?;
        let statement = Statement { constraint, ..first.statement.clone() };
        self.says_something(RULE, &statement)?;
        let rule = Rule::Split { of: cases.iter().map(|t| t.step).collect() };
        Ok(self.make(name, statement, rule, n, began.elapsed()))
    }

    /// **Instantiation and renaming.** A statement for all x holds for the x that any formulas over vectors give. All occurrences are
    /// replaced at once.
    pub fn instantiate(&mut self, name: &str, of: &Theorem, with: Vec<((u32, u32), Lit)>) -> Result<Theorem, Refused> {
        const RULE: &str = "instantiation";
        let began = Instant::now();
        self.own(RULE, &[of])?;
        let statement = self.replaced(RULE, &of.statement, &with, false)?;
        self.says_something(RULE, &statement)?;
        Ok(self.make(name, statement, Rule::Instantiate { of: of.step, with }, 0, began.elapsed()))
    }

    fn replaced(
        &mut self,
        rule: &'static str,
        of: &Statement,
        with: &[((u32, u32), Lit)],
        nodes: bool,
    ) -> Result<Statement, Refused> {
        let mut map: FxHashMap<(u32, u32), Lit> = FxHashMap::default();
        for ((v, b), l) in with {
            let exists = self.terms.vectors.get(*v as usize).is_some_and(|x| *b < x.width);
            if !exists {
                return refused(rule, "it replaces a vector that there is not");
            }
            if map.insert((*v, *b), *l).is_some() {
                return refused(rule, "it replaces a bit twice");
            }
        }
        // A vector is replaced as a whole: half a renaming is a mistake.
        for v in with.iter().map(|w| w.0.0).collect::<FxHashSet<u32>>() {
            let width = self.terms.vectors[v as usize].width;
            let used = self.terms.support(&of.formulas());
            if (0..width).any(|b| used.contains(&Leaf::Var(v, b)) && !map.contains_key(&(v, b))) {
                let name = &self.terms.vectors[v as usize].name;
                return refused(rule, format!("it replaces some bits of `{name}` and not others"));
            }
        }
        let values: Vec<Lit> = with.iter().map(|w| w.1).collect();
        if !nodes {
            self.plain(rule, &values)?;
        }
        let lits = of.formulas();
        let new = self.terms.substitute(&lits, &mut |_, leaf| match leaf {
            Leaf::Var(v, b) => map.get(&(v, b)).copied(),
            Leaf::Atom(_) => None,
        });
        let mut at = 0;
        let mut take = |list: &[Claim]| -> Vec<Claim> {
            list.iter()
                .map(|c| {
                    at += 2;
                    Claim { guard: new[at - 2], value: new[at - 1], ..*c }
                })
                .collect()
        };
        let (antecedent, consequent) = (take(&of.antecedent), take(&of.consequent));
        Ok(Statement { circuit: of.circuit, constraint: new[lits.len() - 1], antecedent, consequent })
    }

    /// **Time shift.** What follows the first moments of a run is a run, if runs may start in any state; so a statement about all runs
    /// holds at any later time. Earlier times are no such thing: not every state has a past.
    pub fn shift(&mut self, name: &str, c: &Circuit, of: &Theorem, by: i64) -> Result<Theorem, Refused> {
        const RULE: &str = "time shift";
        self.own(RULE, &[of])?;
        if of.statement.circuit != Some(c.hash()) {
            return refused(RULE, "the theorem is about another circuit");
        }
        if c.start != Start::Any {
            return refused(RULE, "runs start in the initial state, and later times do not");
        }
        let Ok(by) = u32::try_from(by) else { return refused(RULE, "a theorem cannot be moved to earlier times") };
        let lits = of.statement.formulas();
        let claims = of.statement.antecedent.iter().chain(&of.statement.consequent).filter_map(|c| c.atom);
        let inside = self.terms.support(&lits).into_iter().filter_map(|l| match l {
            Leaf::Atom(a) => Some(a),
            Leaf::Var(..) => None,
        });
        if claims.chain(inside).any(|a| a.time.checked_add(by).is_none_or(|t| t > LATEST)) {
            return refused(RULE, "that is too late");
        }
        let late = lits.len();
        let new = self.terms.substitute(&lits, &mut |t, leaf| match leaf {
            Leaf::Atom(a) => Some(t.leaf(Leaf::Atom(Atom { time: a.time + by, ..a }))),
            Leaf::Var(..) => None,
        });
        let mut at = 0;
        let mut take = |list: &[Claim]| -> Vec<Claim> {
            list.iter()
                .map(|c| {
                    at += 2;
                    let atom = c.atom.map(|a| Atom { time: a.time + by, ..a });
                    Claim { atom, guard: new[at - 2], value: new[at - 1], ..*c }
                })
                .collect()
        };
        let (antecedent, consequent) = (take(&of.statement.antecedent), take(&of.statement.consequent));
        let statement = Statement { circuit: of.statement.circuit, constraint: new[late - 1], antecedent, consequent };
        Ok(self.make(name, statement, Rule::Shift { of: of.step, by }, 0, Duration::ZERO))
    }

    /// **Model equality.** Circuits with the same hash have the same gates, state, clocking and start, so the same runs.
    pub fn model(&mut self, name: &str, of: &Theorem, c: &Circuit) -> Result<Theorem, Refused> {
        const RULE: &str = "model equality";
        self.own(RULE, &[of])?;
        if of.statement.circuit != Some(c.hash()) {
            return refused(RULE, "the circuits are not the same");
        }
        Ok(self.make(name, of.statement.clone(), Rule::Model { of: of.step }, 0, Duration::ZERO))
    }
}

/// A place for messages of the kernel, which knows no names.
struct Border(Atom);

impl std::fmt::Display for Border {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.place {
            ste::Place::Node(l) => write!(f, "⟨{}⟩ at {}", l >> 1, self.0.time),
            ste::Place::Word(m, a, b) => write!(f, "⟨memory {m}[{a}][{b}]⟩ at {}", self.0.time),
        }
    }
}

fn fact(constraint: Lit, formula: Lit) -> Statement {
    let claim = Claim { atom: None, guard: Lit::TRUE, value: formula, origin: 0 };
    Statement { circuit: None, constraint, antecedent: Vec::new(), consequent: vec![claim] }
}

/// What a claim says, in one way of saying it.
fn plain_claim(c: &Claim) -> (Option<Atom>, Lit, Lit) {
    match c.atom.map(ste::check::plain) {
        Some((atom, flip)) => (Some(atom), c.guard, c.value.xor(flip)),
        None => (None, c.guard, c.value),
    }
}

fn same_claims(a: &[Claim], b: &[Claim]) -> bool {
    let set = |list: &[Claim]| list.iter().map(plain_claim).collect::<FxHashSet<_>>();
    set(a) == set(b)
}
