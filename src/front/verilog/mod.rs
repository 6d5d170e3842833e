//! SystemVerilog text into a [`crate::word::Design`].
//!
//! `read` preprocesses and parses files into our own tree (`ast`), which is cached; `elab` turns
//! trees into a flat design. Nothing here lowers to bits.

pub mod ast;
pub mod cache;
pub mod elab;
mod lexer;
mod parse;
pub mod read;

use crate::source::{Diagnostic, SourceMap};
use crate::word::Design;
use std::path::PathBuf;

/// A design with the sources its spans point into and what was found on the way.
pub struct Elaborated {
    /// Every file read.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The design, if there was no error.
    pub design: Option<Design>,
}

/// Everything a SystemVerilog run needs to know.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files in order.
    pub files: Vec<PathBuf>,
    /// Library files and folders: a module is taken from them when it is missing.
    pub libfiles: Vec<PathBuf>,
    /// Folders searched for `MODULE.ext`.
    pub libdirs: Vec<PathBuf>,
    /// Extensions for `libdirs`, with their dots.
    pub libexts: Vec<String>,
    /// Include path, macros and cache.
    pub read: read::ReadOptions,
    /// Top module.
    pub top: Option<String>,
    /// Top parameters as written.
    pub params: Vec<(String, String)>,
    /// Modules not looked into.
    pub blackboxes: Vec<String>,
}

/// Reads and elaborates a text, for tests and tools.
pub fn elaborate_text(text: &str, top: Option<&str>) -> Elaborated {
    elaborate_texts(&[("input.sv", text)], &Request { top: top.map(str::to_string), ..Request::default() })
}

/// Reads and elaborates texts that are in memory, given with the names to show for them; the
/// request's files and libraries are not read.
pub fn elaborate_texts(texts: &[(&str, &str)], request: &Request) -> Elaborated {
    let mut out = Elaborated { sources: SourceMap::new(), diagnostics: Vec::new(), design: None };
    read::on_big_stack(|| {
        let units = read::read_texts(texts, &request.read, &mut out.sources, &mut out.diagnostics);
        elaborate_units(units, request, &mut out);
    });
    out
}

/// Reads and elaborates files.
pub fn elaborate(request: &Request, sources: SourceMap) -> Elaborated {
    let mut out = Elaborated { sources, diagnostics: Vec::new(), design: None };
    read::on_big_stack(|| {
        let units = read_request(request, &[], &mut out);
        elaborate_units(units, request, &mut out);
    });
    out
}

/// The first half of [`elaborate`]: files and libraries into syntax trees. `wanted` are names, in lower
/// case, that another language instantiates and libraries may have.
pub fn read_request(request: &Request, wanted: &[String], out: &mut Elaborated) -> Vec<ast::Unit> {
    let mut macros = None;
    let mut units =
        read::read_files(&request.files, &request.read, &mut macros, &mut out.sources, &mut out.diagnostics);
    add_libraries(request, wanted, &mut units, &mut macros, out);
    units
}

/// Takes missing modules from library files and folders until none is missing or none is found.
fn add_libraries(
    request: &Request,
    wanted: &[String],
    units: &mut Vec<ast::Unit>,
    macros: &mut Option<Vec<cache::Macro>>,
    out: &mut Elaborated,
) {
    let mut libfiles = request.libfiles.clone();
    loop {
        let defined: std::collections::HashSet<&str> =
            units.iter().flat_map(|u| &u.modules).map(|m| m.name.name.as_str()).collect();
        let mut missing: Vec<String> = request.top.iter().filter(|t| !defined.contains(t.as_str())).cloned().collect();
        for m in units.iter().flat_map(|u| &u.modules) {
            elab::instantiated(&m.items, &mut |n| {
                if !defined.contains(n.as_str()) && !missing.iter().any(|x| x == n.as_str()) {
                    missing.push(n.to_string());
                }
            });
        }
        let known = |w: &String| defined.iter().any(|d| d.eq_ignore_ascii_case(w));
        missing.extend(wanted.iter().filter(|w| !known(w)).cloned());
        if missing.is_empty() {
            return;
        }
        // Library files come first; folders are searched for what is missing after that.
        let mut add: Vec<PathBuf> = std::mem::take(&mut libfiles);
        let names: &[String] = if add.is_empty() { &missing } else { &[] };
        for name in names {
            let found = request
                .libdirs
                .iter()
                .flat_map(|d| request.libexts.iter().map(move |e| d.join(format!("{name}{e}"))))
                .find(|p| p.is_file());
            if let Some(p) = found
                && out.sources.by_path(&p).is_none()
            {
                add.push(p);
            }
        }
        if add.is_empty() {
            return;
        }
        let mut more = read::read_files(&add, &request.read, macros, &mut out.sources, &mut out.diagnostics);
        // A library gives only what is missing, and of two definitions the first one found.
        let mut defined: std::collections::HashSet<String> =
            units.iter().flat_map(|u| &u.modules).map(|m| m.name.name.to_string()).collect();
        for u in &mut more {
            u.modules.retain(|m| defined.insert(m.name.name.to_string()));
        }
        units.append(&mut more);
    }
}

/// The second half of [`elaborate`]: syntax trees into a design. Deep trees need a deep stack, see
/// [`read::on_big_stack`].
pub fn elaborate_units(units: Vec<ast::Unit>, request: &Request, out: &mut Elaborated) {
    if out.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let mut params = Vec::new();
    for (name, text) in &request.params {
        match read::parse_expression(text, &mut out.sources) {
            Ok(e) => params.push((name.as_str().into(), e)),
            Err(d) => out.diagnostics.extend(d),
        }
    }
    if out.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let opts = elab::Options {
        top: request.top.as_deref().map(Into::into),
        params,
        blackboxes: request.blackboxes.clone(),
        depth: 0,
    };
    out.design = elab::elaborate(&units, &opts, &out.sources, None, &mut out.diagnostics);
}
