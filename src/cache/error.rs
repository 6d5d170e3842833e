//! What can be wrong with a store, and what to do about it.

use rusqlite::ErrorCode;
use std::fmt;
use std::path::Path;

/// Why a store cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// Its file is not what this program wrote: it was damaged, or is something else.
    Damaged(String),
    /// Another version of the program wrote it.
    Foreign(String),
    /// What lies around it: the disk is full, a folder cannot be written to, another process does not let go.
    Circumstance(String),
}

impl Error {
    /// An error of SQLite, behind a few words on what was done.
    pub(super) fn of(what: &str, e: &rusqlite::Error) -> Error {
        let said = format!("{what}: {e}");
        let damaged = match e.sqlite_error_code() {
            // The plain error is about tables or columns that are missing: all that is asked is asked of our own.
            Some(code) => matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown),
            // A column of another kind, a row that is not there.
            None => true,
        };
        if damaged { Error::Damaged(said) } else { Error::Circumstance(said) }
    }

    /// The same while a file is opened or written.
    pub(super) fn at(path: &Path) -> impl Fn(rusqlite::Error) -> Error {
        move |e| Error::of(&format!("cannot use the store {}", path.display()), &e)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(e: rusqlite::Error) -> Error {
        Error::of("the store", &e)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Damaged(what) => {
                write!(
                    f,
                    "{what}\n  help: its file is damaged; `entail clean` removes it: what was known is then found anew"
                )
            }
            Error::Foreign(what) => {
                write!(f, "{what}\n  help: `entail clean` removes it: what was known is then found anew")
            }
            Error::Circumstance(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for String {
    fn from(e: Error) -> String {
        e.to_string()
    }
}
