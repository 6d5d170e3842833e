//! Which tasks share an element of an array, and what the arrays ask for.
//!
//! A queue has one limit of memory and one of time per array. So tasks are sorted by memory and cut into a few
//! classes, each an array; in an array, tasks with like limits of time follow each other, the longest first.

use crate::runner::Task;

/// Most classes of memory.
const CLASSES: i32 = 4;
/// What a shard may take at worst if its tasks share an element by themselves.
const SHORT: u64 = 300;
/// Most tasks that share an element by themselves.
const MANY: usize = 16;
/// Elements beyond which tasks share even if they are long.
const ELEMENTS: usize = 1000;
/// For the worker itself, in megabytes.
const WORKER_MB: u64 = 64;
/// For the start of a shard, and for each of its tasks.
const START_SECONDS: u64 = 60;
const TASK_SECONDS: u64 = 10;

/// An array to be: indices of tasks, by shard.
#[derive(Debug, PartialEq)]
pub struct Plan {
    pub shards: Vec<Vec<usize>>,
    /// Megabytes for each shard; 0 for as many as the queue gives.
    pub memory_mb: u64,
    /// Seconds for each shard.
    pub seconds: u64,
}

/// How many tasks a shard takes.
#[derive(Clone, Copy)]
pub enum Size {
    /// So many.
    Fixed(usize),
    /// At least so many, and more while they are short.
    Auto(usize),
}

impl Size {
    /// The size a user asked for; 0 leaves it to us.
    pub fn new(wanted: usize, tasks: usize) -> Size {
        match wanted {
            0 => Size::Auto(tasks.div_ceil(ELEMENTS).max(1)),
            n => Size::Fixed(n),
        }
    }

    /// Whether a shard of `count` tasks takes one more, with which its limits sum up to `seconds`.
    fn takes(self, count: usize, seconds: u64) -> bool {
        match self {
            Size::Fixed(most) => count < most,
            Size::Auto(least) => count < least || (count < MANY && seconds <= SHORT),
        }
    }
}

/// Arrays of at most `most` shards for some of the tasks.
pub fn plan(tasks: &[Task], which: &[usize], size: Size, most: usize) -> Vec<Plan> {
    let mut plans = Vec::new();
    for class in classes(tasks, which) {
        let shards = shards(tasks, &class, size);
        plans.extend(shards.chunks(most.max(1)).map(|some| array(tasks, some.to_vec())));
    }
    plans
}

/// Tasks by memory, the largest first, in a few classes in which it differs little.
fn classes(tasks: &[Task], which: &[usize]) -> Vec<Vec<usize>> {
    let mut sorted = which.to_vec();
    sorted.sort_by_key(|&i| std::cmp::Reverse(tasks[i].memory_mb));
    let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let span = tasks[first].memory_mb as f64 / tasks[last].memory_mb.max(1) as f64;
    let ratio = span.powf(1.0 / f64::from(CLASSES)).max(2.0) * 1.001;
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut top = 0.0;
    for i in sorted {
        let memory = tasks[i].memory_mb as f64;
        match classes.last_mut() {
            Some(class) if memory * ratio >= top => class.push(i),
            _ => {
                classes.push(vec![i]);
                top = memory;
            }
        }
    }
    classes
}

fn shards(tasks: &[Task], class: &[usize], size: Size) -> Vec<Vec<usize>> {
    let mut sorted = class.to_vec();
    sorted.sort_by_key(|&i| (std::cmp::Reverse(tasks[i].seconds), i));
    let mut shards: Vec<Vec<usize>> = Vec::new();
    let mut sum = 0u64;
    for i in sorted {
        sum = sum.saturating_add(tasks[i].seconds);
        match shards.last_mut() {
            Some(shard) if size.takes(shard.len(), sum) => shard.push(i),
            _ => {
                shards.push(vec![i]);
                sum = tasks[i].seconds;
            }
        }
    }
    shards
}

fn array(tasks: &[Task], shards: Vec<Vec<usize>>) -> Plan {
    let memory = shards.iter().flatten().map(|&i| tasks[i].memory_mb).max().unwrap_or(0);
    let time = |shard: &Vec<usize>| {
        let limits = shard.iter().map(|&i| tasks[i].seconds.saturating_add(TASK_SECONDS));
        limits.fold(START_SECONDS, u64::saturating_add)
    };
    let seconds = shards.iter().map(time).max().unwrap_or(0);
    Plan { shards, memory_mb: if memory == 0 { 0 } else { memory.saturating_add(WORKER_MB) }, seconds }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(limits: &[(u64, u64)]) -> Vec<Task> {
        let task = |&(memory_mb, seconds): &(u64, u64)| Task {
            name: String::new(),
            command: Vec::new(),
            directory: "/".into(),
            folder: "/".into(),
            seconds,
            memory_mb,
        };
        limits.iter().map(task).collect()
    }

    fn all(tasks: &[Task], size: Size, most: usize) -> Vec<Plan> {
        plan(tasks, &(0..tasks.len()).collect::<Vec<_>>(), size, most)
    }

    #[test]
    fn nothing_is_no_array() {
        assert!(all(&[], Size::Auto(1), 10).is_empty());
    }

    #[test]
    fn alike_tasks_make_one_array() {
        let plans = all(&tasks(&[(100, 60); 5]), Size::Fixed(2), 1000);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].shards, [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!((plans[0].memory_mb, plans[0].seconds), (164, 60 + 70 + 70));
    }

    #[test]
    fn arrays_are_as_long_as_the_queue_takes() {
        let plans = all(&tasks(&[(100, 60); 7]), Size::Fixed(1), 3);
        assert_eq!(plans.iter().map(|p| p.shards.len()).collect::<Vec<_>>(), [3, 3, 1]);
    }

    #[test]
    fn memory_separates_and_classes_are_few() {
        let plans = all(&tasks(&[(100, 9), (8000, 9), (150, 9)]), Size::Fixed(9), 1000);
        assert_eq!(plans.iter().map(|p| p.shards.clone()).collect::<Vec<_>>(), [vec![vec![1]], vec![vec![0, 2]]]);
        let wide: Vec<(u64, u64)> = (0..20).map(|i| (1 << i, 9)).collect();
        let plans = all(&tasks(&wide), Size::Fixed(1), 1000);
        assert!(plans.len() <= CLASSES as usize + 1, "{}", plans.len());
        assert_eq!(plans.iter().map(|p| p.shards.len()).sum::<usize>(), 20);
    }

    #[test]
    fn short_tasks_share_and_long_ones_do_not() {
        let plans = all(&tasks(&[(100, 100), (100, 3600), (100, 100), (100, 100), (100, 100)]), Size::new(0, 5), 1000);
        assert_eq!(plans[0].shards, [vec![1], vec![0, 2, 3], vec![4]]);
        let many = all(&tasks(&[(100, 3600); 2500]), Size::new(0, 2500), 1001);
        assert!(many[0].shards.iter().all(|s| s.len() <= 3));
        assert!(many[0].shards.len() <= ELEMENTS);
    }

    #[test]
    fn no_limit_stays_none() {
        let plans = all(&tasks(&[(0, u64::MAX), (0, 1)]), Size::Fixed(2), 1000);
        assert_eq!((plans[0].memory_mb, plans[0].seconds), (0, u64::MAX));
    }
}
