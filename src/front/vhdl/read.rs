//! VHDL files into library units: parsed and analysed by `vhdl_lang`, then lowered to our tree.
//!
//! The standard libraries are our own declarations, embedded in the program. The parser wants files,
//! so they are written once to a folder named for their content.

use super::ast::{InterfaceKind, LibraryUnit, Mode, UnitKind};
use super::entities::{Entities, Interner};
use super::lower::{Lines, Lower};
use crate::front::guest::{Direction, Header, Port};
use crate::source::{Diagnostic, FileId, SourceMap, Span, codes};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::io;
use std::path::{Path, PathBuf};
use vhdl_lang::ast::search::{DeclarationItem, FoundDeclaration, NotFinished, SearchState, Searcher};
use vhdl_lang::{Config, NullMessages, Project, SrcPos, TokenAccess};

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
        let mut out = std::collections::BTreeSet::new();
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

/// The name of the unit, in lower case, that a finding of the analysis says is missing.
pub fn misses_unit(d: &Diagnostic) -> Option<String> {
    if d.code != codes::W0218 {
        return None;
    }
    let name = d.message.strip_prefix("No primary unit '")?.split_once('\'')?.0;
    Some(name.to_ascii_lowercase())
}

/// Reads files, each with the library it belongs to (`None`: the default one).
pub fn read_files(
    files: &[(Option<SmolStr>, PathBuf)],
    cache_dir: Option<&Path>,
    map: &mut SourceMap,
    diags: &mut Vec<Diagnostic>,
) -> Library {
    let folder = match embedded_folder(cache_dir) {
        Ok(f) => f,
        Err(e) => {
            diags.push(
                Diagnostic::error(codes::E0101, format!("cannot write the VHDL standard libraries: {e}"))
                    .help("set TMPDIR to a folder that can be written"),
            );
            return Library::default();
        }
    };
    let mut by_library: std::collections::BTreeMap<String, Vec<PathBuf>> = std::collections::BTreeMap::new();
    for (library, file, _) in EMBEDDED {
        by_library.entry(library.to_string()).or_default().push(folder.join(library).join(file));
    }
    let mut texts = Texts { map, by_path: FxHashMap::default() };
    for (library, path) in files {
        let library = library.as_deref().unwrap_or(DEFAULT_LIBRARY);
        let library = if library == "work" { DEFAULT_LIBRARY } else { library };
        match std::fs::canonicalize(path).and_then(|full| texts.load(path, &full).map(|()| full)) {
            Ok(full) => by_library.entry(library.to_string()).or_default().push(full),
            Err(e) => diags.push(Diagnostic::error(codes::E0101, format!("cannot read `{}`: {e}", path.display()))),
        }
    }
    let config = match Config::from_str(&config_text(&by_library), Path::new("/")) {
        Ok(c) => c,
        Err(e) => {
            diags.push(Diagnostic::error(codes::E0101, format!("these files cannot be analysed as VHDL: {e}")));
            return Library::default();
        }
    };
    // The parser works in parallel. With threads of its own it cannot wait for a pool whose threads
    // wait for us.
    let analyse = move || {
        let mut project = Project::from_config(config, &mut NullMessages);
        let found = project.analyse();
        (project, found)
    };
    let (project, found) = match rayon::ThreadPoolBuilder::new().stack_size(64 << 20).build() {
        Ok(pool) => pool.install(analyse),
        Err(_) => analyse(),
    };
    for d in &found {
        report(d, &mut texts, diags);
    }
    let mut grab = Grab { texts: &mut texts, units: Vec::new(), ents: Interner::default() };
    project.search(&mut grab);
    let Grab { mut units, mut ents, .. } = grab;
    let mut entities = Entities::default();
    for path in by_library.values().flatten() {
        if let Some(source) = project.get_source(path) {
            for (_, ent) in project.find_all_entity_references(&source) {
                entities.add(ent, &mut ents);
            }
        }
    }
    for u in &mut units {
        u.library = entities.library(u.name.ent);
    }
    Library { units, entities }
}

/// The configuration the parser asks for, as TOML.
fn config_text(libraries: &std::collections::BTreeMap<String, Vec<PathBuf>>) -> String {
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
    let mut hash = blake3::Hasher::new();
    for (library, file, text) in EMBEDDED {
        for part in [library.as_bytes(), file.as_bytes(), text] {
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
    for (library, file, text) in EMBEDDED {
        std::fs::create_dir_all(draft.join(library))?;
        std::fs::write(draft.join(library).join(file), text)?;
    }
    std::fs::write(draft.join("complete"), "")?;
    if std::fs::rename(&draft, &folder).is_err() {
        // Somebody else was faster.
        std::fs::remove_dir_all(&draft)?;
    }
    folder.canonicalize()
}

/// The texts of the files, by the path the parser knows them under.
struct Texts<'m> {
    map: &'m mut SourceMap,
    by_path: FxHashMap<PathBuf, Lines>,
}

impl Texts<'_> {
    /// Reads a file and shows it as `shown`.
    fn load(&mut self, shown: &Path, full: &Path) -> io::Result<()> {
        if self.by_path.contains_key(full) {
            return Ok(());
        }
        let bytes = std::fs::read(full)?;
        // The parser reads Latin-1: each byte is a character to it.
        let (text, wide) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(e) => (e.as_bytes().iter().map(|b| char::from(*b)).collect(), true),
        };
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let len = text.len() as u32;
        let file: FileId = self.map.add(shown, text);
        let wide = wide.then(|| self.map.file(file).text.clone());
        self.by_path.insert(full.to_path_buf(), Lines { file, starts, wide, len });
        Ok(())
    }

    fn lines(&mut self, path: &Path) -> Option<&Lines> {
        if !self.by_path.contains_key(path) {
            self.load(path, path).ok()?;
        }
        self.by_path.get(path)
    }

    fn span(&mut self, pos: &SrcPos) -> Span {
        match self.lines(pos.source.file_name()) {
            Some(l) => Span { file: l.file, lo: l.offset(pos.range.start), hi: l.offset(pos.range.end) },
            None => Span::NONE,
        }
    }
}

/// Passes on what the parser found. Its semantic findings can be wrong, so they are warnings: a name
/// that is really unknown is an error when elaboration meets it.
fn report(d: &vhdl_lang::Diagnostic, texts: &mut Texts<'_>, diags: &mut Vec<Diagnostic>) {
    let code = format!("{:?}", d.code);
    if matches!(code.as_str(), "Unused" | "UnnecessaryWorkLibrary") {
        return;
    }
    let span = texts.span(&d.pos);
    let mut out = if code == "SyntaxError" {
        Diagnostic::error(codes::E0106, d.message.clone()).at(span, "syntax error")
    } else {
        Diagnostic::warning(codes::W0218, d.message.clone()).at(span, "found by analysis")
    };
    for (pos, text) in d.related.iter().take(4) {
        let span = texts.span(pos);
        out = out.also(span, text.clone());
    }
    diags.push(out);
}

/// Takes every library unit as the parser passes by.
struct Grab<'t, 'm> {
    texts: &'t mut Texts<'m>,
    units: Vec<LibraryUnit>,
    ents: Interner,
}

impl Searcher for Grab<'_, '_> {
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
        let Some(lines) = self.texts.lines(&path) else { return NotFinished };
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
