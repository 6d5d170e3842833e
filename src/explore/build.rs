//! The model's sources into a program with our hooks: the user's compiler, the user's SystemC.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

mod front;

/// The C++ half, compiled once for each compiler and SystemC.
const SHIM: [(&str, &str); 13] = [
    ("entail_systemc.h", include_str!("shim/entail_systemc.h")),
    ("entail_strings.h", include_str!("shim/entail_strings.h")),
    ("shim.cpp", include_str!("shim/shim.cpp")),
    ("signals.cpp", include_str!("shim/signals.cpp")),
    ("trace.inc", include_str!("shim/trace.inc")),
    ("access.inc", include_str!("shim/access.inc")),
    ("process.inc", include_str!("shim/process.inc")),
    ("heap.inc", include_str!("shim/heap.inc")),
    ("scheduler.inc", include_str!("shim/scheduler.inc")),
    ("kernel.inc", include_str!("shim/kernel.inc")),
    ("outside.inc", include_str!("shim/outside.inc")),
    ("state.inc", include_str!("shim/state.inc")),
    ("server.inc", include_str!("shim/server.inc")),
];

/// Library functions of which the model's calls go to our versions.
const WRAPPED: [&str; 30] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "reallocarray",
    "strdup",
    "strndup",
    "asprintf",
    "vasprintf",
    "mmap",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "strcmp",
    "strcpy",
    "strncpy",
    "rand",
    "random",
    "time",
    "clock_gettime",
    "gettimeofday",
    "fopen",
    "srand",
    "srandom",
];

/// Versions of SystemC whose kernel we know from inside.
const KNOWN: [&str; 2] = ["2.3.3", "2.3.4"];

/// How to build.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The compiler: a program, perhaps with arguments.
    pub compiler: String,
    /// Where SystemC is installed, with `include` and `lib`; none for where the compiler looks anyway.
    pub systemc: Option<PathBuf>,
    /// What is built is kept here.
    pub cache: PathBuf,
}

/// What went wrong, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildError {
    /// What.
    pub message: String,
    /// The compiler's own words.
    pub details: String,
    /// What to do.
    pub help: String,
}

fn fail<T>(message: impl Into<String>, details: impl Into<String>, help: impl Into<String>) -> Result<T, BuildError> {
    Err(BuildError { message: message.into(), details: details.into(), help: help.into() })
}

impl Toolchain {
    fn command(&self) -> Command {
        let mut words = self.compiler.split_whitespace();
        let mut c = Command::new(words.next().unwrap_or("g++"));
        c.args(words);
        if let Some(s) = &self.systemc {
            c.arg("-I").arg(s.join("include"));
        }
        c
    }

    fn library_words(&self) -> Vec<String> {
        let Some(s) = &self.systemc else { return vec![] };
        let dirs = ["lib", "lib64", "lib-linux64"].map(|d| s.join(d));
        dirs.iter()
            .filter(|d| d.is_dir())
            .flat_map(|d| [format!("-L{}", d.display()), format!("-Wl,-rpath,{}", d.display())])
            .collect()
    }

    fn run(&self, mut c: Command, doing: &str) -> Result<String, BuildError> {
        let out = match c.output() {
            Ok(o) => o,
            Err(e) => {
                let name = c.get_program().to_string_lossy().into_owned();
                return fail(
                    format!("cannot run the compiler `{name}`: {e}"),
                    "",
                    "install g++ or clang++, or name a compiler with --cxx",
                );
            }
        };
        if !out.status.success() {
            let words = String::from_utf8_lossy(&out.stderr).into_owned();
            let help = if words.contains("systemc") && words.contains("No such file") {
                "install SystemC (Debian: libsystemc-dev), or say where it is with --systemc DIR"
            } else {
                "the model must build as it does without entail: give its include folders with -I, macros with -D, \
                 other compiler words with --cflag"
            };
            return fail(format!("{doing} failed"), words, help);
        }
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    }

