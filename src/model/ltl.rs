//! Linear temporal logic over net names: text into goals.
//!
//! `G p` with a `p` of the present is safety. Everything else is negated and becomes a symbolic automaton
//! (Clarke, Grumberg, Hamaguchi 1994): for each "next time" a choice of what will be, a state bit that
//! remembers it, and a constraint that it comes true; each "until" happens in the end, which is what the
//! path must do again and again.

use super::{Goal, Origin, Question, Role, Symbol, System};
use crate::net::Lit;

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// Something of the present.
    Now(Lit),
    /// Not.
    Not(Box<Formula>),
    /// And.
    And(Box<Formula>, Box<Formula>),
    /// Or.
    Or(Box<Formula>, Box<Formula>),
    /// In the next step.
    Next(Box<Formula>),
    /// The second in the end, and the first until then.
    Until(Box<Formula>, Box<Formula>),
    /// The second up to and with the first, or for ever.
    Release(Box<Formula>, Box<Formula>),
}

/// What names and comparisons of the text mean.
pub trait Nets {
    /// The bits of a net, least significant first.
    fn net(&mut self, name: &str) -> Option<Vec<Lit>>;
}

/// Reads a formula. `sys` is where comparisons are built.
pub fn parse(text: &str, sys: &mut System, nets: &mut dyn Nets) -> Result<Formula, String> {
    let mut p = Parser { words: lex(text)?, at: 0, sys, nets, depth: 0 };
    let f = p.implication()?;
    match p.words.get(p.at) {
        None => Ok(f),
        Some((at, w)) => Err(format!("column {}: `{w}` does not belong here", at + 1)),
    }
}

fn lex(text: &str) -> Result<Vec<(usize, String)>, String> {
    let mut words = Vec::new();
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut i = 0;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '[' | ']' | ':');
    while i < chars.len() {
        let (at, c) = chars[i];
        let rest = &text[at..];
        let symbol = ["<->", "->", "&&", "||", "==", "!=", "<=", ">="].into_iter().find(|s| rest.starts_with(s));
        if c.is_whitespace() {
            i += 1;
        } else if let Some(s) = symbol {
            words.push((at, s.to_string()));
            i += s.len();
        } else if is_name(c) {
            let len = chars[i..].iter().take_while(|(_, c)| is_name(*c)).count();
            words.push((at, chars[i..i + len].iter().map(|x| x.1).collect()));
            i += len;
        } else if "()!&|<>".contains(c) {
            words.push((at, c.to_string()));
            i += 1;
        } else {
            return Err(format!("column {}: `{c}` is not part of a formula", at + 1));
        }
    }
    Ok(words)
}

struct Parser<'p> {
    words: Vec<(usize, String)>,
    at: usize,
    sys: &'p mut System,
    nets: &'p mut dyn Nets,
    depth: u32,
}

