//! `entail.yaml` into a typed [`Project`].
//!
//! Nothing is guessed: an unknown key, a value of another kind, a file that is not there, a job of a design
//! that is not there are mistakes with a place and a remedy. All of them are told, not only the first.

use super::keys::{DEFAULTS, Key, Kind, Shape, TOP};
use super::yaml::{self, Text, Yaml, nearest};
use crate::source::{Diagnostic, SourceMap, Span, Tree, codes};
use std::path::{Path, PathBuf};

mod parts;
mod suite;
mod value;

/// What a key says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text, a choice, a file.
    Text(String),
    /// A number: a count, milliseconds, megabytes.
    Number(u64),
    /// Whether the flag is there.
    Flag(bool),
    /// Texts, files, folders.
    List(Vec<String>),
    /// Names with values.
    Map(Vec<(String, String)>),
    /// Names with files.
    Lists(Vec<(String, Vec<String>)>),
}

/// A value with the key it belongs to.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: &'static Key,
    /// What it says.
    pub value: Value,
}

/// Something to verify.
#[derive(Clone, Debug)]
pub struct Design {
    /// Its name.
    pub name: String,
    /// Whether it is a SystemC model.
    pub systemc: bool,
    /// What is said of it, in the order of the table of keys.
    pub entries: Vec<Entry>,
    /// Where it stands.
    pub span: Span,
}

/// What is expected of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// Of the job as a whole.
    Job(String),
    /// Of each property that fits, the first that does; others are expected to hold.
    Each(Vec<(String, String)>),
}

/// Something to do.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// Name of its design; empty for proofs, whose specifications name them.
    pub design: String,
    /// What is expected.
    pub expect: Expect,
    /// Words for suites.
    pub tags: Vec<String>,
    /// A sentence for people.
    pub about: String,
    /// Most milliseconds, if said.
    pub time: Option<u64>,
    /// Most megabytes, if said.
    pub memory: Option<u64>,
    /// What else is said of it.
    pub entries: Vec<Entry>,
    /// Where it stands.
    pub span: Span,
    /// The same for people: the file, from the project's folder, line and column.
    pub place: (PathBuf, u32, u32),
}

/// A set of jobs.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// A sentence for people.
    pub about: String,
    /// Positions of its jobs.
    pub jobs: Vec<usize>,
    /// Most milliseconds of each job.
    pub time: Option<u64>,
    /// Most megabytes of each job.
    pub memory: Option<u64>,
}

/// A project.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Its name.
    pub name: String,
    /// The folder of its file, in which jobs run.
    pub folder: PathBuf,
    /// Where its files are read from.
    pub tree: Tree,
    /// Where it keeps what it makes, if not beside its file.
    pub own: Option<PathBuf>,
    /// The project files that were read.
    pub files: Vec<PathBuf>,
    /// Folders in which patterns of the project looked for files.
    pub looked: Vec<PathBuf>,
    /// Designs in the order of the file.
    pub designs: Vec<Design>,
    /// Jobs in the order of the file.
    pub jobs: Vec<Job>,
    /// Suites in the order of the file.
    pub suites: Vec<Suite>,
    /// Most milliseconds of jobs that say nothing.
    pub time: Option<u64>,
    /// Most megabytes of jobs that say nothing.
    pub memory: Option<u64>,
}

impl Project {
    /// The design of a job.
    pub fn design(&self, job: &Job) -> Option<&Design> {
        self.designs.iter().find(|d| d.name == job.design)
    }
}

fn wrong(span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::E1202, what).at(span, "")
}

fn absent(span: Span, what: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::E1203, what).at(span, "")
}

/// Reads a project. `Err` has every mistake that was found.
pub fn read(path: &Path, tree: Tree, map: &mut SourceMap) -> Result<Project, Vec<Diagnostic>> {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut r = Reader {
        map,
        said: Vec::new(),
        project: Project { tree, ..Project::default() },
        suites: Vec::new(),
        open: Vec::new(),
        wanted: Vec::new(),
        broken: Vec::new(),
    };
    r.project.folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    r.file(path, Path::new(""), None);
    r.resolve();
    if r.project.name.is_empty() {
        let full = std::fs::canonicalize(&r.project.folder).ok();
        r.project.name = full
            .and_then(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()))
            .unwrap_or_else(|| "project".into());
    }
    if r.said.iter().any(Diagnostic::is_error) { Err(r.said) } else { Ok(r.project) }
}

struct Reader<'m> {
    map: &'m mut SourceMap,
    said: Vec<Diagnostic>,
    project: Project,
    suites: Vec<(Text, Yaml)>,
    /// Files that are being read, outermost first.
    open: Vec<PathBuf>,
    /// Where each job names its design.
    wanted: Vec<Span>,
    /// Designs and jobs that were left out for a mistake in them: that others name them is no second mistake.
    broken: Vec<String>,
}