    /// The version of SystemC in the headers, refused if we do not know it.
    fn check_version(&self, dir: &Path) -> Result<String, BuildError> {
        let probe = dir.join("version.cpp");
        let text = "#include <sysc/kernel/sc_ver.h>\n#include <sysc/kernel/sc_cmnhdr.h>\n\
                    entail_version SC_VERSION_MAJOR SC_VERSION_MINOR SC_VERSION_PATCH end\n";
        write(&probe, text)?;
        let mut c = self.command();
        c.args(["-std=c++17", "-E", "-P"]).arg(&probe);
        let out = self.run(c, "reading SystemC's version")?;
        let words: Vec<&str> =
            out.lines().find_map(|l| l.strip_prefix("entail_version ")).unwrap_or("").split(' ').collect();
        let version = words.iter().take(3).copied().collect::<Vec<_>>().join(".");
        if !KNOWN.contains(&version.as_str()) {
            return fail(
                format!("SystemC {version} is not one whose scheduler entail knows"),
                "",
                format!("use SystemC {}: name its folder with --systemc", KNOWN.join(" or ")),
            );
        }
        Ok(version)
    }

    /// Builds the C++ half, or finds it built.
    pub fn shim(&self) -> Result<PathBuf, BuildError> {
        let mut about = self.command();
        about.arg("--version");
        let compiler = self.run(about, "asking the compiler for its version")?;
        let mut h = blake3::Hasher::new();
        h.update(compiler.as_bytes());
        h.update(self.compiler.as_bytes());
        if let Some(s) = &self.systemc {
            h.update(s.as_os_str().as_encoded_bytes());
        }
        for (name, text) in SHIM {
            h.update(name.as_bytes());
            h.update(text.as_bytes());
        }
        let dir = self.cache.join(format!("shim-{}", &h.finalize().to_hex()[..16]));
        let library = dir.join("libentail_sc.so");
        if library.is_file() {
            return Ok(dir);
        }
        // Built beside and moved into place, so that two at a time do not see half of it.
        make_dir(&self.cache)?;
        let work = match tempfile::Builder::new().prefix("shim-").tempdir_in(&self.cache) {
            Ok(w) => w,
            Err(e) => {
                return fail(
                    format!("cannot write to {}: {e}", self.cache.display()),
                    "",
                    "choose another cache: ENTAIL_CACHE=DIR",
                );
            }
        };
        for (name, text) in SHIM {
            write(&work.path().join(name), text)?;
        }
        self.check_version(work.path())?;
        let mut c = self.command();
        c.args(["-std=c++17", "-O2", "-g", "-fPIC", "-shared", "-fno-access-control"])
            // Strings of ours are our own, so that nothing of them is taken for the model's.
            .args(["-include", "entail_strings.h", "-Wl,-Bsymbolic-functions", "-I"])
            .arg(work.path())
            .arg(work.path().join("shim.cpp"))
            .arg(work.path().join("signals.cpp"))
            .arg("-o")
            .arg(work.path().join("libentail_sc.so"))
            .arg("-ldl");
        self.run(c, "building the part that runs inside the model")?;
        let kept = work.keep();
        if std::fs::rename(&kept, &dir).is_err() {
            // Somebody else was faster, or the folder was left half done.
            if !library.is_file() {
                let _ = std::fs::remove_dir_all(&dir);
                if let Err(e) = std::fs::rename(&kept, &dir) {
                    return fail(
                        format!("cannot write {}: {e}", dir.display()),
                        "",
                        "choose another cache: ENTAIL_CACHE=DIR",
                    );
                }
            }
            let _ = std::fs::remove_dir_all(&kept);
        }
        Ok(dir)
    }

    /// Builds the model from its sources. `words` go to every compilation. A model whose delays can be `loose`, by our
    /// option or by its own words, has its comparisons told, which costs time in each.
    pub fn model(&self, sources: &[PathBuf], words: &[String], loose: bool) -> Result<PathBuf, BuildError> {
        if !loose {
            let program = self.build(sources, words)?;
            let reads = read_by(&program).unwrap_or_default();
            if !reads.iter().any(|f| f.file_name().is_some_and(|n| n == "entail_systemc.h")) {
                return Ok(program);
            }
        }
        let words: Vec<String> = words.iter().cloned().chain([COMPARISONS.to_string()]).collect();
        self.build(sources, &words)
    }

