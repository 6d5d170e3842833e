//! Files into syntax trees: preprocess in order, parse in parallel, remember the result.
//!
//! Macros flow from file to file, so preprocessing (by `sv-parser`) is sequential; it takes about a
//! hundredth of the time of `sv-parser`'s grammar. Parsing is ours and runs on all cores. When our
//! parser refuses a text, `sv-parser`'s grammar is the judge: if it refuses too, the text is wrong
//! (E0106); if it accepts, the text is legal SystemVerilog that we do not read yet (E0405).

use super::ast::Unit;
use super::cache::{self, Macro};
use super::lexer::lex;
use super::parse::parse;
use crate::source::{Diagnostic, FileId, Other, SourceMap, Span, codes};
use rayon::prelude::*;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use sv_parser::{Define, DefineText, Defines, PreprocessedText};

/// Stack for a thread that may walk deep trees; only touched pages cost memory.
pub const BIG_STACK: usize = 1 << 30;
/// How long the judge may think about one file.
const JUDGE_LIMIT: Duration = Duration::from_secs(20);

/// What to read and how.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    pub incdirs: Vec<PathBuf>,
    pub defines: Vec<(String, Option<String>)>,
    /// Where trees are remembered; `None` remembers nothing.
    pub cache_dir: Option<PathBuf>,
}

/// A file on its way through.
struct Job {
    file: FileId,
    key: Option<String>,
    macros_after: Vec<Macro>,
    stage: Stage,
}

enum Stage {
    Text(PreprocessedText),
    Done(Unit),
}

