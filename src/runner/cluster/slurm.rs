//! Shards as elements of Slurm's job arrays.
//!
//! Slurm's own commands do everything (`sbatch`, `squeue`, `scontrol`, `scancel`), so there is nothing to link
//! with and no accounting database is needed: that an element ended is that `squeue` no longer names it.

use super::{Array, Cluster, Key, Loss, Queue, last_line, quote};
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Elements of an array where Slurm does not say how many it takes.
const ARRAY: usize = 1001;
/// How long Slurm may not answer before we give up.
const SILENCE: Duration = Duration::from_secs(600);
/// A limit of time beyond this is none.
const YEAR: u64 = 365 * 24 * 3600;
/// Why elements wait that would wait for ever.
const NEVER: [&str; 6] = [
    "BadConstraints",
    "PartitionTimeLimit",
    "PartitionNodeLimit",
    "DependencyNeverSatisfied",
    "InvalidAccount",
    "InvalidQOS",
];

/// Slurm, and what was submitted.
pub struct Slurm<'a> {
    settings: &'a Cluster,
    options: &'a [String],
    folder: PathBuf,
    script: PathBuf,
    most: usize,
    arrays: Vec<Submitted>,
    silent: Option<Instant>,
    told: String,
}

struct Submitted {
    id: u64,
    cluster: Option<String>,
    folder: PathBuf,
}

/// A line of `squeue`.
#[derive(Debug, PartialEq)]
struct Waiting<'t> {
    id: u64,
    index: usize,
    state: &'t str,
    reason: &'t str,
}

impl Waiting<'_> {
    fn name(&self) -> String {
        format!("{}_{}", self.id, self.index)
    }

    fn held(&self) -> bool {
        self.state == "PENDING" && self.reason.to_lowercase().replace(' ', "_").contains("requeued_held")
    }
}

