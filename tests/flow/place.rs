//! A folder with a project in it, and the program run there.

// Each test program uses a part of this.
#![allow(dead_code)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes when the test ends.
pub struct Place {
    dir: tempfile::TempDir,
}

/// What a command said.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    /// Fails unless it left with this code.
    pub fn expect(self, code: i32) -> Said {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_entail"))
}

impl Place {
    pub fn new() -> Place {
        Place { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A copy of the example flow, with the makefile rules beside it.
    pub fn of_example() -> Place {
        let p = Place::new();
        copy(&repository().join("designs/flow"), &p.path());
        p
    }

    pub fn path(&self) -> PathBuf {
        // Without links, as git names it.
        self.dir.path().canonicalize().expect("it is there")
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Replaces a text that stands in a file.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// A command in the folder; `entail` is on its path.
    pub fn command(&self, program: &str) -> Command {
        let mut c = Command::new(program);
        let own = self::program();
        let path = std::env::var("PATH").unwrap_or_default();
        c.current_dir(self.path()).env("PATH", format!("{}:{path}", own.parent().expect("a folder").display()));
        // Not what started the tests decides how many jobs run.
        c.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env("ENTAIL", own);
        c
    }

    pub fn run(&self, program: &str, words: &[&str]) -> Said {
        said(self.command(program).args(words).output().unwrap_or_else(|e| panic!("{program}: {e}")))
    }

    /// `entail` with these words.
    pub fn entail(&self, words: &[&str]) -> Said {
        self.run(program().to_str().expect("a path"), words)
    }

    /// Runs jobs, and what the report says.
    pub fn report(&self, words: &[&str], code: i32) -> Value {
        let mut all = vec!["run", "--json", ".entail.json"];
        all.extend(words);
        self.entail(&all).expect(code);
        serde_json::from_str(&self.read(".entail.json")).expect("a report")
    }

    /// git, which must succeed.
    pub fn git(&self, words: &[&str]) {
        let mut all = vec!["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
        all.extend(words);
        self.run("git", &all).expect(0);
    }
}

pub fn said(o: Output) -> Said {
    Said {
        code: o.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&o.stdout).into_owned(),
        err: String::from_utf8_lossy(&o.stderr).into_owned(),
    }
}

/// Copies a folder, without what was made in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for e in std::fs::read_dir(from).expect("a folder").flatten() {
        let name = e.file_name();
        if name == ".entail" || name == "build" {
            continue;
        }
        let target = to.join(&name);
        match e.path().is_dir() {
            true => copy(&e.path(), &target),
            false => drop(std::fs::copy(e.path(), target).expect("a copy")),
        }
    }
}

/// The job of that name in a report.
pub fn job<'r>(report: &'r Value, name: &str) -> &'r Value {
    report["jobs"]
        .as_array()
        .and_then(|l| l.iter().find(|j| j["name"] == name))
        .unwrap_or_else(|| panic!("no job {name}"))
}
