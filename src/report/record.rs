//! What jobs found, as data: written by the subcommands, kept in the store, read by every report.
//!
//! A [`Record`] is what one command line found; a [`Report`] is a whole run with the history behind it. Both
//! are plain data with a published schema, so that reports can be made on another machine or by another tool.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a record says first.
pub const RECORD: &str = "entail-record-1";
/// What a report says first.
pub const REPORT: &str = "entail-report-1";
/// The code of findings that are not in the catalogue: mistakes in what was asked for, without a place.
pub const MISTAKE: &str = "mistake";

/// What one command found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`RECORD`].
    pub format: String,
    /// The program that made it.
    pub tool: String,
    /// `check`, `cdc`, `prove` or `explore`.
    pub kind: String,
    /// The top, the specification or the model.
    pub design: String,
    /// Exit code of the command.
    pub exit: i32,
    /// Most memory that it had, in kilobytes; 0 where the system does not tell.
    #[serde(default)]
    pub memory_kb: u64,
    /// Properties, assertions, theorems, outcomes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item>,
    /// Messages with a place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What was taken for granted, and other remarks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Files and folders that were read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<Read>,
    /// Pictures (SVG): crossings, schedules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// A proof, from its goal down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofNode>,
    /// How much of a model was explored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// What processes of a model share in an order that only the scheduler chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub races: Vec<Race>,
}

/// What is said of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// With evidence that was checked.
    Holds,
    /// Without.
    HoldsUnchecked,
    /// It says nothing.
    Vacuous,
    /// No failure within a bound.
    Bounded,
    /// There is a counterexample.
    Fails,
    /// A cover with a path.
    Covered,
    /// A cover without.
    Unreachable,
    /// No answer.
    Unknown,
    /// The tool contradicts itself.
    Broken,
}

impl Verdict {
    /// As in the files.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsUnchecked => "holds-unchecked",
            Verdict::Vacuous => "vacuous",
            Verdict::Bounded => "bounded",
            Verdict::Fails => "fails",
            Verdict::Covered => "covered",
            Verdict::Unreachable => "unreachable",
            Verdict::Unknown => "unknown",
            Verdict::Broken => "broken",
        }
    }

    /// In the words of expectations, which do not ask for evidence.
    pub fn came_out(self) -> &'static str {
        match self {
            Verdict::Holds | Verdict::HoldsUnchecked | Verdict::Covered => "holds",
            Verdict::Bounded | Verdict::Unknown => "unknown",
            Verdict::Fails | Verdict::Vacuous | Verdict::Unreachable | Verdict::Broken => self.word(),
        }
    }
}

/// One thing that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Lines of the source around the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Excerpt>,
    /// What was found.
    pub verdict: Verdict,
    /// What was expected of it, where that was said of each: `holds`, `fails`, `unknown` or `vacuous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// More about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Who found it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Effort, when it was found.
    pub seconds: f64,
    /// Taken from the store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What it is stored under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The counterexample or the witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<Wave>,
    /// Text that explains it: a schedule, a counterexample without waves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A place in a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The file, as the command named it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column; 0 where it is not known.
    #[serde(default)]
    pub column: u32,
    /// Last column on that line, 0 where it is not known.
    #[serde(default)]
    pub end: u32,
}

/// A message with a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Code of the catalogue.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// Where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Other places, each with what it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<(Place, String)>,
    /// More about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Lines of the source around the place, the first of them numbered `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Excerpt>,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// Number of the first line.
    pub from: u32,
    /// The lines.
    pub lines: Vec<String>,
}

/// Something that was read: a file with the hash of its bytes, or a folder with that of its sorted names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The path, as the command named it.
    pub path: String,
    /// BLAKE3, in hexadecimal; empty for what was looked for and was not there; `unknown` for what never counts as
    /// the same.
    pub hash: String,
    /// Whether it is a folder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub folder: bool,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The picture itself, a whole SVG document.
    pub svg: String,
}

/// A waveform, sampled: `values[k]` of each signal is its value at `times[k]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// What it shows, in words.
    pub title: String,
    /// Moments at which something changes, in time units.
    pub times: Vec<u64>,
    /// Time units of one step; step `n` begins at `n * step`.
    pub step: u64,
    /// Number of steps.
    pub steps: u64,
    /// Where the loop goes back to, for endless ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<u64>,
    /// The signals, those that matter first.
    pub signals: Vec<Signal>,
}

