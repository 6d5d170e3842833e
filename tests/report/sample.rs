//! Runs that look like real ones, drawn from a seed.

use entail::report::record::{
    Access, Coverage, Excerpt, Finding, Item, JobReport, Past, Picture, Place, ProofNode, RECORD, REPORT, Race, Read,
    Record, Report, Signal, Status, Trend, Verdict, Wave,
};
use fastrand::Rng;

/// When the runs were made.
const NOW: u64 = 1_794_989_590;
const DAY: u64 = 86_400;

const DESIGNS: [(&str, &str); 16] = [
    ("axi_fifo", "sv"),
    ("axi_crossbar", "sv"),
    ("dma_engine", "sv"),
    ("ddr_scheduler", "sv"),
    ("uart_tx", "vhd"),
    ("spi_master", "vhd"),
    ("l2_cache", "sv"),
    ("noc_router", "sv"),
    ("rv32_core", "sv"),
    ("ecc_codec", "vhd"),
    ("pcie_replay", "sv"),
    ("irq_controller", "sv"),
    ("tlm_bus", "cpp"),
    ("timer_block", "vhd"),
    ("jtag_tap", "sv"),
    ("aes_round", "sv"),
];
const PROPERTIES: [&str; 20] = [
    "no_overflow",
    "no_underflow",
    "grant_is_onehot",
    "ack_follows_request",
    "data_is_stable",
    "no_deadlock",
    "fair_arbitration",
    "order_is_kept",
    "reset_clears_valid",
    "credits_never_negative",
    "burst_within_4k",
    "response_within_16",
    "tag_is_unique",
    "state_is_legal",
    "parity_is_even",
    "no_lost_interrupt",
    "write_then_read",
    "cover_full",
    "cover_back_to_back",
    "exclusive_owner",
];
const ENGINES: [&str; 6] = ["pdr", "k-induction", "bmc", "bdd", "interpolation", "ste"];
const KINDS: [&str; 6] = ["check", "check", "check", "cdc", "prove", "explore"];

/// A name that is markup to whoever does not escape it.
pub const HOSTILE: &str = "<img src=x onerror=\"document.title='broken'\">";

/// A run of so many jobs.
pub fn report(jobs: usize, seed: u64) -> Report {
    let mut rng = Rng::with_seed(seed);
    let jobs: Vec<JobReport> = (0..jobs).map(|index| job(&mut rng, index, jobs)).collect();
    let all = jobs.len() as u32;
    let mut trend = Vec::new();
    for run in 0..40 {
        let total = (all * (60 + run) / 100).max(1);
        let bad = rng.u32(0..=total / 12 + 1).min(total);
        let fail = rng.u32(0..=bad);
        let unknown = rng.u32(0..=bad - fail);
        let error = bad - fail - unknown;
        trend.push(Trend {
            at: NOW - (40 - u64::from(run)) * DAY,
            commit: Some(commit(&mut rng)),
            counts: [total - bad, fail, unknown, error, 0],
            seconds: effort(f64::from(total) * (0.4 + rng.f64())),
        });
    }
    Report {
        format: REPORT.into(),
        tool: "entail 0.1.0".into(),
        project: "bluefin_soc".into(),
        folder: "hw/".into(),
        selection: vec!["nightly".into(), "cdc_signoff".into()],
        at: NOW,
        seconds: effort(f64::from(all) * 0.9 + 3.7),
        commit: Some(commit(&mut rng)),
        trend,
        places: jobs.iter().map(|job| (job.name.clone(), in_project(job))).collect(),
        jobs,
    }
}

/// Where a job stands.
fn in_project(job: &JobReport) -> Place {
    Place { file: "entail.yaml".into(), line: 10 + job.name.len() as u32, column: 3, end: 0 }
}