type Parsed = Result<Formula, String>;

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", |w| &w.1)
    }

    fn take(&mut self, words: &[&str]) -> Option<String> {
        let w = self.peek().to_string();
        words.contains(&w.as_str()).then(|| {
            self.at += 1;
            w
        })
    }

    fn wrong<T>(&self, what: &str) -> Result<T, String> {
        match self.words.get(self.at) {
            Some((at, w)) => Err(format!("column {}: {what}, not `{w}`", at + 1)),
            None => Err(format!("at the end: {what}")),
        }
    }

    fn implication(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > 200 {
            return self.wrong("the formula is nested too deeply");
        }
        let a = self.until()?;
        let f = match self.take(&["->", "<->"]).as_deref() {
            Some("->") => or(not(a), self.implication()?),
            Some(_) => {
                let b = self.implication()?;
                or(and(a.clone(), b.clone()), and(not(a), not(b)))
            }
            None => a,
        };
        self.depth -= 1;
        Ok(f)
    }

    fn until(&mut self) -> Parsed {
        let a = self.disjunction()?;
        Ok(match self.take(&["U", "R", "W"]).as_deref() {
            Some("U") => Formula::Until(a.into(), self.until()?.into()),
            Some("R") => Formula::Release(a.into(), self.until()?.into()),
            // a W b is b R (a or b).
            Some(_) => {
                let b = self.until()?;
                Formula::Release(b.clone().into(), or(a, b).into())
            }
            None => a,
        })
    }

    fn disjunction(&mut self) -> Parsed {
        let mut a = self.conjunction()?;
        while self.take(&["|", "||"]).is_some() {
            a = or(a, self.conjunction()?);
        }
        Ok(a)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut a = self.unary()?;
        while self.take(&["&", "&&"]).is_some() {
            a = and(a, self.unary()?);
        }
        Ok(a)
    }

    fn unary(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > 200 {
            return self.wrong("the formula is nested too deeply");
        }
        let yes = || Formula::Now(Lit::TRUE);
        let f = match self.take(&["!", "G", "F", "X"]).as_deref() {
            Some("!") => not(self.unary()?),
            Some("G") => Formula::Release(not(yes()).into(), self.unary()?.into()),
            Some("F") => Formula::Until(yes().into(), self.unary()?.into()),
            Some(_) => Formula::Next(self.unary()?.into()),
            None => self.atom()?,
        };
        self.depth -= 1;
        Ok(f)
    }

    fn atom(&mut self) -> Parsed {
        if self.take(&["("]).is_some() {
            let f = self.implication()?;
            return if self.take(&[")"]).is_some() { Ok(f) } else { self.wrong("`)` is missing") };
        }
        let a = self.word()?;
        let Some(op) = self.take(&["==", "!=", "<", "<=", ">", ">="]) else {
            let any = self.sys.aig.any(&a);
            return Ok(Formula::Now(any));
        };
        let b = self.word()?;
        let (less, equal) = self.compare(&a, &b);
        let aig = &mut self.sys.aig;
        Ok(Formula::Now(match op.as_str() {
            "==" => equal,
            "!=" => !equal,
            "<" => less,
            "<=" => aig.or(less, equal),
            ">" => !aig.or(less, equal),
            _ => !less,
        }))
    }

    /// Unsigned less-than and equality.
    fn compare(&mut self, a: &[Lit], b: &[Lit]) -> (Lit, Lit) {
        let (mut less, mut equal) = (Lit::FALSE, Lit::TRUE);
        let bit = |w: &[Lit], i: usize| w.get(i).copied().unwrap_or(Lit::FALSE);
        let aig = &mut self.sys.aig;
        for i in (0..a.len().max(b.len())).rev() {
            let (x, y) = (bit(a, i), bit(b, i));
            let here = aig.and(!x, y);
            let here = aig.and(equal, here);
            less = aig.or(less, here);
            let same = aig.equal(x, y);
            equal = aig.and(equal, same);
        }
        (less, equal)
    }

    /// A net or a number.
    fn word(&mut self) -> Result<Vec<Lit>, String> {
        let w = self.peek().to_string();
        if matches!(w.as_str(), "true" | "false") {
            self.at += 1;
            return Ok(vec![Lit::FALSE.xor(w == "true")]);
        }
        if w.starts_with(|c: char| c.is_ascii_digit()) {
            let number = match w.strip_prefix("0x") {
                Some(hex) => u128::from_str_radix(hex, 16),
                None => w.parse(),
            };
            let Ok(n) = number else { return self.wrong("a number belongs here") };
            self.at += 1;
            return Ok((0..128 - n.leading_zeros()).map(|i| Lit::FALSE.xor(n >> i & 1 == 1)).collect());
        }
        if w.is_empty() || "()!&|<>=-".contains(&w[..1]) {
            return self.wrong("a name, a number or `(` belongs here");
        }
        match self.nets.net(&w) {
            Some(bits) => {
                self.at += 1;
                Ok(bits)
            }
            None => self.wrong("a net of the design belongs here"),
        }
    }
}

fn not(f: Formula) -> Formula {
    match f {
        Formula::Now(l) => Formula::Now(!l),
        Formula::Not(f) => *f,
        f => Formula::Not(f.into()),
    }
}

fn and(a: Formula, b: Formula) -> Formula {
    Formula::And(a.into(), b.into())
}

fn or(a: Formula, b: Formula) -> Formula {
    Formula::Or(a.into(), b.into())
}

