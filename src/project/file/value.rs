//! What stands behind a key: texts, choices, numbers with units, files.

use super::{Reader, Value, absent, beside, wrong};
use crate::cdc::rules;
use crate::project::filelist::pattern;
use crate::project::keys::{EXPECTED, SEVERITIES, Shape};
use crate::project::yaml::{Kind as Node, Text, Yaml, nearest};
use std::path::{Path, PathBuf};

impl Reader<'_> {
    pub(super) fn map_of(&mut self, y: &Yaml, known: &[&str], what: &str) -> Vec<(Text, Yaml)> {
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

    pub(super) fn entries(&mut self, y: &Yaml) -> Vec<(Text, Yaml)> {
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

    pub(super) fn text(&mut self, y: &Yaml) -> Option<Text> {
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

    pub(super) fn texts(&mut self, y: &Yaml) -> Vec<Text> {
        match &y.kind {
            Node::List(l) => l.iter().filter_map(|y| self.text(y)).collect(),
            _ => self.text(y).into_iter().collect(),
        }
    }

    pub(super) fn choice(&mut self, t: &Text, words: &[&str]) -> Option<Value> {
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
    pub(super) fn value(&mut self, y: &Yaml, shape: Shape, base: &Path) -> Option<Value> {
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
                    if !self.project.tree.is_dir(&self.project.folder.join(&path)) {
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
                let (found, looked) = pattern::search(&self.project.tree, &here, &path);
                self.project.looked.extend(looked);
                if found.is_empty() {
                    let d = absent(t.whole(), format!("no file fits `{}`", t.text));
                    self.said.push(d.help("paths are relative to the file they stand in"));
                }
                let plain = |f: &PathBuf| f.strip_prefix(&here).unwrap_or(f).display().to_string();
                all.extend(found.iter().map(plain));
                continue;
            }
            if !self.project.tree.is_file(&here.join(&path)) {
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
