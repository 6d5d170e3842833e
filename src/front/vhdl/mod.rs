//! VHDL text into a [`crate::word::Design`].
//!
//! `read` lets `vhdl_lang` parse and analyse the files and lowers its trees to ours (`ast`), with names
//! resolved to entities; `elab` turns trees into a flat design through [`crate::front::behave`].

pub mod ast;
pub mod elab;
pub mod entities;
mod lower;
pub mod read;
pub mod scan;

use crate::front::verilog::Elaborated;
use crate::source::{Diagnostic, SourceMap};
use smol_str::SmolStr;
use std::path::PathBuf;

/// Everything a VHDL run needs to know.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files, each with the library it belongs to if that is not the default one.
    pub files: Vec<(Option<SmolStr>, PathBuf)>,
    /// Where the standard libraries may be kept.
    pub cache_dir: Option<PathBuf>,
    /// Top, generics and black boxes.
    pub options: elab::Options,
}

/// Reads and elaborates files.
pub fn elaborate(request: &Request, sources: SourceMap) -> Elaborated {
    let mut out = Elaborated { sources, diagnostics: Vec::new(), design: None };
    crate::front::verilog::read::on_big_stack(|| {
        let lib = read_request(request, &mut out);
        elaborate_library(&lib, request, &mut out);
    });
    out
}

/// The first half of [`elaborate`]: files into library units.
pub fn read_request(request: &Request, out: &mut Elaborated) -> read::Library {
    read::read_files(&request.files, request.cache_dir.as_deref(), &mut out.sources, &mut out.diagnostics)
}

/// The second half: library units into a design.
pub fn elaborate_library(lib: &read::Library, request: &Request, out: &mut Elaborated) {
    if !out.diagnostics.iter().any(Diagnostic::is_error) {
        out.design = elab::elaborate(lib, &request.options, &out.sources, None, &mut out.diagnostics);
    }
}
