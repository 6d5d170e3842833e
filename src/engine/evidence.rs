//! Why a goal holds, and the check of it with other code than found it.
//!
//! The check states each obligation as clauses by a plain encoding of its own, has a fresh CaDiCaL refute
//! them, and checks that solver's LRAT proof. Nothing of the engines is trusted.

use crate::model::{Aig, Fact, Node, Question, Reduced, System};
use crate::net::Lit;
use crate::sat::certify::refute;
use serde::{Deserialize, Serialize};

/// A state bit and the value it has.
pub type Literal = (u32, bool);

/// Why no reachable step is bad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// An inductive invariant: in every reachable state each clause has a true literal.
    Clauses(Vec<Vec<Literal>>),
    /// An inductive invariant as decisions: node `n + 2` tests a state bit and goes to one of two nodes; 0 is
    /// no and 1 is yes. The last node is the root; without nodes `root` is 0 or 1.
    Decisions {
        /// State bit, node if 0, node if 1.
        nodes: Vec<(u32, u32, u32)>,
        /// Where to begin.
        root: u32,
    },
    /// The reachable states, one word each: bit `i` is state bit `i`.
    States {
        /// Number of state bits.
        bits: u32,
        /// The states.
        list: Vec<u64>,
    },
    /// Induction over `k` steps; `simple` if through different states only.
    Induction {
        /// Number of good steps.
        k: u32,
        /// Only paths without a repeated state were looked at.
        simple: bool,
        /// Clauses, inductive together, that the states of the steps satisfy.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lemmas: Vec<Vec<Literal>>,
    },
}

/// Evidence about a system as it was before reduction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// What reduction used: (bit, value).
    pub constants: Vec<Literal>,
    /// What reduction used: equal bits.
    pub equal: Vec<(u32, u32)>,
    /// What was known before: clauses about the system's state bits, inductive together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Vec<Literal>>,
    /// The evidence; its state bits are those of the system, by `states`.
    pub evidence: Evidence,
    /// The system's state bit behind each of the evidence's.
    pub states: Vec<u32>,
}

impl Certificate {
    /// Evidence of a reduced system, about the original, of which some clauses were known.
    pub fn new(reduced: &Reduced, evidence: Evidence, known: &[Vec<Literal>]) -> Certificate {
        // Decisions are found without them.
        let used = matches!(evidence, Evidence::Clauses(_) | Evidence::Induction { .. });
        let mut c = Certificate {
            constants: Vec::new(),
            equal: Vec::new(),
            known: if used { known.to_vec() } else { Vec::new() },
            evidence,
            states: reduced.states.iter().map(|s| *s as u32).collect(),
        };
        for f in &reduced.facts {
            match *f {
                Fact::Constant(s, v) => c.constants.push((s as u32, v)),
                Fact::Equal(a, b) => c.equal.push((a as u32, b as u32)),
            }
        }
        c
    }

    /// Checks that it shows the goal. Returns the number of refutations it took.
    pub fn check(&self, sys: &System, question: &Question) -> Result<u32, String> {
        let (Question::Never(bad) | Question::Reach(bad)) = question else {
            return Err("this evidence is for safety only".into());
        };
        let states = sys.states.len() as u32;
        let known = self.states.iter().chain(self.constants.iter().map(|c| &c.0));
        let known = known.chain(self.known.iter().flatten().map(|l| &l.0));
        if known.chain(self.equal.iter().flat_map(|e| [&e.0, &e.1])).any(|s| *s >= states) {
            return Err("it is about state bits that the system does not have".into());
        }
        match &self.evidence {
            Evidence::Induction { k, simple, lemmas } => self.check_induction(sys, *bad, *k, *simple, lemmas),
            _ => self.check_invariant(sys, *bad),
        }
    }

    /// The facts of the reduction and what was known as a function of the state.
    fn facts(&self, aig: &mut Aig, state: &[Lit]) -> Lit {
        let mut all: Vec<Lit> = self.constants.iter().map(|(s, v)| state[*s as usize].xor(!v)).collect();
        for (a, b) in &self.equal {
            all.push(aig.equal(state[*a as usize], state[*b as usize]));
        }
        for c in &self.known {
            let lits: Vec<Lit> = c.iter().map(|(s, v)| state[*s as usize].xor(!v)).collect();
            all.push(aig.any(&lits));
        }
        aig.all(&all)
    }

