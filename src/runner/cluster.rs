//! Tasks on a cluster: Slurm's job arrays, or any command that runs another somewhere and waits for it.
//!
//! Tasks are grouped into shards; each is a file in the spool folder and an element of an array. On its node,
//! `entail worker SHARD` runs the tasks one after the other and leaves each one's `done.json`. Here we watch for
//! these files and ask the queue which elements it still has. What left the queue without a `done.json` is lost;
//! it is tried once more, alone. Nothing but the shared file system connects the two sides, so a run that was
//! killed can be started again: tasks that ended are not run again.
//!
//! ```text
//! spool/element.sh           what each element runs (Slurm)
//! spool/array-0/shard-7.json the tasks of an element
//! spool/array-0/log-7        what it printed
//! spool/array-0/stop         there once the user stopped the run: workers begin no other task
//! ```

mod shard;
mod slurm;
mod template;

use super::{Done, Ended, Task, put};
use serde::{Deserialize, Serialize};
use shard::{Plan, Size, plan};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long to wait for workers to end once they are cancelled.
const FAREWELL: Duration = Duration::from_secs(3);
/// A queue that ends an element signals each of its processes, and may reach the task before the worker. So a worker
/// whose task was killed lives that long before it says so: else it would call a cancelled task a dead one.
const VOLLEY: Duration = Duration::from_secs(2);

/// Which queue.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Slurm.
    Slurm {
        /// More options for `sbatch`: a partition, an account.
        options: Vec<String>,
    },
    /// A command for `sh` that runs `{command}` somewhere and returns when it ended. Also replaced, all quoted for
    /// the shell: `{name}`, `{memory_mb}`, `{seconds}`, `{log}`.
    Command {
        /// The command.
        template: String,
    },
}

/// A cluster, and how it is used.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Which queue.
    pub kind: Kind,
    /// Tasks that share an element; 0 chooses: short ones share, long ones do not unless there are very many.
    pub shard: usize,
    /// Most elements at once; without, Slurm decides, and 64 commands run.
    pub jobs: Option<usize>,
    /// More environment for the queue's commands, such as `SLURM_CONF`.
    pub environment: Vec<(String, String)>,
    /// How long a file may take to be seen here after the queue says that its writer ended (NFS).
    pub grace: Duration,
    /// Hears, in a line, why nothing runs, whenever that changes: the queue is long, the nodes are down.
    pub tell: fn(&str),
}

/// What a worker finds in a shard's file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shard {
    tasks: Vec<Task>,
}

/// An array that is in the spool folder.
#[derive(Clone)]
struct Array {
    folder: PathBuf,
    shards: usize,
    memory_mb: u64,
    seconds: u64,
}

/// An element: the number of its array in order of submission, and its index there.
type Key = (usize, usize);

/// How an element ended that left tasks without a `done.json`.
struct Loss {
    reason: String,
    /// Nothing of it was ever seen here.
    unseen: bool,
}

/// What runs elements.
trait Queue {
    /// Most elements of an array.
    fn most(&self) -> usize;
    /// Takes an array.
    fn submit(&mut self, array: &Array) -> Result<(), String>;
    /// Those elements of some arrays that have not ended; none if the queue does not answer now.
    fn alive(&mut self, arrays: &BTreeSet<usize>) -> Result<Option<BTreeSet<Key>>, String>;
    /// Why elements ended, as far as it is known.
    fn losses(&mut self, keys: &[Key]) -> Vec<Loss>;
    /// Ends everything.
    fn cancel(&mut self);
}

/// An element that we wait for.
struct Element {
    key: Key,
    /// Its tasks that have not ended.
    open: Vec<usize>,
    /// Since when the queue does not know it.
    gone: Option<Instant>,
}

impl Cluster {
    /// A cluster with usual settings.
    pub fn new(kind: Kind) -> Cluster {
        let grace = Duration::from_secs(5);
        Cluster { kind, shard: 0, jobs: None, environment: Vec::new(), grace, tell: |_| () }
    }

    /// Runs tasks; `say` hears of each, by its index, when it ended.
    ///
    /// `folder` is the spool, which every node sees under the same path, as it sees the tasks' folders and `program`,
    /// this binary. Tasks that have a `done.json` are not run again. Once `stop` is set, everything is cancelled.
    /// With an error nothing is left in the queue, but tasks may have ended.
    pub fn run(
        &self,
        tasks: &[Task],
        folder: &Path,
        program: &Path,
        stop: &AtomicBool,
        say: &mut dyn FnMut(usize, Done),
    ) -> Result<(), String> {
        let tasks = tasks.iter().map(rooted).collect::<Result<Vec<Task>, String>>()?;
        let (folder, program) = (absolute(folder)?, absolute(program)?);
        if !program.is_file() {
            return Err(format!("{} is not a program that nodes could run", program.display()));
        }
        make(&folder)?;
        let mut queue: Box<dyn Queue> = match &self.kind {
            Kind::Slurm { options } => Box::new(slurm::Slurm::new(self, options, &folder, &program)?),
            Kind::Command { template } => Box::new(template::Template::new(self, template, &program)?),
        };
        let mut watch = Watch {
            tasks: &tasks,
            folder: &folder,
            grace: self.grace,
            queue: queue.as_mut(),
            arrays: Vec::new(),
            elements: Vec::new(),
            retried: BTreeSet::new(),
            heard: false,
            asked: Instant::now(),
            submitted: Instant::now(),
            say,
        };
        watch.run(Size::new(self.shard, tasks.len()), stop)
    }
}

