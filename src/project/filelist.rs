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

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::source::{Code, Diagnostic, FileId, SourceMap, Span, codes};

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

    /// Where a path leads: to the first folder in which it exists, else from the last.
    fn resolve(&self, path: &str) -> PathBuf {
        let found = self.iter().map(|folder| join(folder, path)).find(|path| path.exists());
        found.unwrap_or_else(|| join(&self.fallback, path))
    }
}

struct Reader<'a> {
    env: &'a dyn Fn(&str) -> Option<String>,
    map: &'a mut SourceMap,
    list: SourceList,
    diags: Vec<Diagnostic>,
    /// Canonical paths of the files taken so far; a library file may be a source file too.
    seen: FxHashSet<(PathBuf, Role)>,
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
            IncludeDir => push_once(&mut self.list.incdirs, folders.resolve(&text)),
            LibraryDir => push_once(&mut self.list.libdirs, folders.resolve(&text)),
            LibraryFile => self.take(folders.resolve(&text), value, folders, Role::Library),
            LibraryExtension => push_once(&mut self.list.libexts, text),
            Top => self.list.top = Some(text),
            Blackbox => push_once(&mut self.list.blackboxes, text),
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

    /// A word that names a source file, or several by a pattern.
    fn source(&mut self, word: &Word, folders: &Folders) {
        let path = folders.resolve(&word.text);
        if !is_pattern(&word.text) || path.exists() {
            return self.take(path, word, folders, Role::Source);
        }
        let found = folders.iter().map(|folder| expand(folder, &word.text)).find(|files| !files.is_empty());
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
        if self.seen.insert((key, role)) {
            match role {
                Role::Source => self.list.files.push(path),
                Role::Library => self.list.libfiles.push(path),
            }
        }
    }

    fn read_list(&mut self, word: &Word, folders: &Folders, from_its_folder: bool) {
        let path = folders.resolve(&word.text);
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
        let mut lexer = Lexer { text: &text, at: 0, file, env: self.env, diags: &mut self.diags };
        let words = lexer.words();
        let own = path.parent().unwrap_or(Path::new("")).to_owned();
        let fallback = if from_its_folder { own.clone() } else { folders.fallback.clone() };
        self.reading.push((key, word.span));
        self.words(words, &Folders { own: Some(own), fallback });
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

// Patterns.

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The files that a pattern finds from `folder`, sorted.
fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy();
        found = match &*name {
            "." => continue,
            "**" => found.into_iter().flat_map(folders_below).collect(),
            pattern if is_pattern(pattern) => found
                .iter()
                .flat_map(|folder| entries(folder))
                .filter(|path| path.file_name().is_some_and(|name| matches(pattern, &name.to_string_lossy())))
                .collect(),
            plain => found.iter().map(|folder| join(folder, plain)).filter(|path| path.exists()).collect(),
        };
    }
    found.retain(|path| path.is_file());
    found.sort();
    found
}

/// What is in a folder; a folder that cannot be read has nothing to offer to a pattern.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| join(folder, &entry.file_name().to_string_lossy())).collect()
}

