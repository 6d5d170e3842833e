//! Where files are read from: the disk, or the disk as it would be if some files of one folder were others.
//!
//! The second is how a commit looks before it is made: most of it lies in the working folder, some files have other
//! bytes there, some are not to be seen. Nothing has to be copied to look at it.
//!
//! **Invariant:** a path means what it would mean if the files were really so: symbolic links and `..` are followed one
//! name at a time, since each name on the way may be one that differs. A folder in which nothing is left is not
//! there: git knows no empty ones.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::ops::Bound;
use std::path::{Component, Path, PathBuf};

/// Links on the way to one file, as many as the system follows.
const LINKS: usize = 40;

/// The files there are. The default is those on the disk.
#[derive(Clone, Default, Debug)]
pub struct Tree {
    /// The folder in which some differ, without links in its path.
    root: PathBuf,
    /// Those: the file that has the bytes, or none if it is not to be seen.
    others: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Tree {
    /// The disk with some files of a folder different. Their paths are relative to the folder; each has a file with
    /// its bytes, which may be a link, or none if it is not there.
    pub fn with(root: &Path, others: impl Iterator<Item = (PathBuf, Option<PathBuf>)>) -> io::Result<Tree> {
        let root = root.canonicalize()?;
        let others = others.map(|(name, other)| (root.join(name), other)).collect();
        Ok(Tree { root, others })
    }

    /// What a file holds.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(self.file(path)?)
    }

    /// Whether there is a file of this name.
    pub fn is_file(&self, path: &Path) -> bool {
        self.file(path).is_ok_and(|p| p.is_file())
    }

    /// Whether there is a folder of this name.
    pub fn is_dir(&self, path: &Path) -> bool {
        self.find(path).is_ok_and(|p| self.is_seen(&p))
    }

    /// Whether there is anything of this name.
    pub fn exists(&self, path: &Path) -> bool {
        self.is_file(path) || self.is_dir(path)
    }

    /// Whether the last name of a path is a symbolic link.
    pub fn is_link(&self, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
        if self.others.is_empty() {
            return path.is_symlink();
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(real) = self.find(folder).map(|f| f.join(name)) else { return false };
        match self.others.get(&real) {
            Some(Some(other)) => other.is_symlink(),
            Some(None) => false,
            None => self.added(&real).next().is_none() && real.is_symlink(),
        }
    }

    /// The names in a folder, in no order.
    pub fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let real = self.find(folder)?;
        if !self.differs(&real) {
            return Ok(std::fs::read_dir(real)?.flatten().map(|e| e.file_name()).collect());
        }
        if !self.is_seen(&real) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut all: Vec<OsString> = self.added(&real).collect();
        all.dedup();
        for e in std::fs::read_dir(&real).into_iter().flatten().flatten() {
            let (name, path) = (e.file_name(), e.path());
            let is_folder = e.file_type().is_ok_and(|t| t.is_dir());
            let seen = if is_folder { self.is_seen(&path) } else { !matches!(self.others.get(&path), Some(None)) };
            if seen && !all.contains(&name) {
                all.push(name);
            }
        }
        Ok(all)
    }

    /// Whether a folder may hold other files than on the disk.
    fn differs(&self, real: &Path) -> bool {
        !self.others.is_empty() && real.starts_with(&self.root)
    }

    /// Names in a folder on the way to files that have other bytes than on the disk, sorted.
    fn added(&self, folder: &Path) -> impl Iterator<Item = OsString> {
        let from = (Bound::Excluded(folder.to_path_buf()), Bound::Unbounded);
        let below = self.others.range(from).take_while(move |(path, _)| path.starts_with(folder));
        let first = move |path: &PathBuf| path.strip_prefix(folder).ok()?.iter().next().map(OsString::from);
        below.filter(|(_, other)| other.is_some()).filter_map(move |(path, _)| first(path))
    }

    /// Whether a path without links is a folder in which something is left.
    fn is_seen(&self, real: &Path) -> bool {
        if !self.differs(real) {
            return real.is_dir();
        }
        let is_left = |e: std::fs::DirEntry| match e.file_type().is_ok_and(|t| t.is_dir()) {
            true => self.is_seen(&e.path()),
            false => !matches!(self.others.get(&e.path()), Some(None)),
        };
        self.added(real).next().is_some() || std::fs::read_dir(real).into_iter().flatten().flatten().any(is_left)
    }