/// A run.
struct Watch<'a> {
    tasks: &'a [Task],
    folder: &'a Path,
    grace: Duration,
    queue: &'a mut dyn Queue,
    arrays: Vec<Array>,
    elements: Vec<Element>,
    /// Tasks that were lost once.
    retried: BTreeSet<usize>,
    /// Whether a node has left anything that we see.
    heard: bool,
    asked: Instant,
    submitted: Instant,
    say: &'a mut dyn FnMut(usize, Done),
}

impl Watch<'_> {
    fn run(&mut self, size: Size, stop: &AtomicBool) -> Result<(), String> {
        let open = self.unfinished();
        if stop.load(Ordering::Relaxed) {
            open.into_iter().for_each(|task| (self.say)(task, end(Ended::Stopped)));
            return Ok(());
        }
        self.submit(&open, size)?;
        loop {
            let start = Instant::now();
            self.gather(stop);
            if self.elements.is_empty() {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                self.stopped();
                return Ok(());
            }
            self.ask()?;
            self.lose()?;
            // Looking for files costs at most a tenth of the time: there may be many, on a slow file system.
            let pause = (start.elapsed() * 10).clamp(Duration::from_millis(50), Duration::from_secs(30));
            sleep(pause, stop);
        }
    }

    /// Tasks to run; the others have ended before.
    fn unfinished(&mut self) -> Vec<usize> {
        let mut open = Vec::new();
        for (index, task) in self.tasks.iter().enumerate() {
            match task.left() {
                Some(done) => (self.say)(index, done),
                None => open.push(index),
            }
        }
        open
    }

    fn submit(&mut self, tasks: &[usize], size: Size) -> Result<(), String> {
        for plan in plan(self.tasks, tasks, size, self.queue.most()) {
            let array = self.lay(&plan)?;
            self.queue.submit(&array)?;
            let number = self.arrays.len();
            let element = |(index, open)| Element { key: (number, index), open, gone: None };
            self.elements.extend(plan.shards.into_iter().enumerate().map(element));
            self.arrays.push(array);
        }
        self.submitted = Instant::now();
        self.asked = self.submitted;
        Ok(())
    }

    /// Puts an array's files into the spool folder.
    fn lay(&self, plan: &Plan) -> Result<Array, String> {
        let folder = fresh(self.folder)?;
        for (index, shard) in plan.shards.iter().enumerate() {
            let tasks: Vec<Task> = shard.iter().map(|&i| self.tasks[i].clone()).collect();
            tasks.iter().try_for_each(|task| make(&task.folder))?;
            let text = serde_json::to_vec(&Shard { tasks }).map_err(|e| format!("cannot write a shard: {e}"))?;
            write(&folder.join(format!("shard-{index}.json")), &text)?;
        }
        Ok(Array { folder, shards: plan.shards.len(), memory_mb: plan.memory_mb, seconds: plan.seconds })
    }

    /// Says which tasks ended, and forgets elements that are through.
    fn gather(&mut self, stop: &AtomicBool) {
        let (tasks, say, heard) = (self.tasks, &mut *self.say, &mut self.heard);
        for element in &mut self.elements {
            element.open.retain(|&task| match seen(&tasks[task]) {
                Some(done) => {
                    *heard = true;
                    say(task, done);
                    false
                }
                None => true,
            });
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.elements.retain(|element| !element.open.is_empty());
    }

    /// Asks the queue what it still has: often at first, then less so.
    fn ask(&mut self) -> Result<(), String> {
        let pause = (self.submitted.elapsed() / 10).clamp(Duration::from_secs(1), Duration::from_secs(15));
        if self.asked.elapsed() < pause {
            return Ok(());
        }
        let arrays = self.elements.iter().map(|e| e.key.0).collect();
        if let Some(alive) = self.queue.alive(&arrays)? {
            for element in &mut self.elements {
                // An element can come back: a node failed, and Slurm put it into the queue again.
                element.gone = match alive.contains(&element.key) {
                    true => None,
                    false => element.gone.or_else(|| Some(Instant::now())),
                };
            }
        }
        self.asked = Instant::now();
        Ok(())
    }

    /// Deals with elements whose files should be here by now.
    fn lose(&mut self) -> Result<(), String> {
        let late = |e: &mut Element| e.gone.is_some_and(|since| since.elapsed() > self.grace);
        let lost: Vec<Element> = self.elements.extract_if(.., late).collect();
        if lost.is_empty() {
            return Ok(());
        }
        let keys: Vec<Key> = lost.iter().map(|e| e.key).collect();
        let losses = self.queue.losses(&keys);
        self.heard |= losses.iter().any(|loss| !loss.unseen);
        let mut again = Vec::new();
        for (element, loss) in lost.iter().zip(losses) {
            if loss.unseen && !self.heard {
                return Err(self.not_shared(&loss.reason));
            }
            for &task in &element.open {
                match self.retried.insert(task) {
                    true => again.push(task),
                    false => (self.say)(task, end(Ended::Lost(loss.reason.clone()))),
                }
            }
        }
        // Alone, so that a task that takes its worker down takes no other along.
        self.submit(&again, Size::Fixed(1))
    }

    fn not_shared(&self, reason: &str) -> String {
        format!(
            "the cluster's nodes leave nothing in {}: they seem not to share it with this machine\nremedy: choose a \
             folder that every node sees under the same path, and which you may write to there\n({reason})",
            self.folder.display()
        )
    }

    /// Ends everything, and says what has not ended by itself.
    fn stopped(&mut self) {
        self.cancel();
        let start = Instant::now();
        let arrays = self.elements.iter().map(|e| e.key.0).collect();
        while start.elapsed() < FAREWELL {
            match self.queue.alive(&arrays) {
                Ok(Some(alive)) if !alive.is_empty() => std::thread::sleep(Duration::from_millis(200)),
                _ => break,
            }
        }
        self.gather(&AtomicBool::new(false));
        for element in std::mem::take(&mut self.elements) {
            element.open.into_iter().for_each(|task| (self.say)(task, end(Ended::Stopped)));
        }
    }

    fn cancel(&mut self) {
        for array in &self.arrays {
            // Should the queue not hear us, workers still see this.
            let _ = put(&array.folder.join("stop"), b"");
        }
        self.queue.cancel();
    }
}

