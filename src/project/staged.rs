//! What is staged for a commit, as files.
//!
//! A commit takes what git's index holds, which need not be what the folder holds. Git tells which files differ; the
//! bytes of those are checked out, and with them the folder can be looked at as if it held what is staged
//! ([`Differences::tree`]). That is enough to say whether something is known. What is to be run needs the files
//! themselves, and all of them ([`Checkout::all`]), beside the folder. What git is told to ignore is in no commit and may be
//! needed all the same, such as generated sources: it is there in both. Files that nobody has added are left out: that
//! they were forgotten is to be seen. Which commit of a repository within this one is meant is in the index, not its
//! files: they are those of the folder.

use super::changed::{git, git_bytes};
use crate::source::Tree;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The uppermost folder of the repository.
pub fn root() -> Result<PathBuf, String> {
    let root = git(Path::new("."), &["rev-parse", "--show-toplevel"])?;
    Ok(PathBuf::from(root.trim_end_matches('\n')))
}

/// Whether a file is staged or was committed.
pub fn has(root: &Path, file: &Path) -> Result<bool, String> {
    let name = file.display().to_string();
    Ok(!git(root, &["--literal-pathspecs", "ls-files", "-z", "--", &name])?.is_empty())
}

/// Where the folder differs from what is staged.
#[derive(Debug, Default, PartialEq)]
pub struct Differences {
    /// Files that are staged with other bytes, or are not in the folder.
    staged: Vec<PathBuf>,
    /// Files in the folder that are not staged.
    unknown: Vec<PathBuf>,
    /// There is more to it than files.
    more: bool,
}

impl Differences {
    /// Asks git.
    pub fn of(root: &Path) -> Result<Differences, String> {
        // The index may be locked by the commit that asks.
        let words = ["--no-optional-locks", "status", "--porcelain=v2", "--no-renames", "-z", "--untracked-files=all"];
        Ok(read(&git_bytes(root, &words, b"")?))
    }

    /// Whether the folder holds what is staged, no more and no less.
    pub fn is_none(&self) -> bool {
        *self == Differences::default()
    }

    /// The folder as if it held what is staged; the bytes of files that differ come into `folder`, which goes when the
    /// checkout does. Nothing if it takes more than files to say how it would look.
    pub fn tree(&self, root: &Path, folder: &Path) -> Result<Option<(Tree, Checkout)>, String> {
        if self.more {
            return Ok(None);
        }
        let bytes = Checkout::some(root, folder, &self.staged)?;
        let staged = self.staged.iter().map(|name| (name.clone(), Some(folder.join(name))));
        let unknown = self.unknown.iter().map(|name| (name.clone(), None));
        let tree = Tree::with(root, staged.chain(unknown));
        Ok(Some((tree.map_err(|e| format!("cannot read {}: {e}", root.display()))?, bytes)))
    }
}

/// Reads what `git status --porcelain=v2 -z` says: a letter, for files that git knows two letters (how the index
/// differs from the last commit, how the folder differs from the index), five to seven fields, and the name.
fn read(said: &[u8]) -> Differences {
    let mut all = Differences::default();
    for line in said.split(|b| *b == 0).filter(|l| !l.is_empty()) {
        let words: Vec<&[u8]> = line.splitn(9, |b| *b == b' ').collect();
        let name = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let file = match words.as_slice() {
            [b"?", ..] => {
                let file = name(&line[2..]);
                all.unknown.push(file.clone());
                file
            }
            [b"1", letters, within, _, mode, _, _, _, file] => match letters.get(1) {
                Some(b'.') => continue,
                // Another repository: its files are those of the folder, whatever they are.
                Some(b'M') if within.starts_with(b"S") => continue,
                Some(_) if within.starts_with(b"S") || *mode == b"160000" => {
                    all.more = true;
                    continue;
                }
                // Named for a later commit, and in none yet.
                Some(b'A') if mode.iter().all(|b| *b == b'0') => {
                    all.unknown.push(name(file));
                    name(file)
                }
                _ => {
                    all.staged.push(name(file));
                    name(file)
                }
            },
            // A merge that is not finished, and what later versions of git may say.
            _ => {
                all.more = true;
                continue;
            }
        };
        // It says how other files come out of the index.
        all.more |= file.file_name().is_some_and(|n| n == ".gitattributes");
    }
    all
}

