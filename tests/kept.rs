//! Results that are kept are right: random edits, with kept and fresh verdicts side by side; and runs that are killed
//! at random moments.

#[path = "flow/place.rs"]
mod place;

use fastrand::Rng;
use place::{Place, program};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |t| t.parse().unwrap_or_else(|_| panic!("{name}={t} is no number")))
}

fn seed() -> u64 {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
    let seed = setting("ENTAIL_SEED", clock % 1_000_000);
    println!("ENTAIL_SEED={seed}");
    seed
}

/// A part of the random design: what an edit changes.
#[derive(Clone)]
struct Part {
    width: u32,
    step: u64,
    limit: u64,
    bound: u64,
    live: bool,
    listens: bool,
    name: String,
    comment: String,
    idle: bool,
}

impl Part {
    fn random(rng: &mut Rng) -> Part {
        let width = rng.u32(2..6);
        Part {
            width,
            step: rng.u64(1..3),
            limit: rng.u64(0..1 << width),
            bound: rng.u64(0..1 << width),
            live: rng.u32(0..4) == 0,
            listens: rng.bool(),
            name: "n".into(),
            comment: String::new(),
            idle: false,
        }
    }

    fn text(&self, k: usize) -> String {
        let (w, n) = (self.width, &self.name);
        let mut out = format!(
            "`include \"limits.svh\"\n// part {k}{}\nmodule part{k}(input clk, input rst, input go, output [{}:0] o);\n",
            self.comment,
            w - 1
        );
        let _ = writeln!(out, "  reg [{}:0] {n};\n  assign o = {n};", w - 1);
        let _ = writeln!(
            out,
            "  always @(posedge clk) if (rst) {n} <= 0; else if (go && {n} != {w}'d`LIMIT{k}) {n} <= {n} + {w}'d{};",
            self.step
        );
        if self.idle {
            let _ = writeln!(out, "  reg [2:0] idle; always @(posedge clk) idle <= idle + 1;");
        }
        let _ = writeln!(out, "  assert property (@(posedge clk) disable iff (rst) {n} <= {w}'d{});", self.limit);
        let _ = writeln!(out, "  safe: assert property (@(posedge clk) disable iff (rst) {n} <= {w}'d{});", self.bound);
        let _ = writeln!(out, "  seen: cover property (@(posedge clk) {n} == {w}'d{});", self.bound);
        let _ = writeln!(
            out,
            "  when_full: assert property (@(posedge clk) disable iff (rst) {n} == {w}'d{} && !go |=> $stable({n}));",
            self.bound
        );
        out + "endmodule\n"
    }
}

/// A design of some parts in some files.
#[derive(Clone)]
struct Design {
    parts: Vec<Part>,
    order: Vec<usize>,
    note: String,
    /// The image of a memory in the top.
    rom: [u8; 4],
    /// Another header of the same name, found first.
    in_front: Option<u64>,
    /// A counter in VHDL: its end, and what is said of it.
    counter: (u32, u32),
}

impl Design {
    fn top(&self) -> String {
        let mut out = format!("// top {}\nmodule top(input clk, input rst, input go);\n", self.note);
        for (k, p) in self.parts.iter().enumerate() {
            // A part that listens goes when the one before it is at its limit.
            let before = k.checked_sub(1).map(|b| &self.parts[b]);
            let go = match (p.listens, before) {
                (true, Some(b)) => format!("o{} == {}'d{}", k - 1, b.width, b.limit),
                _ => "go".into(),
            };
            let _ = writeln!(
                out,
                "  wire [{}:0] o{k};\n  part{k} u{k}(.clk(clk), .rst(rst), .go({go}), .o(o{k}));",
                p.width - 1
            );
        }
        out += "  reg [3:0] rom [0:3]; initial $readmemh(\"rtl/rom.hex\", rom);\n  reg [1:0] at;\n";
        out += "  always @(posedge clk) if (rst) at <= 0; else at <= at + 1;\n";
        out += "  below: assert property (@(posedge clk) disable iff (rst) rom[at] < 12);\n";
        out + "endmodule\n"
    }

