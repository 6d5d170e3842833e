//! `entail.yaml` into a typed [`Project`].
//!
//! Nothing is guessed: an unknown key, a value of another kind, a file that is not there, a job of a design
//! that is not there are mistakes with a place and a remedy. All of them are told, not only the first.

use super::filelist::pattern;
use super::keys::{DEFAULTS, EXPECTED, KEYS, Key, Kind, SEVERITIES, SUITE, Shape, TOP};
use super::yaml::{self, Kind as Node, Text, Yaml, nearest};
use crate::cdc::rules;
use crate::source::{Diagnostic, SourceMap, Span, codes};
use std::path::{Path, PathBuf};

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
pub fn read(path: &Path, map: &mut SourceMap) -> Result<Project, Vec<Diagnostic>> {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut r = Reader {
        map,
        said: Vec::new(),
        project: Project::default(),
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
        let id = match self.map.read(path) {
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

    fn design(&mut self, name: &Text, y: &Yaml, base: &Path) {
        if let Some(d) = self.project.designs.iter().find(|d| d.name == name.text) {
            let d = wrong(name.whole(), format!("there are two designs `{}`", name.text)).also(d.span, "the first");
            self.said.push(d.help("give one of them another name"));
            return;
        }
        if !self.plain_name(name) {
            self.broken.push(name.text.clone());
            return;
        }
        let Node::Map(list) = &y.kind else {
            let d = wrong(y.span, format!("a design is a map, this is {}", y.what()));
            self.said.push(d.help("write it as {files: FILES, top: NAME}"));
            self.broken.push(name.text.clone());
            return;
        };
        let said = list.iter().find(|e| e.0.text == "language").and_then(|e| match &e.1.kind {
            Node::Scalar(t) => Some(t.text.clone()),
            _ => None,
        });
        let cpp = |y: &Yaml| {
            let is = |t: &str| [".cpp", ".cc", ".cxx", ".C"].iter().any(|x| t.ends_with(x));
            match &y.kind {
                Node::Scalar(t) => is(&t.text),
                Node::List(l) => l.iter().any(|y| matches!(&y.kind, Node::Scalar(t) if is(&t.text))),
                _ => false,
            }
        };
        let systemc = said.as_deref() == Some("systemc")
            || said.is_none() && list.iter().any(|e| e.0.text == "program" || e.0.text == "files" && cpp(&e.1));
        let keys: Vec<&'static Key> = KEYS.iter().filter(|k| k.of_design(systemc)).collect();
        let others = KEYS.iter().filter(|k| k.of_design(!systemc));
        let (what, of) = match systemc {
            true => ("a SystemC design", "designs in Verilog and VHDL"),
            false => ("a design", "designs in SystemC"),
        };
        let entries = self.known(y, &keys, others.map(|k| (k.name, of)), what, base);
        // What is there with a value that is wrong has its message already.
        let has = |n: &str| list.iter().any(|e| e.0.text == n);
        let gives = |y: &Yaml| !matches!(&y.kind, Node::List(l) if l.is_empty());
        let sources = ["files", "filelists", "libraries", "program"];
        if !list.iter().any(|(k, v)| sources.contains(&k.text.as_str()) && gives(v)) {
            let d = wrong(name.whole(), format!("the design `{}` has no sources", name.text));
            self.said.push(d.help(if systemc { "give `files` or `program`" } else { "give `files` or `filelists`" }));
        }
        if !systemc && !has("top") {
            let d = wrong(name.whole(), format!("the design `{}` has no `top`", name.text));
            self.said.push(d.help("name the top module or entity"));
        }
        self.project.designs.push(Design { name: name.text.clone(), systemc, entries, span: name.whole() });
    }

    fn job(&mut self, name: &Text, y: &Yaml, base: &Path) {
        if let Some(j) = self.project.jobs.iter().find(|j| j.name == name.text) {
            let d = wrong(name.whole(), format!("there are two jobs `{}`", name.text)).also(j.span, "the first");
            self.said.push(d.help("give one of them another name"));
            return;
        }
        let before = self.project.jobs.len();
        self.sound_job(name, y, base);
        if self.project.jobs.len() == before {
            self.broken.push(name.text.clone());
        }
    }

    /// A job of a new name; without one to go on with, none is added.
    fn sound_job(&mut self, name: &Text, y: &Yaml, base: &Path) {
        if !self.plain_name(name) {
            return;
        }
        let Node::Map(list) = &y.kind else {
            let d = wrong(y.span, format!("a job is a map, this is {}", y.what()));
            self.said.push(d.help("write it as {kind: check, design: NAME}"));
            return;
        };
        let Some((_, said)) = list.iter().find(|e| e.0.text == "kind") else {
            // Perhaps it is only mistyped: then that is the message to give.
            let near = list.iter().find(|e| nearest(&e.0.text, ["kind"].into_iter()).is_some());
            let at = near.map_or(name.whole(), |e| e.0.whole());
            let d = wrong(at, format!("the job `{}` has no `kind`", name.text));
            self.said.push(d.help(match near {
                Some(e) => format!("did you mean `kind` by `{}`?", e.0.text),
                None => "it is check, cdc, prove or explore".into(),
            }));
            return;
        };
        let Some(word) = self.text(said) else { return };
        let Some(kind) = Kind::ALL.into_iter().find(|k| k.word() == word.text) else {
            let words = Kind::ALL.map(Kind::word);
            self.choice(&word, &words);
            return;
        };
        let keys: Vec<&'static Key> = KEYS.iter().filter(|k| k.of_job(kind)).collect();
        let others = Kind::ALL.into_iter().flat_map(|k| {
            KEYS.iter().filter(move |key| key.of_job(k)).map(move |key| {
                (
                    key.name,
                    match k {
                        Kind::Check => "check jobs",
                        Kind::Cdc => "cdc jobs",
                        Kind::Prove => "prove jobs",
                        Kind::Explore => "explore jobs",
                    },
                )
            })
        });
        let what = format!("a {} job", kind.word());
        let entries = self.known(y, &keys, others, &what, base);
        let place = self.map.location(name.whole()).map(|l| {
            let path = l.path.strip_prefix(&self.project.folder).unwrap_or(l.path);
            (path.to_path_buf(), l.line, l.col)
        });
        let mut job = Job {
            name: name.text.clone(),
            kind,
            design: String::new(),
            expect: Expect::Job("holds".into()),
            tags: Vec::new(),
            about: String::new(),
            time: None,
            memory: None,
            entries: Vec::new(),
            span: name.whole(),
            place: place.unwrap_or_default(),
        };
        for e in entries {
            match (e.key.name, &e.value) {
                ("kind", _) => {}
                ("design", Value::Text(t)) => job.design = t.clone(),
                ("about", Value::Text(t)) => job.about = t.clone(),
                ("expect", Value::Text(t)) => job.expect = Expect::Job(t.clone()),
                ("expect", Value::Map(m)) => job.expect = Expect::Each(m.clone()),
                ("tags", Value::List(l)) => job.tags = l.clone(),
                ("time", Value::Number(n)) => job.time = Some(*n),
                ("memory", Value::Number(n)) => job.memory = Some(*n),
                _ => job.entries.push(e),
            }
        }
        let has = |key: &str| list.iter().any(|e| e.0.text == key);
        if kind == Kind::Prove && !has("spec") {
            let d = wrong(name.whole(), format!("the job `{}` has no `spec`", name.text));
            self.said.push(d.help("a prove job names its specification, which names the design"));
        }
        if kind != Kind::Prove && !has("design") {
            let d = wrong(name.whole(), format!("the job `{}` has no `design`", name.text));
            self.said.push(d.help("name one of the designs"));
        }
        let design = list.iter().find(|e| e.0.text == "design");
        self.wanted.push(design.map_or(job.span, |e| e.1.span));
        if let Some((k, _)) = design
            && kind == Kind::Prove
        {
            job.design.clear();
            let d = wrong(k.whole(), "a prove job has no `design`").help("its specification names the design");
            self.said.push(d);
        }
        self.project.jobs.push(job);
    }

    /// What can only be known when everything is read.
    fn resolve(&mut self) {
        for (j, at) in self.project.jobs.iter().zip(&self.wanted) {
            if j.design.is_empty() || self.broken.contains(&j.design) {
                continue;
            }
            match self.project.designs.iter().find(|d| d.name == j.design) {
                None => {
                    let d = absent(
                        *at,
                        format!("the job `{}` is about `{}`, and there is no such design", j.name, j.design),
                    );
                    let near = nearest(&j.design, self.project.designs.iter().map(|d| d.name.as_str()));
                    self.said.push(match near {
                        Some(n) => d.help(format!("did you mean `{n}`?")),
                        None => d.help("add it to `designs`"),
                    });
                }
                Some(d) if d.systemc != (j.kind == Kind::Explore) => {
                    let (what, help) = match d.systemc {
                        true => ("a SystemC model", "SystemC models are explored: kind explore"),
                        false => ("no SystemC model", "explore is for SystemC: kind check or cdc"),
                    };
                    let said = format!("`{}` cannot {} `{}`: it is {what}", j.name, j.kind.word(), d.name);
                    self.said.push(wrong(*at, said).also(d.span, "the design").help(help));
                }
                Some(_) => {}
            }
        }
        let suites = std::mem::take(&mut self.suites);
        for (i, (name, y)) in suites.iter().enumerate() {
            if let Some((first, _)) = suites[..i].iter().find(|s| s.0.text == name.text) {
                let d = wrong(name.whole(), format!("there are two suites `{}`", name.text));
                self.said.push(d.also(first.whole(), "the first").help("give one of them another name"));
                continue;
            }
            self.suite(name, y);
        }
    }

    fn suite(&mut self, name: &Text, y: &Yaml) {
        if !self.plain_name(name) {
            return;
        }
        if let Some(j) = self.project.jobs.iter().find(|j| j.name == name.text) {
            let d = wrong(name.whole(), format!("`{}` is a suite and a job", name.text)).also(j.span, "the job");
            self.said.push(d.help("give one of them another name"));
            return;
        }
        let mut suite =
            Suite { name: name.text.clone(), about: String::new(), jobs: Vec::new(), time: None, memory: None };
        let (mut patterns, mut tags, mut except) = (Vec::new(), Vec::new(), Vec::new());
        // A list is short for its jobs.
        if matches!(y.kind, Node::List(_)) {
            patterns = self.texts(y);
        } else if matches!(y.kind, Node::Scalar(_)) {
            let d = wrong(y.span, "a suite is a list or a map, this is a text");
            self.said.push(d.help("write it as [NAME, PATTERN], or {tags: TAG}"));
        } else {
            let known: Vec<&str> = SUITE.iter().map(|s| s.0).collect();
            for (k, v) in self.map_of(y, &known, "a suite") {
                match k.text.as_str() {
                    "jobs" => patterns = self.texts(&v),
                    "tags" => tags = self.texts(&v),
                    "except" => except = self.texts(&v),
                    "about" => suite.about = self.text(&v).map(|t| t.text).unwrap_or_default(),
                    key => {
                        let shape = SUITE.iter().find(|s| s.0 == key).map_or(Shape::Text, |s| s.1);
                        if let Some(Value::Number(n)) = self.value(&v, shape, Path::new("")) {
                            match key {
                                "time" => suite.time = Some(n),
                                _ => suite.memory = Some(n),
                            }
                        }
                    }
                }
            }
        }
        let names: Vec<&str> = self.project.jobs.iter().map(|j| j.name.as_str()).collect();
        for p in patterns.iter().chain(&except) {
            let fits = |n: &str| pattern::matches(&p.text, n);
            if !names.iter().any(|n| fits(n)) && !self.broken.iter().any(|n| fits(n)) {
                let d = absent(p.whole(), format!("no job fits `{}`", p.text));
                let near = nearest(&p.text, names.iter().copied());
                self.said.push(match near {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help(few("the jobs are", &names)),
                });
            }
        }
        for t in &tags {
            // A job that could not be read may have it.
            if self.broken.is_empty() && !self.project.jobs.iter().any(|j| j.tags.contains(&t.text)) {
                let all = self.project.jobs.iter().flat_map(|j| j.tags.iter().map(String::as_str));
                let d = absent(t.whole(), format!("no job has the tag `{}`", t.text));
                self.said.push(match nearest(&t.text, all) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help("give a job this tag, or take it out"),
                });
            }
        }
        let fits = |list: &[Text], n: &str| list.iter().any(|p| pattern::matches(&p.text, n));
        for (i, j) in self.project.jobs.iter().enumerate() {
            let chosen = fits(&patterns, &j.name) || tags.iter().any(|t| j.tags.contains(&t.text));
            if chosen && !fits(&except, &j.name) {
                suite.jobs.push(i);
            }
        }
        if suite.jobs.is_empty() && self.said.is_empty() {
            let d = absent(name.whole(), format!("the suite `{}` has no jobs", name.text));
            self.said.push(d.help("give `jobs` or `tags`"));
        }
        self.project.suites.push(suite);
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

    /// Entries of a map, each by the key it has.
    fn known(
        &mut self,
        y: &Yaml,
        keys: &[&'static Key],
        others: impl Iterator<Item = (&'static str, &'static str)>,
        what: &str,
        base: &Path,
    ) -> Vec<Entry> {
        let Node::Map(list) = &y.kind else { return Vec::new() };
        let others: Vec<(&str, &str)> = others.collect();
        let mut found = Vec::new();
        for (k, v) in list {
            match keys.iter().find(|key| key.name == k.text) {
                Some(key) => {
                    if let Some(value) = self.value(v, key.shape, base) {
                        found.push(Entry { key, value });
                    }
                }
                None => {
                    let d = wrong(k.whole(), format!("{what} has no key `{}`", k.text));
                    let elsewhere = others.iter().find(|o| o.0 == k.text);
                    self.said.push(match (elsewhere, nearest(&k.text, keys.iter().map(|k| k.name))) {
                        (Some((_, of)), _) => d.help(format!("it is a key of {of}")),
                        (None, Some(n)) => d.help(format!("did you mean `{n}`?")),
                        (None, None) => {
                            let names: Vec<&str> = keys.iter().map(|k| k.name).collect();
                            d.help(format!("its keys are {}", names.join(", ")))
                        }
                    });
                }
            }
        }
        // The order of the table, which is that of command lines.
        found.sort_by_key(|e| KEYS.iter().position(|k| std::ptr::eq(k, e.key)));
        found
    }

    fn map_of(&mut self, y: &Yaml, known: &[&str], what: &str) -> Vec<(Text, Yaml)> {
        let list = self.entries(y);
        for (k, _) in &list {
            if !known.contains(&k.text.as_str()) {
                let d = wrong(k.whole(), format!("{what} has no key `{}`", k.text));
                self.said.push(match nearest(&k.text, known.iter().copied()) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help(format!("its keys are {}", known.join(", "))),
                });
            }
        }
        list
    }

    fn entries(&mut self, y: &Yaml) -> Vec<(Text, Yaml)> {
        match &y.kind {
            Node::Map(m) => m.clone(),
            Node::Null => Vec::new(),
            _ => {
                let d = wrong(y.span, format!("a map is expected here, this is {}", y.what()));
                self.said.push(d.help("write `NAME: VALUE`, one in each line, or {NAME: VALUE, NAME: VALUE}"));
                Vec::new()
            }
        }
    }

    fn text(&mut self, y: &Yaml) -> Option<Text> {
        match &y.kind {
            Node::Scalar(t) => Some(t.clone()),
            _ => {
                let d = wrong(y.span, format!("a text is expected here, this is {}", y.what()));
                self.said.push(d.help(match &y.kind {
                    Node::Null => "write it after the colon, or take the key out",
                    Node::List(_) => "write one, without brackets",
                    _ => "write one; a text that looks like a map stands in quotes",
                }));
                None
            }
        }
    }

    fn texts(&mut self, y: &Yaml) -> Vec<Text> {
        match &y.kind {
            Node::List(l) => l.iter().filter_map(|y| self.text(y)).collect(),
            _ => self.text(y).into_iter().collect(),
        }
    }

    fn choice(&mut self, t: &Text, words: &[&str]) -> Option<Value> {
        if words.contains(&t.text.as_str()) {
            return Some(Value::Text(t.text.clone()));
        }
        let d = wrong(t.whole(), format!("`{}` is not one of {}", t.text, words.join(", ")));
        // Words of other readers of YAML.
        let meant = match t.text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" => Some("true"),
            "no" | "off" | "false" => Some("false"),
            _ => None,
        };
        let meant = meant.filter(|m| words.contains(m)).or_else(|| nearest(&t.text, words.iter().copied()));
        self.said.push(match meant {
            Some(n) => d.help(format!("did you mean `{n}`?")),
            None => d.help("choose one of them"),
        });
        None
    }

    /// Reads a value of a shape; paths become relative to the project's folder.
    fn value(&mut self, y: &Yaml, shape: Shape, base: &Path) -> Option<Value> {
        match shape {
            Shape::Text => self.text(y).map(|t| Value::Text(t.text)),
            Shape::Choice(words) => {
                let t = self.text(y)?;
                self.choice(&t, words)
            }
            Shape::Count => {
                let t = self.text(y)?;
                match t.text.replace('_', "").parse::<u64>() {
                    Ok(n) => Some(Value::Number(n)),
                    Err(_) => {
                        let d = wrong(t.whole(), format!("`{}` is no whole number", t.text));
                        self.said.push(d.help("write it in digits, such as 20"));
                        None
                    }
                }
            }
            Shape::Yes | Shape::No => {
                let t = self.text(y)?;
                match t.text.as_str() {
                    "true" => Some(Value::Flag(shape == Shape::Yes)),
                    "false" => Some(Value::Flag(shape == Shape::No)),
                    _ => self.choice(&t, &["true", "false"]),
                }
            }
            Shape::Texts => Some(Value::List(self.texts(y).into_iter().map(|t| t.text).collect())),
            Shape::Values => {
                let list = self.entries(y);
                let mut all = Vec::new();
                for (k, v) in list {
                    match &v.kind {
                        Node::Null => all.push((k.text, String::new())),
                        _ => all.extend(self.text(&v).map(|t| (k.text, t.text))),
                    }
                }
                Some(Value::Map(all))
            }
            Shape::Rules => {
                let mut all = Vec::new();
                for (k, v) in self.entries(y) {
                    if rules::rule(&k.text).is_none() {
                        let d = absent(k.whole(), format!("there is no rule `{}`", k.text));
                        self.said.push(d.help("`entail explain` lists them"));
                    }
                    let said = self.text(&v).and_then(|t| self.choice(&t, SEVERITIES));
                    if let Some(Value::Text(w)) = said {
                        all.push((k.text, w));
                    }
                }
                Some(Value::Map(all))
            }
            Shape::Part => {
                let t = self.text(y)?;
                let (number, whole) = t.text.strip_suffix('%').map_or((t.text.as_str(), 1.0), |n| (n, 100.0));
                if number.trim().parse::<f64>().is_ok_and(|n| (0.0..1.0).contains(&(n / whole))) {
                    return Some(Value::Text(t.text));
                }
                let d = wrong(t.whole(), format!("`{}` is no part of a whole", t.text));
                self.said.push(d.help("write less than 100%, such as 20% or 0.2"));
                None
            }
            Shape::Libraries => {
                let list = self.entries(y);
                let all = list.into_iter().map(|(k, v)| (k.text, self.files(&v, base))).collect();
                Some(Value::Lists(all))
            }
            Shape::File => {
                let all = self.files(y, base);
                match all.as_slice() {
                    [one] => Some(Value::Text(one.clone())),
                    [] => None,
                    _ => {
                        let d = wrong(y.span, format!("one file is expected here, these are {}", all.len()));
                        self.said.push(d.help("keep one of them"));
                        None
                    }
                }
            }
            Shape::Files => Some(Value::List(self.files(y, base))),
            Shape::Folders => {
                let mut all = Vec::new();
                for t in self.texts(y) {
                    let path = base.join(&t.text);
                    if !self.project.folder.join(&path).is_dir() {
                        let d = absent(t.whole(), format!("there is no folder {}", t.text));
                        self.said.push(match beside(&self.project.folder.join(&path)) {
                            Some(n) => d.help(format!("did you mean `{n}`?")),
                            None => d.help("paths are relative to the file they stand in"),
                        });
                    }
                    all.push(path.display().to_string());
                }
                Some(Value::List(all))
            }
            Shape::Time => {
                let units = [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000)];
                self.unit(y, &units, 1000, "time", "90, 90s, 5min or 2h")
            }
            Shape::Memory => {
                let units = [("MB", 1), ("MiB", 1), ("GB", 1024), ("GiB", 1024), ("M", 1), ("G", 1024)];
                self.unit(y, &units, 1, "amount of memory", "512MB or 4GB")
            }
            Shape::Expect => match &y.kind {
                Node::Map(m) => {
                    let mut all = Vec::new();
                    for (k, v) in m {
                        let t = self.text(v)?;
                        if let Some(Value::Text(w)) = self.choice(&t, EXPECTED) {
                            all.push((k.text.clone(), w));
                        }
                    }
                    Some(Value::Map(all))
                }
                Node::List(_) => {
                    let d = wrong(y.span, "a word or a map is expected here, this is a list");
                    self.said.push(d.help("write holds, fails or unknown, or {PROPERTY: fails}"));
                    None
                }
                _ => {
                    let t = self.text(y)?;
                    self.choice(&t, EXPECTED)
                }
            },
        }
    }

    fn unit(&mut self, y: &Yaml, units: &[(&str, u64)], plain: u64, what: &str, example: &str) -> Option<Value> {
        let t = self.text(y)?;
        let digits = t.text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(t.text.len());
        let (number, unit) = (&t.text[..digits], t.text[digits..].trim());
        let factor = if unit.is_empty() { Some(plain) } else { units.iter().find(|u| u.0 == unit).map(|u| u.1) };
        match (number.parse::<f64>(), factor) {
            (Ok(n), Some(f)) if n > 0.0 && n * (f as f64) < 1e12 => Some(Value::Number((n * f as f64).ceil() as u64)),
            (Ok(n), Some(_)) => {
                let why = if n > 0.0 { "much" } else { "little" };
                let d = wrong(t.whole(), format!("`{}` is too {why}", t.text));
                self.said.push(d.help(format!("write it as {example}")));
                None
            }
            _ => {
                let d = wrong(t.whole(), format!("`{}` is no {what}", t.text));
                self.said.push(d.help(format!("write it as {example}")));
                None
            }
        }
    }

    /// Files by name or pattern.
    fn files(&mut self, y: &Yaml, base: &Path) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for t in self.texts(y) {
            let path = base.join(&t.text).display().to_string();
            let here = self.project.folder.clone();
            if pattern::is_pattern(&path) {
                let found = pattern::expand(&here, &path);
                self.project.looked.extend(pattern::folders(&here, &path));
                if found.is_empty() {
                    let d = absent(t.whole(), format!("no file fits `{}`", t.text));
                    self.said.push(d.help("paths are relative to the file they stand in"));
                }
                let plain = |f: &PathBuf| f.strip_prefix(&here).unwrap_or(f).display().to_string();
                all.extend(found.iter().map(plain));
                continue;
            }
            if !here.join(&path).is_file() {
                let d = absent(t.whole(), format!("there is no file {}", t.text));
                let near = beside(&here.join(&path));
                self.said.push(match near {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help("paths are relative to the file they stand in"),
                });
            }
            all.push(path);
        }
        all
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
