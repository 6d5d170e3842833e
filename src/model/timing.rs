//! What is known about clocks: how often they tick, and how they tick with each other.
//!
//! Without any of this, any clocks may tick in any step.

use super::{Origin, Role, Symbol, System};
use crate::net::Lit;

/// A constraint on clocks, by the names of their inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Timing {
    /// At least so many steps from one tick to the next.
    MinPeriod {
        /// The clock.
        clock: String,
        /// Steps.
        steps: u32,
    },
    /// At most so many steps from one tick to the next, or from the start to the first.
    MaxPeriod {
        /// The clock.
        clock: String,
        /// Steps.
        steps: u32,
    },
    /// Both tick, or none.
    Together {
        /// A clock.
        a: String,
        /// Another.
        b: String,
    },
    /// Every `by`-th tick of `fast` is one of `slow`, the first after `phase` ticks.
    Divided {
        /// The slow clock.
        slow: String,
        /// The fast clock.
        fast: String,
        /// The ratio.
        by: u32,
        /// Ticks of the fast clock before the first of the slow one.
        phase: u32,
    },
}

impl std::str::FromStr for Timing {
    type Err = String;

    /// `clk>=4`, `clk<=9`, `a=b`, `slow=fast/4` or `slow=fast/4+1`.
    fn from_str(s: &str) -> Result<Timing, String> {
        let help = "write CLK>=STEPS, CLK<=STEPS, A=B, SLOW=FAST/N or SLOW=FAST/N+PHASE";
        let number = |t: &str| t.trim().parse::<u32>().ok().filter(|n| *n <= 1 << 20).ok_or(format!("`{t}`: {help}"));
        let name = |t: &str| {
            let t = t.trim();
            if t.is_empty() { Err(help.to_string()) } else { Ok(t.to_string()) }
        };
        if let Some((clock, steps)) = s.split_once(">=") {
            return Ok(Timing::MinPeriod { clock: name(clock)?, steps: number(steps)? });
        }
        if let Some((clock, steps)) = s.split_once("<=") {
            let steps = number(steps)?;
            if steps == 0 {
                return Err("a clock cannot tick more often than in every step".into());
            }
            return Ok(Timing::MaxPeriod { clock: name(clock)?, steps });
        }
        let (a, b) = s.split_once('=').ok_or(help)?;
        let Some((fast, by)) = b.split_once('/') else {
            return Ok(Timing::Together { a: name(a)?, b: name(b)? });
        };
        let (by, phase) = by.split_once('+').unwrap_or((by, "0"));
        let (by, phase) = (number(by)?, number(phase)?);
        if by == 0 || phase >= by {
            return Err("the phase is less than the ratio, and the ratio at least 1".into());
        }
        Ok(Timing::Divided { slow: name(a)?, fast: name(fast)?, by, phase })
    }
}

/// Adds a constraint.
pub fn constrain(sys: &mut System, timing: &Timing) -> Result<(), String> {
    match timing {
        Timing::Together { a, b } => {
            let (x, y) = (tick(sys, a)?, tick(sys, b)?);
            let c = sys.aig.equal(x, y);
            sys.constraints.push((Symbol::new(format!("{a} and {b} tick together")), c));
        }
        Timing::MinPeriod { clock, steps } => {
            let t = tick(sys, clock)?;
            // Counts down the steps in which the clock may not tick.
            let rest = steps.saturating_sub(1);
            let count = counter(sys, &format!("entail:period:{clock}"), rest);
            let zero = sys.aig.equals(&count, 0);
            let c = sys.aig.implies(t, zero);
            sys.constraints.push((Symbol::new(format!("{clock} ticks at most every {steps} steps")), c));
            let mut borrow = !zero;
            for (i, b) in count.iter().enumerate() {
                let less = sys.aig.xor(*b, borrow);
                borrow = sys.aig.and(borrow, !*b);
                let load = Lit::FALSE.xor(rest >> i & 1 == 1);
                let next = sys.aig.mux(t, load, less);
                sys.set_next(*b, next);
            }
        }
        Timing::MaxPeriod { clock, steps } => {
            let t = tick(sys, clock)?;
            // Counts the steps since the last tick; when there are enough, the next one must come.
            let most = steps - 1;
            let count = counter(sys, &format!("entail:wait:{clock}"), most);
            let due = sys.aig.equals(&count, most as u64);
            let c = sys.aig.implies(due, t);
            sys.constraints.push((Symbol::new(format!("{clock} ticks at least every {steps} steps")), c));
            let mut carry = Lit::TRUE;
            for b in &count {
                let more = sys.aig.xor(*b, carry);
                carry = sys.aig.and(carry, *b);
                let next = sys.aig.and(!t, more);
                sys.set_next(*b, next);
            }
        }
        Timing::Divided { slow, fast, by, phase } => {
            let (s, f) = (tick(sys, slow)?, tick(sys, fast)?);
            let count = counter(sys, &format!("entail:ratio:{slow}"), by - 1);
            let (now, last) = (sys.aig.equals(&count, *phase as u64), sys.aig.equals(&count, *by as u64 - 1));
            let due = sys.aig.and(f, now);
            let c = sys.aig.equal(s, due);
            sys.constraints.push((Symbol::new(format!("{slow} is {fast} divided by {by}")), c));
            let mut carry = f;
            for b in &count {
                let more = sys.aig.xor(*b, carry);
                carry = sys.aig.and(carry, *b);
                let wrap = sys.aig.and(f, last);
                let next = sys.aig.and(!wrap, more);
                sys.set_next(*b, next);
            }
        }
    }
    Ok(())
}

/// State bits that can count to `most`, starting at 0.
fn counter(sys: &mut System, name: &str, most: u32) -> Vec<Lit> {
    let bits = 32 - most.leading_zeros();
    (0..bits).map(|i| sys.state(Symbol::new(format!("{name}[{i}]")), Some(false), Origin::Model)).collect()
}

fn tick(sys: &System, name: &str) -> Result<Lit, String> {
    let clocks = || sys.inputs.iter().filter(|i| matches!(i.role, Role::Tick { .. }));
    clocks().find(|i| i.symbol.name == name).map(|i| i.lit).ok_or_else(|| {
        let all: Vec<&str> = clocks().map(|i| i.symbol.name.as_str()).collect();
        match all.as_slice() {
            [] => format!("`{name}` is no clock with ticks of its own; {}", sys.step),
            _ => format!("`{name}` is no clock that ticks; those are {}", all.join(", ")),
        }
    })
}