/// The literal of a formula that only speaks of the present.
pub fn present(f: &Formula, sys: &mut System) -> Option<Lit> {
    Some(match f {
        Formula::Now(l) => *l,
        Formula::Not(a) => !present(a, sys)?,
        Formula::And(a, b) => {
            let (a, b) = (present(a, sys)?, present(b, sys)?);
            sys.aig.and(a, b)
        }
        Formula::Or(a, b) => {
            let (a, b) = (present(a, sys)?, present(b, sys)?);
            sys.aig.or(a, b)
        }
        _ => return None,
    })
}

/// The system with the formula as its only goal; it is asked from the first step on in which `from` is 1.
pub fn attach(sys: &System, name: &str, formula: &Formula, from: Lit) -> System {
    let mut out = sys.clone();
    out.goals.clear();
    let symbol = Symbol::new(name);
    // G p.
    if let Formula::Release(a, p) = formula
        && present(a, &mut out) == Some(Lit::FALSE)
        && let Some(p) = present(p, &mut out)
    {
        let bad = out.aig.and(from, !p);
        out.goals.push(Goal { symbol, question: Question::Never(bad), trigger: Some(from) });
        return out;
    }
    let started = out.state(Symbol::new("entail:ltl:started"), Some(false), Origin::Model);
    let runs = out.aig.or(started, from);
    out.set_next(started, runs);
    let mut t = Tableau { sys: &mut out, started, justice: Vec::new(), made: Vec::new() };
    let holds = t.value(formula);
    // A path on which the question is never asked breaks nothing.
    let mut justice = t.justice;
    justice.push(runs);
    // The path breaks the formula from its first step on.
    let first = out.aig.and(from, !started);
    let breaks = out.aig.implies(first, !holds);
    out.constraints.push((Symbol::new("the formula is broken"), breaks));
    out.goals.push(Goal { symbol, question: Question::NotForever(justice), trigger: None });
    out
}

struct Tableau<'t> {
    sys: &'t mut System,
    started: Lit,
    justice: Vec<Lit>,
    made: Vec<(Formula, Lit)>,
}

impl Tableau<'_> {
    /// Whether a formula holds from this step on, if all promises are kept.
    fn value(&mut self, f: &Formula) -> Lit {
        if let Some((_, l)) = self.made.iter().find(|m| m.0 == *f) {
            return *l;
        }
        let l = match f {
            Formula::Now(l) => *l,
            Formula::Not(a) => !self.value(a),
            Formula::And(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.sys.aig.and(a, b)
            }
            Formula::Or(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.sys.aig.or(a, b)
            }
            Formula::Next(a) => {
                let value = self.value(a);
                let (promise, kept) = self.promise();
                self.keep(kept, value);
                promise
            }
            Formula::Until(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let (promise, kept) = self.promise();
                let go_on = self.sys.aig.and(a, promise);
                let now = self.sys.aig.or(b, go_on);
                self.keep(kept, now);
                // It is not put off for ever.
                let fulfilled = self.sys.aig.or(b, !now);
                self.justice.push(fulfilled);
                now
            }
            // a R b is not (not a U not b).
            Formula::Release(a, b) => {
                let until = Formula::Until(not((**a).clone()).into(), not((**b).clone()).into());
                !self.value(&until)
            }
        };
        self.made.push((f.clone(), l));
        l
    }

    /// A choice of what will be in the next step, and what was chosen in the step before.
    fn promise(&mut self) -> (Lit, Lit) {
        let k = self.sys.inputs.len();
        let choice = self.sys.input(Symbol::new(format!("entail:ltl:promise:{k}")), Role::Choice);
        let kept = self.sys.state(Symbol::new(format!("entail:ltl:promised:{k}")), Some(false), Origin::Model);
        self.sys.set_next(kept, choice);
        (choice, kept)
    }

    fn keep(&mut self, kept: Lit, value: Lit) {
        let same = self.sys.aig.equal(kept, value);
        let c = self.sys.aig.or(!self.started, same);
        self.sys.constraints.push((Symbol::new("a promise is kept"), c));
    }
}