    fn write(&self, p: &Place) {
        let limits: String =
            self.parts.iter().enumerate().map(|(k, part)| format!("`define LIMIT{k} {}\n", part.limit)).collect();
        p.write("rtl/limits.svh", &limits);
        let front = p.path().join("front/limits.svh");
        match self.in_front {
            Some(limit) => {
                let all: String = (0..self.parts.len()).map(|k| format!("`define LIMIT{k} {limit}\n")).collect();
                p.write("front/limits.svh", &all);
            }
            None => drop(std::fs::remove_file(front)),
        }
        p.write("front/other.svh", "");
        p.write("rtl/counter.vhd", &counter(self.counter, &self.note));
        p.write("rtl/rom.hex", &self.rom.map(|w| format!("{w:x}")).join("\n"));
        for (k, part) in self.parts.iter().enumerate() {
            p.write(&format!("rtl/part{k}.sv"), &part.text(k));
        }
        p.write("rtl/top.sv", &self.top());
        let files: Vec<String> = self.order.iter().map(|k| format!("rtl/part{k}.sv")).collect();
        let live = |(k, p): (usize, &Part)| p.live.then(|| format!("'G F (o{k} == {})'", p.limit));
        let ltl: Vec<String> = self.parts.iter().enumerate().filter_map(live).collect();
        p.write(
            "entail.yaml",
            &format!(
                "designs:\n  d: {{files: [{}, rtl/top.sv], top: top, resets: rst=1, include_dirs: front}}\n  \
                 v: {{files: rtl/counter.vhd, top: counter}}\njobs:\n  d: {{kind: check, design: d, timeout: 20s, ltl: [{}]}}\n  \
                 v: {{kind: check, design: v, timeout: 20s}}\n  c: {{kind: cdc, design: d}}\n",
                files.join(", "),
                ltl.join(", ")
            ),
        );
    }

    fn edit(&mut self, rng: &mut Rng) -> &'static str {
        let k = rng.usize(0..self.parts.len());
        let p = &mut self.parts[k];
        match rng.u32(0..14) {
            12 => {
                self.in_front = rng.bool().then(|| rng.u64(0..4));
                "header in front"
            }
            13 => {
                self.counter = (rng.u32(1..8), rng.u32(1..8));
                "counter"
            }
            0 => {
                p.comment = format!(" {}", rng.u32(..));
                "comment"
            }
            1 => {
                p.name = format!("n{}", rng.u32(0..5));
                "rename"
            }
            2 => {
                p.limit = rng.u64(0..1 << p.width);
                "limit"
            }
            3 => {
                p.bound = rng.u64(0..1 << p.width);
                "bound"
            }
            4 => {
                p.step = rng.u64(1..4);
                "step"
            }
            5 => {
                p.idle = !p.idle;
                "idle register"
            }
            6 => {
                p.listens = !p.listens;
                "connection"
            }
            7 => {
                p.live = !p.live;
                "liveness"
            }
            8 => {
                rng.shuffle(&mut self.order);
                "order of files"
            }
            10 => {
                self.rom[k] = rng.u8(0..16);
                "memory image"
            }
            9 => {
                self.note = format!("{}", rng.u32(..));
                "comment in the top"
            }
            _ => {
                self.parts[k] = Part::random(rng);
                "another part"
            }
        }
    }
}

/// A counter that ends somewhere, with something said of where.
fn counter((end, most): (u32, u32), note: &str) -> String {
    format!(
        "-- counter {note}\nlibrary ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\n\
         entity counter is port (clk, go : in std_logic); end;\n\
         architecture a of counter is signal n : unsigned(2 downto 0) := (others => '0'); begin\n\
         process (clk) begin if rising_edge(clk) then\n  if go = '1' and n < {end} then n <= n + 1; end if;\n  \
         assert n <= {most} severity error;\n end if; end process;\nend;\n"
    )
}

/// Verdicts of a report by job and property, and how many of them were known.
fn verdicts(r: &Value) -> (BTreeMap<String, String>, usize) {
    let (mut all, mut known) = (BTreeMap::new(), 0);
    let text = |v: &Value| v.as_str().unwrap_or("").to_string();
    for j in r["jobs"].as_array().unwrap_or_else(|| panic!("{r:#}")) {
        assert!(j["record"].is_object(), "{r:#}");
        let items = j["record"]["items"].as_array().cloned().unwrap_or_default();
        known += if j["cached"] == true { items.len() } else { items.iter().filter(|i| i["cached"] == true).count() };
        all.extend(items.iter().map(|i| (format!("{} {}", text(&j["name"]), text(&i["name"])), text(&i["verdict"]))));
        let findings = j["record"]["findings"].as_array().map_or(0, Vec::len);
        all.insert(format!("{} findings", text(&j["name"])), findings.to_string());
    }
    (all, known)
}

