//! The lines of one file that labels talk about, with the labels drawn in.
//!
//! A label within one line is underlined, `^` where the mistake is and `-` elsewhere; its
//! message follows, or hangs below when another label is in the way:
//!
//! ```text
//!  7 |   assign y = a + b;
//!    |          -       ^ 9 bits
//!    |          |
//!    |          8 bits
//! ```
//!
//! A label over several lines gets a bracket in a margin to the left of the source. Brackets
//! that overlap get columns of their own, longer ones further to the left.

use std::collections::BTreeSet;

use super::line::Line;
use super::paint::{Row, Sheet, Style};
use crate::source::{Label, Severity, SourceFile, SourceMap};

/// Labels over more lines than this show only where they start and end.
const WHOLE: u32 = 6;

/// A label in terms of lines and of characters, both counted as the file's methods count them:
/// lines from 1, characters of a line from 0.
struct Mark {
    line: u32,
    start: usize,
    end_line: u32,
    /// Just past the last character.
    end: usize,
    message: String,
    primary: bool,
    style: Style,
    /// The margin column of a mark over several lines.
    column: usize,
}

pub(super) struct Excerpt<'a> {
    file: &'a SourceFile,
    marks: Vec<Mark>,
    /// How many margin columns the brackets need.
    columns: usize,
}

impl<'a> Excerpt<'a> {
    /// The excerpt for labels that all lie in one file of `map`.
    pub(super) fn new(labels: &[&Label], map: &'a SourceMap, severity: Severity) -> Self {
        let mut marks: Vec<Mark> = labels.iter().filter_map(|label| Mark::new(label, map, severity)).collect();
        let columns = assign_columns(&mut marks);
        Excerpt { file: map.file(labels[0].span.file), marks, columns }
    }

    /// The width of the largest line number.
    pub(super) fn gutter(&self) -> usize {
        let last = self.marks.iter().map(|mark| mark.end_line).max();
        last.unwrap_or(0).to_string().len()
    }

    /// `path:line:col` of the first primary label.
    pub(super) fn title(&self) -> String {
        let mark = self.marks.iter().find(|mark| mark.primary);
        let (line, col) = mark.or(self.marks.first()).map_or((1, 1), |mark| (mark.line, mark.start + 1));
        format!("{}:{line}:{col}", self.file.path.display())
    }

    pub(super) fn draw(&self, gutter: usize, sheet: &mut Sheet) {
        let mut canvas = Canvas { gutter, text: gutter + 3 + 2 * self.columns, open: vec![None; self.columns], sheet };
        let mut last = None;
        for line in self.lines() {
            if last.is_some_and(|last| last + 1 < line) {
                canvas.gap();
            }
            self.draw_line(line, &mut canvas);
            last = Some(line);
        }
    }

    /// The lines to show. A gap of one line is filled, since marking it would take as much room.
    fn lines(&self) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        for mark in &self.marks {
            if mark.end_line - mark.line < WHOLE {
                lines.extend(mark.line..=mark.end_line);
            } else {
                lines.extend([mark.line, mark.line + 1, mark.end_line]);
            }
        }
        let fill: Vec<u32> =
            lines.iter().zip(lines.iter().skip(1)).filter(|&(a, b)| a + 2 == *b).map(|(a, _)| a + 1).collect();
        lines.extend(fill);
        lines
    }

    fn draw_line(&self, number: u32, canvas: &mut Canvas) {
        let source = self.file.line(number);
        let (mut single, multiple): (Vec<&Mark>, Vec<&Mark>) = self.marks.iter().partition(|mark| mark.is_single());
        single.retain(|mark| mark.line == number);
        let mut ends: Vec<&Mark> = multiple.clone();
        ends.retain(|mark| mark.end_line == number);
        // Inner brackets close before the outer ones that reach around them.
        ends.sort_by_key(|mark| std::cmp::Reverse(mark.column));
        let (whole_line, inner): (Vec<&Mark>, Vec<&Mark>) = multiple
            .iter()
            .filter(|mark| mark.line == number)
            .partition(|mark| source.chars().take(mark.start).all(char::is_whitespace));

        let mut points: Vec<usize> = single.iter().flat_map(|m| [m.start, m.end]).collect();
        points.extend(ends.iter().map(|mark| mark.end));
        points.extend(inner.iter().map(|mark| mark.start));
        let line = Line::new(source, &points);

        let mut row = canvas.row();
        let digits = format!("{number:>width$}", width = canvas.gutter);
        row.put(0, &digits, Style::Gutter);
        for mark in &whole_line {
            row.put(canvas.margin(mark.column), "/", mark.style);
        }
        row.put(canvas.text, &line.text, Style::Plain);
        canvas.sheet.push(row);
        for mark in whole_line {
            canvas.open[mark.column] = Some(mark.style);
        }

        underline(&single, &line, canvas);
        for mark in ends {
            canvas.close(mark, line.column(mark.end.saturating_sub(1)));
        }
        for mark in inner {
            canvas.open(mark, line.column(mark.start));
        }
    }
}

impl Mark {
    fn new(label: &Label, map: &SourceMap, severity: Severity) -> Option<Mark> {
        let at = map.location(label.span)?;
        Some(Mark {
            line: at.line,
            start: at.col as usize - 1,
            end_line: at.end_line,
            end: at.end_col as usize - 1,
            message: label.message.replace('\n', " "),
            primary: label.primary,
            style: if label.primary { Style::Severity(severity) } else { Style::Secondary },
            column: 0,
        })
    }

