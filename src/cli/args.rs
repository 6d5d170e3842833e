//! The command line: options every subcommand shares, and source arguments as EDA tools take them.

use crate::project::filelist::{SourceList, parse_args};
use crate::source::{Diagnostic, Format, SourceMap};
use clap::{ArgMatches, Args, ValueEnum};
use std::path::{Path, PathBuf};

/// When to colour.
#[derive(Clone, Copy, ValueEnum, Default, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal only.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options common to all subcommands.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Run as if started in this folder.
    #[arg(short = 'C', global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How diagnostics are written: full, concise, json, sarif or github.
    #[arg(long, global = true, default_value = "full", value_parser = parse_format)]
    pub format: Format,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t)]
    pub color: Color,
    /// Errors only.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Also say where time and memory went.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Do not read or write the cache of syntax trees.
    #[arg(long, global = true)]
    pub no_cache: bool,
    /// Leave all that is found in this file (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Take answers from this store and keep them there (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Do not change that store, and leave new answers in this file (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "FILE", requires = "store")]
    pub answers: Option<PathBuf>,
    /// Check evidence of the store before it is used (for `entail run`).
    #[arg(long, global = true, hide = true)]
    pub recheck_stored: bool,
    /// Ask again what has no answer in the store (for `entail run`).
    #[arg(long, global = true, hide = true)]
    pub retry_stored: bool,
    /// Say in this file how far the work is (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "FILE")]
    pub progress: Option<PathBuf>,
    /// Most megabytes of memory (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "MB")]
    pub limit_memory: Option<u64>,
    /// Most seconds (for `entail run`).
    #[arg(long, global = true, hide = true, value_name = "S")]
    pub limit_time: Option<u64>,
}

fn parse_format(s: &str) -> Result<Format, String> {
    s.parse().map_err(|_| "expected full, concise, json, sarif or github".to_string())
}

/// Sources and how to read them.
#[derive(Args, Debug)]
pub struct Sources {
    /// Source files; also +incdir+DIR, +define+M=V and +libext+.v words.
    #[arg(value_name = "FILE", required = false)]
    pub files: Vec<String>,
    /// File list; paths in it are relative to the list if they exist there.
    #[arg(short = 'f', value_name = "LIST")]
    pub lists: Vec<String>,
    /// File list; paths in it are relative to the list.
    #[arg(short = 'F', value_name = "LIST")]
    pub relative_lists: Vec<String>,
    /// Folder to search for included files.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// Macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Library folder, searched for modules that are missing.
    #[arg(short = 'y', value_name = "DIR")]
    pub library: Vec<String>,
    /// VHDL library: of all files that follow, or (LIB=FILE,FILE) of these alone.
    #[arg(long, value_name = "LIB[=FILES]")]
    pub work: Vec<String>,
    /// Top module or entity.
    #[arg(long, short = 't', value_name = "MODULE")]
    pub top: Option<String>,
    /// Parameter or generic of the top.
    #[arg(short = 'P', value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Module whose insides are not read; its outputs are free.
    #[arg(long, value_name = "MODULE")]
    pub blackbox: Vec<String>,
}

/// The source words in the order they were written, since that order matters.
pub fn source_list(m: &ArgMatches, cwd: &Path, map: &mut SourceMap) -> Result<SourceList, Vec<Diagnostic>> {
    let mut words: Vec<(usize, Vec<String>)> = Vec::new();
    for (id, flag) in [
        ("files", ""),
        ("lists", "-f"),
        ("relative_lists", "-F"),
        ("include", "-I"),
        ("define", "-D"),
        ("library", "-y"),
        ("work", "--work"),
        ("top", "--top"),
        ("param", "-P"),
        ("blackbox", "--blackbox"),
    ] {
        let (Some(values), Some(at)) = (m.get_many::<String>(id), m.indices_of(id)) else { continue };
        for (v, i) in values.zip(at) {
            let mut w = vec![v.clone()];
            if !flag.is_empty() {
                w.insert(0, flag.to_string());
            }
            words.push((i, w));
        }
    }
    words.sort();
    let words: Vec<String> = words.into_iter().flat_map(|(_, w)| w).collect();
    parse_args(&words, cwd, &|name| std::env::var(name).ok(), map)
}