#[test]
fn kept_and_fresh_verdicts_agree_after_random_edits() {
    let mut rng = Rng::with_seed(seed());
    let edits = setting("ENTAIL_EDITS", 500);
    let (kept, fresh) = (Place::new(), Place::new());
    let new = |rng: &mut Rng| Design {
        parts: (0..4).map(|_| Part::random(rng)).collect(),
        order: (0..4).collect(),
        note: String::new(),
        rom: [0; 4],
        in_front: None,
        counter: (5, 5),
    };
    let mut design = new(&mut rng);
    let mut before = design.clone();
    let (mut all, mut known, mut different) = (0, 0, 0);
    let mut last = BTreeMap::new();
    for n in 0..edits {
        let what = match rng.u32(0..20) {
            0 => {
                design = new(&mut rng);
                "another design"
            }
            // What was there before is known.
            1 => {
                std::mem::swap(&mut design, &mut before);
                "back"
            }
            _ => {
                before = design.clone();
                design.edit(&mut rng)
            }
        };
        let run = |p: &Place, words: &[&str]| {
            design.write(p);
            // Most edits are about one of the jobs.
            let jobs: &[&str] = if n % 5 == 4 || what == "counter" { &["d", "v", "c"] } else { &["d"] };
            let mut line = vec!["run", "-q", "--json", "r.json"];
            line.extend(words.iter().chain(jobs));
            let said = p.entail(&line);
            assert!(said.code < 2 || said.code == 3, "edit {n} ({what}): {}{}", said.out, said.err);
            verdicts(&serde_json::from_str(&p.read("r.json")).expect("a report"))
        };
        // Now and then the evidence is looked at again, too.
        let (a, hits) = run(&kept, if n % 10 == 9 { &["--replay"] } else { &[] });
        let (b, none) = run(&fresh, &["--no-cache"]);
        assert_eq!(none, 0, "a fresh run takes nothing from the store");
        assert_eq!(a, b, "edit {n} ({what}): kept and fresh verdicts differ; see {}", kept.path().display());
        all += a.len();
        known += hits;
        different += a.iter().filter(|(k, v)| last.get(*k) != Some(*v)).count();
        last = a;
    }
    println!(
        "{edits} edits: {all} verdicts, {known} of them known from before, {different} not those of the edit before"
    );
    assert!(known * 3 > all, "most edits leave most cones alone");
    assert!(different > 20, "edits change verdicts");
}

/// What a path of the repository below may hold.
fn staged_text(rng: &mut Rng, name: &str) -> Option<String> {
    let value = if rng.bool() { 1 } else { 3 };
    Some(match (name, rng.u32(0..6)) {
        ("entail.yaml", n) => {
            let include = if n < 3 { "[first, inc]" } else { "[inc]" };
            let files = if n % 2 == 0 { "[\"rtl/*.sv\"]" } else { "[rtl/t.sv, rtl/sub.sv]" };
            format!(
                "designs:\n  t: {{files: {files}, include_dirs: {include}, top: t}}\njobs:\n  a: {{kind: check, design: t}}\n"
            )
        }
        (".gitignore", n) => format!(".entail\n{}", ["", "first/value.svh\n", "rtl/sub.sv\n"][n as usize % 3]),
        (_, 0) => return None,
        ("rtl/t.sv", _) => "`include \"value.svh\"\nmodule t(input clk); reg [1:0] q = `START; wire [1:0] s;\n\
             always @(posedge clk) q <= q; sub u(s);\n\
             a: assert property (@(posedge clk) q != 3); b: assert property (@(posedge clk) s != 3); endmodule\n"
            .into(),
        ("rtl/sub.sv", _) => format!("module sub(output [1:0] s); assign s = {value}; endmodule\n"),
        ("rtl/new.sv", _) => "module other; endmodule\n".into(),
        _ => format!("`define START {value}\n"),
    })
}

