//! The texts the tool has read, and the way back from a byte offset to a line and a column.
//!
//! **Invariants:** the map only grows, so a [`FileId`] stays valid for its whole life; a path
//! has one id. Offsets are never trusted: one past the end, or inside a UTF-8 character, is
//! clamped to the nearest place that exists.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::{FileId, Span, Tree};

/// One text, as the parser sees it.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as it was named by the user; shown in messages.
    pub path: PathBuf,
    /// The whole text.
    pub text: Arc<str>,
    /// Of the bytes that it was read from, before they were made a text.
    pub hash: blake3::Hash,
    /// Offset of the first byte of each line. A final newline ends the last line and starts
    /// no further one, so that "unexpected end of file" points at a line that can be seen.
    pub line_starts: Vec<u32>,
}

/// A span in the words of a text editor. Lines and columns count from 1; columns count
/// characters, and the end column is the one just past the last character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location<'a> {
    /// The file.
    pub path: &'a Path,
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub col: u32,
    /// Line of the last character.
    pub end_line: u32,
    /// Column just past the last character.
    pub end_col: u32,
}

/// Every text read so far.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    ids: FxHashMap<PathBuf, FileId>,
    /// What was read and has no text here.
    others: Mutex<Vec<Other>>,
}

/// A file on which a design depends and into which no span points: a header of macros, an image of a memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Other {
    /// It was read, and its bytes had this hash.
    Read(PathBuf, blake3::Hash),
    /// It was looked for and is not there; if it were, it might be read.
    Absent(PathBuf),
    /// A pattern of file names, and all that it found.
    Found(PathBuf, Vec<PathBuf>),
    /// A variable of the environment; its value had this hash, if it had one.
    Variable(String, Option<blake3::Hash>),
    /// This file depends on others that cannot be told.
    Unknown(PathBuf),
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Takes note of a file on which the design depends without a text here. A cache or a watcher must look at it.
    pub fn note(&self, other: Other) {
        let mut all = self.others.lock().unwrap_or_else(|e| e.into_inner());
        if !all.contains(&other) {
            all.push(other);
        }
    }

    /// All such files.
    pub fn others(&self) -> Vec<Other> {
        self.others.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Adds a text under `path`. A path that is known keeps its first id and its first text.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> FileId {
        let text = text.into();
        let hash = blake3::hash(text.as_bytes());
        self.put(path.into(), text, hash)
    }

    /// The same for a text that was read from bytes with this hash.
    pub fn put(&mut self, path: PathBuf, text: Arc<str>, hash: blake3::Hash) -> FileId {
        if let Some(id) = self.by_path(&path) {
            return id;
        }
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.ids.insert(path.clone(), id);
        self.files.push(SourceFile::new(path, text, hash));
        id
    }

    /// Reads a file from disk, unless its path is known already.
    ///
    /// Vendor files come in Latin-1 and worse. Each byte that is not UTF-8 becomes `?` and a
    /// leading byte-order mark becomes three spaces, so every byte offset stays true.
    pub fn read(&mut self, path: impl Into<PathBuf>) -> io::Result<FileId> {
        self.read_from(&Tree::default(), path)
    }

    /// The same from a tree.
    pub fn read_from(&mut self, tree: &Tree, path: impl Into<PathBuf>) -> io::Result<FileId> {
        let path = path.into();
        if let Some(id) = self.by_path(&path) {
            return Ok(id);
        }
        let bytes = tree.read(&path)?;
        if u32::try_from(bytes.len()).is_err() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "file is larger than 4 GiB"));
        }
        let hash = blake3::hash(&bytes);
        Ok(self.put(path, decode(bytes).into(), hash))
    }

    /// The file with this id.
    ///
    /// # Panics
    /// When the id was not handed out by this map; see [`get`](SourceMap::get).
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The file with this id, or `None` for the file of [`Span::NONE`] and foreign ids.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The id of a path that has been added, compared as it was spelled.
    pub fn by_path(&self, path: &Path) -> Option<FileId> {
        self.ids.get(path).copied()
    }

    /// Every file with its id, in order of arrival.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Where a span is; `None` when it has no place in this map.
    pub fn location(&self, span: Span) -> Option<Location<'_>> {
        let file = self.get(span.file)?;
        let (lo, hi) = file.clamp(span);
        let (line, col) = file.position(lo);
        let (mut end_line, mut end_col) = file.position(hi);
        if end_line > line && end_col == 1 {
            // The span takes in a newline but nothing after it: it ends on the line above.
            end_line -= 1;
            end_col = file.column(end_line, file.text.len());
        }
        Some(Location { path: &file.path, line, col, end_line, end_col })
    }

    /// The text of a span, widened to whole characters; empty when it has no place.
    pub fn snippet(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |file| {
            let (lo, hi) = file.clamp(span);
            &file.text[lo..hi]
        })
    }
}

