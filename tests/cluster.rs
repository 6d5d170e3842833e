//! Tasks on a real cluster: a Slurm of one node that `tests/flow/slurm.sh` starts.
//!
//! `make test` installs Slurm. Where it is missing these tests say so and do nothing, unless ENTAIL_REQUIRE_SLURM is set.
//! ENTAIL_SLOW=1 also waits for what takes Slurm minutes: its limit of time, and queueing again.

use entail::runner::cluster::{Cluster, Kind};
use entail::runner::{Done, Ended, Task};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A Slurm, which ends with the value.
struct Slurm {
    folder: PathBuf,
    environment: Vec<(String, String)>,
}

impl Slurm {
    fn start(folder: &Path) -> Slurm {
        let out = script("start", folder);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let text = String::from_utf8(out.stdout).expect("text");
        let environment = text.lines().filter_map(|l| l.split_once('=')).map(|(n, v)| (n.to_string(), v.to_string()));
        Slurm { folder: folder.to_path_buf(), environment: environment.collect() }
    }

    fn cluster(&self, options: &[&str]) -> Cluster {
        let options = options.iter().map(|o| o.to_string()).collect();
        let mut cluster = Cluster::new(Kind::Slurm { options });
        cluster.environment = self.environment.clone();
        cluster.grace = Duration::from_secs(1);
        cluster
    }

    fn through(&self, template: &str) -> Cluster {
        Cluster { kind: Kind::Command { template: template.to_string() }, ..self.cluster(&[]) }
    }

    /// Waits until the queue has no job whose name begins so.
    fn drained(&self, name: &str) {
        let start = Instant::now();
        loop {
            let mut command = Command::new("squeue");
            command.args(["-h", "-r", "-o", "%j %i %T"]).envs(self.environment.iter().map(|(n, v)| (n, v)));
            let text = String::from_utf8(command.output().expect("squeue runs").stdout).expect("text");
            let Some(job) = text.lines().find(|l| l.starts_with(name)) else { return };
            assert!(start.elapsed() < Duration::from_secs(20), "still there: {job}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        script("stop", &self.folder);
    }
}

fn script(what: &str, folder: &Path) -> std::process::Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flow/slurm.sh");
    Command::new(script).arg(what).arg(folder).output().expect("the script runs")
}

/// Tasks, and where they and their shards are.
struct Place {
    folder: PathBuf,
    tasks: Vec<Task>,
}

impl Place {
    fn new(root: &Path, name: &str) -> Place {
        // A name that shells and Slurm could stumble over.
        Place { folder: root.join(format!("{name} it's 100%")), tasks: Vec::new() }
    }

    /// Adds a task that runs a script and notes each try.
    fn add(&mut self, text: &str) -> &mut Task {
        let folder = self.folder.join(format!("task-{}", self.tasks.len()));
        let text = format!("echo x >>\"$0/tries\"; {text}");
        let command = ["sh".into(), "-c".into(), text, folder.to_str().expect("text").to_string()].to_vec();
        std::fs::create_dir_all(&folder).expect("a folder");
        let name = format!("t{}", self.tasks.len());
        self.tasks.push(Task { name, command, directory: self.folder.clone(), folder, seconds: 60, memory_mb: 500 });
        self.tasks.last_mut().expect("just added")
    }

    fn add_many(&mut self, count: usize, text: &str) {
        for _ in 0..count {
            self.add(text);
        }
    }

    fn tries(&self, task: usize) -> usize {
        std::fs::read_to_string(self.tasks[task].folder.join("tries")).map_or(0, |t| t.lines().count())
    }

    /// Runs all; each task must be said exactly once.
    fn run(&self, cluster: &Cluster, stop: &AtomicBool) -> Result<Vec<Ended>, String> {
        let program = Path::new(env!("CARGO_BIN_EXE_entail"));
        let mut said: Vec<Option<Ended>> = vec![None; self.tasks.len()];
        let mut say = |task: usize, done: Done| {
            let before = said[task].replace(done.ended);
            assert_eq!(before, None, "task {task} was said twice");
        };
        cluster.run(&self.tasks, &self.folder.join("spool"), program, stop, &mut say)?;
        Ok(said.into_iter().enumerate().map(|(i, e)| e.unwrap_or_else(|| panic!("task {i} was never said"))).collect())
    }

    fn all(&self, cluster: &Cluster) -> Vec<Ended> {
        self.run(cluster, &AtomicBool::new(false)).expect("the cluster runs")
    }