    /// The invariant as a function of the state.
    fn invariant(&self, aig: &mut Aig, state: &[Lit]) -> Result<Lit, String> {
        let bit = |i: u32| {
            let s = self.states.get(i as usize).ok_or("it is about state bits that the system does not have")?;
            Ok::<Lit, String>(state[*s as usize])
        };
        let mut all = vec![self.facts(aig, state)];
        match &self.evidence {
            Evidence::Clauses(list) => {
                for c in list {
                    let lits: Result<Vec<Lit>, String> = c.iter().map(|(s, v)| Ok(bit(*s)?.xor(!v))).collect();
                    all.push(aig.any(&lits?));
                }
            }
            Evidence::Decisions { nodes, root } => {
                let mut made = vec![Lit::FALSE, Lit::TRUE];
                for &(s, low, high) in nodes {
                    let at = |n: u32| made.get(n as usize).copied().ok_or("a decision goes to a later one");
                    let (low, high) = (at(low)?, at(high)?);
                    made.push(aig.mux(bit(s)?, high, low));
                }
                all.push(*made.get(*root as usize).ok_or("the root is missing")?);
            }
            Evidence::States { bits, list } => {
                let word: Result<Vec<Lit>, String> = (0..*bits).map(bit).collect();
                let word = word?;
                let cubes: Vec<Lit> = list.iter().map(|s| aig.equals(&word, *s)).collect();
                all.push(aig.any(&cubes));
            }
            Evidence::Induction { .. } => return Err("this is not an invariant".into()),
        }
        Ok(aig.all(&all))
    }

    fn check_invariant(&self, sys: &System, bad: Lit) -> Result<u32, String> {
        let mut w = Written::new();
        let start = w.initial(sys);
        let inv = self.invariant(&mut w.aig, &start)?;
        w.refute(&[!inv], "an initial state is outside the invariant")?;

        let mut w = Written::new();
        let now = w.any_state(sys);
        let inv = self.invariant(&mut w.aig, &now)?;
        let (next, allowed, wrong) = w.step(sys, &now, bad);
        w.refute(&[inv, allowed, wrong], "a state of the invariant allows a bad step")?;
        let after = self.invariant(&mut w.aig, &next)?;
        w.refute(&[inv, allowed, !after], "a step leads out of the invariant")?;
        Ok(3)
    }

    /// The state bits that badness can depend on, given the facts: a shortest bad path does not repeat
    /// them. Found here anew, since a wrong list would make a path look simple that is not.
    fn cone(&self, sys: &System, bad: Lit) -> Vec<usize> {
        let mut aig = Aig::default();
        let mut leaf: Vec<Option<Lit>> = vec![None; sys.states.len()];
        self.constants.iter().for_each(|(s, v)| leaf[*s as usize] = Some(Lit::FALSE.xor(*v)));
        let first: rustc_hash::FxHashMap<u32, u32> = self.equal.iter().map(|(a, b)| (*b, *a)).collect();
        let mut roots: Vec<Lit> = sys.states.iter().map(|s| s.next).collect();
        roots.extend(sys.constraints.iter().map(|c| c.1));
        roots.push(bad);
        let inputs: Vec<Lit> = (0..sys.inputs.len() as u32).map(|i| aig.leaf(Node::Input(i))).collect();
        let made = sys.aig.copy_into(&mut aig, &roots, &mut |aig, n| match n {
            Node::Input(i) => inputs[i as usize],
            Node::State(i) => {
                let mut i = i;
                // Pairs may form a chain; a circle of them ends where it began.
                for _ in 0..self.equal.len() {
                    match first.get(&i) {
                        Some(f) => i = *f,
                        None => break,
                    }
                }
                *leaf[i as usize].get_or_insert_with(|| aig.leaf(Node::State(i)))
            }
            _ => unreachable!("only leaves are asked for"),
        });
        let (next, watched) = made.split_at(sys.states.len());
        let mut inside = vec![false; sys.states.len()];
        let mut open: Vec<Lit> = watched.to_vec();
        let mut seen = vec![false; aig.len()];
        while let Some(l) = open.pop() {
            if std::mem::replace(&mut seen[l.gate().0 as usize], true) {
                continue;
            }
            match aig.node(l) {
                Node::And(a, b) => open.extend([a, b]),
                Node::State(i) => {
                    inside[i as usize] = true;
                    open.push(next[i as usize]);
                }
                _ => {}
            }
        }
        (0..inside.len()).filter(|i| inside[*i]).collect()
    }