    /// The path at which the disk has what a path means, if that is no folder.
    fn file(&self, path: &Path) -> io::Result<PathBuf> {
        let found = self.find(path)?;
        // Where a folder is staged, a file may lie that is not.
        match self.others.get(&found) {
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            _ => Ok(found),
        }
    }

    /// The path at which the disk has what a path means; of a folder, the path that it would have.
    fn find(&self, path: &Path) -> io::Result<PathBuf> {
        if self.others.is_empty() {
            return Ok(path.to_path_buf());
        }
        let parts = |p: &Path| -> Vec<OsString> { p.components().rev().map(|c| c.as_os_str().to_owned()).collect() };
        let mut left = parts(&std::path::absolute(path)?);
        let mut real = PathBuf::new();
        let mut links = 0;
        while let Some(name) = left.pop() {
            match Path::new(&name).components().next() {
                Some(Component::ParentDir) => {
                    real.pop();
                    continue;
                }
                Some(Component::Normal(_)) => {}
                // The root, also of the target of a link.
                _ => {
                    real.push(name);
                    continue;
                }
            }
            let next = real.join(&name);
            let at = match self.others.get(&next) {
                Some(Some(other)) => other,
                // A folder that is staged, whatever lies there now.
                _ if self.added(&next).next().is_some() => {
                    real = next;
                    continue;
                }
                Some(None) => return Err(io::ErrorKind::NotFound.into()),
                None => &next,
            };
            let kind = at.symlink_metadata()?.file_type();
            if kind.is_symlink() {
                links += 1;
                if links > LINKS {
                    return Err(io::Error::other("too many links"));
                }
                left.extend(parts(&at.read_link()?));
            } else if !left.is_empty() && !kind.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            } else if *at != next {
                return Ok(at.clone());
            } else {
                real = next;
            }
        }
        Ok(real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn put(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// A folder, and the same as it should look: read through a tree, both are alike.
    fn tree(folder: &Path, other: &[(&str, Option<&str>)]) -> (Tree, tempfile::TempDir) {
        let bytes = tempfile::tempdir().expect("a folder");
        let list: Vec<_> = other
            .iter()
            .map(|(name, text)| {
                let file = text.map(|t| {
                    put(bytes.path(), name, t);
                    bytes.path().join(name)
                });
                (PathBuf::from(name), file)
            })
            .collect();
        (Tree::with(folder, list.into_iter()).expect("a tree"), bytes)
    }

    fn names(t: &Tree, folder: &Path) -> Option<Vec<String>> {
        let mut all: Vec<String> =
            t.names(folder).ok()?.into_iter().map(|n| n.to_string_lossy().into_owned()).collect();
        all.sort();
        Some(all)
    }

    fn text(t: &Tree, path: &Path) -> Option<String> {
        t.read(path).ok().map(|b| String::from_utf8_lossy(&b).into_owned())
    }

    #[test]
    fn a_tree_without_differences_is_the_disk() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "a/b.sv", "b");
        std::fs::create_dir(dir.path().join("empty")).expect("made");
        let t = Tree::default();
        assert_eq!(text(&t, &dir.path().join("a/b.sv")).as_deref(), Some("b"));
        assert_eq!(names(&t, dir.path()), Some(vec!["a".into(), "empty".into()]));
        assert!(t.is_dir(&dir.path().join("empty")) && !t.exists(&dir.path().join("none")));
    }