/// A signal of a waveform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signal {
    /// Its name with its range.
    pub name: String,
    /// `clock`, `input`, `state` or `logic`.
    pub kind: String,
    /// Bits.
    pub width: u32,
    /// Whether the failure depends on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub matters: bool,
    /// Values: `0`, `1` or `x` for one bit, hexadecimal digits (with `x`) for more. Equal neighbours are written
    /// as one: each entry is the index into `times` at which it begins, and the value.
    pub values: Vec<(u32, String)>,
}

/// A step of a proof and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofNode {
    /// Name of the theorem.
    pub name: String,
    /// The rule, in words.
    pub how: String,
    /// Effort.
    pub seconds: f64,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<ProofNode>,
}

/// How much of a model was explored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// In words.
    pub words: String,
    /// Whether it was everything.
    pub complete: bool,
    /// Runs that were made.
    pub runs: u64,
    /// Different classes among them.
    pub classes: u64,
    /// Choices that were not looked at.
    pub left: u64,
}

/// Two accesses of different processes in one evaluation phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// The processes.
    pub processes: Vec<String>,
    /// In how many classes.
    pub classes: u64,
    /// One of the accesses.
    pub first: Access,
    /// The other.
    pub second: Access,
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Whether it writes.
    pub write: bool,
    /// Where; nothing if it is in a library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Lines of the source around the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Excerpt>,
}

/// What became of a job, compared with what was expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// No answer.
    Unknown,
    /// A mistake in the sources or the project, or a worker that died.
    Error,
    /// Not run: cancelled, or not reached.
    Skipped,
}

impl Status {
    /// As in the files.
    pub fn word(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Unknown => "unknown",
            Status::Error => "error",
            Status::Skipped => "skipped",
        }
    }
}

/// A job of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobReport {
    /// Its name.
    pub name: String,
    /// `check`, `cdc`, `prove` or `explore`.
    pub kind: String,
    /// The design of the project file.
    pub design: String,
    /// What became of it.
    pub status: Status,
    /// What was found: `holds`, `fails`, `unknown` or `error`.
    pub verdict: String,
    /// What was expected: `holds`, `fails` or `unknown`; or what of which properties, in words: then each item says
    /// what was expected of it.
    pub expect: String,
    /// Why it was run, or that it was not.
    pub why: String,
    /// Whether nothing had to be run.
    pub cached: bool,
    /// When it was run.
    pub at: u64,
    /// How long it took when it was run.
    pub seconds: f64,
    /// Most memory, in kilobytes; 0 where it is not known.
    pub memory_kb: u64,
    /// The command line that does the same.
    pub command: Vec<String>,
    /// A sentence about what went wrong, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The end of what a worker that died had printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// What it found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
    /// Its runs before this one, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Past>,
}

/// An earlier run of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Past {
    /// Seconds since 1970.
    pub at: u64,
    /// What became of it.
    pub status: Status,
    /// How long it took.
    pub seconds: f64,
    /// The commit that was checked out, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether nothing had to be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Why it was run, or was not, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// An earlier run of the project, for the trend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// Seconds since 1970.
    pub at: u64,
    /// The commit that was checked out, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Jobs by status: pass, fail, unknown, error, skipped.
    pub counts: [u32; 5],
    /// How long it took in all.
    pub seconds: f64,
}

/// A run of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// [`REPORT`].
    pub format: String,
    /// The program.
    pub tool: String,
    /// Name of the project.
    pub project: String,
    /// The project's folder in its git repository, as `hw/fifo/`; empty at its root, and outside of repositories.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// What was asked for: suites and jobs.
    pub selection: Vec<String>,
    /// When, in seconds since 1970.
    pub at: u64,
    /// How long it took.
    pub seconds: f64,
    /// The commit that was checked out, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The jobs, in the order of the project file.
    pub jobs: Vec<JobReport>,
    /// Where the jobs stand in the project's files, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, Place>,
    /// Earlier runs, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trend: Vec<Trend>,
}
