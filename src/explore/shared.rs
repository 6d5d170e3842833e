//! Delays shared by all that go through one wait of the program: one factor a wait, a linear program.
//!
//! A date is then a sum of what the waits say, each times its factor, and an order is a linear inequality
//! between two such sums. The solver works in floating point; what it answers is turned into fractions,
//! the delays into whole units of time as the shim will take them, and every order is checked again in
//! integers. What does not pass is no answer.

use super::dates::Dates;
use super::order::Order;
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use std::collections::BTreeMap;

/// Factors that were found: for each wait a fraction, and the dates they give.
pub struct Shared {
    /// Wait, numerator, denominator.
    pub scales: Vec<(u64, u64, u64)>,
    /// Dates of the nodes asked for.
    pub dates: BTreeMap<u32, i64>,
}

/// The sum of delays that leads to a node.
#[derive(Clone, Default)]
struct Sum {
    constant: i64,
    /// What the waits say, by wait.
    waits: BTreeMap<u64, i64>,
}

/// Why there are no factors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum No {
    /// No factors allow these orders.
    Impossible,
    /// There may be some, but what was found does not hold in whole units of time.
    Unsure,
}

/// Finds factors that allow the orders of `dates`.
pub fn solve(order: &Order, dates: &Dates) -> Result<Shared, No> {
    let orders: Vec<(u32, u32, i64)> = dates.orders_between().collect();
    let mut sums: BTreeMap<u32, Sum> = BTreeMap::new();
    for i in orders.iter().flat_map(|o| [o.0, o.1]).chain(dates.nodes()) {
        sums.entry(i).or_insert_with(|| sum(order, i));
    }
    let mut bounds: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    let mut unit = 1.0f64;
    for p in &order.places {
        let Some((site, nominal)) = p.site.filter(|s| s.1 > 0) else { continue };
        let said = nominal as f64;
        let b = bounds.entry(site).or_insert((0.0, f64::INFINITY));
        *b = (b.0.max(p.after.0 as f64 / said), b.1.min(p.after.1 as f64 / said));
        unit = unit.max(said);
    }
    if bounds.values().any(|b| b.0 > b.1) {
        return Err(No::Impossible);
    }
    // As far from the edge of what is allowed as can be, so that rounding does no harm.
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let spare = problem.add_var(1.0, (0.0, 1.0));
    let factors: BTreeMap<u64, _> = bounds.iter().map(|(&s, &b)| (s, problem.add_var(0.0, b))).collect();
    for &(x, y, by) in &orders {
        let (a, b) = (&sums[&x], &sums[&y]);
        let mut row: Vec<(microlp::Variable, f64)> = vec![(spare, -1.0)];
        for (site, &var) in &factors {
            let c = a.waits.get(site).unwrap_or(&0) - b.waits.get(site).unwrap_or(&0);
            if c != 0 {
                row.push((var, c as f64 / unit));
            }
        }
        let right = (by - a.constant + b.constant) as f64 / unit;
        if row.len() == 1 {
            if right > 1e-12 {
                return Err(No::Impossible);
            }
            continue;
        }
        problem.add_constraint(&row, ComparisonOp::Ge, right);
    }
    let solution = match problem.solve() {
        Ok(s) => s.into_solution().map_err(|_| No::Unsure)?,
        Err(microlp::Error::Infeasible) => return Err(No::Impossible),
        Err(_) => return Err(No::Unsure),
    };
    let values: Vec<(u64, f64)> = factors.iter().map(|(&s, &v)| (s, solution.var_value(v))).collect();
    // Where orders leave no room only a simple fraction will do; elsewhere a close one is better.
    for most in [1_000_000_000u64, 1, 10, 100, 1_000, 100_000, 10_000_000] {
        let scales: Vec<(u64, u64, u64)> = values
            .iter()
            .map(|&(s, f)| {
                let (n, d) = fraction(f, most);
                (s, n, d)
            })
            .collect();
        if let Some(found) = checked(order, &orders, &sums, &scales) {
            return Ok(Shared { scales, dates: found });
        }
    }
    Err(No::Unsure)
}

fn sum(order: &Order, mut i: u32) -> Sum {
    let mut out = Sum::default();
    loop {
        let p = &order.places[i as usize];
        let Some(c) = p.cause else {
            out.constant += p.time as i64;
            return out;
        };
        match p.site {
            Some((site, nominal)) => *out.waits.entry(site).or_default() += nominal as i64,
            None => out.constant += p.after.0 as i64,
        }
        i = c;
    }
}

/// The closest fraction with a denominator of at most `most`.
fn fraction(value: f64, most: u64) -> (u64, u64) {
    let (mut a, mut b, mut c, mut d) = (0u64, 1u64, 1u64, 0u64);
    let mut x = value.max(0.0);
    for _ in 0..40 {
        let whole = x.floor();
        if whole > 1e15 {
            break;
        }
        let w = whole as u64;
        let (Some(n), Some(m)) =
            (w.checked_mul(c).and_then(|t| t.checked_add(a)), w.checked_mul(d).and_then(|t| t.checked_add(b)))
        else {
            break;
        };
        if m > most && d != 0 {
            break;
        }
        (a, b, c, d) = (c, d, n, m);
        if (x - whole).abs() < 1e-12 {
            break;
        }
        x = 1.0 / (x - whole);
    }
    if d == 0 { (value.round() as u64, 1) } else { (c, d) }
}

/// Dates in whole units, if all bounds and orders hold with them.
fn checked(
    order: &Order,
    orders: &[(u32, u32, i64)],
    sums: &BTreeMap<u32, Sum>,
    scales: &[(u64, u64, u64)],
) -> Option<BTreeMap<u32, i64>> {
    let scale: BTreeMap<u64, (u64, u64)> = scales.iter().map(|&(s, n, d)| (s, (n, d))).collect();
    let delay = |site: u64, nominal: u64| -> Option<u64> {
        let &(n, d) = scale.get(&site)?;
        u64::try_from(nominal as u128 * n as u128 / d as u128).ok()
    };
    let mut dates: BTreeMap<u32, i64> = BTreeMap::new();
    for &i in sums.keys() {
        let (mut at, mut date) = (i, 0i64);
        loop {
            let p = &order.places[at as usize];
            let Some(c) = p.cause else {
                date += p.time as i64;
                break;
            };
            let after = match p.site {
                Some((site, nominal)) => {
                    let d = delay(site, nominal)?;
                    if d < p.after.0 || d > p.after.1 {
                        return None;
                    }
                    d
                }
                None => p.after.0,
            };
            date += after as i64;
            at = c;
        }
        dates.insert(i, date);
    }
    orders.iter().all(|&(x, y, by)| dates[&x] >= dates[&y] + by).then_some(dates)
}

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn fractions_are_close_and_simple() {
        assert_eq!(fraction(1.0, 1_000_000), (1, 1));
        assert_eq!(fraction(0.8, 1_000), (4, 5));
        assert_eq!(fraction(1.2, 10), (6, 5));
        assert_eq!(fraction(1.0 / 3.0, 1_000_000), (1, 3));
        let (n, d) = fraction(std::f64::consts::FRAC_1_SQRT_2, 1_000_000);
        assert!((n as f64 / d as f64 - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-11 && d <= 1_000_000);
    }
}
