//! A design under co-simulation: its sources, how to drive it, and its netlist.

use entail::front::mixed::{self, Request};
use entail::net::{LowerOptions, Netlist, lower};
use entail::project::filelist::parse_args;
use entail::source::{Diagnostic, Format, SourceMap, render};
use std::path::Path;

/// What to elaborate and how to drive it.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// The words that name its sources, as on a command line: files, lists, `+incdir+…`.
    pub words: Vec<String>,
    /// The words that Verilator gets instead, if it cannot read these.
    pub reference: Option<Vec<String>>,
    pub top: String,
    /// Top parameters, values as SystemVerilog text.
    pub params: Vec<(String, String)>,
    /// Inputs that are clocks. With none, inputs just change.
    pub clocks: Vec<&'static str>,
    /// Inputs that are resets, and the level at which they act.
    pub resets: Vec<(&'static str, bool)>,
    /// On average a reset is pulsed once in this many input changes; 0 for never.
    pub reset_every: u32,
    /// Inputs whose value is not plainly random.
    pub hints: Vec<(&'static str, Hint)>,
    /// Ports that are unpacked arrays: the name and the width of an element.
    pub unpacked: Vec<(&'static str, u32)>,
    /// The design's x literals are plain don't-cares, so that 0 for each, here and in Verilator, must
    /// give the same in every bit.
    pub x_is_zero: bool,
    /// Percent of the output bits that must at least be compared in each simulation: from unknown
    /// state, from zeros, and with two values.
    pub least: [u32; 3],
}

/// How an input is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hint {
    /// Always this value.
    Constant(u64),
    /// Mostly 32-bit RISC-V instructions that decode.
    Instruction,
    /// 1 this many times in 256.
    Often(u32),
}

impl Design {
    /// A name for reports: the top and its parameters.
    pub fn name(&self) -> String {
        let params: String = self.params.iter().map(|(n, v)| format!(" {n}={v}")).collect();
        format!("{}{params}", self.top)
    }

    /// Elaborates and lowers; the diagnostics as text if there is an error.
    pub fn netlist(&self, cache: &Path) -> Result<Netlist, String> {
        let mut map = SourceMap::new();
        let list = match parse_args(&self.words, Path::new(""), &|name| std::env::var(name).ok(), &mut map) {
            Ok(list) => list,
            Err(diags) => return Err(render(&diags, &map, Format::Full, false)),
        };
        let mut request = Request::new(list, Some(cache.to_path_buf()));
        request.verilog.top = Some(self.top.clone());
        request.verilog.params = self.params.clone();
        let mut e = mixed::elaborate(&request, map);
        let net = e.design.take().map(|design| lower(&design, &LowerOptions::default(), &mut e.diagnostics));
        let errors: Vec<Diagnostic> = e.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        match net {
            Some(net) if errors.is_empty() => Ok(net),
            _ => Err(render(&errors, &e.sources, Format::Full, false)),
        }
    }
}
