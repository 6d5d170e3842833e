//! The words of an EDA command line, and of the file lists it names, into a [`SourceList`].
//!
//! There is no standard for these options, only custom. The dialect here gathers the usual
//! spellings of several simulators; `OPTIONS` below is the whole of it.
//!
//! **A file list** is words separated by white space. `//`, `#` and `/* … */` are comments where
//! a word would start, so `rtl/*.sv` and `a//b.sv` are paths. Double quotes group anywhere in
//! a word; single quotes only around a whole word, since `8'hFF` is a number. A backslash
//! before a line end joins lines, and before a quote, `$`, `#` or a space takes it literally.
//! `$VAR`, `${VAR}` and `$(VAR)` are environment variables; their values are not split again.
//! Words that come from the command line have been through a shell, and are taken as they are.
//!
//! **A file word** may be a pattern: `*` and `?` stand for characters of one name that does not
//! start with a dot, `**` for any number of folders. The files it finds are sorted.
//!
//! **Relative paths** on the command line start at the working directory. In a list read with
//! `-F` they start at the list's own folder. In a list read with `-f` they start at the list's
//! own folder if something exists there, else where the word that named the list would start:
//! at the working directory, or at the folder of the nearest enclosing `-F` list.
//!
//! **Invariant:** every file of the result existed when it was looked at, appears once, and
//! stands in the order in which it was first named. Files are compared by what they are, not by
//! how their paths are spelled. Nothing but lists is opened here.

mod lexer;
pub mod pattern;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;

use lexer::Lexer;
use pattern::{expand, is_pattern};

use crate::source::{Code, Diagnostic, Other, SourceMap, Span, codes};

/// The sources of a design and how to read them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceList {
    /// The files to compile, in order, each once.
    pub files: Vec<PathBuf>,
    /// Where `` `include `` looks, in order. They need not exist.
    pub incdirs: Vec<PathBuf>,
    /// Macros in the order given; of several for one name the last counts.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders in which a file is named after the module it defines (`-y`). They need not exist.
    pub libdirs: Vec<PathBuf>,
    /// Files from which only modules that are needed are taken (`-v`).
    pub libfiles: Vec<PathBuf>,
    /// What to append to a module's name to find it in a library folder.
    pub libexts: Vec<String>,
    /// The top module; of several the last counts.
    pub top: Option<String>,
    /// Parameters of the top module in the order given; for one name the last counts.
    pub params: Vec<(String, String)>,
    /// Modules without a body on purpose.
    pub blackboxes: Vec<String>,
    /// VHDL files of libraries other than `work`, each with its library.
    pub libraries: Vec<(String, PathBuf)>,
    /// Every list that was read, each once: what a cache or a watcher must look at.
    pub lists: Vec<PathBuf>,
    /// What is worth saying although the words could be understood.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the words of a command line and every list they name.
///
/// `cwd` is what relative paths are joined to; with an empty path or `.` they stay relative, and
/// so look in messages the way they were written. The texts of lists are added to `map`.
///
/// # Errors
/// Every mistake in the words and in the lists, not only the first, with the warnings among
/// them. A mistake in a list has a place in it; one on the command line has none.
pub fn parse_args(
    words: &[String],
    cwd: &Path,
    env: &dyn Fn(&str) -> Option<String>,
    map: &mut SourceMap,
) -> Result<SourceList, Vec<Diagnostic>> {
    let mut reader = Reader {
        env,
        map,
        list: SourceList::default(),
        diags: Vec::new(),
        seen: FxHashSet::default(),
        work: None,
        reading: Vec::new(),
        budget: MAX_LISTS,
    };
    let words = words.iter().map(|text| Word { text: text.clone(), span: Span::NONE, broken: false }).collect();
    reader.words(words, &Folders { own: None, fallback: cwd.to_owned() });
    reader.finish()
}

/// Lists that name each other many times over could keep us reading for ever.
const MAX_LISTS: usize = 10_000;