    fn check_induction(
        &self,
        sys: &System,
        bad: Lit,
        k: u32,
        simple: bool,
        lemmas: &[Vec<Literal>],
    ) -> Result<u32, String> {
        if k == 0 || k > 100_000 {
            return Err("induction over no steps".into());
        }
        // The facts and the lemmas by themselves.
        let only = Certificate { evidence: Evidence::Clauses(lemmas.to_vec()), ..self.clone() };
        let facts = only.check_invariant(sys, Lit::FALSE)?;

        let mut w = Written::new();
        let mut state = w.initial(sys);
        let mut held = Vec::new();
        let mut any_bad = Vec::new();
        for _ in 0..k {
            let (next, allowed, wrong) = w.step(sys, &state, bad);
            held.push(allowed);
            let so_far = w.aig.all(&held);
            any_bad.push(w.aig.and(so_far, wrong));
            state = next;
        }
        let some = w.aig.any(&any_bad);
        w.refute(&[some], "one of the first steps can be bad")?;

        let mut w = Written::new();
        let mut states = vec![w.any_state(sys)];
        let mut all = Vec::new();
        for i in 0..=k {
            let now = states[i as usize].clone();
            all.push(only.invariant(&mut w.aig, &now)?);
            let (next, allowed, wrong) = w.step(sys, &now, bad);
            all.push(allowed);
            all.push(if i == k { wrong } else { !wrong });
            states.push(next);
        }
        if simple {
            let cone = self.cone(sys, bad);
            for i in 0..=k as usize {
                for j in i + 1..=k as usize {
                    let pairs: Vec<(Lit, Lit)> = cone.iter().map(|s| (states[i][*s], states[j][*s])).collect();
                    let unlike: Vec<Lit> = pairs.iter().map(|(a, b)| w.aig.xor(*a, *b)).collect();
                    all.push(w.aig.any(&unlike));
                }
            }
        }
        w.refute(&all, "good steps can be followed by a bad one")?;
        Ok(facts + 2)
    }
}

/// Functions of a system, written out for one obligation.
struct Written {
    aig: Aig,
    leaves: u32,
}

impl Written {
    fn new() -> Written {
        Written { aig: Aig::default(), leaves: 0 }
    }

    fn leaf(&mut self) -> Lit {
        self.leaves += 1;
        self.aig.leaf(Node::Input(self.leaves - 1))
    }

    fn initial(&mut self, sys: &System) -> Vec<Lit> {
        sys.states.iter().map(|s| s.init.map_or_else(|| self.leaf(), |v| Lit::FALSE.xor(v))).collect()
    }

    fn any_state(&mut self, sys: &System) -> Vec<Lit> {
        sys.states.iter().map(|_| self.leaf()).collect()
    }

    /// A step: the next state, whether the constraints allow it, whether it is bad.
    fn step(&mut self, sys: &System, now: &[Lit], bad: Lit) -> (Vec<Lit>, Lit, Lit) {
        let inputs: Vec<Lit> = sys.inputs.iter().map(|_| self.leaf()).collect();
        let mut made: Vec<Lit> = Vec::with_capacity(sys.aig.len());
        for n in sys.aig.nodes() {
            let l = match *n {
                Node::False => Lit::FALSE,
                Node::Input(i) => inputs[i as usize],
                Node::State(i) => now[i as usize],
                Node::And(a, b) => {
                    let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
                    let (a, b) = (at(a), at(b));
                    self.aig.and(a, b)
                }
            };
            made.push(l);
        }
        let at = |l: Lit| made[l.gate().0 as usize].xor(l.complement());
        let constraints: Vec<Lit> = sys.constraints.iter().map(|c| at(c.1)).collect();
        let allowed = self.aig.all(&constraints);
        (sys.states.iter().map(|s| at(s.next)).collect(), allowed, at(bad))
    }

    /// Checks that the literals cannot all be 1.
    fn refute(&self, lits: &[Lit], otherwise: &str) -> Result<(), String> {
        if lits.contains(&Lit::FALSE) {
            return Ok(());
        }
        let used = self.aig.cone(lits);
        let at = |l: Lit| {
            let v = l.gate().0 as i32 + 1;
            if l.complement() { -v } else { v }
        };
        // Variable 1 is the constant 0.
        let mut clauses: Vec<Vec<i32>> = vec![vec![-1]];
        for (i, n) in self.aig.nodes().iter().enumerate().filter(|(i, _)| used[*i]) {
            if let Node::And(a, b) = *n {
                let (out, a, b) = (i as i32 + 1, at(a), at(b));
                clauses.extend([vec![-out, a], vec![-out, b], vec![out, -a, -b]]);
            }
        }
        clauses.extend(lits.iter().map(|l| vec![at(*l)]));
        refute(&clauses).map_err(|e| e.unwrap_or_else(|| otherwise.to_string()))
    }
}
