//! Where the bits of a system stand in a space, and functions made from graphs.

use crate::bdd::{Func, Made, Space};
use crate::model::{Aig, Node, Slot};
use crate::net::Lit;

/// Places of the variables.
#[derive(Clone, Debug)]
pub struct Vars {
    now: Vec<u32>,
    input: Vec<u32>,
    kind: Vec<Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Now(u32),
    Next,
    Input(u32),
}

impl Vars {
    /// Places by an order of the bits.
    pub fn new(order: &[Slot]) -> Vars {
        let count = |f: fn(&Slot) -> bool| order.iter().filter(|s| f(s)).count();
        let states = count(|s| matches!(s, Slot::State(_)));
        let mut v = Vars { now: vec![0; states], input: vec![0; order.len() - states], kind: Vec::new() };
        for s in order {
            let at = v.kind.len() as u32;
            match *s {
                Slot::State(i) => {
                    v.now[i as usize] = at;
                    v.kind.extend([Kind::Now(i), Kind::Next]);
                }
                Slot::Input(i) => {
                    v.input[i as usize] = at;
                    v.kind.push(Kind::Input(i));
                }
            }
        }
        v
    }

    /// Number of variables.
    pub fn count(&self) -> u32 {
        self.kind.len() as u32
    }

    /// A state bit before a step.
    pub fn now(&self, state: usize) -> u32 {
        self.now[state]
    }

    /// The same after it.
    pub fn next(&self, state: usize) -> u32 {
        self.now[state] + 1
    }

    /// An input.
    pub fn input(&self, input: usize) -> u32 {
        self.input[input]
    }

    /// All inputs.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + '_ {
        self.input.iter().copied()
    }

    /// Number of state bits.
    pub fn states(&self) -> usize {
        self.now.len()
    }

    /// Whether a variable is an input.
    pub fn is_input(&self, v: u32) -> bool {
        matches!(self.kind[v as usize], Kind::Input(_))
    }

    /// Whether a variable is a state bit after a step.
    pub fn is_next(&self, v: u32) -> bool {
        self.kind[v as usize] == Kind::Next
    }

    /// The state bit a variable is, before a step.
    pub fn state_at(&self, v: u32) -> Option<u32> {
        if let Kind::Now(i) = self.kind[v as usize] { Some(i) } else { None }
    }

    /// The input a variable is.
    pub fn input_at(&self, v: u32) -> Option<u32> {
        if let Kind::Input(i) = self.kind[v as usize] { Some(i) } else { None }
    }

    /// A state from some of its bits; the others are 0.
    pub fn state(&self, values: &[(u32, bool)]) -> Vec<bool> {
        let mut out = vec![false; self.now.len()];
        for (v, value) in values {
            if let Kind::Now(i) = self.kind[*v as usize] {
                out[i as usize] = *value;
            }
        }
        out
    }

    /// Inputs from some of them; the others are 0.
    pub fn choice(&self, values: &[(u32, bool)]) -> Vec<bool> {
        let mut out = vec![false; self.input.len()];
        for (v, value) in values {
            if let Kind::Input(i) = self.kind[*v as usize] {
                out[i as usize] = *value;
            }
        }
        out
    }

    /// The diagram of one state.
    pub fn point(&self, space: &Space, state: &[bool]) -> Made {
        let values: Vec<(u32, bool)> = state.iter().enumerate().map(|(i, v)| (self.now[i], *v)).collect();
        space.point(&values)
    }
}

/// Functions of a graph, made once each.
pub struct Builder<'a> {
    space: &'a Space,
    aig: &'a Aig,
    vars: &'a Vars,
    /// Constants in place of the state, if it is known.
    state: Option<&'a [bool]>,
    made: Vec<Option<Func>>,
}

impl<'a> Builder<'a> {
    /// Functions of state and inputs.
    pub fn new(space: &'a Space, aig: &'a Aig, vars: &'a Vars) -> Builder<'a> {
        Builder { space, aig, vars, state: None, made: vec![None; aig.len()] }
    }

    /// Functions of the inputs, in a state.
    pub fn in_state(space: &'a Space, aig: &'a Aig, vars: &'a Vars, state: &'a [bool]) -> Builder<'a> {
        Builder { space, aig, vars, state: Some(state), made: vec![None; aig.len()] }
    }

    /// A function.
    pub fn lit(&mut self, l: Lit) -> Made {
        let mut open = vec![l.gate().0 as usize];
        while let Some(&n) = open.last() {
            if self.made[n].is_some() {
                open.pop();
                continue;
            }
            let f = match self.aig.nodes()[n] {
                Node::False => self.space.no(),
                Node::Input(i) => self.space.var(self.vars.input(i as usize))?,
                Node::State(i) => match self.state {
                    Some(s) => self.space.constant(s[i as usize]),
                    None => self.space.var(self.vars.now(i as usize))?,
                },
                Node::And(a, b) => {
                    let (x, y) = (a.gate().0 as usize, b.gate().0 as usize);
                    match (&self.made[x], &self.made[y]) {
                        (Some(f), Some(g)) => {
                            let f = if a.complement() { self.space.not(f) } else { f.clone() };
                            let g = if b.complement() { self.space.not(g) } else { g.clone() };
                            self.space.and(&f, &g)?
                        }
                        _ => {
                            open.extend([y, x]);
                            continue;
                        }
                    }
                }
            };
            self.made[n] = Some(f);
            open.pop();
        }
        let f = self.made[l.gate().0 as usize].clone().unwrap_or_else(|| self.space.no());
        Ok(if l.complement() { self.space.not(&f) } else { f })
    }
}