fn job(rng: &mut Rng, index: usize, all: usize) -> JobReport {
    let (design, language) = DESIGNS[index * 7 % DESIGNS.len()];
    let kind = if language == "cpp" { "explore" } else { KINDS[index * 5 % KINDS.len()] };
    // The first ones have everything, so that small runs do too.
    let status = match index {
        0 => Status::Fail,
        9 => Status::Error,
        17 => Status::Unknown,
        23 => Status::Skipped,
        _ => match rng.u32(0..100) {
            0..=93 => Status::Pass,
            94 | 95 => Status::Fail,
            96 | 97 => Status::Unknown,
            98 => Status::Error,
            _ => Status::Skipped,
        },
    };
    let kind = if index == 0 { "check" } else { kind };
    let wants_failure = status == Status::Pass && index % 23 == 5;
    let (verdict, expect) = match status {
        Status::Pass if wants_failure => ("fails", "fails"),
        Status::Pass => ("holds", "holds"),
        Status::Fail => ("fails", "holds"),
        Status::Unknown | Status::Skipped => ("unknown", "holds"),
        Status::Error => ("error", "holds"),
    };
    let property = PROPERTIES[index * 3 % PROPERTIES.len()];
    let name = match index {
        12 => format!("{design}.{HOSTILE}"),
        _ if index < 80 => format!("{design}.{property}"),
        _ => format!("{design}.{property}_{}", index / 80),
    };
    let cached = status == Status::Pass && rng.u32(0..10) < 6;
    let died = status == Status::Error && index.is_multiple_of(3);
    let record = match status {
        Status::Skipped => None,
        Status::Error if died => None,
        _ => Some(record(rng, index, all, design, language, kind, verdict)),
    };
    let seconds = effort(rng.f64().powi(4) * 400.0 + 0.02);
    JobReport {
        kind: kind.into(),
        design: design.into(),
        status,
        verdict: verdict.into(),
        expect: expect.into(),
        why: match status {
            Status::Skipped => "not reached: stopped after the first failure of its suite".into(),
            _ if cached => "nothing it reads has changed".into(),
            _ if rng.bool() => format!("rtl/{design}.{language} changed"),
            _ => "never run before".into(),
        },
        cached,
        at: if cached { NOW - rng.u64(1..20) * DAY } else { NOW - rng.u64(0..600) },
        seconds: if status == Status::Skipped { 0.0 } else { seconds },
        memory_kb: if status == Status::Skipped { 0 } else { rng.u64(20_000..3_000_000) },
        command: ["entail", kind, "--top", design, "--property", &name, &format!("rtl/{design}.{language}")]
            .map(str::to_owned)
            .to_vec(),
        message: match status {
            Status::Error if died => Some("The worker was ended by signal 9; it may have run out of memory.".into()),
            Status::Error => Some("The sources have mistakes.".into()),
            Status::Unknown => Some("The time limit of 300 s was reached.".into()),
            _ => None,
        },
        log: died.then(|| "\u{1b}[1mentail\u{1b}[0m: frame 41, 18022 lemmas\nentail: frame 42, 19310 lemmas\n".into()),
        record,
        history: (0..rng.usize(0..24)).map(|run| past(rng, status, run as u64)).collect(),
        name,
    }
}

fn past(rng: &mut Rng, now: Status, run: u64) -> Past {
    let status = match rng.u32(0..20) {
        0 => Status::Fail,
        1 => Status::Unknown,
        2..=5 => now,
        _ => Status::Pass,
    };
    let cached = rng.u32(0..3) == 0;
    Past {
        at: NOW - (run + 1) * DAY,
        status,
        seconds: effort(rng.f64() * 20.0),
        commit: Some(commit(rng)),
        cached,
        why: Some(if cached { "nothing that it reads has changed" } else { "rtl/pkg/soc_pkg.sv has changed" }.into()),
    }
}

