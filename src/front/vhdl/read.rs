//! VHDL files into library units: parsed and analysed by `vhdl_lang`, then lowered to our tree.
//!
//! The standard libraries are our own declarations, embedded in the program. The parser wants files,
//! so they are written once to a folder named for their content.

use super::ast::{InterfaceKind, LibraryUnit, Mode, UnitKind};
use super::entities::{Entities, Interner};
use super::lower::{Lines, Lower};
use super::scan::{self, PslKind, Scan};
use crate::front::guest::{Direction, Header, Port};
use crate::front::verilog::read::BIG_STACK;
use crate::source::{Diagnostic, FileId, SourceMap, Span, codes};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use vhdl_lang::ast::search::{DeclarationItem, FoundDeclaration, NotFinished, SearchState, Searcher};
use vhdl_lang::{Config, NullMessages, Project, Source, SrcPos, TokenAccess};

/// The name under which files without a library are analysed; `work` in each of them.
pub const DEFAULT_LIBRARY: &str = "worklib";

macro_rules! embedded {
    ($($library:literal: $($file:literal)*;)*) => {
        &[$($(($library, $file, include_bytes!(concat!("lib/", $file)))),*),*]
    };
}

/// Library, file name and text of what every design may use.
const EMBEDDED: &[(&str, &str, &[u8])] = embedded! {
    "std": "std_standard.vhd" "std_textio.vhd" "std_env.vhd";
    "ieee": "std_logic_1164.vhd" "std_logic_1164-body.vhd" "numeric_std.vhd" "numeric_std-body.vhd"
        "numeric_std_unsigned.vhd" "numeric_std_unsigned-body.vhd" "numeric_bit.vhd" "numeric_bit-body.vhd"
        "numeric_bit_unsigned.vhd" "numeric_bit_unsigned-body.vhd" "std_logic_arith.vhd"
        "std_logic_unsigned.vhd" "std_logic_signed.vhd" "std_logic_misc.vhd" "std_logic_misc-body.vhd"
        "std_logic_textio.vhd" "math_real.vhd" "math_real-body.vhd" "ieee_context.vhd";
};

/// Everything that was read.
#[derive(Default)]
pub struct Library {
    pub units: Vec<LibraryUnit>,
    pub entities: Entities,
    /// Where PSL stands in the user's files.
    pub psl: Vec<(PslKind, Span)>,
}

impl Library {
    /// Units of the user's own.
    fn own(&self) -> impl Iterator<Item = &LibraryUnit> {
        self.units.iter().filter(|u| !matches!(u.library.as_str(), "std" | "ieee"))
    }

    /// Names and places of the entities read.
    pub fn entities_read(&self) -> Vec<(SmolStr, Span)> {
        let entities = self.own().filter(|u| matches!(u.kind, UnitKind::Entity { .. }));
        entities.map(|u| (u.name.name.clone(), u.name.span)).collect()
    }

    /// Every name that is instantiated, whatever it stands for.
    pub fn instantiated(&self) -> Vec<String> {
        let mut out = BTreeSet::new();
        for u in self.own() {
            if let UnitKind::Architecture { stmts, .. } | UnitKind::Entity { stmts, .. } = &u.kind {
                super::elab::instantiated(stmts, &mut |n| _ = out.insert(n.trim_matches('\\').to_string()));
            }
        }
        out.into_iter().collect()
    }

    /// What entities of that name show to another language; those of `work` come first.
    pub fn headers(&self, name: &str) -> Vec<Header> {
        let mut out = Vec::new();
        for u in self.own().filter(|u| u.name.name == name) {
            let UnitKind::Entity { generics, ports, .. } = &u.kind else { continue };
            let port = |p: &super::ast::Interface| Port {
                name: p.name.name.clone(),
                span: p.name.span,
                direction: match &p.kind {
                    InterfaceKind::Object { mode: Mode::In, .. } => Direction::In,
                    InterfaceKind::Object { mode: Mode::Out | Mode::Buffer, .. } => Direction::Out,
                    _ => Direction::Inout,
                },
            };
            let header = Header {
                name: u.name.name.clone(),
                key: format!("{}.{}", u.library, u.name.name),
                span: u.name.span,
                generics: generics.iter().map(|g| g.name.name.clone()).collect(),
                ports: ports.iter().map(port).collect(),
            };
            if u.library == DEFAULT_LIBRARY {
                return vec![header];
            }
            out.push(header);
        }
        out
    }
}