/// Reads `files` in order as one compilation unit; `macros` carries definitions from one call to the
/// next (libraries see the macros of the design).
pub fn read_files(
    files: &[PathBuf],
    opts: &ReadOptions,
    macros: &mut Option<Vec<Macro>>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Vec<Unit> {
    let macros = macros.get_or_insert_with(|| initial_macros(opts));
    let mut jobs = Vec::new();
    for path in files {
        match map.read(path) {
            Ok(file) => {
                if let Some(job) = prepare(file, opts, macros, map, diags) {
                    jobs.push(job);
                }
            }
            Err(e) => diags.push(
                Diagnostic::error(codes::E0101, format!("cannot read {}: {e}", path.display()))
                    .help("check the path; paths in a file list are relative to the list"),
            ),
        }
    }
    finish(jobs, opts, map, diags)
}

/// Reads texts that are in memory, by name, as one compilation unit.
pub fn read_texts(
    texts: &[(&str, &str)],
    opts: &ReadOptions,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Vec<Unit> {
    let opts = ReadOptions { cache_dir: None, ..opts.clone() };
    let mut macros = initial_macros(&opts);
    let mut jobs = Vec::new();
    for (name, text) in texts {
        let file = map.add(*name, *text);
        jobs.extend(prepare(file, &opts, &mut macros, map, diags));
    }
    finish(jobs, &opts, map, diags)
}

fn initial_macros(opts: &ReadOptions) -> Vec<Macro> {
    let given = opts.defines.iter().map(|(n, v)| (n.as_str(), v.clone()));
    let own = [("ENTAIL", None)];
    own.into_iter()
        .chain(given)
        .map(|(n, v)| Macro { name: n.into(), args: vec![], bare: v.is_none(), text: v })
        .collect()
}

fn to_defines(macros: &[Macro]) -> Defines {
    macros
        .iter()
        .map(|m| {
            let define = Define::new(m.name.clone(), m.args.clone(), m.text.clone().map(|t| DefineText::new(t, None)));
            (m.name.clone(), (!m.bare).then_some(define))
        })
        .collect()
}

fn from_defines(defines: Defines) -> Vec<Macro> {
    let mut out: Vec<Macro> = defines
        .into_iter()
        .map(|(name, d)| match d {
            None => Macro { name, args: vec![], text: None, bare: true },
            Some(d) => Macro { name, args: d.arguments, text: d.text.map(|t| t.text), bare: false },
        })
        .collect();
    out.sort_by(|a, b| a.name.cmp(&b.name));
    out
}

/// Looks the file up in the store or preprocesses it; updates the macros either way.
fn prepare(
    file: FileId,
    opts: &ReadOptions,
    macros: &mut Vec<Macro>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Option<Job> {
    let path = map.file(file).path.clone();
    let text = map.file(file).text.clone();
    let mut incdirs = opts.incdirs.clone();
    incdirs.extend(path.parent().map(Path::to_path_buf));
    let closure = include_closure(&text, &incdirs, map);
    if closure.is_none() {
        map.note(Other::Unknown(path.clone()));
    }
    let includes = closure.filter(|_| opts.cache_dir.is_some());
    let key = includes.map(|i| cache::key(&path, &text, macros, &incdirs, &i));
    if let (Some(dir), Some(key)) = (&opts.cache_dir, &key)
        && let Some(entry) = cache::load(dir, key)
    {
        let files: Option<Vec<FileId>> = entry.files.iter().map(|p| map.read(p).ok()).collect();
        if let Some(unit) = files.and_then(|f| cache::decode(&entry.unit, f)) {
            *macros = entry.macros.clone();
            return Some(Job { file, key: None, macros_after: vec![], stage: Stage::Done(unit) });
        }
    }

    // The preprocessor wants a final line end; one more byte moves no offset.
    let text = if text.ends_with('\n') { text.to_string() } else { format!("{text}\n") };
    let defines = to_defines(macros);
    let result = on_big_stack(|| {
        catch_unwind(AssertUnwindSafe(|| {
            sv_parser::preprocess_str(&text, &path, &defines, &incdirs, false, false, 0, 0)
        }))
    });
    match result {
        Ok(Ok((pp, defines))) => {
            *macros = from_defines(defines);
            let macros_after = macros.clone();
            Some(Job { file, key, macros_after, stage: Stage::Text(pp) })
        }
        Ok(Err(e)) => {
            diags.push(preprocess_error(e, file, map));
            None
        }
        Err(_) => {
            diags.push(
                Diagnostic::error(codes::E0109, format!("the preprocessor failed on {}", path.display()))
                    .at(Span { file, lo: 0, hi: 0 }, "in this file"),
            );
            None
        }
    }
}

/// Runs `f` on a thread with room for deep recursion.
pub fn on_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|s| {
        let handle = std::thread::Builder::new().stack_size(BIG_STACK).spawn_scoped(s, f);
        match handle.map(|h| h.join()) {
            Ok(Ok(v)) => v,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => panic!("cannot start a thread: {e}"),
        }
    })
}

fn finish(jobs: Vec<Job>, opts: &ReadOptions, map: &mut SourceMap, diags: &mut Vec<Diagnostic>) -> Vec<Unit> {
    // Register every file an origin may name, so that threads only read the map.
    for job in &jobs {
        if let Stage::Text(pp) = &job.stage {
            let mut last: Option<PathBuf> = None;
            let mut at = 0;
            while at < pp.text().len() {
                if let Some((p, _)) = pp.origin(at)
                    && last.as_deref() != Some(p)
                {
                    let _ = map.read(p.clone());
                    last = Some(p.clone());
                }
                at += 64;
            }
        }
    }
    let map_ref = &*map;
    let parse_all = || {
        jobs.into_par_iter()
            .map(|job| match job.stage {
                Stage::Done(unit) => (unit, Vec::new()),
                Stage::Text(pp) => parse_job(job.file, pp, map_ref, opts, &job.key, &job.macros_after),
            })
            .collect::<Vec<_>>()
    };
    let results = match rayon::ThreadPoolBuilder::new().stack_size(BIG_STACK).build() {
        Ok(pool) => pool.install(parse_all),
        Err(_) => on_big_stack(parse_all),
    };
    let mut units = Vec::new();
    for (unit, errors) in results {
        units.push(unit);
        diags.extend(errors);
    }
    units
}

fn parse_job(
    file: FileId,
    pp: PreprocessedText,
    map: &SourceMap,
    opts: &ReadOptions,
    key: &Option<String>,
    macros: &[Macro],
) -> (Unit, Vec<Diagnostic>) {
    let mut ids: HashMap<PathBuf, FileId> = HashMap::new();
    let mut here = Span { file, lo: 0, hi: 0 };
    let mut origin = |lo: usize, hi: usize| {
        if let Some((p, at)) = pp.origin(lo) {
            let id = match ids.get(p) {
                Some(id) => *id,
                None => {
                    let id = map.by_path(p).unwrap_or(file);
                    ids.insert(p.clone(), id);
                    id
                }
            };
            here = Span { file: id, lo: at as u32, hi: (at + hi - lo) as u32 };
        }
        here
    };
    let toks = lex(pp.text(), &mut origin);
    let (unit, mut errors) = parse(&toks);
    drop(toks);
    if errors.is_empty() {
        if let (Some(dir), Some(key)) = (&opts.cache_dir, key) {
            let mut files: Vec<FileId> = ids.values().copied().collect();
            files.push(file);
            files.sort();
            files.dedup();
            let paths = files.iter().map(|f| map.file(*f).path.clone()).collect();
            if let Some(bytes) = cache::encode(&unit, files) {
                let entry = cache::Entry { files: paths, macros: macros.to_vec(), unit: bytes };
                cache::store(dir, key, &entry);
            }
        }
    } else if errors.iter().any(|e| e.code == codes::E0106) && judge_accepts(pp) == Some(true) {
        for e in &mut errors {
            if e.code == codes::E0106 {
                e.code = codes::E0405;
                e.message = e.message.replacen("syntax error:", "legal SystemVerilog that is not read yet:", 1);
            }
        }
    }
    (unit, errors)
}

/// Whether `sv-parser`'s grammar accepts the text; `None` if it does not answer in time.
fn judge_accepts(pp: PreprocessedText) -> Option<bool> {
    let (tx, rx) = std::sync::mpsc::channel();
    // Not joined: a judge that hangs must not hold the run. The answer then stays "syntax error".
    let _ = std::thread::Builder::new().stack_size(BIG_STACK).spawn(move || {
        let ok = catch_unwind(AssertUnwindSafe(|| sv_parser::parse_sv_pp(pp, Defines::new(), false).is_ok()));
        let _ = tx.send(ok.unwrap_or(false));
    });
    rx.recv_timeout(JUDGE_LIMIT).ok()
}

/// Every file `text` may include, taken textually (so a superset), with hashes. `None` if an include
/// is not a plain string and the set cannot be known.
fn include_closure(text: &str, incdirs: &[PathBuf], map: &SourceMap) -> Option<cache::Includes> {
    let mut found = cache::Includes::new();
    let mut pending = vec![text.to_string()];
    while let Some(t) = pending.pop() {
        for (at, _) in t.match_indices("`include") {
            let rest = t[at + 8..].trim_start();
            let close = match rest.chars().next() {
                Some('"') => '"',
                Some('<') => '>',
                _ => return None,
            };
            let name = rest[1..].split(close).next()?;
            let mut path = None;
            for p in incdirs.iter().map(|d| d.join(name)).chain([PathBuf::from(name)]) {
                if p.is_file() {
                    path = Some(p);
                    break;
                }
                map.note(Other::Absent(p));
            }
            let Some(path) = path else { continue };
            if found.iter().any(|(p, _)| *p == path) {
                continue;
            }
            let bytes = std::fs::read(&path).ok()?;
            let hash = blake3::hash(&bytes);
            map.note(Other::Read(path.clone(), hash));
            found.push((path, *hash.as_bytes()));
            pending.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Some(found)
}

/// The preprocessor's errors name no place; most can be found again by what they quote.
fn preprocess_error(e: sv_parser::Error, file: FileId, map: &mut SourceMap) -> Diagnostic {
    use sv_parser::Error::*;
    let text = map.file(file).text.clone();
    let find = |needle: &str| {
        let lo = text.find(needle).unwrap_or(0) as u32;
        Span { file, lo, hi: lo + if text.contains(needle) { needle.len() as u32 } else { 0 } }
    };
    match e {
        Include { source } => match *source {
            File { path, .. } => {
                let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                Diagnostic::error(codes::E0104, format!("include file `{}` not found", path.display()))
                    .at(find(&name), "included here")
                    .help("add its folder with +incdir+DIR")
            }
            other => preprocess_error(other, file, map),
        },
        File { path, source } => {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            Diagnostic::error(codes::E0104, format!("cannot read `{}`: {source}", path.display()))
                .at(find(&name), "named here")
                .help("add its folder with +incdir+DIR")
        }
        DefineNotFound(name) => Diagnostic::error(codes::E0105, format!("macro `{name}` is not defined"))
            .at(find(&format!("`{name}")), "used here")
            .help(format!("define it with +define+{name}=VALUE, or include the file that does")),
        DefineArgNotFound(name) => Diagnostic::error(codes::E0105, format!("macro argument `{name}` is missing"))
            .at(find(&name), "in the use of this macro"),
        DefineNoArgs(name) => Diagnostic::error(codes::E0105, format!("macro `{name}` needs arguments"))
            .at(find(&format!("`{name}")), "used without arguments"),
        Preprocess(Some((path, at))) | Parse(Some((path, at))) => {
            let id = map.read(path).unwrap_or(file);
            Diagnostic::error(codes::E0105, "malformed compiler directive or macro")
                .at(Span { file: id, lo: at as u32, hi: at as u32 + 1 }, "around here")
        }
        ExceedRecursiveLimit => Diagnostic::error(codes::E0105, "macros or includes refer to themselves")
            .at(Span { file, lo: 0, hi: 0 }, "while reading this file"),
        IncludeLine => Diagnostic::error(codes::E0105, "an `include shares its line with other text")
            .at(find("`include"), "must stand alone on its line"),
        other => Diagnostic::error(codes::E0105, format!("preprocessing failed: {other}"))
            .at(Span { file, lo: 0, hi: 0 }, "in this file"),
    }
}

/// Parses one expression, as given with `-P NAME=VALUE`.
pub fn parse_expression(text: &str, map: &mut SourceMap) -> Result<super::ast::Expr, Vec<Diagnostic>> {
    let file = map.add(format!("-P {text}"), text);
    let toks = lex(text, &mut |lo, hi| Span { file, lo: lo as u32, hi: hi as u32 });
    super::parse::parse_expression(&toks)
}