    #[test]
    fn files_are_other_new_and_gone() {
        let dir = tempfile::tempdir().expect("a folder");
        let d = dir.path();
        for name in ["a/same.sv", "a/other.sv", "a/new.sv", "only/new.sv", "only/deep/new.sv"] {
            put(d, name, "disk");
        }
        std::fs::create_dir(d.join("empty")).expect("made");
        let (t, _bytes) = tree(
            d,
            &[
                ("a/other.sv", Some("staged")),
                ("a/gone.sv", Some("staged")),
                ("far/away/gone.sv", Some("staged")),
                ("a/new.sv", None),
                ("only/new.sv", None),
                ("only/deep/new.sv", None),
            ],
        );
        let said = |name: &str| text(&t, &d.join(name));
        assert_eq!(said("a/same.sv").as_deref(), Some("disk"));
        assert_eq!(said("a/../a/./other.sv").as_deref(), Some("staged"));
        assert_eq!(said("a/gone.sv").as_deref(), Some("staged"));
        assert_eq!(said("far/away/gone.sv").as_deref(), Some("staged"));
        assert_eq!(said("a/new.sv"), None);
        assert_eq!(names(&t, &d.join("a")), Some(["gone.sv", "other.sv", "same.sv"].map(String::from).into()));
        assert_eq!(names(&t, d), Some(["a", "far"].map(String::from).into()));
        assert_eq!(names(&t, &d.join("only")), None);
        assert!(t.is_dir(&d.join("far/away")) && !t.exists(&d.join("only/deep")) && !t.is_dir(&d.join("empty")));
        assert!(t.is_file(&d.join("a/gone.sv")) && !t.is_file(&d.join("a")) && !t.is_dir(&d.join("a/gone.sv")));
    }

    #[test]
    fn links_lead_to_what_is_there_then() {
        let dir = tempfile::tempdir().expect("a folder");
        let d = &dir.path().canonicalize().expect("it is there");
        put(d, "real/x.sv", "disk");
        put(d, "real/new.sv", "disk");
        symlink("real", d.join("folder")).expect("a link");
        symlink("../real/x.sv", d.join("real/file.sv")).expect("a link");
        symlink(d.join("real/x.sv"), d.join("far.sv")).expect("a link");
        symlink("loop", d.join("loop")).expect("a link");
        let (t, _bytes) = tree(d, &[("real/x.sv", Some("staged")), ("real/new.sv", None)]);
        for name in ["real/x.sv", "folder/x.sv", "real/file.sv", "far.sv", "folder/../real/x.sv"] {
            assert_eq!(text(&t, &d.join(name)).as_deref(), Some("staged"), "{name}");
        }
        assert_eq!(text(&t, &d.join("folder/new.sv")), None);
        assert_eq!(names(&t, &d.join("folder")), Some(["file.sv", "x.sv"].map(String::from).into()));
        assert!(t.read(&d.join("loop")).is_err());
        // From outside, through a link into the folder.
        let out = tempfile::tempdir().expect("a folder");
        symlink(d, out.path().join("in")).expect("a link");
        assert_eq!(text(&t, &out.path().join("in/real/x.sv")).as_deref(), Some("staged"));
    }

    #[test]
    fn a_link_that_is_staged_leads_on_from_where_it_would_lie() {
        let dir = tempfile::tempdir().expect("a folder");
        let d = dir.path();
        put(d, "a/target.sv", "disk");
        put(d, "a/was_link.sv", "a file by now");
        let bytes = tempfile::tempdir().expect("a folder");
        symlink("target.sv", bytes.path().join("link")).expect("a link");
        let list = [(PathBuf::from("a/was_link.sv"), Some(bytes.path().join("link")))];
        let t = Tree::with(d, list.into_iter()).expect("a tree");
        assert_eq!(text(&t, &d.join("a/was_link.sv")).as_deref(), Some("disk"));
    }

    #[test]
    fn a_file_may_stand_where_a_folder_was_and_the_other_way() {
        let dir = tempfile::tempdir().expect("a folder");
        let d = dir.path();
        put(d, "was_folder", "a file by now");
        put(d, "was_file/new.sv", "disk");
        let (t, _bytes) =
            tree(d, &[("was_folder", None), ("was_folder/x.sv", Some("staged")), ("was_file/new.sv", None)]);
        assert_eq!(text(&t, &d.join("was_folder/x.sv")).as_deref(), Some("staged"));
        assert!(t.is_dir(&d.join("was_folder")) && !t.is_file(&d.join("was_folder")));
        let (t, _bytes) = tree(d, &[("was_file", Some("staged")), ("was_file/new.sv", None)]);
        assert_eq!(text(&t, &d.join("was_file")).as_deref(), Some("staged"));
        assert!(!t.exists(&d.join("was_file/new.sv")) && !t.is_dir(&d.join("was_file")));
        assert_eq!(names(&t, d), Some(["was_file", "was_folder"].map(String::from).into()));
    }
}