impl Reader<'_> {
    /// Reads a file whose paths are relative to `base`, which is relative to the project's folder.
    fn file(&mut self, path: &Path, base: &Path, from: Option<Span>) {
        let own = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if self.open.contains(&own) {
            let at = from.unwrap_or(Span::NONE);
            let through = match self.open.last().filter(|last| **last != own).and_then(|last| last.file_name()) {
                Some(last) => format!(" through {}", last.to_string_lossy()),
                None => String::new(),
            };
            let what = format!("{} includes itself{through}", path.display());
            let d = Diagnostic::error(codes::E1204, what).at(at, "");
            self.said.push(d.help("take this include out"));
            return;
        }
        if self.project.files.iter().any(|f| std::fs::canonicalize(f).is_ok_and(|f| f == own)) {
            return;
        }
        let id = match self.map.read_from(&self.project.tree, path) {
            Ok(id) => id,
            Err(e) => {
                let d = Diagnostic::error(codes::E1203, format!("cannot read {}: {e}", path.display()));
                let d = d.help(match (beside(path), from) {
                    _ if path.is_dir() => "name a file in this folder".into(),
                    (Some(n), _) => format!("did you mean `{n}`?"),
                    (None, Some(_)) => "paths are relative to the file they stand in".into(),
                    (None, None) => "`entail init` writes a first one; --project FILE names another".into(),
                });
                self.said.push(if let Some(s) = from { d.at(s, "") } else { d });
                return;
            }
        };
        self.project.files.push(path.to_path_buf());
        self.open.push(own);
        match yaml::read(self.map, id) {
            Err(mut d) => {
                d.code = codes::E1201;
                if d.message == "the file is empty" {
                    d = d.help("`entail init --print` shows what could stand in it");
                }
                self.said.push(d);
            }
            Ok(y) => self.top(&y, path, base),
        }
        self.open.pop();
    }

    fn top(&mut self, y: &Yaml, path: &Path, base: &Path) {
        let names: Vec<&str> = TOP.iter().map(|t| t.0).collect();
        for (key, value) in self.map_of(y, &names, "a project file") {
            match key.text.as_str() {
                "project" => {
                    if let Some(t) = self.text(&value)
                        && base.as_os_str().is_empty()
                    {
                        self.project.name = t.text;
                    }
                }
                "include" => {
                    for t in self.texts(&value) {
                        let inner = base.join(&t.text);
                        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
                        let below = inner.parent().map(Path::to_path_buf).unwrap_or_default();
                        self.file(&folder.join(&t.text), &below, Some(t.whole()));
                    }
                }
                "defaults" => {
                    let known: Vec<&str> = DEFAULTS.iter().map(|d| d.0).collect();
                    for (k, v) in self.map_of(&value, &known, "`defaults`") {
                        let shape = DEFAULTS.iter().find(|d| d.0 == k.text).map_or(Shape::Text, |d| d.1);
                        match (k.text.as_str(), self.value(&v, shape, base)) {
                            ("time", Some(Value::Number(n))) => self.project.time = Some(n),
                            ("memory", Some(Value::Number(n))) => self.project.memory = Some(n),
                            _ => {}
                        }
                    }
                }
                "designs" => {
                    for (k, v) in self.entries(&value) {
                        self.design(&k, &v, base);
                    }
                }
                "jobs" => {
                    for (k, v) in self.entries(&value) {
                        self.job(&k, &v, base);
                    }
                }
                "suites" => {
                    let all = self.entries(&value);
                    self.suites.extend(all);
                }
                _ => {}
            }
        }
    }

    /// A name that is a word on a command line, in a file name and in a makefile.
    fn plain_name(&mut self, name: &Text) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let good = !name.text.is_empty() && name.text.chars().all(plain) && !name.text.starts_with(['-', '.']);
        if !good {
            let d = wrong(name.whole(), format!("`{}` is no name", name.text));
            self.said.push(d.help(match name.text.starts_with(['-', '.']) {
                true => "names begin with a letter, a digit or `_`",
                false => "names are of letters, digits, `_`, `-` and `.`",
            }));
        }
        good
    }
}

/// The first of some names, behind a few words.
pub fn few(what: &str, names: &[&str]) -> String {
    match names.len() {
        0 => "there are none".into(),
        1..=8 => format!("{what} {}", names.join(", ")),
        _ => format!("{what} {}, …", names[..8].join(", ")),
    }
}

/// A file in the same folder whose name is nearly the same.
pub fn beside(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    // The folder of a bare name is this one.
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> =
        std::fs::read_dir(folder).ok()?.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    nearest(&name, names.iter().map(String::as_str)).map(str::to_string)
}
