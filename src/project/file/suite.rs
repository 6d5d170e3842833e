//! Suites, and what else can only be known when everything is read.

use super::{Reader, Suite, Value, absent, few, wrong};
use crate::project::filelist::pattern;
use crate::project::keys::{Kind, SUITE, Shape};
use crate::project::yaml::{Kind as Node, Text, Yaml, nearest};
use std::path::Path;

impl Reader<'_> {
    /// What can only be known when everything is read.
    pub(super) fn resolve(&mut self) {
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
}
