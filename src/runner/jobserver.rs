//! Make's jobserver: under `make -j N`, no more than N things run at once, ours among them.
//!
//! Make says in `MAKEFLAGS` where a token can be had: a pipe by two descriptors, or a named one. The first job
//! runs on the token that make gave us when it started us; each other one takes a token and gives it back. The
//! pipe is opened anew by its name, so nothing is assumed about descriptors that are not ours, and ours can be read
//! without waiting while those of make and of others, who share theirs, stay as they are.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::time::Duration;

/// How long a token may lie there before it is seen.
const PAUSE: Duration = Duration::from_millis(10);

/// Where tokens come from.
pub struct Jobserver {
    from: File,
    to: File,
}

/// What asking for a token came to.
pub enum Asked<'j> {
    /// Here it is.
    Got(Token<'j>),
    /// Others have them all.
    None,
    /// Make is gone: there will be no more.
    Gone,
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
                (format!("/proc/self/fd/{r}"), format!("/proc/self/fd/{w}"))
            }
        };
        // Both ends at once: opening one end of a named pipe alone would wait for the other.
        let from = match auth.starts_with("fifo:") {
            true => OpenOptions::new().read(true).write(true).open(&read).ok()?,
            false => File::open(&read).ok()?,
        };
        rustix::io::ioctl_fionbio(&from, true).ok()?;
        Some(Jobserver { from, to: OpenOptions::new().write(true).open(&write).ok()? })
    }

    /// Asks for a token, and does not wait for one.
    pub fn ask(&self) -> Asked<'_> {
        let mut byte = [0];
        match (&self.from).read(&mut byte) {
            Ok(1) => Asked::Got(Token { server: self, byte: byte[0] }),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Asked::None,
            _ => Asked::Gone,
        }
    }

    /// Waits for a token until it is not wanted any more.
    pub fn wait(&self, is_wanted: impl Fn() -> bool) -> Option<Token<'_>> {
        while is_wanted() {
            match self.ask() {
                Asked::Got(t) => return Some(t),
                Asked::None => std::thread::sleep(PAUSE),
                Asked::Gone => return None,
            }
        }
        None
    }
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        // If nobody listens any more, nobody misses it.
        let _ = (&self.server.to).write_all(&[self.byte]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn a_token_that_others_have_is_not_waited_for_and_theirs_stays_a_pipe_that_waits() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let flags = format!(" -j2 --jobserver-auth={},{}", reader.as_raw_fd(), writer.as_raw_fd());
        let server = Jobserver::from_flags(&flags).unwrap();
        assert!(matches!(server.ask(), Asked::None));
        writer.write_all(b"+").unwrap();
        let Asked::Got(token) = server.ask() else { panic!("there is one") };
        assert!(matches!(server.ask(), Asked::None));
        drop(token);
        // It is back, and the descriptor that make shares with others still waits for one.
        let other = std::thread::spawn(move || {
            let mut two = [0; 2];
            (&reader).read_exact(&mut two).map(|()| two)
        });
        std::thread::sleep(Duration::from_millis(30));
        writer.write_all(b"-").unwrap();
        assert_eq!(other.join().unwrap().unwrap(), *b"+-");
    }
}