    fn error(&self, cluster: &Cluster) -> String {
        self.run(cluster, &AtomicBool::new(false)).expect_err("an error")
    }
}

/// Done the first time, not again.
const ONCE: &str = "[ -e \"$0/once\" ] && exit 0; touch \"$0/once\";";
/// Ends the worker, with no word to anybody.
const KILL: &str = "kill -9 $SLURM_TASK_PID; sleep 60";
const CANCEL: &str = "scancel ${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID; sleep 60";

/// Forty tasks, some of which end badly in every way.
fn forty(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "forty");
    for i in 0..40 {
        match i {
            3 => place.add("exit 3"),
            5 => place.add("kill -SEGV $$"),
            7 => place.add(&format!("{ONCE} {KILL}")),
            11 => place.add(KILL),
            13 => place.add(&format!("{ONCE} {CANCEL}")),
            17 => place.add("sleep 60"),
            _ => place.add("echo fine"),
        };
    }
    place.tasks[17].seconds = 2;
    place.tasks[20].memory_mb = 4000;
    let mut cluster = slurm.cluster(&["--comment=through"]);
    cluster.shard = 4;
    let ended = place.all(&cluster);
    for (i, ended) in ended.iter().enumerate() {
        match i {
            3 => assert_eq!(*ended, Ended::Exit(3)),
            5 => assert!(matches!(ended, Ended::Died(_)), "{ended:?}"),
            11 => assert!(matches!(ended, Ended::Lost(why) if why.contains("FAILED")), "{ended:?}"),
            17 => assert_eq!(*ended, Ended::OutOfTime),
            _ => assert_eq!(*ended, Ended::Exit(0), "t{i}"),
        }
        let tries = if [7, 11, 13].contains(&i) { 2 } else { 1 };
        assert_eq!(place.tries(i), tries, "tries of t{i}");
    }
    println!("forty: t11 {:?}", ended[11]);
    // Again: what ended is known, so only the lost one runs, which is lost again.
    let again = place.all(&cluster);
    assert_eq!(again[..11], ended[..11]);
    assert_eq!(again[12..], ended[12..]);
    assert_eq!((place.tries(10), place.tries(11)), (1, 4));
}

/// A node's limit of memory ends the worker as well.
fn memory(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "memory");
    // What has no line is kept whole.
    place.add("head -c 400000000 /dev/zero | tail | sleep 60").memory_mb = 4000;
    let ended = place.all(&slurm.cluster(&["--mem=100M"]));
    println!("memory: {ended:?}");
    assert!(matches!(&ended[0], Ended::Lost(why) if why.to_lowercase().contains("memory")), "{ended:?}");
    assert_eq!(place.tries(0), 2);
}

/// Slurm's limit of time; the second try is quick.
fn time(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "time");
    place.add(&format!("{ONCE} sleep 300")).seconds = 600;
    let ended = place.all(&slurm.cluster(&["--time=1"]));
    assert_eq!((ended, place.tries(0)), (vec![Ended::Exit(0)], 2));
}

/// Slurm itself puts a shard into the queue again, as it does when a node fails: it goes on where it was.
fn requeued(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "requeued");
    place.add("exit 0");
    place.add(&format!("{ONCE} scontrol requeue ${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID; sleep 60"));
    place.add("exit 0");
    let ended = place.all(&Cluster { shard: 3, ..slurm.cluster(&[]) });
    assert!(ended.iter().all(|e| *e == Ended::Exit(0)), "{ended:?}");
    assert_eq!([0, 1, 2].map(|t| place.tries(t)), [1, 2, 1]);
    assert!(!place.folder.join("spool/array-1").exists(), "it was not lost");
}

/// Sets `stop` once a task runs, and says how long it then took to return.
fn stop_when_running(place: &Place, cluster: &Cluster) -> (Vec<Ended>, Duration) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| place.run(cluster, &stop));
        let start = Instant::now();
        while place.tries(1) == 0 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Relaxed);
        let start = Instant::now();
        (run.join().expect("no panic").expect("the cluster runs"), start.elapsed())
    })
}

/// Ctrl-C leaves nothing in the queue.
fn stop(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "stop");
    place.add("echo fine");
    place.add_many(20, "sleep 50");
    let mut cluster = slurm.cluster(&["--job-name=stopping"]);
    (cluster.shard, cluster.jobs) = (1, Some(3));
    let (ended, took) = stop_when_running(&place, &cluster);
    println!("stop: took {took:?}");
    assert_eq!(ended[0], Ended::Exit(0));
    assert!(ended[1..].iter().all(|e| *e == Ended::Stopped), "{ended:?}");
    assert!((1..21).filter(|&t| place.tries(t) > 0).count() <= 3, "more at once than allowed");
    slurm.drained("stopping");
}