/// What an option does with its value.
#[derive(Clone, Copy)]
enum Action {
    List,
    ListFromItsFolder,
    IncludeDir,
    Define,
    LibraryDir,
    LibraryFile,
    LibraryExtension,
    Top,
    Parameter,
    Blackbox,
    Work,
    /// Changes nothing that matters here.
    Ignore,
}

/// How an option is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// `-x VALUE`
    Separate,
    /// `-x VALUE` or `-xVALUE`
    Joined,
    /// `-x VALUE` or `-x=VALUE`
    Equals,
    /// `+x+VALUE+VALUE…`; an empty value, as at a trailing `+`, is no value
    Plus,
    /// `-x`
    Flag,
    /// `-x…`, whatever follows in the same word
    FlagPrefix,
}

use Action::*;
use Form::*;

/// Every option. No word is spelled by two of them.
const OPTIONS: &[(&str, Form, Action)] = &[
    ("-f", Separate, List),
    ("-file", Separate, List),
    ("-F", Separate, ListFromItsFolder),
    ("+incdir+", Plus, IncludeDir),
    ("-incdir", Separate, IncludeDir),
    ("-I", Joined, IncludeDir),
    ("+define+", Plus, Define),
    ("-define", Separate, Define),
    ("-D", Joined, Define),
    ("-y", Separate, LibraryDir),
    ("-v", Separate, LibraryFile),
    ("+libext+", Plus, LibraryExtension),
    ("--top-module", Equals, Top),
    ("--top", Equals, Top),
    ("-top", Equals, Top),
    ("-s", Separate, Top),
    ("-pvalue+", Plus, Parameter),
    ("-P", Joined, Parameter),
    ("-G", Joined, Parameter),
    ("--blackbox", Equals, Blackbox),
    ("--work", Equals, Work),
    ("-work", Equals, Work),
    ("-sv", Flag, Ignore),
    ("--sv", Flag, Ignore),
    ("-sverilog", Flag, Ignore),
    ("-g2001", Flag, Ignore),
    ("-g2005", Flag, Ignore),
    ("-g2005-sv", Flag, Ignore),
    ("-g2009", Flag, Ignore),
    ("-g2012", Flag, Ignore),
    ("-g2017", Flag, Ignore),
    ("-sv05compat", Flag, Ignore),
    ("-sv09compat", Flag, Ignore),
    ("-sv12compat", Flag, Ignore),
    ("-sv17compat", Flag, Ignore),
    ("+v2k", Flag, Ignore),
    ("-v2k", Flag, Ignore),
    ("-v2k5", Flag, Ignore),
    ("-full64", Flag, Ignore),
    ("-64", Flag, Ignore),
    ("-64bit", Flag, Ignore),
    ("-q", Flag, Ignore),
    ("-quiet", Flag, Ignore),
    ("-nologo", Flag, Ignore),
    ("-timescale", Equals, Ignore),
    ("--timescale", Equals, Ignore),
    ("-W", FlagPrefix, Ignore),
    ("+acc", FlagPrefix, Ignore),
    ("+lint=", FlagPrefix, Ignore),
    ("+librescan", Flag, Ignore),
    ("+nospecify", Flag, Ignore),
    ("+notimingchecks", Flag, Ignore),
    ("+systemverilogext+", FlagPrefix, Ignore),
    ("+verilog1995ext+", FlagPrefix, Ignore),
    ("+verilog2001ext+", FlagPrefix, Ignore),
];

/// One word and where it was written.
struct Word {
    text: String,
    span: Span,
    /// Already reported as wrong: it takes its place among the words but says nothing.
    broken: bool,
}

/// Where relative paths start.
struct Folders {
    /// The folder of the list being read, tried first.
    own: Option<PathBuf>,
    /// Used when nothing exists there; equal to `own` in a list read with `-F`.
    fallback: PathBuf,
}

impl Folders {
    fn iter(&self) -> impl Iterator<Item = &Path> {
        self.own.iter().filter(|own| **own != self.fallback).chain([&self.fallback]).map(PathBuf::as_path)
    }