/// Files that were read and looked at, but not parsed yet.
#[derive(Default)]
pub struct Loaded {
    texts: Texts,
    by_library: BTreeMap<SmolStr, Vec<PathBuf>>,
    scans: Vec<(SmolStr, PathBuf, Scan)>,
}

/// A declaration of a unit that is written in another language, so that instances of it can be analysed.
pub struct Stub {
    pub library: SmolStr,
    pub text: String,
}

/// Reads files, each with the library it belongs to (`None`: the default one).
pub fn load(files: &[(Option<SmolStr>, PathBuf)], map: &mut SourceMap, diags: &mut Vec<Diagnostic>) -> Loaded {
    let mut out = Loaded::default();
    for (library, path) in files {
        let library = match library.as_deref() {
            None | Some("work") => DEFAULT_LIBRARY,
            Some(l) => l,
        };
        match std::fs::canonicalize(path).and_then(|full| out.texts.load(path, &full, map).map(|()| full)) {
            Ok(full) => {
                if let Some(lines) = out.texts.by_path.get(&full) {
                    let scan = scan::scan(&map.file(lines.file).text);
                    out.scans.push((library.into(), full.clone(), scan));
                }
                out.by_library.entry(library.into()).or_default().push(full);
            }
            Err(e) => diags.push(Diagnostic::error(codes::E0101, format!("cannot read `{}`: {e}", path.display()))),
        }
    }
    out
}

impl Loaded {
    /// Entities that are instantiated directly and were not read: library and name.
    pub fn missing(&self) -> BTreeSet<(SmolStr, SmolStr)> {
        let known: FxHashSet<(&str, &str)> =
            self.scans.iter().flat_map(|(l, _, s)| s.entities.iter().map(move |e| (l.as_str(), e.as_str()))).collect();
        let mut out = BTreeSet::new();
        for (own, _, scan) in &self.scans {
            for (library, name) in &scan.instantiated {
                let library = if library == "work" { own } else { library };
                if !known.contains(&(library.as_str(), name.as_str())) {
                    out.insert((library.clone(), name.clone()));
                }
            }
        }
        out
    }

    /// Names that another language's libraries may have a unit for.
    pub fn wanted(&self) -> Vec<String> {
        let entities: FxHashSet<&str> =
            self.scans.iter().flat_map(|(_, _, s)| s.entities.iter().map(SmolStr::as_str)).collect();
        let components = self.scans.iter().flat_map(|(_, _, s)| &s.components);
        let named: BTreeSet<String> = components
            .filter(|c| !entities.contains(c.as_str()))
            .chain(self.missing().iter().map(|m| &m.1))
            .map(|n| n.trim_matches('\\').to_string())
            .collect();
        named.into_iter().collect()
    }

