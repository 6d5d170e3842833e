//! Makes a failing case small: greedy descent over simpler variants, judged many at a time because
//! every judgement starts simulators.

use std::time::{Duration, Instant};

/// Repeatedly replaces `case` by the simplest variant that still fails, as long as `budget` lasts.
///
/// `smaller` proposes variants, `size` orders them, and `first_failing` gives the position of a
/// variant that fails in the same way; it gets `at_once` of them.
pub fn shrink<T>(
    mut case: T,
    budget: Duration,
    at_once: usize,
    smaller: impl Fn(&T) -> Vec<T>,
    size: impl Fn(&T) -> usize,
    mut first_failing: impl FnMut(&[T]) -> Option<usize>,
) -> T {
    let start = Instant::now();
    loop {
        let now = size(&case);
        let mut sized: Vec<(usize, T)> = smaller(&case).into_iter().map(|v| (size(&v), v)).collect();
        sized.retain(|(n, _)| *n < now);
        sized.sort_by_key(|(n, _)| *n);
        let mut variants: Vec<T> = sized.into_iter().map(|(_, v)| v).collect();
        let mut next = None;
        let mut tried = 0;
        while tried < variants.len() && next.is_none() && start.elapsed() < budget {
            let end = (tried + at_once).min(variants.len());
            next = first_failing(&variants[tried..end]).map(|i| tried + i);
            tried = end;
        }
        match next {
            Some(i) => case = variants.swap_remove(i),
            None => return case,
        }
    }
}
