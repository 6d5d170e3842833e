//! Shards through a command of the user's: LSF, Grid Engine, or anything else that waits for what it started.
//!
//! The command is text for `sh` with places for the shard's values. It must not return before the shard ended:
//!
//! ```text
//! srun --mem={memory_mb}M --time=$(({seconds}/60+1)) --job-name={name} --output={log} {command}
//! bsub -K -J {name} -M {memory_mb} -W $(({seconds}/60+1)) -o {log} {command}
//! qsub -sync y -b y -N {name} -l h_vmem={memory_mb}M,h_rt={seconds} -j y -o {log} {command}
//! ```
//!
//! When the user stops the run, the command gets a SIGTERM. One that does not take its job along can be told to:
//! `trap 'bkill -J {name} 0' TERM; bsub -K … {command} & wait $!`.

use super::{Array, Cluster, Key, Loss, Queue, last_line, quote};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Most commands at once where the user says nothing.
const JOBS: usize = 64;
/// How long a command may take to end once it is told to.
const MERCY: Duration = Duration::from_secs(5);
/// What can be replaced.
const PLACES: [&str; 5] = ["command", "name", "memory_mb", "seconds", "log"];

/// The user's command, and what it was started for.
pub struct Template<'a> {
    settings: &'a Cluster,
    template: &'a str,
    program: PathBuf,
    /// Begins the names of this run's jobs, and of no other's.
    name: String,
    arrays: Vec<Array>,
    waiting: VecDeque<Key>,
    running: BTreeMap<Key, Child>,
    ended: BTreeMap<Key, String>,
}

impl<'a> Template<'a> {
    /// Checks the template.
    pub fn new(settings: &'a Cluster, template: &'a str, program: &Path) -> Result<Template<'a>, String> {
        check(template)?;
        Ok(Template {
            settings,
            template,
            program: program.to_path_buf(),
            name: name(),
            arrays: Vec::new(),
            waiting: VecDeque::new(),
            running: BTreeMap::new(),
            ended: BTreeMap::new(),
        })
    }

    /// The text for `sh`.
    fn text(&self, (number, index): Key) -> String {
        let array = &self.arrays[number];
        let shard = array.folder.join(format!("shard-{index}.json"));
        let words = [self.program.to_string_lossy(), "worker".into(), shard.to_string_lossy()];
        let value = |place: &str| match place {
            "command" => words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" "),
            "name" => format!("{}-{number}-{index}", self.name),
            "memory_mb" => array.memory_mb.to_string(),
            "seconds" => array.seconds.to_string(),
            _ => quote(&array.folder.join(format!("log-{index}")).to_string_lossy()),
        };
        fill(self.template, &value)
    }

    fn start(&mut self, key: Key) {
        let out = self.arrays[key.0].folder.join(format!("client-{}", key.1));
        match spawn(&self.text(key), &self.settings.environment, &out) {
            Ok(child) => drop(self.running.insert(key, child)),
            Err(e) => drop(self.ended.insert(key, format!("`sh` could not be started: {e}"))),
        }
    }

    /// Notes who ended, and starts who waits.
    fn turn(&mut self) {
        let ended = &mut self.ended;
        self.running.retain(|&key, child| match child.try_wait() {
            Ok(None) => true,
            Ok(Some(status)) => {
                ended.insert(key, words(status));
                false
            }
            Err(e) => {
                ended.insert(key, format!("the command was lost: {e}"));
                false
            }
        });
        while self.running.len() < self.settings.jobs.unwrap_or(JOBS).max(1) {
            let Some(key) = self.waiting.pop_front() else { break };
            self.start(key);
        }
    }

    fn signal(&self, signal: Signal) {
        for child in self.running.values() {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, signal);
            }
        }
    }
}