    fn is_single(&self) -> bool {
        self.line == self.end_line
    }

    fn pointer(&self) -> &'static str {
        if self.primary { "^" } else { "-" }
    }
}

/// Gives every mark over several lines a margin column that no overlapping mark has, shorter
/// marks nearer to the source; returns the number of columns.
fn assign_columns(marks: &mut [Mark]) -> usize {
    let mut order: Vec<usize> = (0..marks.len()).filter(|&i| !marks[i].is_single()).collect();
    order.sort_by_key(|&i| marks[i].end_line - marks[i].line);
    let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut levels = Vec::new();
    for &i in &order {
        let (from, to) = (marks[i].line, marks[i].end_line);
        let free = |level: &Vec<(u32, u32)>| level.iter().all(|&(a, b)| to < a || b < from);
        let level = taken.iter().position(free).unwrap_or(taken.len());
        if level == taken.len() {
            taken.push(Vec::new());
        }
        taken[level].push((from, to));
        levels.push(level);
    }
    for (i, level) in order.into_iter().zip(levels) {
        marks[i].column = taken.len() - 1 - level;
    }
    taken.len()
}

/// Draws the marks that lie within one line, below that line.
fn underline(marks: &[&Mark], line: &Line, canvas: &mut Canvas) {
    if marks.is_empty() {
        return;
    }
    let start = |mark: &Mark| canvas.text + line.column(mark.start);
    // A point between two characters, or at the end of the line, still needs a pointer.
    let end = |mark: &Mark| (canvas.text + line.column(mark.end)).max(start(mark) + 1);
    let mut marks = marks.to_vec();
    marks.sort_by_key(|mark| (std::cmp::Reverse(mark.start), mark.end));

    let mut row = canvas.row();
    for primary in [false, true] {
        for mark in marks.iter().filter(|mark| mark.primary == primary) {
            let width = end(mark) - start(mark);
            row.put(start(mark), &mark.pointer().repeat(width), mark.style);
        }
    }
    let rightmost = marks[0];
    let clear = marks[1..].iter().all(|mark| end(mark) <= start(rightmost));
    if clear {
        row.put(end(rightmost) + 1, &rightmost.message, rightmost.style);
        marks.remove(0);
    }
    let hanging: Vec<(usize, &Mark)> =
        marks.into_iter().filter(|mark| !mark.message.is_empty()).map(|mark| (start(mark), mark)).collect();
    canvas.sheet.push(row);
    canvas.hang(&hanging);
}

/// Where the rows of one excerpt are drawn.
struct Canvas<'s> {
    /// Width of the line numbers.
    gutter: usize,
    /// Column at which source text starts.
    text: usize,
    /// The bracket that is open in each margin column.
    open: Vec<Option<Style>>,
    sheet: &'s mut Sheet,
}

impl Canvas<'_> {
    fn margin(&self, column: usize) -> usize {
        self.gutter + 3 + 2 * column
    }

    /// A row with the gutter's bar and the open brackets in it.
    fn row(&self) -> Row {
        let mut row = Row::default();
        row.put(self.gutter + 1, "|", Style::Gutter);
        self.brackets(&mut row);
        row
    }

    fn brackets(&self, row: &mut Row) {
        for (column, style) in self.open.iter().enumerate() {
            if let Some(style) = style {
                row.put(self.margin(column), "|", *style);
            }
        }
    }

    /// Lines left out.
    fn gap(&mut self) {
        let mut row = Row::default();
        row.put(0, "...", Style::Gutter);
        self.brackets(&mut row);
        self.sheet.push(row);
    }

    /// Opens a bracket at a place within a line.
    fn open(&mut self, mark: &Mark, column: usize) {
        let mut row = self.row();
        let pointer = self.text + column;
        row.underscore(self.margin(mark.column) + 1, pointer, mark.style);
        row.put(pointer, mark.pointer(), mark.style);
        self.sheet.push(row);
        self.open[mark.column] = Some(mark.style);
    }

    /// Closes a bracket at a place within a line and says what it is about.
    fn close(&mut self, mark: &Mark, column: usize) {
        let mut row = self.row();
        let pointer = self.text + column;
        row.underscore(self.margin(mark.column) + 1, pointer, mark.style);
        row.put(pointer, mark.pointer(), mark.style);
        row.put(pointer + 2, &mark.message, mark.style);
        self.sheet.push(row);
        self.open[mark.column] = None;
    }

    /// Messages that found no room beside their mark, each on a row of its own below it. They
    /// come from right to left, so that the lines down to the others stay clear.
    fn hang(&mut self, hanging: &[(usize, &Mark)]) {
        let lines = |row: &mut Row, marks: &[(usize, &Mark)], before: usize| {
            for (at, mark) in marks.iter().filter(|(at, _)| *at < before) {
                row.put(*at, "|", mark.style);
            }
        };
        if !hanging.is_empty() {
            let mut row = self.row();
            lines(&mut row, hanging, usize::MAX);
            self.sheet.push(row);
        }
        for (index, (at, mark)) in hanging.iter().enumerate() {
            let mut row = self.row();
            lines(&mut row, &hanging[index + 1..], *at);
            row.put(*at, &mark.message, mark.style);
            self.sheet.push(row);
        }
    }
}
