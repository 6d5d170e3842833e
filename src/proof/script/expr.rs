//! Expressions of a specification, elaborated by our own front end.
//!
//! All expressions become outputs of one module whose inputs are the symbolic vectors and what is read of the
//! circuit, so they mean what SystemVerilog says they mean, functions of the library included. The module is text that
//! nobody sees: what the front end finds wrong in it is shown where the expression stands in the specification.

use crate::front::verilog::{self, Elaborated, Request, ast, read};
use crate::net::{LowerOptions, Netlist, lower};
use crate::project::yaml::Text;
use crate::source::{Diagnostic, FileId, SourceMap, Span, codes};
use crate::word::{Design, NodeId, Op, Source};
use std::fmt::Write;
use std::path::PathBuf;

/// What an expression is for, which decides its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// A value of that many bits, as if assigned to a signal.
    Value(u32),
    /// A truth.
    Truth,
}

/// Expressions, gathered.
#[derive(Default)]
pub struct Expressions {
    list: Vec<(Text, Use)>,
}

/// A name that expressions may use.
pub struct Name {
    /// The name.
    pub name: String,
    /// Its width.
    pub width: u32,
    /// Whether it is signed.
    pub signed: bool,
}

/// The number of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprId(usize);

/// Elaborated expressions.
pub struct Elaborations {
    /// Words; outputs are expressions.
    pub design: Design,
    /// Bits; outputs are expressions, inputs are names.
    pub net: Netlist,
}

impl Elaborations {
    /// The bits of an expression.
    pub fn bits(&self, e: ExprId) -> &[crate::net::Lit] {
        let name = format!("entail_e{}", e.0);
        self.net.outputs.iter().find(|n| n.name == name).map_or(&[], |n| &n.bits)
    }

    /// The word that an expression is.
    pub fn word(&self, e: ExprId) -> Option<NodeId> {
        let name = format!("entail_e{}", e.0);
        let s = self.design.signal_named(&name)?;
        match self.design.signals[s.index()].drives.as_slice() {
            [d] => match d.source {
                Source::Node(n) => Some(n),
                _ => None,
            },
            _ => None,
        }
    }

    /// The two sides of an equality.
    pub fn sides(&self, e: ExprId) -> Option<(NodeId, NodeId)> {
        match self.design.op(self.word(e)?) {
            Op::Eq(a, b) => Some((*a, *b)),
            _ => None,
        }
    }
}

impl Expressions {
    /// Adds one.
    pub fn add(&mut self, text: &Text, use_as: Use) -> ExprId {
        self.list.push((text.clone(), use_as));
        ExprId(self.list.len() - 1)
    }

    /// Elaborates all of them. `None` if something is wrong; the reasons are in `diags`.
    pub fn elaborate(
        &self,
        names: &[Name],
        library: &[PathBuf],
        cache: Option<PathBuf>,
        map: &mut SourceMap,
        diags: &mut Vec<Diagnostic>,
    ) -> Option<Elaborations> {
        if !self.check_syntax(diags) {
            return None;
        }
        let mut out = Elaborated { sources: std::mem::take(map), diagnostics: Vec::new(), design: None };
        let request = Request {
            files: library.to_vec(),
            top: Some("entail_spec".into()),
            read: read::ReadOptions { cache_dir: cache, ..Default::default() },
            ..Request::default()
        };
        let mut own = None;
        let mut places = Vec::new();
        read::on_big_stack(|| {
            let mut units = verilog::read_request(&Request { top: None, ..request.clone() }, &[], &mut out);
            let (text, at) = self.wrapper(names, &packages(&units));
            places = at;
            let shown = (0..).map(|i| format!("<expressions {i}>")).find(|n| out.sources.by_path(n.as_ref()).is_none());
            let shown = shown.unwrap_or_default();
            let texts = [(shown.as_str(), text.as_str())];
            units.extend(read::read_texts(&texts, &request.read, &mut out.sources, &mut out.diagnostics));
            own = out.sources.by_path(shown.as_ref());
            verilog::elaborate_units(units, &request, &mut out);
        });
        *map = out.sources;
        let mut found = out.diagnostics;
        let mut net = None;
        if let Some(d) = &out.design {
            net = Some(lower(d, &LowerOptions::default(), &mut found));
        }
        self.translate(&mut found, own, &places);
        // Widths that do not matter to anybody are not findings.
        found.retain(|d| d.is_error());
        let bad = !found.is_empty();
        diags.extend(found);
        if bad {
            return None;
        }
        Some(Elaborations { design: out.design?, net: net? })
    }