    /// Where a path leads: to the first folder in which it exists, else from the last. The map takes note of where it
    /// would have been found first.
    fn resolve(&self, path: &str, map: &SourceMap) -> PathBuf {
        for folder in self.iter() {
            let full = join(folder, path);
            if full.exists() {
                return full;
            }
            map.note(Other::Absent(full));
        }
        join(&self.fallback, path)
    }
}

struct Reader<'a> {
    env: &'a dyn Fn(&str) -> Option<String>,
    map: &'a mut SourceMap,
    list: SourceList,
    diags: Vec<Diagnostic>,
    /// Canonical paths of the files taken so far; a library file may be a source file too.
    seen: FxHashSet<(PathBuf, Role, Option<String>)>,
    /// The library that VHDL files named from here on belong to, if not `work`.
    work: Option<String>,
    /// The lists being read now, outermost first: canonical path, and where it was named.
    reading: Vec<(PathBuf, Span)>,
    /// How many more lists may be read.
    budget: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Source,
    Library,
}

impl Reader<'_> {
    fn finish(mut self) -> Result<SourceList, Vec<Diagnostic>> {
        if self.diags.iter().any(Diagnostic::is_error) {
            return Err(self.diags);
        }
        if self.list.libexts.is_empty() {
            self.list.libexts = vec![".v".to_owned(), ".sv".to_owned()];
        }
        self.list.warnings = self.diags;
        Ok(self.list)
    }

    fn words(&mut self, words: Vec<Word>, folders: &Folders) {
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            if word.broken {
                continue;
            }
            if !is_option(&word.text) {
                self.source(&word, folders);
                continue;
            }
            let Some(&(name, form, action)) = OPTIONS.iter().find(|option| spells(option, &word.text)) else {
                self.unknown(&word);
                continue;
            };
            let rest = &word.text[name.len()..];
            let values: Vec<Word> = match form {
                Flag | FlagPrefix => continue,
                Plus => rest.split('+').filter(|value| !value.is_empty()).map(|value| word.part(value)).collect(),
                // Another option where a value should be means that the value was forgotten.
                _ if rest.is_empty() => words.next_if(|next| !is_option(&next.text)).into_iter().collect(),
                Equals => vec![word.part(&rest[1..])],
                Separate | Joined => vec![word.part(rest)],
            };
            if values.iter().all(|value| value.text.is_empty() && !value.broken) {
                self.error(codes::E0102, format!("option `{name}` needs a value"), word.span, "none follows");
                continue;
            }
            for value in values.iter().filter(|value| !value.broken) {
                self.act(action, value, folders);
            }
        }
    }

    fn act(&mut self, action: Action, value: &Word, folders: &Folders) {
        let text = value.text.clone();
        match action {
            List => self.read_list(value, folders, false),
            ListFromItsFolder => self.read_list(value, folders, true),
            IncludeDir => push_once(&mut self.list.incdirs, folders.resolve(&text, self.map)),
            LibraryDir => push_once(&mut self.list.libdirs, folders.resolve(&text, self.map)),
            LibraryFile => self.take(folders.resolve(&text, self.map), value, folders, Role::Library),
            LibraryExtension => push_once(&mut self.list.libexts, text),
            Top => self.list.top = Some(text),
            Blackbox => push_once(&mut self.list.blackboxes, text),
            Work => self.library(value, folders),
            Define => match text.split_once('=') {
                Some(("", _)) => self.malformed(value, "a macro needs a name before `=`"),
                Some((name, body)) => self.list.defines.push((name.to_owned(), Some(body.to_owned()))),
                None => self.list.defines.push((text, None)),
            },
            Parameter => match text.split_once('=') {
                Some((name, body)) if !name.is_empty() && !body.is_empty() => {
                    self.list.params.push((name.to_owned(), body.to_owned()));
                }
                _ => self.malformed(value, "a parameter is written NAME=VALUE"),
            },
            Ignore => {}
        }
    }

    /// `LIB` for all files that follow, or `LIB=FILE,FILE…` for these alone.
    fn library(&mut self, value: &Word, folders: &Folders) {
        let (name, files) = match value.text.split_once('=') {
            Some((name, files)) => (name, Some(files)),
            None => (value.text.as_str(), None),
        };
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(letters) {
            return self.malformed(value, "a library is written LIB, or LIB=FILE,FILE");
        }
        let name = name.to_ascii_lowercase();
        if matches!(name.as_str(), "std" | "ieee") {
            return self.malformed(value, "`std` and `ieee` are built in");
        }
        let library = (name != "work").then_some(name);
        let Some(files) = files else {
            self.work = library;
            return;
        };
        let saved = std::mem::replace(&mut self.work, library);
        for file in files.split(',').filter(|f| !f.is_empty()) {
            self.source(&value.part(file), folders);
        }
        self.work = saved;
    }

    /// A word that names a source file, or several by a pattern.
    fn source(&mut self, word: &Word, folders: &Folders) {
        let path = folders.resolve(&word.text, self.map);
        if !is_pattern(&word.text) || path.exists() {
            return self.take(path, word, folders, Role::Source);
        }
        let look = |folder: &Path| {
            let files = expand(folder, &word.text);
            self.map.note(Other::Found(join(folder, &word.text), files.clone()));
            files
        };
        let found = folders.iter().map(look).find(|files| !files.is_empty());
        if found.is_none() {
            self.error(codes::E0101, format!("no file matches `{}`", word.text), word.span, "this pattern");
        }
        for path in found.into_iter().flatten() {
            self.take(path, word, folders, Role::Source);
        }
    }

    /// Takes a file that must exist into the list, once.
    fn take(&mut self, path: PathBuf, word: &Word, folders: &Folders, role: Role) {
        let Some(key) = self.existing(&path, word, folders) else { return };
        // Libraries are VHDL's: a file of another language is taken as it is.
        let library = self.work.clone().filter(|_| is_vhdl(&path));
        if self.seen.insert((key, role, library.clone())) {
            match role {
                Role::Source => match library {
                    Some(name) => self.list.libraries.push((name, path)),
                    None => self.list.files.push(path),
                },
                Role::Library => self.list.libfiles.push(path),
            }
        }
    }

    fn read_list(&mut self, word: &Word, folders: &Folders, from_its_folder: bool) {
        let path = folders.resolve(&word.text, self.map);
        let Some(key) = self.existing(&path, word, folders) else { return };
        if let Some(depth) = self.reading.iter().position(|(open, _)| *open == key) {
            return self.circle(depth, &path, word);
        }
        if self.budget == 0 {
            // Said once: the lists that are still open would say it again and again.
            if self.diags.iter().all(|diag| !diag.message.starts_with(TOO_MANY)) {
                self.error(codes::E0102, format!("{TOO_MANY} ({MAX_LISTS})"), word.span, "one too many");
            }
            return;
        }
        self.budget -= 1;
        let file = match self.map.read(&path) {
            Ok(file) => file,
            Err(error) => return self.unreadable(&path, &error, word, folders),
        };
        push_once(&mut self.list.lists, path.clone());
        let text = self.map.file(file).text.clone();
        let variables = Vec::new();
        let mut lexer = Lexer { text: &text, at: 0, file, env: self.env, diags: &mut self.diags, variables };
        let words = lexer.words();
        for (name, value) in lexer.variables {
            self.map.note(Other::Variable(name, value.map(|v| blake3::hash(v.as_bytes()))));
        }
        let own = path.parent().unwrap_or(Path::new("")).to_owned();
        let fallback = if from_its_folder { own.clone() } else { folders.fallback.clone() };
        self.reading.push((key, word.span));
        // A library set in a list ends with it.
        let work = self.work.clone();
        self.words(words, &Folders { own: Some(own), fallback });
        self.work = work;
        self.reading.pop();
    }

    /// The canonical path of a file that must exist; reports it if it does not.
    fn existing(&mut self, path: &Path, word: &Word, folders: &Folders) -> Option<PathBuf> {
        let canonical = fs::canonicalize(path).and_then(|key| match key.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(key),
        });
        canonical.map_err(|error| self.unreadable(path, &error, word, folders)).ok()
    }

    /// Reports that the list at `depth` among those being read is named again by `word`.
    fn circle(&mut self, depth: usize, path: &Path, word: &Word) {
        let message = format!("file list `{}` includes itself", path.display());
        let mut diag = placed(Diagnostic::error(codes::E0102, message), word.span, "this closes the circle");
        for (_, span) in &self.reading[depth + 1..] {
            diag = diag.also(*span, "by way of this list");
        }
        self.diags.push(match self.reading[depth].1 {
            span if span.is_none() => diag.note("it was first named on the command line"),
            span => diag.also(span, "first named here"),
        });
    }

    fn unknown(&mut self, word: &Word) {
        self.diags.push(if word.text.starts_with('+') {
            let diag = Diagnostic::warning(codes::E0103, format!("unknown plusarg `{}` is ignored", word.text));
            placed(diag, word.span, "not an option of entail")
        } else {
            let diag = Diagnostic::error(codes::E0103, format!("unknown option `{}`", word.text));
            placed(diag, word.span, "not an option of entail")
                .help("keep options of another tool in a list of their own")
        });
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error, word: &Word, folders: &Folders) {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it does not exist".to_owned(),
            io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        let message = format!("cannot read file `{}`: {reason}", path.display());
        let mut diag = placed(Diagnostic::error(codes::E0101, message), word.span, "named here");
        for other in folders.iter().map(|folder| join(folder, &word.text)).filter(|other| !other.exists()) {
            if other != path {
                diag = diag.note(format!("`{}` does not exist either", other.display()));
            }
        }
        if error.kind() == io::ErrorKind::NotFound
            && let Some(near) = super::file::beside(path)
        {
            diag = diag.help(format!("did you mean `{near}`?"));
        }
        self.diags.push(diag);
    }

    fn malformed(&mut self, word: &Word, rule: &str) {
        self.error(codes::E0102, format!("malformed value `{}`: {rule}", word.text), word.span, "");
    }

    fn error(&mut self, code: Code, message: String, span: Span, label: &str) {
        self.diags.push(placed(Diagnostic::error(code, message), span, label));
    }
}

