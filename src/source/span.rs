//! A place in a source file: which file, from which byte to which byte.
//!
//! Spans are twelve bytes and `Copy`, because every AST node, net and register carries one.
//! They hold offsets only; [`SourceMap`](super::SourceMap) turns offsets into lines.

use serde::{Deserialize, Serialize};

/// The number of a file in its [`SourceMap`](super::SourceMap), in order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// The bytes `lo..hi` of one original file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The file the offsets count in.
    pub file: FileId,
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset just past the last byte; equal to `lo` for a point between two characters.
    pub hi: u32,
}

impl Span {
    /// The span of things that were never written down, such as an implicit net.
    pub const NONE: Span = Span { file: FileId(u32::MAX), lo: 0, hi: 0 };

    /// The bytes `lo..hi` of `file`.
    pub const fn new(file: FileId, lo: u32, hi: u32) -> Span {
        Span { file, lo, hi }
    }

    /// Whether there is no place to show.
    pub const fn is_none(self) -> bool {
        self.file.0 == u32::MAX
    }

    /// The smallest span that covers both. Spans of different files have no hull, so the
    /// first one stands; a span that is [`NONE`](Span::NONE) gives way to the other.
    pub fn join(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: FileId = FileId(0);
    const B: FileId = FileId(1);

    #[test]
    fn join_is_the_hull_within_one_file() {
        assert_eq!(Span::new(A, 9, 12).join(Span::new(A, 3, 5)), Span::new(A, 3, 12));
    }

    #[test]
    fn join_across_files_keeps_the_first() {
        assert_eq!(Span::new(A, 9, 12).join(Span::new(B, 3, 5)), Span::new(A, 9, 12));
    }

    #[test]
    fn join_with_no_place_keeps_the_place() {
        let here = Span::new(A, 1, 2);
        assert_eq!(Span::NONE.join(here), here);
        assert_eq!(here.join(Span::NONE), here);
        assert!(Span::NONE.join(Span::NONE).is_none());
    }
}