    /// Parses and analyses what was loaded.
    pub fn analyse(
        mut self,
        stubs: &[Stub],
        cache_dir: Option<&Path>,
        map: &mut SourceMap,
        diags: &mut Vec<Diagnostic>,
    ) -> Library {
        let written = embedded_folder(cache_dir).and_then(|e| Ok((e, stub_files(stubs, cache_dir)?)));
        let (folder, stub_paths) = match written {
            Ok(x) => x,
            Err(e) => {
                diags.push(
                    Diagnostic::error(codes::E0101, format!("cannot write the VHDL standard libraries: {e}"))
                        .help("set TMPDIR to a folder that can be written"),
                );
                return Library::default();
            }
        };
        for (library, file, _) in EMBEDDED {
            self.by_library.entry((*library).into()).or_default().push(folder.join(library).join(file));
        }
        for (stub, path) in stubs.iter().zip(&stub_paths) {
            self.by_library.entry(stub.library.clone()).or_default().push(path.clone());
        }
        let psl = self.psl(map, diags);
        if self.too_deep(diags) {
            return Library::default();
        }
        let config = match Config::from_str(&config_text(&self.by_library), Path::new("/")) {
            Ok(c) => c,
            Err(e) => {
                diags.push(Diagnostic::error(codes::E0101, format!("these files cannot be analysed as VHDL: {e}")));
                return Library::default();
            }
        };
        let hidden: Vec<(PathBuf, String)> = self
            .scans
            .iter()
            .filter_map(|(_, path, scan)| {
                let lines = self.texts.by_path.get(path)?;
                let text = scan::blanked(&map.file(lines.file).text, scan, lines.wide.is_some())?;
                // A text in memory must be what the parser reads from a file: Latin-1. Anything else
                // makes it count wrong, or never end.
                let text = if lines.wide.is_some() { text } else { text.bytes().map(char::from).collect() };
                Some((path.clone(), text))
            })
            .collect();
        // The parser works in parallel. With threads of its own it cannot wait for a pool whose threads
        // wait for us.
        let analyse = move || {
            let mut project = Project::from_config(config, &mut NullMessages);
            for (path, text) in hidden {
                project.update_source(&Source::inline(&path, &text));
            }
            let found = project.analyse();
            (project, found)
        };
        let pool = rayon::ThreadPoolBuilder::new().stack_size(BIG_STACK).build();
        let guarded = || std::panic::catch_unwind(std::panic::AssertUnwindSafe(analyse));
        let result = match &pool {
            Ok(pool) => pool.install(guarded),
            Err(_) => guarded(),
        };
        let Ok((project, found)) = result else {
            diags.push(
                Diagnostic::error(codes::E0106, "the VHDL parser gave up on these files")
                    .help("give the files in smaller groups to find the one it stumbles over"),
            );
            return Library::default();
        };
        let mut texts = self.texts;
        for d in &found {
            report(d, &mut texts, map, diags);
        }
        let mut grab =
            Grab { texts: &mut texts, map, stubs: &stub_paths, units: Vec::new(), ents: Interner::default() };
        project.search(&mut grab);
        let Grab { mut units, mut ents, .. } = grab;
        let mut entities = Entities::default();
        for path in self.by_library.values().flatten() {
            if let Some(source) = project.get_source(path) {
                for (_, ent) in project.find_all_entity_references(&source) {
                    entities.add(ent, &mut ents);
                }
            }
        }
        for u in &mut units {
            u.library = entities.library(u.name.ent);
        }
        Library { units, entities, psl }
    }

    /// Reports text that is nested so deeply that no parser would survive it.
    fn too_deep(&self, diags: &mut Vec<Diagnostic>) -> bool {
        let mut any = false;
        for (_, path, scan) in &self.scans {
            if let (Some(at), Some(lines)) = (scan.too_deep, self.texts.by_path.get(path)) {
                let span = Span { file: lines.file, lo: at as u32, hi: at as u32 + 1 };
                diags.push(
                    Diagnostic::error(codes::E0106, "the text is nested more deeply than this tool takes")
                        .at(span, "here"),
                );
                any = true;
            }
        }
        any
    }

    /// Where PSL stands; it is not read yet, and each file with some says so.
    fn psl(&self, map: &SourceMap, diags: &mut Vec<Diagnostic>) -> Vec<(PslKind, Span)> {
        let mut out = Vec::new();
        for (_, path, scan) in &self.scans {
            let Some(lines) = self.texts.by_path.get(path) else { continue };
            let span = |r: &std::ops::Range<usize>| Span { file: lines.file, lo: r.start as u32, hi: r.end as u32 };
            out.extend(scan.psl.iter().map(|(k, r)| (*k, span(r))));
            if let [(_, first), rest @ ..] = scan.psl.as_slice() {
                let more = if rest.is_empty() { String::new() } else { format!(", and {} more pieces", rest.len()) };
                let shown = map.file(lines.file).path.display();
                diags.push(
                    Diagnostic::warning(codes::W0416, format!("PSL in `{shown}` is not checked{more}"))
                        .at(span(first), "passed over"),
                );
            }
        }
        out
    }
}