/// What is staged, in a folder that goes when this does.
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// A folder, which is emptied first.
    fn new(folder: &Path) -> Result<Checkout, String> {
        let cannot = |e: std::io::Error| format!("cannot check out what is staged to {}: {e}", folder.display());
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(cannot)?;
        }
        Ok(Checkout { folder: folder.to_path_buf() })
    }

    /// Some files, and nothing else.
    fn some(root: &Path, folder: &Path, names: &[PathBuf]) -> Result<Checkout, String> {
        let made = Checkout::new(folder)?;
        if !names.is_empty() {
            let list: Vec<&[u8]> = names.iter().map(|n| n.as_os_str().as_bytes()).collect();
            let prefix = format!("--prefix={}/", folder.display());
            git_bytes(root, &["checkout-index", "--force", "--quiet", &prefix, "-z", "--stdin"], &list.join(&0))?;
        }
        Ok(made)
    }

    /// All files, and links to what is ignored.
    pub fn all(root: &Path, folder: &Path) -> Result<Checkout, String> {
        let cannot = |e: std::io::Error| format!("cannot check out what is staged to {}: {e}", folder.display());
        let made = Checkout::new(folder)?;
        std::fs::create_dir_all(folder).map_err(cannot)?;
        git(root, &["checkout-index", "--all", "--force", "--quiet", &format!("--prefix={}/", folder.display())])?;
        let words = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
        let ignored = git(root, &words)?;
        let own = |p: &Path| p.components().any(|c| c.as_os_str() == ".entail");
        for name in ignored.split('\0').filter(|n| !n.is_empty() && !own(Path::new(n))) {
            made.link(root, name.trim_end_matches('/')).map_err(cannot)?;
        }
        // Repositories within this one: only which commit of them is meant is in the index.
        let staged = git(root, &["ls-files", "--stage", "-z"])?;
        for name in staged.split('\0').filter(|l| l.starts_with("160000 ")).filter_map(|l| l.split_once('\t')) {
            made.link(root, name.1).map_err(cannot)?;
        }
        Ok(made)
    }

    fn link(&self, root: &Path, name: &str) -> std::io::Result<()> {
        let new = self.folder.join(name);
        if let Some(above) = new.parent() {
            std::fs::create_dir_all(above)?;
        }
        if new.is_dir() {
            // Git has made an empty one for a repository within.
            std::fs::remove_dir(&new)?;
        }
        // A link leads on from where it lies, to what is staged.
        let old = root.join(name);
        let target = old.read_link().ok().filter(|t| t.is_relative()).unwrap_or(old);
        std::os::unix::fs::symlink(target, new)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What stays is removed when it is made again.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn what_git_says_is_understood() {
        let said = "1 M. N... 100644 100644 100644 1111 2222 only staged.sv\0\
                    1 .M N... 100644 100644 100644 1111 1111 a b.sv\0\
                    1 MD N... 100644 100644 000000 1111 2222 gone.sv\0\
                    1 .A N... 000000 000000 100644 0000 0000 later.sv\0\
                    1 .M S.M. 160000 160000 160000 1111 1111 within\0\
                    ? new one.sv\0? other/\0";
        let all = read(said.as_bytes());
        assert_eq!(all.staged, paths(&["a b.sv", "gone.sv"]));
        assert_eq!(all.unknown, paths(&["later.sv", "new one.sv", "other"]));
        assert!(!all.more);
        for said in [
            "u UU N... 100644 100644 100644 100644 1111 2222 3333 both.sv\0",
            "1 .D S... 160000 160000 000000 1111 1111 within\0",
            "1 .M N... 100644 100644 100644 1111 1111 rtl/.gitattributes\0",
            "? .gitattributes\0",
        ] {
            assert!(read(said.as_bytes()).more, "{said}");
        }
        assert!(read(b"1 A. N... 000000 100644 100644 0000 1111 staged.sv\0").is_none());
    }
}
