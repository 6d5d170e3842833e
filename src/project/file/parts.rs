//! Designs and jobs: maps whose keys are those of the table.

use super::{Design, Entry, Expect, Job, Reader, Value, wrong};
use crate::project::keys::{KEYS, Key, Kind};
use crate::project::yaml::{Kind as Node, Text, Yaml, nearest};
use std::path::Path;

impl Reader<'_> {
    pub(super) fn design(&mut self, name: &Text, y: &Yaml, base: &Path) {
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

    pub(super) fn job(&mut self, name: &Text, y: &Yaml, base: &Path) {
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
}