impl<'a> Slurm<'a> {
    /// Leaves the script that each element runs in the spool folder.
    pub fn new(
        settings: &'a Cluster,
        options: &'a [String],
        folder: &Path,
        program: &Path,
    ) -> Result<Slurm<'a>, String> {
        let mut slurm = Slurm::bare(settings, options, folder);
        super::write(&slurm.script, script_text(program).as_bytes())?;
        if let Ok(out) = slurm.call("scontrol", &["show".into(), "config".into()]) {
            slurm.most = array_size(&String::from_utf8_lossy(&out.stdout)).unwrap_or(ARRAY);
        }
        Ok(slurm)
    }

    fn bare(settings: &'a Cluster, options: &'a [String], folder: &Path) -> Slurm<'a> {
        Slurm {
            settings,
            options,
            folder: folder.to_path_buf(),
            script: folder.join("element.sh"),
            most: ARRAY,
            arrays: Vec::new(),
            silent: None,
            told: String::new(),
        }
    }

    /// Runs one of Slurm's commands.
    fn call(&self, tool: &str, args: &[OsString]) -> Result<Output, String> {
        let mut command = Command::new(tool);
        // A group of its own: Ctrl-C is for us, who then tell Slurm.
        command.args(args).stdin(Stdio::null()).process_group(0);
        // The user's settings for their own eyes would hide elements from ours.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SQUEUE_")) {
            command.env_remove(name);
        }
        command.envs(self.settings.environment.iter().map(|(name, value)| (name, value)));
        command.output().map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => format!(
                "`{tool}` is not on the PATH: start this on a machine that submits to Slurm (often called a login \
                 node; `module load slurm` may be needed), or run the jobs on this machine"
            ),
            _ => format!("cannot run `{tool}`: {e}"),
        })
    }

    /// The arguments of `sbatch`: what is asked for, what the user wants, then what must be as it is.
    fn arguments(&self, array: &Array) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec!["--job-name=entail".into()];
        if array.memory_mb > 0 && !self.options.iter().any(|o| o.starts_with("--mem")) {
            args.push(format!("--mem={}M", array.memory_mb).into());
        }
        if array.seconds < YEAR {
            args.push(format!("--time={}", array.seconds.div_ceil(60)).into());
        }
        args.extend(self.options.iter().map(OsString::from));
        let throttle = self.settings.jobs.map_or(String::new(), |n| format!("%{}", n.max(1)));
        args.push("--parsable".into());
        args.push(format!("--array=0-{}{throttle}", array.shards.saturating_sub(1)).into());
        let mut output = OsString::from("--output=");
        output.push(array.folder.to_string_lossy().replace('%', "%%"));
        output.push("/log-%a");
        let mut chdir = OsString::from("--chdir=");
        chdir.push(&self.folder);
        args.extend([output, "--open-mode=append".into(), chdir]);
        args.extend([self.script.clone().into(), array.folder.clone().into()]);
        args
    }

    /// What to do about what `sbatch` says.
    fn remedy(&self, said: &str, array: &Array) -> String {
        let has = |words: &str| said.to_lowercase().contains(words);
        if has("invalid partition") {
            let known = self.call("sinfo", &["-h".into(), "-o".into(), "%R".into()]);
            let known = known.map(|o| String::from_utf8_lossy(&o.stdout).lines().collect::<Vec<_>>().join(", "));
            return format!("choose one of the partitions: {}", known.unwrap_or_default());
        }
        if has("node configuration is not available") || has("memory specification") {
            return format!(
                "no node has {} MB of memory and what the options ask for: lower the jobs' memory, or choose another \
                 partition; `sinfo -o \"%P %m %c\"` shows what there is",
                array.memory_mb
            );
        }
        if has("contact slurm controller") || has("unable to contact") || has("timed out") {
            return "Slurm's controller does not answer: see `scontrol ping` and whether SLURM_CONF is right"
                .to_string();
        }
        if has("qos") || has("limit") || has("job array") {
            return "let more tasks share an element (a larger shard), or ask for fewer resources".to_string();
        }
        if has("option") {
            return "see the options for sbatch that the configuration passes on".to_string();
        }
        "the same options given to `sbatch` by hand should say more".to_string()
    }

    /// Arguments that name the cluster, where there are several.
    fn cluster(&self) -> Vec<OsString> {
        let named = self.arrays.iter().find_map(|a| a.cluster.as_ref());
        named.map_or(Vec::new(), |name| vec!["-M".into(), name.into()])
    }

    /// The queue's list of some arrays' elements; none if it does not answer.
    fn list(&mut self, arrays: &BTreeSet<usize>) -> Result<Option<String>, String> {
        let ids: Vec<String> = arrays.iter().map(|&a| self.arrays[a].id.to_string()).collect();
        let mut args = self.cluster();
        args.extend(["-h", "-r", "-o", "%i %T %r", "-j"].map(OsString::from));
        args.push(ids.join(",").into());
        let out = self.call("squeue", &args)?;
        let said = String::from_utf8_lossy(&out.stderr);
        if out.status.success() || said.contains("Invalid job id") {
            self.silent = None;
            return Ok(Some(String::from_utf8_lossy(&out.stdout).into_owned()));
        }
        let since = *self.silent.get_or_insert_with(Instant::now);
        if since.elapsed() < SILENCE {
            return Ok(None);
        }
        let minutes = SILENCE.as_secs() / 60;
        Err(format!("Slurm has not answered for {minutes} minutes: {} (see `scontrol ping`)", said.trim()))
    }

    /// What Slurm remembers of an array's elements.
    fn told(&self, array: usize) -> HashMap<usize, String> {
        let mut args = self.cluster();
        args.extend(["-o".into(), "show".into(), "job".into(), self.arrays[array].id.to_string().into()]);
        let out = self.call("scontrol", &args).ok();
        out.map(|o| told(&String::from_utf8_lossy(&o.stdout))).unwrap_or_default()
    }

    /// Says why nothing runs, if that is news.
    fn tell(&mut self, list: &[Waiting]) {
        let idle = !list.is_empty() && list.iter().all(|w| w.state == "PENDING");
        let reason = list.iter().map(|w| w.reason).find(|r| !["", "None"].contains(r)).filter(|_| idle);
        if let Some(reason) = reason.filter(|r| *r != self.told) {
            (self.settings.tell)(&format!("Slurm: nothing runs, {} wait: {reason}", list.len()));
            self.told = reason.to_string();
        }
    }

    fn drop_jobs(&self, jobs: Vec<OsString>) {
        let mut args = self.cluster();
        args.extend(jobs);
        // What has ended already cannot be cancelled, which is as well.
        let _ = self.call("scancel", &args);
    }
}