const TOO_MANY: &str = "too many file lists";

impl Word {
    /// A value within the word. It gets the place of the whole word: once quotes and variables
    /// are gone, an offset in the word says nothing about the file.
    fn part(&self, text: &str) -> Word {
        Word { text: text.to_owned(), span: self.span, broken: false }
    }
}

/// Points at a word of a list; the command line is not a file that could be shown.
fn placed(diag: Diagnostic, span: Span, label: &str) -> Diagnostic {
    if span.is_none() { diag.note("on the command line") } else { diag.at(span, label) }
}

/// Whether a file is VHDL (or PSL about it), by its name.
pub fn is_vhdl(path: &Path) -> bool {
    let endings = ["vhd", "vhdl", "psl"];
    path.extension().is_some_and(|x| endings.iter().any(|e| x.eq_ignore_ascii_case(e)))
}

fn is_option(word: &str) -> bool {
    word.starts_with(['-', '+'])
}

/// Whether a word is this option.
fn spells(&(name, form, _): &(&str, Form, Action), word: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| match form {
        Separate | Flag => rest.is_empty(),
        Equals => rest.is_empty() || rest.starts_with('='),
        Joined | Plus | FlagPrefix => true,
    })
}

fn push_once<T: PartialEq>(items: &mut Vec<T>, item: T) {
    if !items.contains(&item) {
        items.push(item);
    }
}

/// `path` seen from `folder`, without `.` in it. A `..` stays: behind a symbolic link it leads
/// elsewhere than its spelling suggests.
fn join(folder: &Path, path: &str) -> PathBuf {
    let joined = folder.join(path);
    let clean: PathBuf = joined.components().filter(|part| *part != Component::CurDir).collect();
    if clean.as_os_str().is_empty() { PathBuf::from(".") } else { clean }
}

#[cfg(test)]
mod tests;
