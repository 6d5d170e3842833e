//! A reader of value change dumps that knows just enough.

use std::collections::HashMap;

/// Times and values.
pub type Changes = Vec<(u64, String)>;

/// Values over time of each variable, by hierarchical name with its range.
pub struct Dump {
    /// Name, range as written, width, changes.
    pub vars: Vec<(String, String, usize, Changes)>,
}

impl Dump {
    /// The value at a time, all bits.
    pub fn at(&self, name: &str, time: u64) -> Option<&str> {
        let (.., changes) = self.vars.iter().find(|v| v.0 == name)?;
        changes.iter().rev().find(|c| c.0 <= time).map(|c| c.1.as_str())
    }
}

pub fn read(text: &str) -> Dump {
    let mut words = text.split_whitespace().peekable();
    let mut scopes: Vec<String> = vec![];
    let mut vars: Vec<(String, String, usize, String)> = vec![];
    let mut changes: HashMap<String, Vec<(u64, String)>> = HashMap::new();
    let mut time = 0;
    while let Some(w) = words.next() {
        let mut rest = || words.by_ref().take_while(|w| *w != "$end").map(str::to_string).collect::<Vec<_>>();
        match w {
            "$scope" => scopes.push(rest()[1].clone()),
            "$upscope" => {
                rest();
                scopes.pop().expect("a scope");
            }
            "$var" => {
                let r = rest();
                let name = scopes.iter().chain([&r[3]]).cloned().collect::<Vec<_>>().join(".");
                vars.push((name, r.get(4).cloned().unwrap_or_default(), r[1].parse().expect("a width"), r[2].clone()));
            }
            "$dumpvars" | "$end" => {}
            _ if w.starts_with('$') => drop(rest()),
            _ if w.starts_with('#') => time = w[1..].parse().expect("a time"),
            _ if w.starts_with('b') => {
                let code = words.next().expect("a code").to_string();
                changes.entry(code).or_default().push((time, w[1..].to_string()));
            }
            _ => changes.entry(w[1..].to_string()).or_default().push((time, w[..1].to_string())),
        }
    }
    let all = |(name, range, width, code): (String, String, usize, String)| {
        let list = changes.get(&code).cloned().unwrap_or_default();
        let list = list.into_iter().map(|(t, v)| (t, format!("{v:0>width$}"))).collect();
        (name, range, width, list)
    };
    assert!(scopes.is_empty(), "scopes are closed");
    Dump { vars: vars.into_iter().map(all).collect() }
}