impl Queue for Template<'_> {
    fn most(&self) -> usize {
        usize::MAX
    }

    fn submit(&mut self, array: &Array) -> Result<(), String> {
        let number = self.arrays.len();
        self.arrays.push(array.clone());
        self.waiting.extend((0..array.shards).map(|index| (number, index)));
        self.turn();
        Ok(())
    }

    fn alive(&mut self, _: &BTreeSet<usize>) -> Result<Option<BTreeSet<Key>>, String> {
        self.turn();
        Ok(Some(self.running.keys().chain(&self.waiting).copied().collect()))
    }

    fn losses(&mut self, keys: &[Key]) -> Vec<Loss> {
        let loss = |key: &Key| {
            let folder = &self.arrays[key.0].folder;
            let mut reason = self.ended.get(key).cloned().unwrap_or_default();
            let line = |name: &str| last_line(&folder.join(format!("{name}-{}", key.1)));
            if let Some(line) = line("log").or_else(|| line("client")) {
                reason.push_str("; ");
                reason.push_str(&line);
            }
            Loss { reason, unseen: false }
        };
        keys.iter().map(loss).collect()
    }

    fn cancel(&mut self) {
        self.waiting.clear();
        self.signal(Signal::TERM);
        let start = Instant::now();
        while !self.running.is_empty() && start.elapsed() < MERCY {
            std::thread::sleep(Duration::from_millis(20));
            self.turn();
        }
        self.signal(Signal::KILL);
        for (_, mut child) in std::mem::take(&mut self.running) {
            let _ = child.wait();
        }
    }
}

/// Runs the text in a group of its own, so that all of it can be told to end.
fn spawn(text: &str, environment: &[(String, String)], out: &Path) -> std::io::Result<Child> {
    let out = File::create(out)?;
    let err = out.try_clone()?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(text).stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command.spawn()
}

fn name() -> String {
    let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.subsec_micros());
    format!("entail-{:x}-{now:x}", std::process::id())
}

fn words(status: ExitStatus) -> String {
    match status.code() {
        Some(127) => "the command was not found (exit code 127)".to_string(),
        Some(code) => format!("the command ended with exit code {code}"),
        None => format!("the command ended: {status}"),
    }
}

/// The places of a template: where each begins and ends, and its name. `${…}` is the shell's.
fn places(template: &str) -> Vec<(usize, usize, &str)> {
    let mut places = Vec::new();
    for (at, _) in template.match_indices('{') {
        let name = template[at + 1..].split('}').next().unwrap_or_default();
        let end = at + 1 + name.len();
        let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if plain && template[end..].starts_with('}') && !template[..at].ends_with('$') {
            places.push((at, end + 1, name));
        }
    }
    places
}

/// Whether a template can work.
fn check(template: &str) -> Result<(), String> {
    let all = || PLACES.map(|p| format!("{{{p}}}")).join(", ");
    let places = places(template);
    if let Some((_, _, name)) = places.iter().find(|(_, _, name)| !PLACES.contains(name)) {
        return Err(format!("the cluster's command has an unknown `{{{name}}}`: there are {}", all()));
    }
    if !places.iter().any(|(_, _, name)| *name == "command") {
        return Err(format!(
            "the cluster's command has no `{{command}}`, so it would run nothing: there are {}",
            all()
        ));
    }
    Ok(())
}

fn fill(template: &str, value: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut from = 0;
    for (at, end, name) in places(template) {
        text.push_str(&template[from..at]);
        text.push_str(&value(name));
        from = end;
    }
    text + &template[from..]
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    #[test]
    fn templates_are_checked() {
        assert_eq!(check("srun {command} >{log}"), Ok(()));
        assert_eq!(check("srun ${HOME}/x {command} {a,b}"), Ok(()));
        assert!(check("srun").unwrap_err().contains("{command}"));
        assert!(check("srun --mem={mem} {command}").unwrap_err().contains("unknown `{mem}`"));
    }

    fn texts(text: &str, folder: &str, keys: &[Key]) -> Vec<String> {
        let settings = Cluster::new(Kind::Command { template: text.to_string() });
        let mut template = Template::new(&settings, text, Path::new("/bin/e")).expect("a good template");
        template.arrays.push(Array { folder: folder.into(), shards: 3, memory_mb: 164, seconds: 70 });
        keys.iter().map(|&key| template.text(key)).collect()
    }

    #[test]
    fn templates_are_filled_with_quoted_text() {
        let text = "b -M {memory_mb} -W $(({seconds}/60)) ${x} -o {log} {command}";
        assert_eq!(
            texts(text, "/s p/it's", &[(0, 2)]),
            [r"b -M 164 -W $((70/60)) ${x} -o '/s p/it'\''s/log-2' /bin/e worker '/s p/it'\''s/shard-2.json'"]
        );
    }

    #[test]
    fn names_differ() {
        let names = texts("{name} : {command}", "/s", &[(0, 0), (0, 1)]);
        assert_ne!(names[0].split(' ').next(), names[1].split(' ').next());
    }
}
