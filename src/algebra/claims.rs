//! What the prover and the second check claim of each node, against all its values: a wrong claim is found here
//! also where it would not change a verdict.

use super::poly::{Monomial, Reading};
use super::recheck::{Check, Family};
use super::tests::Maze;
use super::*;

fn reading(b: &Bits, r: Reading) -> i64 {
    let v = b.to_u64().expect("narrow") as i64;
    if r == Reading::Signed && b.width() > 0 && b.bit(b.width() - 1) { v - (1 << b.width()) } else { v }
}

/// The coefficients of the polynomial with these values, with their sets.
fn coefficients(mut table: Vec<i64>) -> Vec<(Vec<u16>, i64)> {
    let n = table.len().trailing_zeros();
    for i in 0..n {
        for at in (0..table.len()).filter(|at| at >> i & 1 == 1) {
            table[at] -= table[at ^ 1 << i];
        }
    }
    let set = |at: usize| (0..n as u16).filter(|i| at >> i & 1 == 1).collect();
    table.into_iter().enumerate().map(|(at, c)| (set(at), c)).collect()
}

fn covered(table: Vec<i64>, modulus: Option<i64>, family: &Family) -> bool {
    let counts = |c: i64| modulus.map_or(c, |m| c.rem_euclid(m)) != 0;
    let inside = |s: &[u16]| family.iter().any(|f| s.iter().all(|v| f.contains(v)));
    coefficients(table).iter().all(|(s, c)| !counts(*c) || inside(s))
}

#[test]
fn claims_are_true_at_every_point() {
    let (limits, mut made, mut claimed) = (Limits { monomials: 100_000, points: 0 }, 0, 0);
    for seed in 0..400 {
        let m = Maze::new(seed);
        for n in &m.pool {
            let cone = Cone::of(&m.d, &[*n]).expect("inputs only");
            let bits: u32 = cone.inputs.iter().map(|s| m.d.signals[s.index()].width).sum();
            let all: Monomial = (0..bits as u16).collect();
            let mut memo = FxHashMap::default();
            let values: Vec<Bits> = (0..1u32 << bits)
                .map(|at| {
                    let ones: Monomial = all.iter().copied().filter(|v| at >> v & 1 == 1).collect();
                    cone.evaluate(&m.d, &cone.point(&m.d, &ones), &mut memo).expect("known");
                    memo[n].clone()
                })
                .collect();
            let w = m.d.width(*n);
            let read = |r| values.iter().map(|b| reading(b, r)).collect::<Vec<i64>>();
            let bit = |i: u32| values.iter().map(|b| i64::from(b.bit(i))).collect::<Vec<i64>>();
            for few in [0, 3] {
                let what = format!("seed {seed} node {n:?} few {few}");
                if let Ok(facts) = Check::new(&limits, few).facts(&m.d, &cone) {
                    let f = &facts[n];
                    claimed += 1;
                    assert!(covered(read(Reading::Unsigned), Some(1 << w), &f.family), "{what}: residue");
                    for (r, range) in [(Reading::Unsigned, &f.u), (Reading::Signed, &f.s)] {
                        let Some((lo, hi)) = range else { continue };
                        assert!(covered(read(r), None, &f.family), "{what}: {r:?}");
                        assert!(read(r).iter().all(|v| *lo <= BigInt::from(*v) && BigInt::from(*v) <= *hi), "{what}");
                    }
                    for (i, family) in f.bits.iter().flatten().enumerate() {
                        assert!(covered(bit(i as u32), None, family), "{what}: bit {i}");
                    }
                }
                let maker = Maker { budget: Budget::new(limits.monomials), table: few };
                let Ok(v) = convert::convert(&m.d, &cone, &[*n], &maker) else { continue };
                let v = &v[0];
                made += 1;
                for (p, b) in v.poly.table(&all).iter().zip(read(Reading::Unsigned)) {
                    assert!(v.lo <= *p && *p <= v.hi, "{what}: bounds");
                    assert_eq!(Reading::Unsigned.residue(p, w), BigInt::from(b), "{what}: residue");
                }
                let table = |v: Vec<i64>| v.into_iter().map(BigInt::from).collect::<Vec<_>>();
                for (i, p) in v.bits.iter().flat_map(|b| b.iter()).enumerate() {
                    assert_eq!(p.table(&all), table(bit(i as u32)), "{what}: bit {i}");
                }
                for r in [Reading::Unsigned, Reading::Signed] {
                    let Ok((p, lo, hi)) = maker.exact(v, r) else { continue };
                    assert_eq!(p.table(&all), table(read(r)), "{what}: {r:?}");
                    assert!(p.table(&all).iter().all(|p| lo <= *p && *p <= hi), "{what}: bounds of {r:?}");
                }
            }
        }
    }
    println!("{made} values, {claimed} claims");
    assert!(made > 3000 && claimed > 3000);
}