/// Loads and analyses in one go, without units of another language.
pub fn read_files(
    files: &[(Option<SmolStr>, PathBuf)],
    cache_dir: Option<&Path>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Library {
    load(files, map, diags).analyse(&[], cache_dir, map, diags)
}

/// The configuration the parser asks for, as TOML.
fn config_text(libraries: &BTreeMap<SmolStr, Vec<PathBuf>>) -> String {
    let mut out = String::from("standard = \"2008\"\n[libraries]\n");
    for (name, files) in libraries {
        let list: Vec<String> = files
            .iter()
            .map(|p| {
                // The parser takes file names for patterns.
                let mut text = String::new();
                for c in p.display().to_string().chars() {
                    match c {
                        '[' | ']' | '*' | '?' => text.push_str(&format!("[{c}]")),
                        '"' | '\\' => text.extend(['\\', c]),
                        c => text.push(c),
                    }
                }
                format!("\"{text}\"")
            })
            .collect();
        out.push_str(&format!("\"{name}\".files = [{}]\n", list.join(", ")));
    }
    out
}

/// Writes the embedded libraries unless they are there.
fn embedded_folder(cache_dir: Option<&Path>) -> io::Result<PathBuf> {
    let files: Vec<(String, &[u8])> = EMBEDDED.iter().map(|(l, f, t)| (format!("{l}/{f}"), *t)).collect();
    written_folder(&files, cache_dir)
}

/// The files of stubs, in their order.
fn stub_files(stubs: &[Stub], cache_dir: Option<&Path>) -> io::Result<Vec<PathBuf>> {
    if stubs.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<(String, &[u8])> =
        stubs.iter().enumerate().map(|(n, s)| (format!("stub{n}.vhd"), s.text.as_bytes())).collect();
    let folder = written_folder(&files, cache_dir)?;
    Ok(files.iter().map(|(name, _)| folder.join(name)).collect())
}

/// A folder named for what is in it, written unless it is there.
fn written_folder(files: &[(String, &[u8])], cache_dir: Option<&Path>) -> io::Result<PathBuf> {
    let mut hash = blake3::Hasher::new();
    for (name, text) in files {
        for part in [name.as_bytes(), text] {
            hash.update(part);
            hash.update(&[0]);
        }
    }
    let base = cache_dir.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let folder = base.join(format!("entail-vhdl-{}", &hash.finalize().to_hex()[..16]));
    if folder.join("complete").is_file() {
        return folder.canonicalize();
    }
    // Written beside and renamed, so that nobody sees half of it.
    let draft = base.join(format!("entail-vhdl-{}-{:?}", std::process::id(), std::thread::current().id()));
    for (name, text) in files {
        let path = draft.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    std::fs::write(draft.join("complete"), "")?;
    if std::fs::rename(&draft, &folder).is_err() {
        // Somebody else was faster.
        std::fs::remove_dir_all(&draft)?;
    }
    folder.canonicalize()
}

/// The texts of the files, by the path the parser knows them under.
#[derive(Default)]
struct Texts {
    by_path: FxHashMap<PathBuf, Lines>,
}

impl Texts {
    /// Reads a file and shows it as `shown`.
    fn load(&mut self, shown: &Path, full: &Path, map: &mut SourceMap) -> io::Result<()> {
        if self.by_path.contains_key(full) {
            return Ok(());
        }
        let bytes = std::fs::read(full)?;
        let hash = blake3::hash(&bytes);
        // The parser reads Latin-1: each byte is a character to it.
        let (text, wide) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(e) => (e.as_bytes().iter().map(|b| char::from(*b)).collect(), true),
        };
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let len = text.len() as u32;
        let file: FileId = map.put(shown.to_path_buf(), text.into(), hash);
        let wide = wide.then(|| map.file(file).text.clone());
        self.by_path.insert(full.to_path_buf(), Lines { file, starts, wide, len });
        Ok(())
    }

    fn lines(&mut self, path: &Path, map: &mut SourceMap) -> Option<&Lines> {
        if !self.by_path.contains_key(path) {
            self.load(path, path, map).ok()?;
        }
        self.by_path.get(path)
    }

    fn span(&mut self, pos: &SrcPos, map: &mut SourceMap) -> Span {
        match self.lines(pos.source.file_name(), map) {
            Some(l) => Span { file: l.file, lo: l.offset(pos.range.start), hi: l.offset(pos.range.end) },
            None => Span::NONE,
        }
    }
}

/// Passes on what the parser found. Its semantic findings can be wrong, so they are warnings: a name
/// that is really unknown is an error when elaboration meets it.
fn report(d: &vhdl_lang::Diagnostic, texts: &mut Texts, map: &mut SourceMap, diags: &mut Vec<Diagnostic>) {
    let code = format!("{:?}", d.code);
    if matches!(code.as_str(), "Unused" | "UnnecessaryWorkLibrary") {
        return;
    }
    let span = texts.span(&d.pos, map);
    let message = d.message.replace(DEFAULT_LIBRARY, "work");
    // At the end of a broken text several rules complain in one place.
    let again = |last: &Diagnostic| last.code == codes::E0106 && last.primary().is_some_and(|l| l.span == span);
    if code == "SyntaxError" && diags.last().is_some_and(again) {
        return;
    }
    let mut out = if code == "SyntaxError" {
        Diagnostic::error(codes::E0106, message).at(span, "syntax error")
    } else if code == "CircularDependency" {
        Diagnostic::error(codes::E0312, message).at(span, "depends on itself")
    } else if message.starts_with("Expected component, got entity") {
        Diagnostic::error(codes::E0202, "an entity stands where a component is needed")
            .at(span, "instantiated here")
            .help("write `entity` before its name")
    } else {
        Diagnostic::warning(codes::W0218, message).at(span, "found by analysis")
    };
    for (pos, text) in d.related.iter().take(4) {
        let span = texts.span(pos, map);
        out = out.also(span, text.replace(DEFAULT_LIBRARY, "work"));
    }
    diags.push(out);
}

/// Takes every library unit as the parser passes by.
struct Grab<'t> {
    texts: &'t mut Texts,
    map: &'t mut SourceMap,
    /// Files that stand in for units of another language.
    stubs: &'t [PathBuf],
    units: Vec<LibraryUnit>,
    ents: Interner,
}