#[test]
fn what_is_staged_is_judged_as_if_it_were_checked_out() {
    let rng = &mut Rng::with_seed(seed());
    let names = ["rtl/t.sv", "rtl/sub.sv", "rtl/new.sv", "inc/value.svh", "first/value.svh", "far/value.svh"];
    let all = || names.into_iter().chain(["entail.yaml", ".gitignore"]);
    let p = Place::new();
    p.git(&["init", "-q"]);
    for name in all() {
        let text = std::iter::repeat_with(|| staged_text(rng, name)).flatten().next();
        p.write(name, &text.expect("some text"));
    }
    for folder in ["rtl", "inc", "first", "far"] {
        p.write(&format!("{folder}/keep.txt"), "the folder stays\n");
    }
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    let (mut seen, mut kept) = (BTreeMap::<i32, u32>::new(), 0);
    for round in 0..setting("ENTAIL_STAGES", 120) {
        for _ in 0..rng.u32(1..4) {
            let name = all().nth(rng.usize(0..names.len() + 2)).expect("a name");
            let path = p.path().join(name);
            match rng.u32(0..10) {
                // A file becomes a link, or a link a file.
                0 if name.ends_with("value.svh") && name != "far/value.svh" => {
                    let _ = std::fs::remove_file(&path);
                    std::os::unix::fs::symlink("../far/value.svh", &path).expect("a link");
                }
                1 | 2 => p.git(&["add", "-A", "--", name.split('/').next().expect("a folder")]),
                3 => p.git(&["add", "-A"]),
                4 => drop(p.run("git", &["checkout-index", "-f", "-q", "--", name])),
                5 if name != "entail.yaml" => drop(p.run("git", &["rm", "-q", "-f", "--cached", "--", name])),
                6 => drop(p.run("git", &["add", "-N", "--", name])),
                _ => {
                    let text = staged_text(rng, name);
                    let _ = std::fs::remove_file(&path);
                    if let Some(text) = text {
                        p.write(name, &text);
                    }
                }
            }
        }
        // The truth: the index in a folder of its own, with what git ignores, and nothing known.
        let whole = Place::new();
        let to = format!("--prefix={}/", whole.path().display());
        p.git(&["checkout-index", "-a", "-f", "-q", &to]);
        for later in p.run("git", &["ls-files", "-z", "--others", "--ignored", "--exclude-standard"]).out.split('\0') {
            if !later.is_empty() && !later.starts_with(".entail") {
                let old = p.path().join(later);
                match old.read_link() {
                    Ok(target) => std::os::unix::fs::symlink(target, whole.path().join(later)).expect("a link"),
                    Err(_) => whole.write(later, &std::fs::read_to_string(old).expect("a text")),
                }
            }
        }
        // What is only announced is in no commit.
        for name in all() {
            let said = p.run("git", &["ls-files", "--stage", "--debug", "--", name]).out;
            if said.contains("flags: 20") {
                let _ = std::fs::remove_file(whole.path().join(name));
            }
        }
        let fresh = whole.entail(&["--quiet", "run", "a"]).code;
        let log = p.path().join(".git/said");
        let said = p.command("sh").args(["-c", "GIT_TRACE=\"$0\" exec entail hook check a"]).arg(&log).output();
        let said = place::said(said.expect("the hook"));
        let status = p.run("git", &["status", "--short"]).out;
        assert_eq!(said.code, fresh, "round {round}\n{status}\n{}{}", said.out, said.err);
        *seen.entry(fresh).or_default() += 1;
        let trace = std::fs::read_to_string(&log).unwrap_or_default();
        std::fs::remove_file(&log).expect("git was asked");
        kept += u32::from(!trace.contains("checkout-index --all") && !status.is_empty());
    }
    println!("exit codes {seen:?}, {kept} rounds without a checkout");
    assert!(seen.get(&0) > Some(&10) && seen.get(&1) > Some(&10) && kept > 20, "{seen:?} {kept}");
}

