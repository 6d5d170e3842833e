//! Make's jobserver: under `make -j N`, no more than N things run at once, ours among them.
//!
//! Make says in `MAKEFLAGS` where a token can be had: a pipe by two descriptors, or a named one. The first job
//! runs on the token that make gave us when it started us; each other one takes a token and gives it back. The
//! pipe is opened anew by its name, so nothing is assumed about descriptors that are not ours.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};

/// Where tokens come from.
pub struct Jobserver {
    from: File,
    to: File,
}

/// A token, given back when it is dropped.
pub struct Token<'j> {
    server: &'j Jobserver,
    byte: u8,
}

impl Jobserver {
    /// Whether make started us and lets us have no tokens: then it wants one thing done at a time.
    pub fn is_denied() -> bool {
        std::env::var_os("MAKELEVEL").is_some() && Jobserver::from_environment().is_none()
    }

    /// What the environment says; nothing if make did not start us, or as no sub-make (without `+`).
    pub fn from_environment() -> Option<Jobserver> {
        Jobserver::from_flags(&std::env::var("MAKEFLAGS").ok()?)
    }

    fn from_flags(flags: &str) -> Option<Jobserver> {
        let word =
            |w: &'_ str| w.strip_prefix("--jobserver-auth=").or(w.strip_prefix("--jobserver-fds=")).map(str::to_string);
        // Of several, the last counts.
        let auth = flags.split_whitespace().filter_map(word).next_back()?;
        let (read, write) = match auth.strip_prefix("fifo:") {
            Some(path) => (path.to_string(), path.to_string()),
            None => {
                let (r, w) = auth.split_once(',')?;
                let (r, w): (i32, i32) = (r.parse().ok()?, w.parse().ok()?);
                if r < 0 || w < 0 {
                    return None;
                }
                (format!("/dev/fd/{r}"), format!("/dev/fd/{w}"))
            }
        };
        // Both ends at once: opening one end of a named pipe alone would wait for the other.
        let from = match auth.starts_with("fifo:") {
            true => OpenOptions::new().read(true).write(true).open(&read).ok()?,
            false => File::open(&read).ok()?,
        };
        Some(Jobserver { from, to: OpenOptions::new().write(true).open(&write).ok()? })
    }

    /// Waits for a token. Nothing if make is gone.
    pub fn acquire(&self) -> Option<Token<'_>> {
        let mut byte = [0];
        match (&self.from).read(&mut byte) {
            Ok(1) => Some(Token { server: self, byte: byte[0] }),
            _ => None,
        }
    }
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        // If nobody listens any more, nobody misses it.
        let _ = (&self.server.to).write_all(&[self.byte]);
    }
}