impl Drop for Watch<'_> {
    /// Whatever goes wrong, nothing stays in the queue.
    fn drop(&mut self) {
        if !self.elements.is_empty() {
            self.cancel();
        }
    }
}

/// Runs the tasks of a shard with `run`, one after the other, and leaves how each ended: what `entail worker` does.
///
/// Tasks that have ended are skipped, so that a shard which the queue starts again goes on. A task that was stopped has
/// not ended, and the worker goes no further. A worker should die of a SIGTERM, or stop its task. The result is an exit
/// code.
pub fn worker(shard: &Path, run: &mut dyn FnMut(&Task) -> Done) -> Result<i32, String> {
    let fail = |e: &dyn std::fmt::Display| format!("cannot read the shard {}: {e}", shard.display());
    let text = std::fs::read(shard).map_err(|e| fail(&e))?;
    let Shard { tasks } = serde_json::from_slice(&text).map_err(|e| fail(&e))?;
    let stop = shard.with_file_name("stop");
    for task in tasks.iter().filter(|task| task.left().is_none()) {
        if stop.exists() {
            return Ok(1);
        }
        make(&task.folder)?;
        let done = run(task);
        if done.ended == Ended::Stopped {
            return Ok(1);
        }
        if killed(&done.ended) {
            std::thread::sleep(VOLLEY);
        }
        task.leave(&done).map_err(|e| format!("cannot write to {}: {e}", task.folder.display()))?;
    }
    Ok(0)
}

/// Whether a signal may have ended a task, or what it ran.
fn killed(ended: &Ended) -> bool {
    !matches!(ended, Ended::Exit(0..=127) | Ended::OutOfTime)
}

/// A word for `sh`.
fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./,:=+@".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// How a task ended of which we know no more.
fn end(ended: Ended) -> Done {
    Done { ended, seconds: 0.0, memory_kb: 0 }
}

/// How a task ended, if it did. Listing the folder makes NFS forget that a file was not there.
fn seen(task: &Task) -> Option<Done> {
    let mut files = std::fs::read_dir(&task.folder).ok()?;
    files.any(|file| file.is_ok_and(|f| f.file_name() == "done.json")).then(|| task.left())?
}

/// The last line of a file that says something.
fn last_line(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(4096)..]);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(300).collect())
}

/// A new folder for an array.
fn fresh(spool: &Path) -> Result<PathBuf, String> {
    let mut number = 0;
    loop {
        let folder = spool.join(format!("array-{number}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(e) => return Err(format!("cannot create the folder {}: {e}", folder.display())),
        }
    }
}

fn make(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot create the folder {}: {e}", folder.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    put(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| format!("{} has no absolute path: {e}", path.display()))
}

/// A task with paths that mean the same everywhere.
fn rooted(task: &Task) -> Result<Task, String> {
    Ok(Task { directory: absolute(&task.directory)?, folder: absolute(&task.folder)?, ..task.clone() })
}

/// Sleeps, but not on after the user stopped the run.
fn sleep(pause: Duration, stop: &AtomicBool) {
    let start = Instant::now();
    while start.elapsed() < pause && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50).min(pause));
    }
}

#[cfg(test)]
mod tests;
