//! One line of source as it stands on the screen.
//!
//! Tabs are expanded, characters that a terminal would obey are replaced, and a line that is
//! too long keeps only what is near the marked places. All of this moves characters, so the
//! line remembers the screen column of each.

use std::ops::Range;

const TAB: usize = 4;
/// Lines wider than this are clipped.
const LIMIT: usize = 120;
/// A clipped line keeps at least this many characters on either side of a marked place.
const CONTEXT: usize = 10;
const ELLIPSIS: &str = "...";

/// A line laid out for the screen.
pub(super) struct Line {
    /// What to show.
    pub(super) text: String,
    /// The screen column of each character of the source line, and of the line's end.
    columns: Vec<usize>,
}

impl Line {
    /// Lays out `source`; the characters with the indices `marked` stay visible.
    pub(super) fn new(source: &str, marked: &[usize]) -> Line {
        let glyphs = glyphs(source);
        let mut line = Line { text: String::new(), columns: Vec::with_capacity(glyphs.len() + 1) };
        let mut column = 0;
        let mut next = 0;
        for window in windows(&glyphs, marked) {
            if next < window.start {
                line.elide(window.start - next, &mut column);
            }
            for glyph in &glyphs[window.clone()] {
                line.columns.push(column);
                column += glyph.width;
                if glyph.shown == '\t' {
                    line.text.extend(std::iter::repeat_n(' ', glyph.width));
                } else {
                    line.text.push(glyph.shown);
                }
            }
            next = window.end;
        }
        if next < glyphs.len() {
            line.elide(glyphs.len() - next, &mut column);
        }
        line.columns.push(column);
        line
    }

    /// The screen column of a character; past the end, that of the end.
    pub(super) fn column(&self, index: usize) -> usize {
        self.columns[index.min(self.columns.len() - 1)]
    }

    fn elide(&mut self, characters: usize, column: &mut usize) {
        self.columns.extend(std::iter::repeat_n(*column, characters));
        self.text.push_str(ELLIPSIS);
        *column += ELLIPSIS.len();
    }
}

struct Glyph {
    shown: char,
    width: usize,
}

fn glyphs(source: &str) -> Vec<Glyph> {
    let mut column = 0;
    let glyph = |c| {
        let width = match c {
            '\t' => TAB - column % TAB,
            _ => width(harmless(c)),
        };
        column += width;
        let shown = if c == '\t' { c } else { harmless(c) };
        Glyph { shown, width }
    };
    source.chars().map(glyph).collect()
}

/// The stretches of a line to show, in order.
fn windows(glyphs: &[Glyph], marked: &[usize]) -> Vec<Range<usize>> {
    let length = glyphs.len();
    if glyphs.iter().map(|glyph| glyph.width).sum::<usize>() <= LIMIT {
        return vec![Range { start: 0, end: length }];
    }
    // An ellipsis in place of fewer characters than its own would only hide them.
    let near = |a: usize, b: usize| b <= a + ELLIPSIS.len();
    let context = (LIMIT / 2 / marked.len().max(1)).max(CONTEXT);
    let mut marked = marked.to_vec();
    marked.sort_unstable();
    let mut windows: Vec<Range<usize>> = Vec::new();
    for mark in marked {
        let start = mark.saturating_sub(context).min(length);
        let end = (mark + context).min(length);
        match windows.last_mut() {
            Some(last) if near(last.end, start) => last.end = end,
            None if near(0, start) => windows.push(0..end),
            _ => windows.push(start..end),
        }
    }
    match windows.last_mut() {
        Some(last) if near(last.end, length) => last.end = length,
        Some(_) => {}
        None => windows.push(0..LIMIT.min(length)),
    }
    windows
}

/// Replaces what a terminal would obey: control characters, and the marks that turn the
/// direction of text, with which source can be made to look like other source.
pub(super) fn harmless(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ if c.is_control() => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// Screen columns of a character. Comments in Chinese, Japanese and Korean are common in RTL,
/// and their characters take two; the ranges are the wide blocks of Unicode's annex 11.
fn width(c: char) -> usize {
    match c {
        '\u{0300}'..='\u{036f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{feff}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_reach_the_next_stop() {
        let line = Line::new("\ta\tb", &[]);
        assert_eq!(line.text, "    a   b");
        assert_eq!([0, 1, 2, 3, 4].map(|index| line.column(index)), [0, 4, 5, 8, 9]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let line = Line::new("日本x", &[]);
        assert_eq!([0, 1, 2, 3].map(|index| line.column(index)), [0, 2, 4, 5]);
    }

    #[test]
    fn escapes_for_the_terminal_are_replaced() {
        assert_eq!(Line::new("a\x1b[2Jb", &[]).text, "a\u{fffd}[2Jb");
    }

    #[test]
    fn a_long_line_keeps_what_is_near_the_marks() {
        let source: String = (0..1000).map(|i| char::from(b'0' + (i / 100) as u8)).collect();
        let line = Line::new(&source, &[500, 900]);
        let kept = |digit: &str| digit.repeat(30);
        let expect = format!("...{}{}...{}{}...", kept("4"), kept("5"), kept("8"), kept("9"));
        assert_eq!(line.text, expect);
        assert_eq!(line.column(500), 3 + 30);
        assert_eq!(line.column(900), 3 + 60 + 3 + 30);
    }

    #[test]
    fn a_long_line_without_marks_keeps_its_start() {
        let line = Line::new(&"x".repeat(300), &[]);
        assert_eq!(line.text, "x".repeat(120) + "...");
    }
}