impl SourceFile {
    fn new(path: PathBuf, text: Arc<str>, hash: blake3::Hash) -> SourceFile {
        let after_newlines = text
            .bytes()
            .enumerate()
            .filter(|&(at, byte)| byte == b'\n' && at + 1 < text.len())
            .map_while(|(at, _)| u32::try_from(at + 1).ok());
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        SourceFile { path, text, hash, line_starts }
    }

    /// The text of a line (counted from 1) without its line end; empty when there is none.
    pub fn line(&self, line: u32) -> &str {
        let index = (line as usize).wrapping_sub(1);
        let Some(&start) = self.line_starts.get(index) else {
            return "";
        };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let text = &self.text[start as usize..end];
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }

    /// The span's offsets, in order, inside the text, and on character boundaries.
    fn clamp(&self, span: Span) -> (usize, usize) {
        let mut lo = (span.lo as usize).min(self.text.len());
        while !self.text.is_char_boundary(lo) {
            lo -= 1;
        }
        let mut hi = (span.hi as usize).clamp(lo, self.text.len());
        while !self.text.is_char_boundary(hi) {
            hi += 1;
        }
        (lo, hi)
    }

    /// Line and column, from 1, of an offset on a character boundary.
    fn position(&self, offset: usize) -> (u32, u32) {
        let starts = &self.line_starts;
        // Never 0: the first line starts at offset 0.
        let line = starts.partition_point(|&start| start as usize <= offset) as u32;
        (line, self.column(line, offset))
    }

    /// The column of `offset` in `line`; offsets in or past the line end count as its end.
    fn column(&self, line: u32, offset: usize) -> u32 {
        let text = self.line(line);
        let start = self.line_starts[line as usize - 1] as usize;
        let length = (offset - start).min(text.len());
        text[..length].chars().count() as u32 + 1
    }
}

fn decode(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut text = String::with_capacity(error.as_bytes().len());
        for chunk in error.as_bytes().utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    });
    if text.starts_with('\u{feff}') {
        text.replace_range(..'\u{feff}'.len_utf8(), "   ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(text: &str, lo: u32, hi: u32) -> (u32, u32, u32, u32) {
        let mut map = SourceMap::new();
        let file = map.add("a.sv", text);
        let at = map.location(Span::new(file, lo, hi)).unwrap();
        (at.line, at.col, at.end_line, at.end_col)
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        // `é` is two bytes, so byte 3 is the third character.
        assert_eq!(locate("é x", 3, 4), (1, 3, 1, 4));
    }

    #[test]
    fn the_end_of_file_is_on_the_last_line_that_exists() {
        assert_eq!(locate("ab\ncd\n", 6, 6), (2, 3, 2, 3));
        assert_eq!(locate("", 0, 0), (1, 1, 1, 1));
    }

    #[test]
    fn a_span_that_ends_with_a_newline_ends_on_its_own_line() {
        assert_eq!(locate("ab\r\ncd\r\nef", 0, 4), (1, 1, 1, 3));
        assert_eq!(locate("ab\r\ncd\r\nef", 0, 8), (1, 1, 2, 3));
    }

    #[test]
    fn every_span_of_a_text_can_be_located() {
        let text = "é\n\r\n\t日本\nx";
        let mut map = SourceMap::new();
        let file = map.add("a.sv", text);
        let far = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, u32::MAX];
        for lo in far {
            for hi in far {
                let span = Span::new(file, lo, hi);
                let at = map.location(span).unwrap();
                assert!(at.line >= 1 && at.line <= at.end_line && at.end_line <= 4);
                assert!(at.line < at.end_line || at.col <= at.end_col);
                assert!(text.contains(map.snippet(span)));
            }
        }
        assert!(map.location(Span::NONE).is_none());
        assert_eq!(map.snippet(Span::NONE), "");
    }

    #[test]
    fn a_snippet_is_widened_to_whole_characters() {
        let mut map = SourceMap::new();
        let file = map.add("a.sv", "a日b");
        assert_eq!(map.snippet(Span::new(file, 2, 3)), "日");
    }

    #[test]
    fn a_path_has_one_id_and_keeps_its_first_text() {
        let mut map = SourceMap::new();
        let first = map.add("a.sv", "one");
        assert_eq!(map.add("a.sv", "two"), first);
        assert_eq!(&*map.file(first).text, "one");
        assert_eq!(map.by_path(Path::new("b.sv")), None);
    }

    #[test]
    fn bytes_that_are_not_utf8_keep_their_offsets() {
        assert_eq!(decode(b"a\xe9b\xff\xfec".to_vec()), "a?b??c");
        assert_eq!(decode(b"\xef\xbb\xbfmodule".to_vec()), "   module");
        assert_eq!(decode("é".into()), "é");
    }
}