    /// Each must be one expression: in the module, half of one and half of the next could look right.
    fn check_syntax(&self, diags: &mut Vec<Diagnostic>) -> bool {
        let before = diags.len();
        for (t, _) in &self.list {
            let mut scratch = SourceMap::new();
            if let Err(list) = read::parse_expression(&t.text, &mut scratch) {
                for mut d in list {
                    for l in &mut d.labels {
                        l.span = t.span(l.span.lo as usize, (l.span.hi as usize).max(l.span.lo as usize + 1));
                    }
                    if d.primary().is_none() {
                        d = d.at(t.whole(), "in this expression");
                    }
                    diags.push(d);
                }
            }
        }
        diags.len() == before
    }

    /// The module, and where each expression stands in it.
    fn wrapper(&self, names: &[Name], packages: &[String]) -> (String, Vec<usize>) {
        let mut text = String::from("module entail_spec\n");
        for p in packages {
            let _ = writeln!(text, "  import {p}::*;");
        }
        text.push_str("(\n");
        for n in names {
            let signed = if n.signed { "signed " } else { "" };
            let _ = writeln!(text, "  input logic {signed}[{}:0] {},", n.width - 1, n.name);
        }
        for (i, (_, u)) in self.list.iter().enumerate() {
            let width = match u {
                Use::Value(w) => *w,
                Use::Truth => 1,
            };
            let comma = if i + 1 == self.list.len() { "" } else { "," };
            let _ = writeln!(text, "  output logic [{}:0] entail_e{i}{comma}", width - 1);
        }
        text.push_str(");\n");
        let mut places = Vec::new();
        for (i, (t, u)) in self.list.iter().enumerate() {
            let _ = write!(text, "  assign entail_e{i} = (");
            places.push(text.len());
            // A line of its own ends a comment inside the expression.
            text.push_str(&t.text);
            text.push_str(if *u == Use::Truth && !is_comparison(&t.text) { "\n) ? 1'b1 : 1'b0;\n" } else { "\n);\n" });
        }
        text.push_str("endmodule\n");
        (text, places)
    }

    /// Moves what was found in the module to where the expression was written.
    fn translate(&self, found: &mut [Diagnostic], own: Option<FileId>, places: &[usize]) {
        for d in found {
            for l in &mut d.labels {
                if Some(l.span.file) != own {
                    continue;
                }
                let lo = l.span.lo as usize;
                // The parenthesis before it counts as part of the expression.
                let at = places.partition_point(|p| *p <= lo + 1);
                let inside = at.checked_sub(1).map(|i| (&self.list[i].0, lo.saturating_sub(places[i])));
                l.span = match inside {
                    Some((t, from)) if from <= t.text.len() => {
                        let to = from + (l.span.hi - l.span.lo) as usize;
                        t.span(from, to.min(t.text.len()).max(from))
                    }
                    // About an expression as a whole.
                    Some((t, _)) => t.whole(),
                    None => {
                        let first = self.list.first().map_or(Span::NONE, |(t, _)| t.whole());
                        Span::new(first.file, first.lo, first.lo)
                    }
                };
            }
            d.message = d.message.replace("entail_spec.", "");
        }
    }
}

/// Whether the outermost operator is a comparison, whose value is one bit as it stands; its two sides stay visible then.
fn is_comparison(text: &str) -> bool {
    let mut depth = 0;
    let bytes = text.as_bytes();
    let mut found = false;
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'?' | b'&' | b'|' | b'^' if depth == 0 => return false,
            b'=' if depth == 0 && bytes.get(i + 1) == Some(&b'=') && i > 0 && !matches!(bytes[i - 1], b'=' | b'!') => {
                found = true;
            }
            _ => {}
        }
    }
    found
}

fn packages(units: &[ast::Unit]) -> Vec<String> {
    let modules = units.iter().flat_map(|u| &u.modules);
    modules.filter(|m| m.kind == ast::ModuleKind::Package).map(|m| m.name.name.to_string()).collect()
}

/// An expression that depends on something that has no value.
pub fn undefined(text: &Text) -> Diagnostic {
    Diagnostic::error(codes::E1105, "this value is not defined")
        .at(text.whole(), "it depends on x or on a signal without a driver")
}
