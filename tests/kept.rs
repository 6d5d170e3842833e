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
                "designs:\n  d: {{files: [{}, rtl/top.sv], top: top, resets: rst=1}}\njobs:\n  d: {{kind: check, design: d, timeout: 20s, ltl: [{}]}}\n",
                files.join(", "),
                ltl.join(", ")
            ),
        );
    }

    fn edit(&mut self, rng: &mut Rng) -> &'static str {
        let k = rng.usize(0..self.parts.len());
        let p = &mut self.parts[k];
        match rng.u32(0..12) {
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

/// Verdicts of a report by property, and how many of them were known.
fn verdicts(r: &Value) -> (BTreeMap<String, String>, usize) {
    let items = r["jobs"][0]["record"]["items"].as_array().unwrap_or_else(|| panic!("{r:#}"));
    let known =
        if r["jobs"][0]["cached"] == true { items.len() } else { items.iter().filter(|i| i["cached"] == true).count() };
    let of =
        |i: &Value| (i["name"].as_str().unwrap_or("").to_string(), i["verdict"].as_str().unwrap_or("").to_string());
    (items.iter().map(of).collect(), known)
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
            let mut line = vec!["run", "-q", "--json", "r.json"];
            line.extend(words);
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
