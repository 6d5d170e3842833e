//! What a git change touches.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs git in a folder. `Err` is what it said.
pub fn git(folder: &Path, words: &[&str]) -> Result<String, String> {
    git_bytes(folder, words, b"").map(|out| String::from_utf8_lossy(&out).into_owned())
}

/// The same with something to read, and with what it says as it says it: names of files may be no texts.
pub fn git_bytes(folder: &Path, words: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let cannot = |e: std::io::Error| format!("cannot run git: {e}");
    // What it says is looked at below.
    let mut command = Command::new("git");
    command.env("LC_ALL", "C").arg("-C").arg(folder).args(words);
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(cannot)?;
    if let Some(mut pipe) = child.stdin.take() {
        // If it does not read all of it, it says why.
        let _ = pipe.write_all(input);
    }
    let out = child.wait_with_output().map_err(cannot)?;
    if out.status.success() {
        return Ok(out.stdout);
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let said = said.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ");
    if said.starts_with("not a git repository") {
        return Err(
            "this folder is in no git repository\n  help: `git init` makes one; -C DIR names another folder".into()
        );
    }
    Err(said.to_string())
}

/// The commit that is checked out, with `+` if files differ from it.
pub fn commit(folder: &Path) -> Option<String> {
    let id = git(folder, &["rev-parse", "--short=12", "HEAD"]).ok()?;
    let clean = git(folder, &["status", "--porcelain", "--untracked-files=no"]).ok()?.is_empty();
    Some(format!("{}{}", id.trim(), if clean { "" } else { "+" }))
}

/// Where a folder lies in its repository, as `hw/fifo/`; empty at its root, and outside of repositories.
pub fn prefix(folder: &Path) -> String {
    git(folder, &["rev-parse", "--show-prefix"]).map_or(String::new(), |p| p.trim_end_matches('\n').to_string())
}

/// Whether the branch that is checked out has no commit yet.
fn is_unborn(folder: &Path) -> bool {
    let names_a_branch = git(folder, &["symbolic-ref", "--quiet", "HEAD"]).is_ok();
    names_a_branch && git(folder, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_err()
}

/// A file that differs from a revision.
pub struct Change {
    /// Its real path.
    pub path: PathBuf,
    /// Whether it is new or gone, not only different.
    pub whole: bool,
}

/// Files in which the working tree differs from a revision; new files that git ignores are not among them.
pub fn since(folder: &Path, revision: &str) -> Result<Vec<Change>, String> {
    let root = git(folder, &["rev-parse", "--show-toplevel"])?;
    let root = PathBuf::from(root.trim_end_matches('\n'));
    // Before the first commit everything is a change.
    let empty = match matches!(revision, "HEAD" | "@") && is_unborn(folder) {
        true => Some(git(folder, &["hash-object", "-t", "tree", "/dev/null"])?),
        false => None,
    };
    let revision = empty.as_deref().map_or(revision, str::trim);
    // A revision could be mistaken for an option or a file.
    let kind = if empty.is_some() { "tree" } else { "commit" };
    git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{{kind}}}")]).map_err(
        |_| {
            let help = "`git log --oneline --all` lists commits; in a shallow clone, fetch more of the history";
            format!("`{revision}` is no commit, branch or tag\n  help: {help}")
        },
    )?;
    let mut all: Vec<Change> = Vec::new();
    let said = git(&root, &["diff", "--name-status", "--no-renames", "-z", revision, "--"])?;
    let mut words = said.split('\0');
    while let (Some(status), Some(name)) = (words.next(), words.next()) {
        all.push(Change { path: root.join(name), whole: status != "M" });
    }
    let said = git(&root, &["ls-files", "--others", "--exclude-standard", "-z", "--full-name"])?;
    all.extend(said.split('\0').filter(|f| !f.is_empty()).map(|f| Change { path: root.join(f), whole: true }));
    Ok(all)
}