#[test]
fn a_run_that_is_killed_loses_nothing_it_has_told() {
    let mut rng = Rng::with_seed(seed());
    let p = Place::new();
    let mut yaml = String::from("designs:\n");
    let mut jobs = String::from("jobs:\n");
    for k in 0..8 {
        let part = Part::random(&mut rng);
        let text = part.text(0).replace("part0", &format!("t{k}")).replace("`LIMIT0", &part.limit.to_string());
        p.write(&format!("t{k}.sv"), &text.replace("`include \"limits.svh\"\n", ""));
        let _ = writeln!(yaml, "  t{k}: {{files: t{k}.sv, top: t{k}, resets: rst=1}}");
        let _ = writeln!(jobs, "  j{k}: {{kind: check, design: t{k}, timeout: ROUNDs}}");
    }
    let yaml = yaml + &jobs;
    let rounds = setting("ENTAIL_KILLS", 100);
    let mut told = 0;
    for round in 0..rounds {
        // Other options each time: nothing is known.
        p.write("entail.yaml", &yaml.replace("ROUND", &(100 + round).to_string()));
        let out = std::fs::File::create(p.path().join("out")).expect("a file");
        let mut child = p
            .command(program().to_str().expect("a path"))
            .args(["run", "-j2"])
            .stdout(out)
            .stderr(Stdio::null())
            .spawn()
            .expect("run");
        std::thread::sleep(Duration::from_millis(rng.u64(0..350)));
        child.kill().expect("killed");
        child.wait().expect("dead");
        let said = p.read("out");
        let words = ["pass", "fail", "unknown"];
        // The summary repeats what is not as expected; lines that are cut are not told.
        let whole = said.rfind('\n').map_or("", |e| &said[..e]);
        let jobs: Vec<&str> = whole
            .lines()
            .filter_map(|l| l.split_whitespace().next().filter(|w| words.contains(w)).and(l.split_whitespace().nth(1)))
            .collect();
        told += jobs.len();
        let list = p.entail(&["list", "--json"]).expect(0).out;
        for j in jobs {
            let line = list.lines().find(|l| l.contains(&format!("\"job\":\"{j}\""))).unwrap_or_else(|| panic!("{j}"));
            assert!(!line.contains("\"state\":\"to run\""), "round {round}: {j} was told and is lost:\n{said}\n{line}");
        }
        // Workers go with the run.
        let began = Instant::now();
        while p.run("pgrep", &["-f", &format!("{}/.entail/work", p.path().display())]).code == 0 {
            assert!(began.elapsed() < Duration::from_secs(5), "workers outlive the run");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let db = rusqlite::Connection::open(p.path().join(".entail/store.db")).expect("the store");
    let sound: String = db.query_row("PRAGMA integrity_check", [], |r| r.get(0)).expect("a check");
    assert_eq!(sound, "ok");
    drop(db);
    // The next run completes.
    let said = p.entail(&["run"]);
    assert!(said.code < 2 || said.code == 3, "{}{}", said.out, said.err);
    assert!(p.entail(&["list", "--json"]).expect(0).out.lines().all(|l| !l.contains("\"state\":\"to run\"")));
    println!("{rounds} runs killed, {told} results told before and all found again");
    assert!(told > 0);
}

/// A header of the same name in a folder that is searched first: the syntax tree that is kept is of another text.
#[test]
fn a_header_that_comes_to_lie_in_front_of_another_is_read() {
    let p = Place::new();
    p.write("second/x.svh", "`define MOST 3\n");
    p.write("first/other.svh", "");
    p.write(
        "t.sv",
        "`include \"x.svh\"\nmodule t(input [1:0] a);\n  always_comb safe: assert (a <= `MOST);\nendmodule\n",
    );
    p.write(
        "entail.yaml",
        "designs: {t: {files: t.sv, top: t, include_dirs: [first, second]}}\njobs: {t: {kind: check, design: t}}\n",
    );
    let words = ["check", "t.sv", "--top", "t", "+incdir+first+second"];
    p.entail(&words).expect(0);
    p.entail(&["run"]).expect(0);
    p.write("first/x.svh", "`define MOST 2\n");
    p.entail(&words).expect(1);
    p.entail(&["run"]).expect(1);
    std::fs::remove_file(p.path().join("first/x.svh")).expect("removed");
    p.entail(&words).expect(0);
    p.entail(&["run"]).expect(0);
}

/// What a model reads when it runs is read by the job: files, variables of the environment, and the oracle.
#[test]
fn places_where_a_file_list_would_find_others_are_watched() {
    let p = Place::new();
    // Whatever a list is called.
    p.write("lists/all.scr", "+incdir+inc\n-y lib +libext+.v\nrtl/**/*.sv\nmore.sv\n+define+LEAST=${LEAST}\n");
    let sub = |n: u32| format!("module sub(output [1:0] s); assign s = {n}; endmodule\n");
    p.write(
        "rtl/t.sv",
        "`include \"value.svh\"\nmodule t(input clk, output [1:0] s); reg [1:0] q = `START; always @(posedge clk) q <= q;\n\
         sub u(s); a: assert property (@(posedge clk) q != 3 && s != 3); endmodule\n",
    );
    p.write("more.sv", "module more; endmodule\n");
    p.write("inc/value.svh", "`define START 1\n");
    p.write("lib/sub.v", &sub(1));
    p.write(
        "entail.yaml",
        "designs: {t: {filelists: lists/all.scr, top: t}}\njobs: {t: {kind: check, design: t, time: 1min}}\n",
    );
    p.git(&["init", "-q"]);
    p.git(&["add", "-A"]);
    p.git(&["commit", "-qm", "first"]);
    let entail = |least: &str, words: &[&str]| {
        let mut c = p.command(program().to_str().expect("a path"));
        place::said(c.args(words).env("LEAST", least).output().expect("entail"))
    };
    entail("1", &["run"]).expect(0);
    entail("1", &["run", "--known-only"]).expect(0);
    let said = entail("3", &["run", "--dry-run"]).expect(0).out;
    assert_eq!(said, "run    t  (the variable LEAST has changed)\n");
    // Each comes to lie where the list looks first, or where its pattern looks.
    let bad = "`define START 3\n".to_string();
    for (name, text, why) in [
        ("rtl/deep/er/sub.sv", sub(3), "other files fit rtl/**/*.sv"),
        ("lists/inc/value.svh", bad, "lists/inc is there now"),
        ("lists/lib/sub.v", sub(3), "lists/lib is there now"),
        ("lists/rtl/sub.sv", sub(3), "other files fit lists/rtl/**/*.sv"),
        ("lists/more.sv", sub(3), "files were added to or removed from lists"),
    ] {
        p.write(name, &text);
        let said = entail("1", &["run", "--dry-run"]).expect(0).out;
        assert_eq!(said, format!("run    t  ({why})\n"));
        let since = entail("1", &["run", "--dry-run", "--since", "HEAD"]).expect(0).out;
        assert!(since.starts_with("run "), "{name}: {since}");
        assert_ne!(entail("1", &["check", "-f", "lists/all.scr", "--top", "t"]).code, 0, "{name} matters");
        let folder = p.path().join(name.split_once("/sub").or(name.split_once("/value")).map_or(name, |f| f.0));
        if folder.is_dir() { std::fs::remove_dir_all(folder) } else { std::fs::remove_file(folder) }
            .expect("gone again");
        if name.starts_with("rtl/") {
            std::fs::remove_dir(p.path().join("rtl/deep")).expect("empty");
        }
        let said = entail("1", &["run", "--dry-run"]).expect(0).out;
        assert!(said.starts_with("known"), "{name} is gone: {said}");
    }
}

#[test]
fn what_a_model_reads_is_watched() {
    let p = Place::new();
    p.write(
        "m.cpp",
        "#include <systemc>\n#include <fstream>\n#include <cstdlib>\n#include \"most.h\"\nusing namespace sc_core;\nSC_MODULE(M) { SC_CTOR(M) { SC_THREAD(a); }\n\
         void a() { std::ifstream f(\"cfg.txt\"); int n = 0; f >> n; const char *e = getenv(\"M_MODE\"); wait(1, SC_NS);\n\
         if (n != MOST || (e && *e == 'x')) SC_REPORT_ERROR(\"m\", \"bad\"); } };\n\
         int sc_main(int, char **) { M m(\"m\"); sc_start(); std::cout << \"done\" << std::endl; return 0; }\n",
    );
    p.write("cfg.txt", "1\n");
    p.write("second/most.h", "#define MOST 1\n");
    p.write("first/none.txt", "nothing\n");
    p.write("look.sh", "grep -q done\n");
    p.write(
        "entail.yaml",
        "designs: {m: {language: systemc, files: m.cpp, include_dirs: [first, second]}}\njobs: {m: {kind: explore, design: m, oracle: sh look.sh}}\n",
    );
    let run = |mode: &str, code: i32| {
        let mut c = p.command(program().to_str().expect("a path"));
        // What is made for all models is made by the first run.
        c.env("ENTAIL_CACHE", p.path().join("cache"));
        let said =
            place::said(c.args(["run", "--json", "r.json"]).env("M_MODE", mode).output().expect("run")).expect(code);
        let r: Value = serde_json::from_str(&p.read("r.json")).expect("a report");
        (r["jobs"][0]["cached"] == true, said.out)
    };
    std::thread::sleep(Duration::from_millis(20));
    run("", 0);
    assert!(run("", 0).0, "nothing has changed: {}", run("", 0).1);
    p.edit("m.cpp", "wait(1, SC_NS)", "wait(2, SC_NS)");
    std::thread::sleep(Duration::from_millis(20));
    assert!(!run("", 0).0, "the model has changed");
    assert!(run("", 0).0, "and is known again");
    // A header that comes to lie in front of another is compiled, by whoever asks.
    p.write("first/most.h", "#define MOST 2\n");
    std::thread::sleep(Duration::from_millis(20));
    run("", 1);
    std::fs::remove_file(p.path().join("first/most.h")).expect("it was there");
    assert!(run("", 0).0, "as it was");
    run("x", 1);
    assert!(run("", 0).0, "as it was");
    p.write("cfg.txt", "2\n");
    run("", 1);
    p.write("cfg.txt", "1\n");
    assert!(run("", 0).0, "as it was");
    p.write("look.sh", "exit 1\n");
    run("", 1);
}

/// A job is passed over only if what it reads now is known, and nothing of that differs.
#[test]
fn a_change_that_may_be_about_a_job_runs_it() {
    let p = Place::new();
    p.write(
        "t.sv",
        "module t #(parameter MOST = 3)(input [1:0] a);\n  always_comb safe: assert (a <= MOST);\nendmodule\n",
    );
    let yaml = |design: &str, job: &str| {
        p.write(
            "entail.yaml",
            &format!("designs: {{t: {{files: t.sv, top: t{design}}}}}\njobs: {{t: {{kind: check, design: t{job}}}}}\n"),
        );
    };
    yaml("", "");
    p.git(&["init", "-q"]);
    p.write(".gitignore", ".entail/\n");
    p.git(&["add", "."]);
    p.git(&["commit", "-qm", "first"]);
    p.entail(&["run"]).expect(0);
    p.entail(&["run", "--since", "HEAD"]).expect(0);
    // What is expected.
    yaml("", ", expect: fails");
    p.entail(&["run", "--since", "HEAD"]).expect(1);
    // What is asked, run before.
    yaml(", parameters: {MOST: 2}", "");
    p.entail(&["run"]).expect(1);
    p.entail(&["run", "--since", "HEAD"]).expect(1);
    // What was last run is not what is there: the header came with a commit that was never run.
    yaml("", "");
    p.write("most.svh", "`define MOST 3\n");
    p.write(
        "t.sv",
        "`include \"most.svh\"\nmodule t(input [1:0] a);\n  always_comb safe: assert (a <= `MOST);\nendmodule\n",
    );
    p.git(&["add", "."]);
    p.git(&["commit", "-qm", "second"]);
    p.write("most.svh", "`define MOST 2\n");
    p.entail(&["run", "--since", "HEAD"]).expect(1);
}

/// VHDL, bytes that are no UTF-8, and assertions without a name: what is known is known.
#[test]
fn texts_of_all_kinds_are_known() {
    let p = Place::new();
    p.write("rtl/counter.vhd", &counter((5, 5), ""));
    let latin = |comment: &str| {
        let text = format!(
            "// ?{comment}\nmodule t(input clk, input [1:0] a);\n  reg [1:0] q; always @(posedge clk) q <= a;\n  \
                            assert property (@(posedge clk) q <= 3);\nendmodule\n"
        );
        let bytes: Vec<u8> = text.bytes().map(|b| if b == b'?' { 0xe9 } else { b }).collect();
        std::fs::write(p.path().join("rtl/t.sv"), bytes).expect("a file");
    };
    latin("");
    p.write(
        "entail.yaml",
        "designs: {v: {files: rtl/counter.vhd, top: counter}, t: {files: rtl/t.sv, top: t}}\n\
         jobs: {v: {kind: check, design: v}, t: {kind: check, design: t}}\n",
    );
    p.report(&[], 0);
    let r = p.report(&[], 0);
    assert!(r["jobs"].as_array().expect("jobs").iter().all(|j| j["cached"] == true), "{r:#}");
    // The line of an assertion is in its name, and in nothing that it depends on.
    p.write("rtl/counter.vhd", &counter((5, 5), "\n-- one more line"));
    latin("\n// one more line");
    let r = p.report(&[], 0);
    for j in r["jobs"].as_array().expect("jobs") {
        let items = j["record"]["items"].as_array().expect("items");
        assert!(!items.is_empty() && items.iter().all(|i| i["cached"] == true), "{j:#}");
    }
    assert_eq!(place::job(&r, "t")["record"]["items"][0]["name"], "assert_line_5");
    // And its evidence is about it.
    p.report(&["--replay"], 0);
}

/// What had no answer in its time is asked again when that is wanted, and only then.
#[test]
fn what_is_not_known_is_asked_again_on_demand() {
    let p = Place::new();
    // A law of arithmetic on 32 bits: no engine has it in a second.
    p.write(
        "hard.sv",
        "module hard(input clk, input [31:0] a, b, c);\n  reg [63:0] p, q;\n  always @(posedge clk) begin \
         p <= a * (64'(b) + 64'(c)); q <= 64'(a) * b + 64'(a) * c; end\n  \
         law: assert property (@(posedge clk) 1 |=> p == q);\nendmodule\n",
    );
    p.write("entail.yaml", "designs: {h: {files: hard.sv, top: hard}}\njobs: {h: {kind: check, design: h, timeout: 1s, expect: unknown}}\n");
    p.report(&[], 0);
    assert_eq!(p.report(&[], 0)["jobs"][0]["cached"], true);
    let again = p.report(&["--retry-unknown"], 0);
    assert_eq!(again["jobs"][0]["cached"], false);
    let items = again["jobs"][0]["record"]["items"].as_array().expect("items");
    assert!(items.len() == 1 && items[0]["cached"] != true, "{again:#}");
}

/// Answers go to and come from wherever jobs run: a comment asks nothing again on a cluster either.
#[test]
fn answers_are_lent_to_other_machines_and_taken_back() {
    let p = Place::of_example();
    let elsewhere = ["counter-check", "--runner", "env {command}"];
    let known = |r: &Value| {
        let items = place::job(r, "counter-check")["record"]["items"].as_array().expect("items").clone();
        items.iter().filter(|i| i["cached"] == true).count() == items.len()
    };
    assert!(!known(&p.report(&elsewhere, 0)));
    p.edit("rtl/gray_counter.sv", "    assign next", "    // the sum\n    assign next");
    assert!(known(&p.report(&elsewhere, 0)), "found there what was found there before");
    p.edit("rtl/gray_counter.sv", "    // the sum\n", "    // its sum\n");
    assert!(known(&p.report(&["counter-check"], 0)), "and here");
    p.edit("rtl/gray_counter.sv", "    // its sum\n", "    // a sum\n");
    let mut checked = elsewhere.to_vec();
    checked.push("--replay");
    assert!(known(&p.report(&checked, 0)), "with evidence that is checked");
}

/// The memory of a job is that of all it starts.
#[test]
fn the_memory_of_a_model_counts() {
    let p = Place::new();
    p.write(
        "m.cpp",
        "#include <systemc>\n#include <cstdlib>\n#include <cstring>\nusing namespace sc_core;\nSC_MODULE(M) { SC_CTOR(M) { SC_THREAD(a); }\n\
         void a() { for (int i = 0; i < 60; i++) { char *b = (char *)malloc(10 << 20); memset(b, i, 10 << 20); wait(1, SC_NS);\n\
         for (volatile int k = 0; k < 20000000; k = k + 1) {} } } };\nint sc_main(int, char **) { M m(\"m\"); sc_start(); return 0; }\n",
    );
    p.write(
        "entail.yaml",
        "designs: {m: {language: systemc, files: m.cpp}}\njobs: {m: {kind: explore, design: m, run_time: 60, memory: 300MB}}\n",
    );
    let r = p.report(&[], 3);
    assert_eq!(r["jobs"][0]["message"], "it ran out of memory", "{r:#}");
}