impl Queue for Slurm<'_> {
    fn most(&self) -> usize {
        self.most
    }

    fn submit(&mut self, array: &Array) -> Result<(), String> {
        let out = self.call("sbatch", &self.arguments(array))?;
        let said = String::from_utf8_lossy(&out.stderr);
        let answer = String::from_utf8_lossy(&out.stdout);
        let Some((id, cluster)) = answer.lines().rev().find_map(job).filter(|_| out.status.success()) else {
            let said = if said.trim().is_empty() { answer.trim() } else { said.trim() };
            return Err(format!("sbatch refused the jobs: {said}\nremedy: {}", self.remedy(said, array)));
        };
        // For a person who looks for what this folder belongs to.
        super::write(&array.folder.join("job"), format!("{id}\n").as_bytes()).ok();
        self.arrays.push(Submitted { id, cluster, folder: array.folder.clone() });
        Ok(())
    }

    fn alive(&mut self, arrays: &BTreeSet<usize>) -> Result<Option<BTreeSet<Key>>, String> {
        let Some(text) = self.list(arrays)? else { return Ok(None) };
        let list: Vec<Waiting> = text.lines().filter_map(waiting).collect();
        if let Some(never) = list.iter().find(|w| w.state == "PENDING" && NEVER.contains(&w.reason)) {
            return Err(format!(
                "Slurm will never start job {}: {}\nremedy: change the options for sbatch, or the jobs' limits of time \
                 and memory",
                never.id, never.reason
            ));
        }
        self.tell(&list);
        // They did not start on their node, and wait for somebody to release them.
        let held: Vec<OsString> = list.iter().filter(|w| w.held()).map(|w| w.name().into()).collect();
        if !held.is_empty() {
            self.drop_jobs(held);
        }
        // The last array of that number: a controller that crashed can give it twice.
        let key = |w: &Waiting| Some((self.arrays.iter().rposition(|a| a.id == w.id)?, w.index));
        Ok(Some(list.iter().filter_map(key).collect()))
    }

    fn losses(&mut self, keys: &[Key]) -> Vec<Loss> {
        let arrays: BTreeSet<usize> = keys.iter().map(|k| k.0).collect();
        let told: HashMap<usize, _> = arrays.into_iter().map(|a| (a, self.told(a))).collect();
        let loss = |&(array, index): &Key| {
            let submitted = &self.arrays[array];
            let log = submitted.folder.join(format!("log-{index}"));
            let state = told[&array].get(&index).map_or("it left the queue", String::as_str);
            let mut reason = format!("Slurm job {}_{index}: {state}", submitted.id);
            if let Some(line) = last_line(&log) {
                reason.push_str("; ");
                reason.push_str(&line);
            }
            Loss { reason, unseen: !log.exists() && !state.starts_with("CANCELLED") }
        };
        keys.iter().map(loss).collect()
    }

    fn cancel(&mut self) {
        if !self.arrays.is_empty() {
            self.drop_jobs(self.arrays.iter().map(|a| a.id.to_string().into()).collect());
        }
    }
}

fn script_text(program: &Path) -> String {
    let program = quote(&program.to_string_lossy());
    format!(
        "#!/bin/sh\n# An element of an array: $1 is the array's folder.\nexec {program} worker \"$1/shard-$SLURM_ARRAY_TASK_ID.json\"\n"
    )
}

/// What `sbatch --parsable` prints: the job's number and, where there are several clusters, which.
fn job(line: &str) -> Option<(u64, Option<String>)> {
    let (id, cluster) = line.trim().split_once(';').map_or((line.trim(), None), |(id, c)| (id, Some(c.to_string())));
    Some((id.parse().ok()?, cluster))
}

fn waiting(line: &str) -> Option<Waiting<'_>> {
    let (name, rest) = line.trim().split_once(' ')?;
    let (id, index) = name.split_once('_')?;
    let (state, reason) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(Waiting { id: id.parse().ok()?, index: index.parse().ok()?, state, reason: reason.trim() })
}

/// Slurm's limit for arrays, from its configuration.
fn array_size(config: &str) -> Option<usize> {
    let line = config.lines().find(|l| l.starts_with("MaxArraySize"))?;
    line.split_once('=')?.1.trim().parse().ok()
}