    fn build(&self, sources: &[PathBuf], words: &[String]) -> Result<PathBuf, BuildError> {
        let shim = self.shim()?;
        let mut h = blake3::Hasher::new();
        h.update(shim.as_os_str().as_encoded_bytes());
        words.iter().for_each(|w| {
            h.update(w.as_bytes());
            h.update(&[0]);
        });
        for s in sources {
            let Ok(full) = s.canonicalize() else {
                return fail(format!("there is no file {}", s.display()), "", "check the path");
            };
            h.update(full.as_os_str().as_encoded_bytes());
        }
        let dir = self.cache.join(format!("model-{}", &h.finalize().to_hex()[..16]));
        make_dir(&dir)?;
        let next = AtomicUsize::new(0);
        let compile = || {
            let mut mine = Vec::new();
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(k) else { return mine };
                mine.push((k, self.object(source, words, &shim, &dir.join(k.to_string()))));
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let mut results: Vec<_> = std::thread::scope(|s| {
            let workers: Vec<_> = (0..cores.min(sources.len())).map(|_| s.spawn(compile)).collect();
            workers.into_iter().flat_map(|w| w.join().unwrap_or_default()).collect()
        });
        results.sort_by_key(|r: &(usize, _)| r.0);
        let mut objects = Vec::new();
        let program = dir.join("model");
        let mut fresh = !program.is_file();
        for (_, r) in results {
            let (object, new) = r?;
            fresh |= new;
            objects.push(object);
        }
        if fresh {
            let part = dir.join(format!("model.{}", unique()));
            let mut c = self.command();
            c.args(link_words(&shim)).args(&objects).args(self.library_words()).arg("-lsystemc");
            c.args(words.iter().filter(|w| w.starts_with("-l") || w.starts_with("-L"))).arg("-o").arg(&part);
            self.run(c, "linking the model")?;
            rename(&part, &program)?;
        }
        Ok(program)
    }

    /// Compiles a source, unless neither it nor anything it includes has changed. Says whether it did.
    fn object(&self, source: &Path, words: &[String], shim: &Path, to: &Path) -> Result<(PathBuf, bool), BuildError> {
        let (object, made_of, key) = (to.with_extension("o"), to.with_extension("d"), to.with_extension("key"));
        let named = front::named(words);
        let now = contents(&made_of, &named);
        if object.is_file() && now.is_some() && std::fs::read_to_string(&key).ok() == now {
            return Ok((object, false));
        }
        let part = to.with_extension(format!("{}.o", unique()));
        let mut c = self.command();
        c.args(["-std=c++17", "-DSC_INCLUDE_DYNAMIC_PROCESSES="])
            .args(words)
            .args(compile_words())
            .arg("-I")
            .arg(shim)
            .args(["-MD", "-MF"])
            .arg(&made_of)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(&part);
        self.run(c, &format!("compiling {}", source.display()))?;
        rename(&part, &object)?;
        if let Some(now) = contents(&made_of, &named) {
            write(&key, &now)?;
        }
        Ok((object, true))
    }

    /// A compiler for the user's own build: it takes the words of one, and adds ours.
    pub fn wrapper(&self) -> Result<PathBuf, BuildError> {
        let shim = self.shim()?;
        let path = shim.join("entail-c++");
        let quoted = |words: Vec<String>| words.iter().map(|w| format!("'{w}'")).collect::<Vec<_>>().join(" ");
        let mut text = String::from(
            "#!/bin/sh\n# The user's compiler with entail's hooks: compiles with them, links with our library first.\n",
        );
        let _ = writeln!(text, "cxx='{}'", self.compiler);
        let _ = writeln!(text, "compile=\"{} {COMPARISONS} -I{}\"", compile_words().join(" "), shim.display());
        let _ = writeln!(text, "link=\"{}\"", quoted(link_words(&shim)).replace('\'', ""));
        text.push_str(WRAPPER);
        write(&path, &text)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755));
        }
        Ok(path)
    }
}

/// Sources named on a linking command are compiled on their own: the compiler would link its own
/// run-time library for the hooks.
const WRAPPER: &str = r#"
for w in "$@"; do
    case $w in -c|-E|-S|-M|-MM) exec $cxx "$@" $compile ;; esac
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
quote() { printf " '%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
flags= rest= sources= next= n=0
for w in "$@"; do
    q=$(quote "$w")
    case $next in
        flag) flags="$flags$q"; rest="$rest$q"; next=; continue ;;
        rest) rest="$rest$q"; next=; continue ;;
    esac
    case $w in
        *.cpp|*.cc|*.cxx|*.c++|*.C)
            n=$((n + 1)); sources="$sources$q"; rest="$rest '$work/$n.o'" ;;
        -o|-L|-l|-Xlinker|-T|-u|-z) rest="$rest$q"; next=rest ;;
        -I|-D|-U|-include|-isystem|-iquote|-idirafter|-x|-Xclang) flags="$flags$q"; rest="$rest$q"; next=flag ;;
        -Wl,*|-l*|-L*|*.o|*.a|*.so) rest="$rest$q" ;;
        *) flags="$flags$q"; rest="$rest$q" ;;
    esac