fn record(rng: &mut Rng, index: usize, all: usize, design: &str, language: &str, kind: &str, verdict: &str) -> Record {
    let file = format!("rtl/{design}.{language}");
    // Waveforms are large; in large runs most jobs have a single property.
    let count = if index == 0 || all <= 320 { rng.usize(1..9) } else { rng.usize(1..3) };
    let mut items: Vec<Item> = (0..count).map(|number| item(rng, number, &file, verdict)).collect();
    if verdict == "fails" {
        let worst = &mut items[0];
        worst.verdict = Verdict::Fails;
        worst.detail = "3 beats are accepted while only 2 entries are free".into();
        let steps = if index == 0 { 14 } else { rng.u64(3..40) };
        worst.wave = (kind == "check" || kind == "prove").then(|| wave(rng, design, steps, index % 5 == 4));
        if worst.wave.is_none() {
            worst.text = Some(
                "1  producer: notify data_ready\n2  consumer: wait data_ready   (misses it)\n3  all wait: deadlock"
                    .into(),
            );
        }
    }
    if index == 0 || index == 12 {
        items.push(Item { name: HOSTILE.into(), ..item(rng, 3, &file, "holds") });
        items.push(Item {
            wave: Some(wave(rng, design, 300, false)),
            verdict: Verdict::Covered,
            detail: "a path of 300 steps reaches it".into(),
            ..item(rng, 17, &file, "holds")
        });
    }
    let mut findings = Vec::new();
    if verdict == "error" || index.is_multiple_of(4) {
        findings.push(finding(&file, language, verdict == "error"));
    }
    if index == 0 {
        findings.push(finding("rtl/uart_tx.vhd", "vhd", false));
        findings.push(finding("model/tlm_bus.cpp", "cpp", false));
    }
    let shared = ["rtl/pkg/soc_pkg.sv", "rtl/pkg/axi_pkg.sv", "constraints/soc.sdc", "rtl/common/sync2.sv"];
    let mut read: Vec<Read> =
        shared.iter().map(|path| Read { path: (*path).into(), hash: hash(path), folder: false }).collect();
    read.push(Read { path: file.clone(), hash: hash(&file), folder: false });
    read.push(Read { path: "rtl/common".into(), hash: hash("common"), folder: true });
    Record {
        format: RECORD.into(),
        tool: "entail 0.1.0".into(),
        kind: kind.into(),
        design: design.into(),
        exit: i32::from(verdict != "holds"),
        memory_kb: 0,
        items,
        findings,
        notes: vec![
            "A step is one period of clk; the reset is held for 2 steps before the first.".into(),
            "Taken for granted: assume_valid_is_held, assume_no_reset_after_start.".into(),
        ],
        read,
        pictures: if index == 0 || (kind == "cdc" && all <= 320) { vec![crossing(design)] } else { Vec::new() },
        proof: (index == 0 || kind == "prove").then(|| proof(rng, 0)),
        coverage: (index == 0 || kind == "explore").then(|| Coverage {
            words: "Every interleaving of 3 processes up to equivalence.".into(),
            complete: verdict == "holds",
            runs: rng.u64(10..40_000),
            classes: rng.u64(3..900),
            left: if verdict == "holds" { 0 } else { rng.u64(1..200) },
        }),
        races: if index == 0 || kind == "explore" { vec![race(design)] } else { Vec::new() },
    }
}

/// A counter that two processes step in one instant.
fn race(design: &str) -> Race {
    let file = format!("model/{design}.cpp");
    let access = |write: bool, line: u32, text: &str| Access {
        write,
        place: Some(Place { file: file.clone(), line, column: 0, end: 0 }),
        source: Some(Excerpt { from: line - 1, lines: vec!["{".into(), text.into(), "}".into()] }),
    };
    Race {
        processes: vec!["top.left".into(), "top.right".into()],
        classes: 2,
        first: access(true, 21, "    total = total + step;"),
        second: access(false, 34, "    out.write(total);"),
    }
}