/// Elements' ends in words, from `scontrol -o show job`.
fn told(text: &str) -> HashMap<usize, String> {
    let mut told = HashMap::new();
    for line in text.lines() {
        let fields: HashMap<&str, &str> = line.split_whitespace().filter_map(|w| w.split_once('=')).collect();
        let Some(indices) = fields.get("ArrayTaskId") else { continue };
        let mut words = fields.get("JobState").unwrap_or(&"UNKNOWN").to_string();
        let known = |name: &str| fields.get(name).filter(|v| !["", "None", "(null)", "0:0"].contains(*v));
        let exit = known("ExitCode").map(|code| match code.split_once(":") {
            Some((code, "0")) => format!("exit code {code}"),
            Some((_, signal)) => format!("signal {signal}"),
            None => code.to_string(),
        });
        let reason = known("Reason").map(|reason| format!("reason {reason}"));
        let node = known("NodeList").map(|node| format!("node {node}"));
        for part in [reason, exit, node].into_iter().flatten() {
            words.push_str(", ");
            words.push_str(&part);
        }
        told.extend(numbers(indices).into_iter().map(|i| (i, words.clone())));
    }
    told
}

/// The numbers of `3-5,7%2`.
fn numbers(text: &str) -> Vec<usize> {
    let list = text.split('%').next().unwrap_or_default();
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some(from.parse::<usize>().ok()?..=to.parse::<usize>().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    #[test]
    fn answers_of_sbatch() {
        assert_eq!(job("17"), Some((17, None)));
        assert_eq!(job("17;east\n"), Some((17, Some("east".to_string()))));
        assert_eq!(job("Welcome"), None);
    }

    #[test]
    fn lines_of_squeue() {
        let line = waiting("12_3 PENDING launch failed requeued held").expect("a line");
        assert_eq!((line.id, line.index, line.state, line.reason), (12, 3, "PENDING", "launch failed requeued held"));
        assert!(line.held() && line.name() == "12_3");
        assert_eq!(waiting("CLUSTER: east"), None);
        assert_eq!(waiting(""), None);
    }

    #[test]
    fn ranges_of_indices() {
        assert_eq!(numbers("3-5,7%2"), [3, 4, 5, 7]);
        assert_eq!(numbers("0"), [0]);
        assert_eq!(numbers("N/A"), [0usize; 0]);
    }

    #[test]
    fn what_scontrol_tells() {
        let told = told(
            "JobId=4 ArrayJobId=3 ArrayTaskId=1 JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15 NodeList=n1\n\
             JobId=3 ArrayJobId=3 ArrayTaskId=2-3 JobState=CANCELLED Reason=None ExitCode=0:0 NodeList=(null)\n",
        );
        assert_eq!(told[&1], "TIMEOUT, reason TimeLimit, signal 15, node n1");
        assert_eq!(told[&3], "CANCELLED");
        assert_eq!(told.len(), 3);
    }

    #[test]
    fn limits_of_arrays() {
        assert_eq!(array_size("Foo = 1\nMaxArraySize            = 5001\n"), Some(5001));
        assert_eq!(array_size(""), None);
    }

    fn arguments(options: &[&str], memory_mb: u64, seconds: u64) -> Vec<String> {
        let options: Vec<String> = options.iter().map(|o| o.to_string()).collect();
        let settings = Cluster { jobs: Some(3), ..Cluster::new(Kind::Slurm { options: Vec::new() }) };
        let slurm = Slurm::bare(&settings, &options, Path::new("/s"));
        let array = Array { folder: "/s/100%".into(), shards: 5, memory_mb, seconds };
        slurm.arguments(&array).into_iter().map(|a| a.into_string().expect("text")).collect()
    }

    #[test]
    fn arguments_of_sbatch() {
        let args = arguments(&["-p", "big"], 164, 61);
        let text = args.join(" ");
        assert!(text.starts_with("--job-name=entail --mem=164M --time=2 -p big --parsable --array=0-4%3 "), "{text}");
        assert!(text.ends_with("--chdir=/s /s/element.sh /s/100%"), "{text}");
        assert!(text.contains("--output=/s/100%%/log-%a"), "{text}");
        // What has no limit asks for none, and the user's memory is the user's.
        assert!(!arguments(&[], 0, u64::MAX).iter().any(|a| a.starts_with("--mem") || a.starts_with("--time")));
        assert!(!arguments(&["--mem-per-cpu=1G"], 164, 61).contains(&"--mem=164M".to_string()));
    }

    #[test]
    fn the_script_survives_odd_paths() {
        let text = script_text(Path::new("/a b/it's"));
        assert!(text.contains(r#"exec '/a b/it'\''s' worker "$1/shard-$SLURM_ARRAY_TASK_ID.json""#), "{text}");
    }
}
