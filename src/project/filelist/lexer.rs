//! The words of a list: comments, quotes, joined lines and variables.

use super::Word;
use crate::source::{Diagnostic, FileId, Span, codes};

pub(super) struct Lexer<'a> {
    pub text: &'a str,
    pub at: usize,
    pub file: FileId,
    pub env: &'a dyn Fn(&str) -> Option<String>,
    pub diags: &'a mut Vec<Diagnostic>,
    /// Variables that were asked for, with their values.
    pub variables: Vec<(String, Option<String>)>,
}

impl<'a> Lexer<'a> {
    pub fn words(&mut self) -> Vec<Word> {
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
        if name.is_empty() {
            return text.push('$');
        }
        let value = (self.env)(name);
        self.variables.push((name.to_owned(), value.clone()));
        match value {
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