fn item(rng: &mut Rng, number: usize, file: &str, verdict: &str) -> Item {
    let said = match (verdict, rng.u32(0..20)) {
        ("unknown", 0..=9) => Verdict::Unknown,
        ("unknown", 10..=13) => Verdict::Bounded,
        (_, 0) => Verdict::HoldsUnchecked,
        (_, 1) => Verdict::Vacuous,
        (_, 2) => Verdict::Covered,
        _ => Verdict::Holds,
    };
    let line = rng.u32(10..400);
    Item {
        name: format!("{}.a_{}", file.rsplit('/').next().unwrap_or(file), PROPERTIES[number * 3 % PROPERTIES.len()]),
        place: Some(Place { file: file.into(), line, column: 3, end: 40 }),
        source: Some(Excerpt {
            from: line - 1,
            lines: vec![
                "  // What must never happen.".into(),
                "  a_law: assert property (@(posedge clk) disable iff (!rst_n) a |=> b);".into(),
                "".into(),
            ],
        }),
        verdict: said,
        expect: None,
        detail: match said {
            Verdict::Bounded => format!("no failure in {} steps", rng.u32(20..200)),
            Verdict::Vacuous => "its left side never happens".into(),
            _ => String::new(),
        },
        engine: ENGINES[rng.usize(0..ENGINES.len())].into(),
        seconds: effort(rng.f64().powi(3) * 30.0),
        cached: rng.u32(0..4) == 0,
        key: None,
        wave: None,
        text: None,
    }
}

/// A counterexample: a queue that runs over.
fn wave(rng: &mut Rng, design: &str, steps: u64, endless: bool) -> Wave {
    let times: Vec<u64> = (0..steps * 2).map(|half| half * 5).collect();
    let mut signals = vec![
        signal("clk", "clock", 1, true, (0..steps * 2).map(|half| ((half % 2 == 0) as u64, false)).collect()),
        signal("rst_n", "input", 1, true, (0..steps * 2).map(|half| ((half > 3) as u64, half == 0)).collect()),
    ];
    let both = |values: Vec<(u64, bool)>| values.into_iter().flat_map(|value| [value, value]).collect::<Vec<_>>();
    let names: [(&str, &str, u32, bool); 16] = [
        ("push", "input", 1, true),
        ("pop", "input", 1, true),
        ("wr_data[31:0]", "input", 32, true),
        ("u_ctrl.count[3:0]", "state", 4, true),
        ("u_ctrl.wr_ptr[2:0]", "state", 3, true),
        ("u_ctrl.rd_ptr[2:0]", "state", 3, true),
        ("full", "logic", 1, true),
        ("u_ctrl.overflow", "state", 1, true),
        ("rd_data[31:0]", "logic", 32, false),
        ("u_mem.mem[0][63:0]", "state", 64, false),
        ("u_mem.mem[1][63:0]", "state", 64, false),
        ("empty", "logic", 1, false),
        ("almost_full", "logic", 1, false),
        ("u_ctrl.u_credit_return_arbiter.credits_outstanding[7:0]", "state", 8, false),
        ("parity", "logic", 1, false),
        ("irq", "logic", 1, false),
    ];
    for (name, kind, width, matters) in names {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let mut value = rng.u64(..) & mask;
        let values = (0..steps).map(|step| {
            if rng.u32(0..3) == 0 {
                value = rng.u64(..) & mask;
            }
            (value, step < 2 && kind == "state")
        });
        let values = both(values.collect());
        signals.push(signal(&format!("{design}.{name}"), kind, width, matters, values));
    }
    Wave {
        title: format!("{design}: the queue takes a beat while it is full"),
        times,
        step: 10,
        steps,
        back_to: endless.then_some(steps / 2),
        signals,
    }
}

/// Values (and whether each is unknown) with equal neighbours joined.
fn signal(name: &str, kind: &str, width: u32, matters: bool, values: Vec<(u64, bool)>) -> Signal {
    let digits = width.div_ceil(4) as usize;
    let text = |(value, unknown): (u64, bool)| if unknown { "x".repeat(digits) } else { format!("{value:0digits$x}") };
    let mut joined: Vec<(u32, String)> = Vec::new();
    for (index, value) in values.into_iter().map(text).enumerate() {
        if joined.last().is_none_or(|(_, last)| *last != value) {
            joined.push((index as u32, value));
        }
    }
    Signal { name: name.into(), kind: kind.into(), width, matters, values: joined }
}

