//! Derived rules (`rules/proof`): compositions of the kernel's rules under a name of their own.
//!
//! A rule has parameters and steps. `{apply: NAME, …}` in a proof is replaced by the steps: `$parameter` by what the
//! proof gives for it, `@step` by the step of that name. The kernel sees only what the steps are made of.

use super::spec::{Fields, text, texts, wrong};
use crate::project::yaml::{self, Kind, Text, Yaml};
use crate::source::{Diagnostic, SourceMap};

macro_rules! library {
    ($($name:literal),*) => {
        /// Names and texts of the derived rules.
        pub const LIBRARY: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../rules/proof/", $name, ".yaml")))),*];
    };
}
library!("chain", "cover", "pipeline", "identity");

struct Rule {
    parameters: Vec<(String, bool)>,
    steps: Vec<(Text, Yaml)>,
}

fn rule(name: &Text) -> Result<Rule, Diagnostic> {
    let Some((_, source)) = LIBRARY.iter().find(|l| l.0 == name.text) else {
        let all: Vec<&str> = LIBRARY.iter().map(|l| l.0).collect();
        return Err(wrong(name.whole(), format!("there is no rule `{}`", name.text))
            .help(format!("the derived rules are {}", all.join(", "))));
    };
    let mut map = SourceMap::new();
    let file = map.add("rule", *source);
    let broken = |d: Diagnostic| wrong(name.whole(), format!("the rule itself is wrong: {}", d.message));
    let y = yaml::read(&map, file).map_err(broken)?;
    let f = Fields::new(&y, &["rule", "about", "parameters", "steps"]).map_err(broken)?;
    let parameters = texts(f.get("parameters")).map_err(broken)?.into_iter();
    let parameters = parameters.map(|t| match t.text.strip_suffix('?') {
        Some(p) => (p.to_string(), true),
        None => (t.text, false),
    });
    let Kind::Map(steps) = &f.need("steps").map_err(broken)?.kind else {
        return Err(wrong(name.whole(), "the rule itself is wrong: it has no steps"));
    };
    Ok(Rule { parameters: parameters.collect(), steps: steps.clone() })
}

/// Writes out the derived rules of a proof.
pub fn expand(theorems: &[(Text, Yaml)]) -> Result<Vec<(Text, Yaml)>, Diagnostic> {
    let mut out = Vec::new();
    for (name, y) in theorems {
        let applied = match &y.kind {
            Kind::Map(m) => m.iter().find(|e| e.0.text == "apply"),
            _ => None,
        };
        let Some((_, which)) = applied else {
            out.push((name.clone(), y.clone()));
            continue;
        };
        let which = text(which)?;
        let r = rule(&which)?;
        let mut known: Vec<&str> = r.parameters.iter().map(|p| p.0.as_str()).collect();
        known.push("apply");
        let given = Fields::new(y, &known)?;
        for (p, optional) in &r.parameters {
            if !optional {
                given.need(p)?;
            }
        }
        let last = r.steps.len().saturating_sub(1);
        let place = name.whole();
        for (i, (step, body)) in r.steps.iter().enumerate() {
            let own = if i == last { name.text.clone() } else { format!("{}.{}", name.text, step.text) };
            let made = fill(body, &given, &name.text, place);
            if let Some(made) = made {
                out.push((Text::at(own, place), made));
            }
        }
    }
    Ok(out)
}

/// A step with its parameters filled in; `None` where an optional one is missing.
fn fill(y: &Yaml, given: &Fields, outer: &str, place: crate::source::Span) -> Option<Yaml> {
    let kind = match &y.kind {
        Kind::Scalar(t) => {
            if let Some(p) = t.text.strip_prefix('$') {
                return given.get(p).cloned();
            }
            let text = match t.text.strip_prefix('@') {
                Some(s) => format!("{outer}.{s}"),
                None => t.text.clone(),
            };
            Kind::Scalar(Text::at(text, place))
        }
        Kind::List(l) => {
            // A parameter that is a list stands for its members.
            let parts = l.iter().filter_map(|e| fill(e, given, outer, place));
            Kind::List(
                parts
                    .flat_map(|e| match e.kind {
                        Kind::List(inner) => inner,
                        _ => vec![e],
                    })
                    .collect(),
            )
        }
        Kind::Map(m) => Kind::Map(
            m.iter()
                .filter_map(|(k, v)| Some((Text::at(k.text.clone(), place), fill(v, given, outer, place)?)))
                .collect(),
        ),
        Kind::Null => Kind::Null,
    };
    Some(Yaml { kind, span: place })
}
