//! The watch over a queue that is made up, and small parts.

use super::*;

/// A queue whose elements end at once; `fate` says what becomes of a task at its nth try.
struct Fake<'f> {
    fate: &'f dyn Fn(&str, usize) -> bool,
    tries: std::collections::BTreeMap<String, usize>,
    arrays: Vec<Array>,
    unseen: bool,
    cancelled: bool,
    endless: bool,
}

impl Queue for Fake<'_> {
    fn most(&self) -> usize {
        3
    }

    fn submit(&mut self, array: &Array) -> Result<(), String> {
        self.arrays.push(array.clone());
        for index in 0..array.shards {
            let text = std::fs::read(array.folder.join(format!("shard-{index}.json"))).expect("a shard");
            let shard: Shard = serde_json::from_slice(&text).expect("a shard");
            for task in &shard.tasks {
                let tries = self.tries.entry(task.name.clone()).or_default();
                *tries += 1;
                // A task that takes its worker down takes the rest of the shard along.
                if !(self.fate)(&task.name, *tries) {
                    break;
                }
                task.leave(&end(Ended::Exit(0))).expect("written");
            }
        }
        Ok(())
    }

    fn alive(&mut self, arrays: &BTreeSet<usize>) -> Result<Option<BTreeSet<Key>>, String> {
        let alive = self.endless && !self.cancelled;
        Ok(Some(arrays.iter().filter(|_| alive).map(|&a| (a, 0)).collect()))
    }

    fn losses(&mut self, keys: &[Key]) -> Vec<Loss> {
        keys.iter().map(|key| Loss { reason: format!("lost {}", key.0), unseen: self.unseen }).collect()
    }

    fn cancel(&mut self) {
        self.cancelled = true;
    }
}

fn tasks(folder: &Path, count: usize) -> Vec<Task> {
    let task = |i: usize| Task {
        name: format!("t{i}"),
        command: vec!["true".to_string()],
        directory: folder.to_path_buf(),
        folder: folder.join(format!("task-{i}")),
        seconds: 10,
        memory_mb: 100,
    };
    (0..count).map(task).collect()
}

fn fake(fate: &dyn Fn(&str, usize) -> bool) -> Fake<'_> {
    Fake { fate, tries: Default::default(), arrays: Vec::new(), unseen: false, cancelled: false, endless: false }
}

fn watch(queue: &mut Fake, tasks: &[Task], folder: &Path, stop: &AtomicBool) -> (Result<(), String>, Vec<Vec<Ended>>) {
    let mut said = vec![Vec::new(); tasks.len()];
    let mut say = |task: usize, done: Done| said[task].push(done.ended);
    let mut watch = Watch {
        tasks,
        folder,
        grace: Duration::from_millis(10),
        queue,
        arrays: Vec::new(),
        elements: Vec::new(),
        retried: BTreeSet::new(),
        heard: false,
        asked: Instant::now(),
        submitted: Instant::now(),
        say: &mut say,
    };
    let result = watch.run(Size::Fixed(2), stop);
    drop(watch);
    (result, said)
}

#[test]
fn what_is_lost_is_tried_once_more_and_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = tasks(folder.path(), 8);
    let fate = |name: &str, tries: usize| match name {
        "t2" => tries == 2,
        "t4" => false,
        _ => true,
    };
    let mut queue = fake(&fate);
    let (result, said) = watch(&mut queue, &tasks, folder.path(), &AtomicBool::new(false));
    assert_eq!(result, Ok(()));
    for (i, said) in said.iter().enumerate() {
        let expected = if i == 4 { Ended::Lost("lost 2".to_string()) } else { Ended::Exit(0) };
        assert_eq!(said, &[expected], "t{i}");
    }
    // Two arrays at first, as the queue takes three shards; then what was lost, and what shared its shard.
    assert_eq!(queue.arrays.iter().map(|a| a.shards).collect::<Vec<_>>(), [3, 1, 3, 1]);
    assert_eq!((queue.tries["t2"], queue.tries["t3"], queue.tries["t4"]), (2, 1, 2));
}

#[test]
fn what_has_ended_is_not_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = tasks(folder.path(), 2);
    make(&tasks[0].folder).expect("a folder");
    tasks[0].leave(&end(Ended::Exit(7))).expect("written");
    let mut queue = fake(&|_, _| true);
    let (result, said) = watch(&mut queue, &tasks, folder.path(), &AtomicBool::new(false));
    assert_eq!((result, said), (Ok(()), vec![vec![Ended::Exit(7)], vec![Ended::Exit(0)]]));
    assert!(!queue.tries.contains_key("t0"));
}

#[test]
fn a_folder_that_nodes_do_not_see_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut queue = Fake { unseen: true, ..fake(&|_, _| false) };
    let (result, said) = watch(&mut queue, &tasks(folder.path(), 2), folder.path(), &AtomicBool::new(false));
    assert!(result.unwrap_err().contains("not to share"));
    assert!(said.concat().is_empty());
}

#[test]
fn the_user_can_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = tasks(folder.path(), 3);
    let stop = AtomicBool::new(false);
    let mut queue = Fake { endless: true, ..fake(&|name, _| name == "t0") };
    let (result, said) = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            stop.store(true, Ordering::Relaxed);
        });
        watch(&mut queue, &tasks, folder.path(), &stop)
    });
    assert_eq!(result, Ok(()));
    assert_eq!(said, [vec![Ended::Exit(0)], vec![Ended::Stopped], vec![Ended::Stopped]]);
    assert!(queue.cancelled);
    assert!(queue.arrays[0].folder.join("stop").exists());
}

#[test]
fn workers_go_on_and_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = tasks(folder.path(), 3);
    let shard = folder.path().join("shard-0.json");
    make(&tasks[0].folder).expect("a folder");
    tasks[0].leave(&end(Ended::Exit(7))).expect("written");
    write(&shard, &serde_json::to_vec(&Shard { tasks: tasks.clone() }).expect("text")).expect("written");
    let mut ran = Vec::new();
    let code = worker(&shard, &mut |task| {
        ran.push(task.name.clone());
        std::fs::write(folder.path().join("stop"), "").expect("written");
        end(Ended::Exit(0))
    });
    assert_eq!((code, ran), (Ok(1), vec!["t1".to_string()]));
    assert!(tasks[1].left().is_some() && tasks[2].left().is_none());
    std::fs::remove_file(folder.path().join("stop")).expect("removed");
    assert_eq!(worker(&shard, &mut |_| end(Ended::Stopped)), Ok(1));
    assert!(tasks[2].left().is_none());
    assert!(worker(Path::new("/nowhere/shard-0.json"), &mut |_| end(Ended::Stopped)).is_err());
}

#[test]
fn words_are_quoted_for_the_shell() {
    for text in ["plain/a-b_c.d", "", "a b", "it's", "$HOME `x` \"q\" \\", "a\nb", "*", "~", "é"] {
        let out = std::process::Command::new("sh").arg("-c").arg(format!("printf %s {}", quote(text))).output();
        assert_eq!(String::from_utf8_lossy(&out.expect("sh runs").stdout), text);
    }
    assert_eq!(quote("/a/b-1.json"), "/a/b-1.json");
}

#[test]
fn a_task_s_paths_do_not_depend_on_where_it_is_read() {
    let task = Task { folder: "x".into(), ..tasks(Path::new("/"), 1).remove(0) };
    assert!(rooted(&task).expect("a path").folder.is_absolute());
}