fn finding(file: &str, language: &str, error: bool) -> Finding {
    let (lines, column, end): (&[&str], u32, u32) = match language {
        "vhd" => (
            &[
                "  process (clk) is -- one stage",
                "    variable bits : natural := 16#0F#;",
                "  begin",
                "    if rising_edge(clk) then",
                "      shift <= dat(7 downto 0) & '1';",
                "    end if;",
                "  end process;",
            ],
            16,
            18,
        ),
        "cpp" => (
            &[
                "SC_MODULE(bus) {",
                "  sc_in<bool> clk; // the only clock",
                "  void run() {",
                "    while (true) {",
                "      wait(data_ready);",
                "      log(\"got \", next());",
                "    }",
            ],
            12,
            21,
        ),
        _ => (
            &[
                "\talways_ff @(posedge clk or negedge rst_n) begin",
                "\t\tif (!rst_n) tail <= 4'h0; // 記憶 of the queue",
                "\t\telse begin",
                "\t\t\ttail <= tail + push;",
                "\t\t\tif (push && !full) memory[tail] <= dat;",
                "\t\tend",
                "\tend",
            ],
            39,
            41,
        ),
    };
    let place = |line| Place { file: file.into(), line, column, end };
    Finding {
        code: if error { "E0204" } else { "W0711" }.into(),
        severity: if error { "error" } else { "warning" }.into(),
        message: if error {
            "`dat` is not declared".into()
        } else {
            "`dat` crosses from clk_a to clk_b without a synchronizer".into()
        },
        place: Some(place(118)),
        also: vec![
            (Place { file: file.into(), line: 114, column: 3, end: 8 }, "the process that reads it".into()),
            (Place { file: "rtl/pkg/soc_pkg.sv".into(), line: 12, column: 0, end: 0 }, "declared here".into()),
        ],
        notes: vec!["the destination has 2 flip-flops, but on another net".into()],
        help: Some("did you mean `data`?".into()),
        source: Some(Excerpt { from: 114, lines: lines.iter().map(|line| (*line).to_owned()).collect() }),
    }
}

/// A picture whose style and script would change the page if they could.
fn crossing(design: &str) -> Picture {
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"150\" viewBox=\"0 0 720 150\">\
         <style>body,text{{font:14px sans-serif}} html{{display:none}}</style>\
         <script>document.title='broken'</script>\
         <rect x=\"10\" y=\"30\" width=\"230\" height=\"90\" rx=\"8\" fill=\"#eef3f8\" stroke=\"#89a\"/>\
         <rect x=\"480\" y=\"30\" width=\"230\" height=\"90\" rx=\"8\" fill=\"#f6f1e8\" stroke=\"#a98\"/>\
         <text x=\"30\" y=\"60\">clk_a</text><text x=\"500\" y=\"60\">clk_b</text>\
         <text x=\"30\" y=\"95\">{design}.dat[7:0]</text><text x=\"500\" y=\"95\">{design}.u_rx.sample</text>\
         <path d=\"M240 90H480\" stroke=\"#b33\" stroke-width=\"2\" fill=\"none\"/></svg>"
    );
    Picture { title: format!("Crossings of {design}"), svg }
}

fn proof(rng: &mut Rng, depth: usize) -> ProofNode {
    let rules = ["by symbolic simulation", "by cases", "by weakening the goal", "by joining two parts", "by induction"];
    let count = if depth >= 4 { 0 } else { rng.usize(1..4) };
    ProofNode {
        name: format!("{}_{depth}", PROPERTIES[rng.usize(0..PROPERTIES.len())]),
        how: rules[rng.usize(0..rules.len())].into(),
        seconds: effort(rng.f64() * 3.0),
        of: (0..count).map(|_| proof(rng, depth + 1)).collect(),
    }
}

/// Whole milliseconds, which JSON gives back as they were.
fn effort(seconds: f64) -> f64 {
    (seconds * 1_000.0).round() / 1_000.0
}

fn commit(rng: &mut Rng) -> String {
    (0..40).map(|_| char::from(b"0123456789abcdef"[rng.usize(0..16)])).collect()
}

/// Something that looks like a hash.
fn hash(text: &str) -> String {
    let seed = text.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(1_099_511_628_211) ^ u64::from(byte));
    let mut rng = Rng::with_seed(seed);
    (0..64).map(|_| char::from(b"0123456789abcdef"[rng.usize(0..16)])).collect()
}
