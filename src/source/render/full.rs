//! The format for people, in the manner of rustc: the message, the source with the places
//! marked in it, then notes and help.
//!
//! `line` lays out one line of source on the screen, `excerpt` marks the labels of one file in
//! it, and `paint` holds the characters and their colours until they are written out.

mod excerpt;
mod line;
mod paint;

use super::{Diagnostic, SourceMap};
use crate::source::{FileId, Label};

use excerpt::Excerpt;
use paint::{Row, Sheet, Style};

pub(super) fn render(diags: &[Diagnostic], map: &SourceMap, color: bool) -> String {
    let shown: Vec<String> = diags.iter().map(|diag| diagnostic(diag, map).finish(color)).collect();
    shown.join("\n")
}

fn diagnostic(diag: &Diagnostic, map: &SourceMap) -> Sheet {
    let (placed, placeless): (Vec<&Label>, Vec<&Label>) =
        diag.labels.iter().partition(|label| map.location(label.span).is_some());
    let excerpts: Vec<Excerpt> =
        by_file(&placed).into_iter().map(|labels| Excerpt::new(&labels, map, diag.severity)).collect();
    // One gutter for all files, so that the bars line up.
    let gutter = excerpts.iter().map(Excerpt::gutter).max().unwrap_or(1);

    let mut sheet = Sheet::default();
    let mut header = Row::default();
    let kind = format!("{}[{}]", diag.severity, diag.code);
    header.push(&kind, Style::Severity(diag.severity));
    header.push(": ", Style::Bold);
    header.push(&diag.message, Style::Bold);
    sheet.push(header);

    for (index, excerpt) in excerpts.iter().enumerate() {
        let arrow = if index == 0 { "--> " } else { "::: " };
        let mut row = Row::default();
        row.put(gutter, arrow, Style::Gutter);
        row.push(&excerpt.title(), Style::Plain);
        sheet.push(row);
        sheet.push(bar(gutter));
        excerpt.draw(gutter, &mut sheet);
        if index + 1 < excerpts.len() {
            sheet.push(bar(gutter));
        }
    }

    let mut remarks: Vec<(&str, &str)> = Vec::new();
    // A label whose place is unknown still has something to say.
    remarks.extend(placeless.iter().map(|label| ("note", &*label.message)));
    remarks.extend(diag.notes.iter().map(|note| ("note", &**note)));
    remarks.extend(diag.help.iter().map(|help| ("help", &**help)));
    remarks.retain(|(_, text)| !text.is_empty());
    if !excerpts.is_empty() && !remarks.is_empty() {
        sheet.push(bar(gutter));
    }
    for (kind, text) in remarks {
        remark(kind, text, gutter, &mut sheet);
    }
    sheet
}

/// Labels grouped by file, the file of the first primary label first, because its place heads
/// the excerpts; otherwise in order of appearance.
fn by_file<'a>(labels: &[&'a Label]) -> Vec<Vec<&'a Label>> {
    let first = labels.iter().position(|label| label.primary).unwrap_or(0);
    let mut groups: Vec<(FileId, Vec<&Label>)> = Vec::new();
    if let Some(label) = labels.get(first) {
        groups.push((label.span.file, Vec::new()));
    }
    for &label in labels {
        match groups.iter_mut().find(|(file, _)| *file == label.span.file) {
            Some((_, group)) => group.push(label),
            None => groups.push((label.span.file, vec![label])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// `   |`, the empty line of the gutter.
fn bar(gutter: usize) -> Row {
    let mut row = Row::default();
    row.put(gutter + 1, "|", Style::Gutter);
    row
}

/// `   = note: text`, with further lines of the text aligned under the first.
fn remark(kind: &str, text: &str, gutter: usize, sheet: &mut Sheet) {
    let indent = gutter + 3 + kind.len() + 2;
    for (index, line) in text.lines().enumerate() {
        let mut row = Row::default();
        if index == 0 {
            row.put(gutter + 1, "= ", Style::Gutter);
            row.push(kind, Style::Bold);
            row.push(": ", Style::Plain);
        }
        row.put(indent, line, Style::Plain);
        sheet.push(row);
    }
}