/// A folder and every folder below it. Symbolic links are not followed, as they may lead back.
fn folders_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut all = vec![folder];
    let mut next = 0;
    while next < all.len() {
        let inner = entries(&all[next]);
        all.extend(inner.into_iter().filter(|path| path.is_dir() && !path.is_symlink() && !is_hidden(path)));
        next += 1;
    }
    all
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether a name fits a pattern of `*` and `?`. As in a shell, a leading dot must be written.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to resume when the latest `*` has to take one more character.
    let mut retry = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, n + 1));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match retry {
                Some((after_star, resume)) => {
                    (p, n) = (after_star, resume);
                    retry = Some((after_star, resume + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

// The words of a list.

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
    env: &'a dyn Fn(&str) -> Option<String>,
    diags: &'a mut Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        while self.skip_blanks() {
            words.push(self.word());
        }
        words
    }

    /// Skips white space, comments and joined line ends; says whether a word follows.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return false };
            if c.is_whitespace() {
                self.at += c.len_utf8();
            } else if rest.starts_with("//") || c == '#' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(length) => self.at += 2 + length + 2,
                    None => {
                        self.error(self.at, self.at + 2, "comment is not closed", "it starts here");
                        self.at = self.text.len();
                    }
                }
            } else if let Some(joined) = joined_line(rest) {
                self.at += joined;
            } else {
                return true;
            }
        }
    }

    fn word(&mut self) -> Word {
        let start = self.at;
        let reported = self.diags.len();
        let mut text = String::new();
        if self.rest().starts_with('\'') {
            self.single_quoted(&mut text);
        }
        let mut quote = None;
        while let Some(c) = self.rest().chars().next() {
            if quote.is_none() && c.is_whitespace() {
                break;
            }
            if let Some(joined) = joined_line(self.rest()) {
                self.at += joined;
                continue;
            }
            self.at += c.len_utf8();
            match c {
                '"' if quote.is_some() => quote = None,
                '"' => quote = Some(self.at - 1),
                '\\' => self.escape(quote.is_some(), &mut text),
                '$' => self.variable(&mut text),
                _ => text.push(c),
            }
        }
        if let Some(open) = quote {
            self.error(open, open + 1, "quote is not closed", "it starts here");
        }
        let broken = self.diags.len() > reported;
        Word { text, span: self.span(start, self.at), broken }
    }

    fn single_quoted(&mut self, text: &mut String) {
        let open = self.at;
        let rest = &self.rest()[1..];
        match rest.find('\'') {
            Some(length) => {
                text.push_str(&rest[..length]);
                self.at += 1 + length + 1;
            }
            None => {
                self.error(open, open + 1, "quote is not closed", "it starts here");
                self.at = self.text.len();
            }
        }
    }

    /// What follows a backslash. Before other characters it stands for itself, as in the paths
    /// of Windows.
    fn escape(&mut self, quoted: bool, text: &mut String) {
        match self.rest().chars().next() {
            Some(c) if "\"'$# ".contains(c) || (quoted && c == '\\') => {
                text.push(c);
                self.at += 1;
            }
            _ => text.push('\\'),
        }
    }

    /// What follows a dollar sign.
    fn variable(&mut self, text: &mut String) {
        let dollar = self.at - 1;
        let close = match self.rest().chars().next() {
            Some('{') => Some('}'),
            Some('(') => Some(')'),
            _ => None,
        };
        self.at += usize::from(close.is_some());
        let rest = self.rest();
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
        self.at += name.len();
        if let Some(close) = close {
            if name.is_empty() || !self.rest().starts_with(close) {
                let label = format!("expected a name and `{close}`");
                return self.error(dollar, self.at, "malformed environment variable", &label);
            }
            self.at += 1;
        }
        match (self.env)(name) {
            _ if name.is_empty() => text.push('$'),
            Some(value) => text.push_str(&value),
            None => {
                let message = format!("environment variable `{name}` is not set");
                self.error(dollar, self.at, &message, "used here");
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        // Texts of more than 4 GiB do not enter the source map.
        Span::new(self.file, lo as u32, hi as u32)
    }

    fn error(&mut self, lo: usize, hi: usize, message: &str, label: &str) {
        self.diags.push(Diagnostic::error(codes::E0102, message).at(self.span(lo, hi), label));
    }
}

/// The length of a backslash and the line end after it.
fn joined_line(rest: &str) -> Option<usize> {
    ["\\\n", "\\\r\n"].into_iter().find(|joined| rest.starts_with(joined)).map(str::len)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::source::{Format, Severity, render};

    /// A folder of files that goes away with the test.
    struct Folder {
        root: PathBuf,
    }

    impl Folder {
        /// Writes files given as path and text; an empty text makes an empty file.
        fn new(files: &[(&str, &str)]) -> Folder {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let root = std::env::temp_dir().join(format!("entail-filelist-{}-{number}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Folder { root }
        }

        /// Parses words with the folder as working directory, and the variables `IP` and `SPACE`.
        fn parse(&self, words: &str) -> (Result<SourceList, Vec<Diagnostic>>, SourceMap) {
            let env = |name: &str| match name {
                "IP" => Some("ip".to_owned()),
                "SPACE" => Some("two words".to_owned()),
                _ => None,
            };
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            let mut map = SourceMap::new();
            (parse_args(&words, &self.root, &env, &mut map), map)
        }

        fn list(&self, words: &str) -> SourceList {
            let (result, map) = self.parse(words);
            result.unwrap_or_else(|diags| panic!("{}", render(&diags, &map, Format::Full, false)))
        }

        /// The mistakes as full text, with paths relative to the folder.
        fn mistakes(&self, words: &str) -> String {
            let (result, map) = self.parse(words);
            let diags = result.expect_err("a mistake was expected");
            self.relative(&render(&diags, &map, Format::Full, false))
        }

        fn files(&self, words: &str) -> String {
            self.paths(&self.list(words).files)
        }

        fn paths(&self, paths: &[PathBuf]) -> String {
            let paths: Vec<String> = paths.iter().map(|path| self.relative(&path.display().to_string())).collect();
            paths.join(" ")
        }

        fn relative(&self, text: &str) -> String {
            text.replace(&format!("{}/", self.root.display()), "")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // A folder left behind in the temporary directory harms nobody.
            let _ = fs::remove_dir_all(&self.root);
        }
    }

    fn pairs(items: &[(String, String)]) -> Vec<(&str, &str)> {
        items.iter().map(|(a, b)| (&**a, &**b)).collect()
    }

    #[test]
    fn no_option_hides_another() {
        for option in OPTIONS {
            let first = OPTIONS.iter().find(|other| spells(other, option.0));
            assert_eq!(first.map(|first| first.0), Some(option.0));
        }
    }

    #[test]
    fn bare_words_are_files_kept_once_and_in_order() {
        let folder = Folder::new(&[("b.sv", ""), ("a.sv", ""), ("sub/c.sv", "")]);
        assert_eq!(folder.files("b.sv a.sv ./b.sv sub/../a.sv sub/c.sv"), "b.sv a.sv sub/c.sv");
    }

    #[test]
    fn the_options_of_a_command_line() {
        let folder = Folder::new(&[("lib.v", "")]);
        let list = folder.list(
            "+incdir+inc+gen -I x -Iy -incdir x +define+A=1+B -D C=2 -DD -y cells -v lib.v +libext+.vlib+.v \
             -P W=8 -GN=4'hF -PQ=1 -pvalue+R=2 --blackbox pll --blackbox=ram --top t",
        );
        assert_eq!(folder.paths(&list.incdirs), "inc gen x y");
        let defines: Vec<_> = list.defines.iter().map(|(name, body)| (&**name, body.as_deref())).collect();
        assert_eq!(defines, [("A", Some("1")), ("B", None), ("C", Some("2")), ("D", None)]);
        assert_eq!(folder.paths(&list.libdirs), "cells");
        assert_eq!(folder.paths(&list.libfiles), "lib.v");
        assert_eq!(list.libexts, [".vlib", ".v"]);
        assert_eq!(pairs(&list.params), [("W", "8"), ("N", "4'hF"), ("Q", "1"), ("R", "2")]);
        assert_eq!(list.blackboxes, ["pll", "ram"]);
        assert_eq!(list.top.as_deref(), Some("t"));
        assert!(list.warnings.is_empty() && list.files.is_empty());
    }

    #[test]
    fn the_top_has_many_spellings_and_the_last_counts() {
        let folder = Folder::new(&[]);
        for words in ["--top t", "-top t", "--top-module t", "-s t", "--top=t", "--top-module=t", "--top u -s t"] {
            assert_eq!(folder.list(words).top.as_deref(), Some("t"), "{words}");
        }
    }

    #[test]
    fn harmless_flags_are_silent_and_defaults_are_filled_in() {
        let list =
            Folder::new(&[]).list("-sv -g2012 -sverilog +v2k -full64 -Wall -timescale=1ns/1ps -timescale 1ns/1ps");
        let expect = SourceList { libexts: vec![".v".into(), ".sv".into()], ..SourceList::default() };
        assert_eq!(list, expect);
    }

    #[test]
    fn an_empty_working_directory_keeps_paths_relative() {
        assert_eq!(join(Path::new(""), "rtl/./a.sv"), Path::new("rtl/a.sv"));
        assert_eq!(join(Path::new("."), "./a.sv"), Path::new("a.sv"));
        assert_eq!(join(Path::new(""), "."), Path::new("."));
        assert_eq!(join(Path::new("x"), "/abs/a.sv"), Path::new("/abs/a.sv"));
    }

    #[test]
    fn lists_have_comments_quotes_joined_lines_and_variables() {
        let text = "// a comment -y nowhere\n# another\n/* and\n -bad */ a.sv /* x */ \"two words/b.sv\"\n\
                    \"$SPACE\"/b.sv 'two words/$c.sv' two\\ words/d.sv \\\n  $IP/e.sv ${IP}/f#1.sv \\\r\n $(IP)//g.sv\n\
                    +define+MSG=\"\\\"hi you\\\"\"+COST=\\$5+W=4'b1010";
        let files = ["a.sv", "two words/b.sv", "two words/$c.sv", "two words/d.sv", "ip/e.sv", "ip/f#1.sv", "ip/g.sv"];
        let mut all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
        all.push(("top.f", text));
        let folder = Folder::new(&all);
        let list = folder.list("-f top.f");
        assert_eq!(folder.paths(&list.files), files.join(" "));
        let defines: Vec<_> = list.defines.iter().map(|(name, body)| (&**name, body.as_deref().unwrap())).collect();
        assert_eq!(defines, [("MSG", "\"hi you\""), ("COST", "$5"), ("W", "4'b1010")]);
        assert_eq!(folder.paths(&list.lists), "top.f");
    }

    #[test]
    fn a_small_f_list_prefers_its_own_folder_and_falls_back_to_the_working_directory() {
        let folder = Folder::new(&[
            ("a.sv", ""),
            ("only_top.sv", ""),
            ("ip/a.sv", ""),
            ("ip/inc/x.svh", ""),
            ("ip/ip.f", "a.sv only_top.sv +incdir+inc+other"),
        ]);
        let list = folder.list("-f ip/ip.f");
        assert_eq!(folder.paths(&list.files), "ip/a.sv only_top.sv");
        assert_eq!(folder.paths(&list.incdirs), "ip/inc other");
        assert_eq!(folder.files("-file ip/ip.f"), "ip/a.sv only_top.sv");
    }

    #[test]
    fn a_capital_f_list_looks_in_its_own_folder_only() {
        let folder = Folder::new(&[("only_top.sv", ""), ("ip/ip.f", "+incdir+inc only_top.sv")]);
        let expect = "\
error[E0101]: cannot read file `ip/only_top.sv`: it does not exist
 --> ip/ip.f:1:13
  |
1 | +incdir+inc only_top.sv
  |             ^^^^^^^^^^^ named here
";
        assert_eq!(folder.mistakes("-F ip/ip.f"), expect);
    }

    #[test]
    fn a_nested_list_falls_back_to_the_folder_of_the_capital_f_list_around_it() {
        let folder = Folder::new(&[
            ("ip/rtl/a.sv", ""),
            ("ip/ip.f", "-f lists/core.f"),
            ("ip/lists/core.f", "rtl/a.sv"),
            ("rtl/a.sv", ""),
        ]);
        let list = folder.list("-F ip/ip.f");
        assert_eq!(folder.paths(&list.files), "ip/rtl/a.sv");
        assert_eq!(folder.paths(&list.lists), "ip/ip.f ip/lists/core.f");
    }

    #[test]
    fn a_list_may_be_named_twice_but_not_by_itself() {
        let folder = Folder::new(&[("a.sv", ""), ("one.f", "a.sv"), ("two.f", "-f one.f -f one.f")]);
        assert_eq!(folder.files("-f two.f -f one.f"), "a.sv");

        let folder = Folder::new(&[("a.f", "-f b.f"), ("b.f", "\n-f ./a.f")]);
        let expect = "\
error[E0102]: file list `a.f` includes itself
 --> b.f:2:4
  |
2 | -f ./a.f
  |    ^^^^^ this closes the circle
  |
 ::: a.f:1:4
  |
1 | -f b.f
  |    --- by way of this list
  |
  = note: it was first named on the command line
";
        assert_eq!(folder.mistakes("-f a.f"), expect);
    }

    #[test]
    fn lists_that_multiply_are_stopped() {
        let names: Vec<String> = (0..20).map(|i| format!("{i}.f")).collect();
        let texts: Vec<String> = (1..20).map(|i| format!("-f {i}.f -f {i}.f")).chain([String::new()]).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|n| &**n).zip(texts.iter().map(|t| &**t)).collect();
        let text = Folder::new(&files).mistakes("-f 0.f");
        assert_eq!(text.matches("too many file lists (10000)").count(), 1, "{text}");
    }

    #[test]
    fn missing_files_are_reported_where_they_are_named_and_all_of_them() {
        let folder = Folder::new(&[("ip/ip.f", "x.sv\n-v y.v\n-f z.f\nno*.sv\n.")]);
        let expect = "\
error[E0101]: cannot read file `x.sv`: it does not exist
 --> ip/ip.f:1:1
  |
1 | x.sv
  | ^^^^ named here
  |
  = note: `ip/x.sv` does not exist either
";
        let text = folder.mistakes("-f ip/ip.f w.sv");
        assert!(text.starts_with(expect), "{text}");
        for message in [
            "cannot read file `y.v`: it does not exist",
            "cannot read file `z.f`: it does not exist",
            "no file matches `no*.sv`",
            "cannot read file `ip`: it is a directory",
            "cannot read file `w.sv`: it does not exist\n  = note: on the command line",
        ] {
            assert!(text.contains(message), "{message} is not in:\n{text}");
        }
        assert_eq!(text.matches("error[E0101]").count(), 6);
    }

    #[test]
    fn unknown_options_are_errors_and_unknown_plusargs_are_warnings() {
        let folder = Folder::new(&[("a.f", "+UVM_TEST=x"), ("b.f", "+UVM_TEST=x -makelib")]);
        let warnings = folder.list("-f a.f").warnings;
        assert_eq!((warnings.len(), warnings[0].severity), (1, Severity::Warning));
        assert_eq!(warnings[0].message, "unknown plusarg `+UVM_TEST=x` is ignored");
        assert!(!warnings[0].labels[0].span.is_none());

        let expect = "\
warning[E0103]: unknown plusarg `+UVM_TEST=x` is ignored
 --> b.f:1:1
  |
1 | +UVM_TEST=x -makelib
  | ^^^^^^^^^^^ not an option of entail

error[E0103]: unknown option `-makelib`
 --> b.f:1:13
  |
1 | +UVM_TEST=x -makelib
  |             ^^^^^^^^ not an option of entail
  |
  = help: keep options of another tool in a list of their own
";
        assert_eq!(folder.mistakes("-f b.f"), expect);
    }

    /// The message and the marked text of every mistake in one list.
    fn malformed(text: &str) -> Vec<(String, String)> {
        let (result, map) = Folder::new(&[("a.sv", ""), ("top.f", text)]).parse("-f top.f");
        let diags = result.expect_err("a mistake was expected");
        assert!(diags.iter().all(|diag| diag.code == codes::E0102 && diag.is_error()));
        diags.into_iter().map(|diag| (map.snippet(diag.labels[0].span).to_owned(), diag.message)).collect()
    }

    #[test]
    fn malformed_lists_are_errors_at_the_word() {
        for (text, marked, message) in [
            ("a.sv $NOPE/b.sv", "$NOPE", "environment variable `NOPE` is not set"),
            ("-y ${NOPE}/b a.sv", "${NOPE}", "environment variable `NOPE` is not set"),
            ("${IP/b.sv", "${IP", "malformed environment variable"),
            ("a.sv \"b.sv\n", "\"", "quote is not closed"),
            ("a.sv 'b.sv\n", "'", "quote is not closed"),
            ("a.sv /* b.sv", "/*", "comment is not closed"),
            ("-y", "-y", "option `-y` needs a value"),
            ("--top= a.sv", "--top=", "option `--top` needs a value"),
            ("-y +define+A", "-y", "option `-y` needs a value"),
            ("+incdir+", "+incdir+", "option `+incdir+` needs a value"),
            ("+define+=1", "+define+=1", "malformed value `=1`: a macro needs a name before `=`"),
            ("-P W", "W", "malformed value `W`: a parameter is written NAME=VALUE"),
        ] {
            assert_eq!(malformed(text), [(marked.to_owned(), message.to_owned())], "{text}");
        }
    }

    #[test]
    fn patterns_find_sorted_files() {
        let folder = Folder::new(&[
            ("rtl/b.sv", ""),
            ("rtl/a.sv", ""),
            ("rtl/a.v", ""),
            ("rtl/.#a.sv", ""),
            ("rtl/sub/c.sv", ""),
            ("rtl/sub/deep/d.sv", ""),
            ("rtl/dir.sv/e.txt", ""),
            ("ip/ip.f", "../rtl/s*/?.sv rtl/*.v"),
        ]);
        assert_eq!(folder.files("rtl/*.sv"), "rtl/a.sv rtl/b.sv");
        assert_eq!(folder.files("rtl/b.sv rtl/*.sv"), "rtl/b.sv rtl/a.sv");
        assert_eq!(folder.files("*/**/*.sv"), "rtl/a.sv rtl/b.sv rtl/sub/c.sv rtl/sub/deep/d.sv");
        assert_eq!(folder.files("-f ip/ip.f"), "ip/../rtl/sub/c.sv rtl/a.v");
    }

    #[test]
    fn the_matcher_agrees_with_a_slow_one() {
        /// The definition, by trying everything.
        fn slow(pattern: &[u8], name: &[u8]) -> bool {
            match (pattern.split_first(), name.split_first()) {
                (None, None) => true,
                (Some((b'*', rest)), _) if slow(rest, name) => true,
                (Some((b'*', _)), Some((_, tail))) => slow(pattern, tail),
                (Some((&c, rest)), Some((&d, tail))) => (c == b'?' || c == d) && slow(rest, tail),
                _ => false,
            }
        }
        /// All words of up to five letters.
        fn all(letters: &[char]) -> Vec<String> {
            let mut words = vec![String::new()];
            let mut last = words.clone();
            for _ in 0..5 {
                last = last.iter().flat_map(|word| letters.iter().map(move |c| format!("{word}{c}"))).collect();
                words.extend_from_slice(&last);
            }
            words
        }
        for pattern in all(&['a', 'b', '*', '?']) {
            for name in all(&['a', 'b']) {
                let expect = slow(pattern.as_bytes(), name.as_bytes());
                assert_eq!(matches(&pattern, &name), expect, "{pattern} on {name}");
            }
        }
    }
}
