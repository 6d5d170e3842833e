//! The part of Tcl that constraint files use: commands, words, braces, quotes, `[…]`, `$name`, `set`, comments and
//! continued lines. Anything else of the language is an error where it stands.

use rustc_hash::FxHashMap;

/// A command with its words and the byte range it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its words.
    pub words: Vec<Word>,
    /// Where it begins and ends.
    pub range: (usize, usize),
}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Text, with variables replaced.
    Text(String),
    /// The result of a command.
    Call(Command),
    /// Words in braces or quotes.
    List(Vec<Word>),
}

/// A mistake and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong.
    pub what: String,
    /// Where.
    pub at: (usize, usize),
}

fn mistake<T>(what: impl Into<String>, at: (usize, usize)) -> Result<T, Mistake> {
    Err(Mistake { what: what.into(), at })
}

/// Reads a file. `set` commands are carried out here and do not come back.
pub fn read(text: &str) -> (Vec<Command>, Vec<Mistake>) {
    let mut r = Reader { text, at: 0, vars: FxHashMap::default(), depth: 0 };
    let (mut commands, mut mistakes) = (Vec::new(), Vec::new());
    while r.at < text.len() {
        match r.command(None) {
            Ok(Some(c)) => match c.words.as_slice() {
                [Word::Text(set), Word::Text(name), value] if set == "set" => {
                    r.vars.insert(name.clone(), value.clone());
                }
                _ => commands.push(c),
            },
            Ok(None) => {}
            Err(m) => {
                mistakes.push(m);
                // Go on with the next line.
                r.at = text[r.at.min(text.len())..].find('\n').map_or(text.len(), |n| r.at + n + 1);
            }
        }
    }
    (commands, mistakes)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    vars: FxHashMap<String, Word>,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Blanks within a command, and continued lines.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => drop(self.bump()),
                Some('\\') if self.text[self.at + 1..].trim_start_matches('\r').starts_with('\n') => {
                    self.bump();
                    while self.bump() != Some('\n') {}
                }
                _ => return,
            }
        }
    }

    /// A command up to its end, or up to `close`.
    fn command(&mut self, close: Option<char>) -> Result<Option<Command>, Mistake> {
        let mut words = Vec::new();
        self.blanks();
        let start = self.at;
        loop {
            self.blanks();
            match self.peek() {
                None if close.is_some() => return mistake("this `[` is never closed", (start, self.at)),
                None => break,
                Some(c) if Some(c) == close => {
                    self.bump();
                    break;
                }
                Some('\n' | ';') => {
                    self.bump();
                    if close.is_none() {
                        break;
                    }
                }
                Some('#') if words.is_empty() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.bump();
                    }
                }
                Some(_) => words.push(self.word(close)?),
            }
        }
        let end = self.text[..self.at].trim_end().len().max(start);
        Ok((!words.is_empty()).then_some(Command { words, range: (start, end) }))
    }

    fn word(&mut self, close: Option<char>) -> Result<Word, Mistake> {
        let start = self.at;
        self.depth += 1;
        if self.depth > 100 {
            self.depth -= 1;
            return mistake("nested too deeply", (start, start + 1));
        }
        let w = match self.peek() {
            Some('[') => {
                self.bump();
                match self.command(Some(']'))? {
                    Some(c) => Word::Call(c),
                    None => return mistake("there is no command in `[]`", (start, self.at)),
                }
            }
            Some('{') => {
                self.bump();
                Word::List(self.list('}', start)?)
            }
            Some('"') => {
                self.bump();
                Word::List(self.list('"', start)?)
            }
            Some('$') => {
                self.bump();
                let braced = self.peek() == Some('{');
                if braced {
                    self.bump();
                }
                let name: String =
                    self.text[self.at..].chars().take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
                self.at += name.len();
                if braced && self.bump() != Some('}') {
                    return mistake("this `${` is never closed", (start, self.at));
                }
                match self.vars.get(&name) {
                    Some(v) => v.clone(),
                    None => return mistake(format!("the variable `{name}` was never set"), (start, self.at)),
                }
            }
            _ => {
                let mut text = String::new();
                while let Some(c) = self.peek() {
                    let ends = c.is_whitespace() || c == ';' || (Some(c) == close && !text.contains('['));
                    if ends || c == '"' || c == '}' && close == Some('}') {
                        break;
                    }
                    if c == '\\' {
                        if self.text[self.at + 1..].trim_start_matches('\r').starts_with('\n') {
                            break;
                        }
                        self.bump();
                    }
                    text.extend(self.bump());
                }
                if text.is_empty() {
                    let c = self.bump().unwrap_or(' ');
                    return mistake(format!("`{c}` is not expected here"), (start, self.at));
                }
                Word::Text(text)
            }
        };
        self.depth -= 1;
        Ok(w)
    }

    fn list(&mut self, end: char, start: usize) -> Result<Vec<Word>, Mistake> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None => {
                    let open = if end == '"' { '"' } else { '{' };
                    return mistake(format!("this `{open}` is never closed"), (start, start + 1));
                }
                Some(c) if c == end => {
                    self.bump();
                    return Ok(words);
                }
                Some('\n') => drop(self.bump()),
                Some(_) => words.push(self.word(Some(end))?),
            }
        }
    }
}