done
i=0
eval "set -- $sources"
for source in "$@"; do
    i=$((i + 1))
    eval "$cxx $flags $compile -c" "$(quote "$source")" -o "'$work/$i.o'" || exit 1
done
eval "$cxx $link $rest"
"#;

fn compile_words() -> Vec<String> {
    ["-O2", "-g", "-fno-builtin", "-fno-plt", "-fsanitize=thread", "-include", "entail_strings.h"]
        .map(String::from)
        .to_vec()
}

/// Comparisons are told, too: with loose delays a date that a step compares is a choice.
const COMPARISONS: &str = "-fsanitize-coverage=trace-cmp";

fn link_words(shim: &Path) -> Vec<String> {
    let mut words = vec![
        format!("-L{}", shim.display()),
        format!("-Wl,-rpath,{}", shim.display()),
        "-Wl,--no-as-needed".to_string(),
        "-lentail_sc".to_string(),
        "-rdynamic".to_string(),
    ];
    words.extend(WRAPPED.iter().map(|f| format!("-Wl,--wrap={f}")));
    words
}

/// A hash of all files that a compiler's list of dependencies names; none if one cannot be read.
fn contents(made_of: &Path, named: &[PathBuf]) -> Option<String> {
    let files = listed(made_of)?;
    let mut h = blake3::Hasher::new();
    for f in &files {
        h.update(f.as_os_str().as_encoded_bytes());
        h.update(&std::fs::read(f).ok()?);
    }
    for f in front::rivals(&files, named) {
        h.update(f.as_os_str().as_encoded_bytes());
    }
    Some(h.finalize().to_hex().to_string())
}

/// The files that a list of the compiler names.
fn listed(made_of: &Path) -> Option<Vec<PathBuf>> {
    let list = std::fs::read_to_string(made_of).ok()?;
    let (_, files) = list.split_once(':')?;
    Some(files.replace("\\\n", " ").split_whitespace().map(PathBuf::from).collect())
}

/// Folders in which another file could come to lie in front of one that a model was built from with these words.
pub fn looked_in(program: &Path, words: &[String]) -> Vec<PathBuf> {
    front::watched(&read_by(program).unwrap_or_default(), &front::named(words)).into_iter().collect()
}

/// Files that a model is made of, in the folder of its program; nothing if one of them was written since a date, so
/// that it is not known which text was compiled.
pub fn made_of(program: &Path, since: std::time::SystemTime) -> Option<Vec<PathBuf>> {
    let all = read_by(program)?;
    let old = |f: &PathBuf| f.metadata().and_then(|m| m.modified()).is_ok_and(|t| t < since);
    (!all.is_empty() && all.iter().all(old)).then_some(all)
}

/// The files that a model was built from, by the compiler's lists.
fn read_by(program: &Path) -> Option<Vec<PathBuf>> {
    let mut all = Vec::new();
    for e in std::fs::read_dir(program.parent()?).ok()?.flatten() {
        if e.path().extension().is_some_and(|x| x == "d") {
            all.extend(listed(&e.path())?);
        }
    }
    Some(all)
}

/// A word for files that nobody else writes: not another program, nor another thread of this one.
fn unique() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn rename(from: &Path, to: &Path) -> Result<(), BuildError> {
    std::fs::rename(from, to)
        .or_else(|e| fail(format!("cannot write {}: {e}", to.display()), "", "choose another cache: ENTAIL_CACHE=DIR"))
}

fn make_dir(dir: &Path) -> Result<(), BuildError> {
    std::fs::create_dir_all(dir)
        .or_else(|e| fail(format!("cannot make {}: {e}", dir.display()), "", "choose another cache: ENTAIL_CACHE=DIR"))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    std::fs::write(path, text).or_else(|e| {
        fail(format!("cannot write {}: {e}", path.display()), "", "choose another cache: ENTAIL_CACHE=DIR")
    })
}
