//! What is staged for a commit, as files.
//!
//! A commit takes what git's index holds, which need not be what the folder holds. Where the two differ, the index is
//! checked out beside the folder. What git is told to ignore is in no commit and may be needed all the same, such as
//! generated sources: it is linked. Files that nobody has added are left out: that they were forgotten is to be seen.

use super::changed::git;
use std::path::{Path, PathBuf};

/// The uppermost folder of the repository.
pub fn root() -> Result<PathBuf, String> {
    let root = git(Path::new("."), &["rev-parse", "--show-toplevel"])?;
    Ok(PathBuf::from(root.trim_end_matches('\n')))
}

/// Whether the folder holds what is staged, no more and no less.
pub fn is_all(root: &Path) -> Result<bool, String> {
    // The index may be locked by the commit that asks.
    let words = ["--no-optional-locks", "status", "--porcelain", "--no-renames", "-z", "--untracked-files=normal"];
    // Two letters: how the index differs from the last commit, and how the folder differs from the index.
    Ok(git(root, &words)?.split('\0').filter(|l| !l.is_empty()).all(|l| l.as_bytes().get(1) == Some(&b' ')))
}

/// Whether a file is staged or was committed.
pub fn has(root: &Path, file: &Path) -> Result<bool, String> {
    let name = file.display().to_string();
    Ok(!git(root, &["--literal-pathspecs", "ls-files", "-z", "--", &name])?.is_empty())
}

/// What is staged, in a folder that goes when this does.
pub struct Checkout {
    folder: PathBuf,
}

impl Checkout {
    /// Checks it out into a folder, which is emptied first.
    pub fn new(root: &Path, folder: &Path) -> Result<Checkout, String> {
        let cannot = |e: std::io::Error| format!("cannot check out what is staged to {}: {e}", folder.display());
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(cannot)?;
        }
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let made = Checkout { folder: folder.to_path_buf() };
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
        std::os::unix::fs::symlink(root.join(name), new)
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        // What stays is removed when it is made again.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