impl Searcher for Grab<'_> {
    fn search_decl(&mut self, ctx: &dyn TokenAccess, d: FoundDeclaration<'_>) -> SearchState {
        use vhdl_lang::HasTokenSpan;
        let token = match &d.ast {
            DeclarationItem::Entity(e) => e.get_start_token(),
            DeclarationItem::Architecture(a) => a.get_start_token(),
            DeclarationItem::Package(p) => p.get_start_token(),
            DeclarationItem::PackageBody(p) => p.get_start_token(),
            DeclarationItem::Configuration(c) => c.get_start_token(),
            DeclarationItem::PackageInstance(p) => p.get_start_token(),
            _ => return NotFinished,
        };
        let path = ctx.get_pos(token).source.file_name().to_path_buf();
        if self.stubs.contains(&path) {
            return NotFinished;
        }
        let Some(lines) = self.texts.lines(&path, self.map) else { return NotFinished };
        let mut lower = Lower { ctx, lines, ents: &mut self.ents };
        let library = SmolStr::default();
        let unit = match d.ast {
            DeclarationItem::Entity(e) => lower.entity(e, library),
            DeclarationItem::Architecture(a) => lower.architecture(a, library),
            DeclarationItem::Package(p) => lower.package(p, library),
            DeclarationItem::PackageBody(p) => lower.package_body(p, library),
            DeclarationItem::Configuration(c) => lower.configuration(c, library),
            DeclarationItem::PackageInstance(p) => lower.package_instance_unit(p, library),
            _ => return NotFinished,
        };
        self.units.push(unit);
        NotFinished
    }
}