/// What can be wrong is said with a remedy.
fn errors(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "errors");
    place.add("exit 0");
    let expect = |cluster: &Cluster, place: &Place, words: &[&str]| {
        let error = place.error(cluster);
        println!("errors: {error}");
        words.iter().for_each(|word| assert!(error.contains(word), "no {word:?} in: {error}"));
        assert_eq!(place.tries(0), 0);
    };
    expect(&slurm.cluster(&["--partition=nowhere"]), &place, &["invalid partition", "main, short"]);
    expect(&slurm.cluster(&["--nonsense"]), &place, &["unrecognized option", "remedy"]);
    expect(&slurm.cluster(&["--partition=short"]), &place, &["never start", "PartitionTimeLimit", "remedy"]);
    let mut nowhere = slurm.cluster(&[]);
    nowhere.environment.push(("PATH".to_string(), "/nowhere".to_string()));
    expect(&nowhere, &place, &["`sbatch` is not on the PATH"]);
    expect(&slurm.through("srun {program}"), &place, &["unknown `{program}`", "{command}"]);
    place.tasks[0].memory_mb = 1 << 20;
    expect(&slurm.cluster(&[]), &place, &["no node has 1048640 MB", "remedy"]);
}

/// The same through a command that waits.
fn command(slurm: &Slurm, root: &Path) {
    let mut place = Place::new(root, "command");
    place.add("exit 0");
    place.add(&format!("{ONCE} {KILL}"));
    place.add(KILL);
    place.add_many(7, "exit 4");
    let template = "srun -Q --mem={memory_mb}M --time=$(({seconds}/60+1)) -J {name} {command} >{log} 2>&1";
    let mut cluster = slurm.through(template);
    (cluster.shard, cluster.jobs) = (2, Some(3));
    let ended = place.all(&cluster);
    println!("command: {:?}", ended[2]);
    assert_eq!(ended[..2], [Ended::Exit(0), Ended::Exit(0)]);
    assert!(matches!(&ended[2], Ended::Lost(why) if why.contains("exit code 137")), "{:?}", ended[2]);
    assert!(ended[3..].iter().all(|e| *e == Ended::Exit(4)), "{ended:?}");
    assert_eq!([0, 1, 2, 3].map(|t| place.tries(t)), [1, 2, 2, 1]);

    let mut place = Place::new(root, "command stopped");
    place.add_many(6, "sleep 50");
    (cluster.shard, cluster.jobs) = (1, Some(2));
    let (ended, took) = stop_when_running(&place, &cluster);
    println!("command: stop took {took:?}");
    assert!(ended.iter().all(|e| *e == Ended::Stopped), "{ended:?}");
    assert!(took < Duration::from_secs(15), "{took:?}");
    slurm.drained("entail-");
}

/// What the queue costs for tasks that do nothing.
fn cost(slurm: &Slurm, root: &Path, shards: &[usize]) {
    for &shard in shards {
        let mut place = Place::new(root, &format!("cost {shard}"));
        place.add_many(200, "exit 0");
        let start = Instant::now();
        let ended = place.all(&Cluster { shard, ..slurm.cluster(&[]) });
        println!("cost: 200 tasks with shard {shard}: {:?}", start.elapsed());
        assert!(ended.iter().all(|e| *e == Ended::Exit(0)), "{ended:?}");
    }
}

#[test]
fn tasks_run_on_slurm() {
    if Command::new("sbatch").arg("--version").output().is_err() {
        assert!(std::env::var_os("ENTAIL_REQUIRE_SLURM").is_none(), "Slurm is not installed, but required");
        eprintln!(
            "*** SKIPPED: Slurm is not installed (apt-get install slurm-wlm munge); nothing of the cluster is tested"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (slurm, root) = (&Slurm::start(&folder.path().join("slurm")), folder.path());
    let mut parts: Vec<fn(&Slurm, &Path)> = vec![forty, memory, stop, errors, command];
    let slow = std::env::var_os("ENTAIL_SLOW").is_some();
    if slow {
        parts.extend([time as fn(&Slurm, &Path), requeued]);
    }
    // Mostly they wait.
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(move || part(slurm, root));
        }
    });
    cost(slurm, root, if slow { &[0, 1, 16] } else { &[0] });
}
