//! Random netlists, random assertions about them, and how to look at both without the engine.

pub mod case;
pub mod circuit;
pub mod look;
pub mod shrink;

use case::Case;
use fastrand::Rng;

/// A number from the environment.
pub fn number(name: &str, or: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => or,
    }
}

/// What a law says of one case.
pub enum Said {
    /// It was tested.
    Tested,
    /// The case is not one for this law; why, in a word that is counted.
    Not(&'static str),
}

/// Tests a law on random cases. `ENTAIL_SEED` is the seed, `ENTAIL_STE_TIMES` multiplies the number of cases,
/// `ENTAIL_STE_CASE` picks one. A failing case is made smaller and printed.
pub fn campaign(
    name: &str,
    count: u64,
    make: &dyn Fn(&mut Rng) -> Case,
    law: &mut dyn FnMut(&Case) -> Result<Said, String>,
) {
    let seed = number("ENTAIL_SEED", 1);
    let count = count * number("ENTAIL_STE_TIMES", 1);
    let only = std::env::var("ENTAIL_STE_CASE").ok().map(|c| c.parse::<u64>().expect("a number"));
    let began = std::time::Instant::now();
    let mut not: std::collections::BTreeMap<&str, u64> = Default::default();
    let (mut tested, mut tried) = (0u64, 0u64);
    // Cases that are none for the law do not count, up to ten times as many.
    for n in (0..10 * count).filter(|n| only.is_none_or(|o| o == *n)) {
        if tested == count {
            break;
        }
        tried += 1;
        let mut rng = Rng::with_seed(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let case = make(&mut rng);
        match law(&case) {
            Ok(Said::Tested) => tested += 1,
            Ok(Said::Not(why)) => *not.entry(why).or_default() += 1,
            Err(what) => {
                let (small, now) = shrink::shrink(&case, &what, law);
                panic!("{name}: ENTAIL_SEED={seed} ENTAIL_STE_CASE={n}\n  at first: {what}\n  now: {now}\n{small}");
            }
        }
    }
    println!("{name}: {tested} of {tried} cases (ENTAIL_SEED={seed}), not: {not:?}, {:.1?}", began.elapsed());
    assert!(only.is_some() || tested * 4 >= count * 3, "{name}: only {tested} cases were tested, not: {not:?}");
}
