//! A report that sets every field of every kind of data, for the tests of the writers.

use super::record::{
    Access, Coverage, Excerpt, Finding, Item, JobReport, Past, Picture, Place, ProofNode, RECORD, REPORT, Race, Read,
    Record, Report, Signal, Status, Trend, Verdict, Wave,
};

/// A name that no writer may pass on as it is.
pub(super) const HOSTILE: &str = "<img src=x onerror=alert(1)>&\"'</script><!--\u{1b}[31m";

/// A place in `rtl/axi fifo.sv`.
pub(super) fn place(line: u32) -> Place {
    Place { file: "./rtl/axi fifo.sv".into(), line, column: 5, end: 9 }
}

/// A place in the project's file.
fn in_project(line: u32) -> Place {
    Place { file: "entail.yaml".into(), line, column: 3, end: 0 }
}

/// An item without anything optional.
pub(super) fn item(name: &str, verdict: Verdict) -> Item {
    Item {
        name: name.into(),
        place: None,
        source: None,
        verdict,
        expect: None,
        detail: String::new(),
        engine: String::new(),
        seconds: 0.5,
        cached: false,
        key: None,
        wave: None,
        text: None,
    }
}

/// A job without a record.
pub(super) fn job(name: &str, status: Status, verdict: &str, expect: &str) -> JobReport {
    JobReport {
        name: name.into(),
        kind: "check".into(),
        design: "axi_fifo".into(),
        status,
        verdict: verdict.into(),
        expect: expect.into(),
        why: "never run before".into(),
        cached: false,
        at: 1_794_989_000,
        seconds: 1.25,
        memory_kb: 65_536,
        command: vec!["entail".into(), "check".into(), "a b.sv".into()],
        message: None,
        log: None,
        record: None,
        history: Vec::new(),
    }
}

/// A run of these jobs.
pub(super) fn run(jobs: Vec<JobReport>) -> Report {
    Report {
        format: REPORT.into(),
        tool: "entail 0.1.0".into(),
        project: "soc".into(),
        folder: "hw/".into(),
        selection: vec!["nightly".into()],
        at: 1_794_989_590,
        seconds: 2.0,
        commit: Some("ced24fc".into()),
        places: jobs.iter().map(|job| (job.name.clone(), in_project(6))).collect(),
        jobs,
        trend: vec![Trend { at: 1, commit: Some("52f4827".into()), counts: [1, 2, 3, 4, 5], seconds: 1.0 }],
    }
}

/// A run of one job in which every field is set, and every text is hostile.
pub(super) fn full() -> Report {
    let wave = Wave {
        title: HOSTILE.into(),
        times: vec![0, 5, 10, 15],
        step: 10,
        steps: 2,
        back_to: Some(1),
        signals: vec![Signal {
            name: HOSTILE.into(),
            kind: "state".into(),
            width: 8,
            matters: true,
            values: vec![(0, "00".into()), (2, "x7".into())],
        }],
    };
    let fails = Item {
        place: Some(place(12)),
        source: Some(Excerpt { from: 12, lines: vec![HOSTILE.into()] }),
        expect: Some("holds".into()),
        detail: HOSTILE.into(),
        engine: "pdr".into(),
        cached: true,
        key: Some("k".into()),
        wave: Some(wave),
        text: Some(HOSTILE.into()),
        ..item(HOSTILE, Verdict::Fails)
    };
    let finding = Finding {
        code: "E0204".into(),
        severity: "error".into(),
        message: HOSTILE.into(),
        place: Some(place(3)),
        also: vec![(place(4), HOSTILE.into())],
        notes: vec![HOSTILE.into()],
        help: Some(HOSTILE.into()),
        source: Some(Excerpt { from: 2, lines: vec![HOSTILE.into(), "logic a;".into()] }),
    };
    let access = |write: bool| Access {
        write,
        place: Some(place(7)),
        source: Some(Excerpt { from: 7, lines: vec![HOSTILE.into()] }),
    };
    let leaf = ProofNode { name: "leaf".into(), how: "by a check".into(), seconds: 0.1, of: Vec::new() };
    let record = Record {
        format: RECORD.into(),
        tool: "entail 0.1.0".into(),
        kind: "check".into(),
        design: "axi_fifo".into(),
        exit: 1,
        memory_kb: 65_536,
        items: vec![fails, item("no_overflow", Verdict::Holds)],
        findings: vec![finding],
        notes: vec![HOSTILE.into()],
        read: vec![Read { path: "rtl".into(), hash: "0f".into(), folder: true }],
        pictures: vec![Picture { title: HOSTILE.into(), svg: "<svg><script>x</script></svg>".into() }],
        proof: Some(ProofNode { name: HOSTILE.into(), how: "by cases".into(), seconds: 0.2, of: vec![leaf] }),
        coverage: Some(Coverage { words: HOSTILE.into(), complete: false, runs: 9, classes: 3, left: 2 }),
        races: vec![Race { processes: vec![HOSTILE.into()], classes: 3, first: access(true), second: access(false) }],
    };
    let past = Past {
        at: 1,
        status: Status::Pass,
        seconds: 1.0,
        commit: Some("52f4827".into()),
        cached: true,
        why: Some(HOSTILE.into()),
    };
    run(vec![JobReport {
        cached: true,
        message: Some(HOSTILE.into()),
        log: Some(HOSTILE.into()),
        record: Some(record),
        history: vec![past],
        ..job(HOSTILE, Status::Fail, "fails", "holds")
    }])
}
