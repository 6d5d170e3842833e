//! What became of a job, compared with what was expected of it.

use super::Ended;
use crate::project::file::Expect;
use crate::project::filelist::pattern::matches;
use crate::report::expect::differs;
use crate::report::record::{Item, Record, Status, Verdict};
use crate::report::words::count;

/// A judgement.
pub struct Judged {
    /// For reports.
    pub status: Status,
    /// `holds`, `fails`, `unknown` or `error`.
    pub verdict: &'static str,
    /// A sentence about what is not as expected.
    pub message: Option<String>,
    /// Whether an error is the user's: in the sources, the project, the options.
    pub mistake: bool,
}

fn judged(status: Status, verdict: &'static str, message: Option<String>) -> Judged {
    Judged { status, verdict, message, mistake: false }
}

/// Judges a job.
pub fn judge(expect: &Expect, ended: &Ended, record: Option<&Record>) -> Judged {
    let unknown = |why: &str| match expect {
        Expect::Job(w) if w == "unknown" => judged(Status::Pass, "unknown", None),
        _ => judged(Status::Unknown, "unknown", Some(why.into())),
    };
    let code = match ended {
        Ended::Exit(code) => *code,
        Ended::OutOfTime => return unknown("it ran out of time"),
        Ended::OutOfMemory => return unknown("it ran out of memory"),
        Ended::Died(why) | Ended::Lost(why) => {
            return judged(Status::Error, "error", Some(why.clone()));
        }
        Ended::Stopped => {
            return judged(Status::Skipped, "unknown", Some("it was stopped".into()));
        }
    };
    let Some(record) = record.filter(|r| r.exit == code) else {
        let why = format!("the worker left with {code} and without a record");
        return Judged { mistake: code == 2, ..judged(Status::Error, "error", Some(why)) };
    };
    match code {
        0 | 1 | 3 => {}
        2 => {
            let first = record.findings.iter().find(|f| f.severity == "error");
            let why = first.map_or("a mistake in its sources or options".into(), |f| match &f.place {
                Some(p) => format!("{}:{}: {}", p.file, p.line, f.message),
                None => f.message.clone(),
            });
            return Judged { mistake: true, ..judged(Status::Error, "error", Some(why)) };
        }
        _ => {
            let broken = record.items.iter().find(|i| i.verdict == Verdict::Broken);
            let why = broken.map_or("internal error".into(), |i| format!("{}: {}", i.name, i.detail));
            return judged(Status::Error, "error", Some(why));
        }
    }
    match expect {
        Expect::Job(word) => whole(word, code, record),
        Expect::Each(list) => each(list, code, record),
    }
}

fn verdict_of(code: i32) -> &'static str {
    match code {
        0 => "holds",
        1 => "fails",
        _ => "unknown",
    }
}

fn whole(word: &str, code: i32, record: &Record) -> Judged {
    let verdict = verdict_of(code);
    let bad: Vec<&Item> =
        record.items.iter().filter(|i| i.verdict.came_out() != i.expect.as_deref().unwrap_or("holds")).collect();
    let names = |list: &[&Item]| {
        let mut text: Vec<String> = list.iter().take(3).map(|i| format!("{} {}", i.name, i.verdict.word())).collect();
        if list.len() > 3 {
            text.push(format!("and {} more", list.len() - 3));
        }
        text.join(", ")
    };
    // A property that says nothing or a cover that is out of reach is no failure to be expected; outcomes of a model
    // that differ are one, although each of them is fine.
    let truly =
        record.items.is_empty() || record.kind == "explore" || record.items.iter().any(|i| i.verdict == Verdict::Fails);
    match (word, verdict) {
        ("fails", "fails") if !truly => judged(Status::Fail, verdict, Some(format!("nothing fails: {}", names(&bad)))),
        (w, v) if w == v => judged(Status::Pass, verdict, None),
        ("fails", "holds") => judged(Status::Fail, verdict, Some("it was expected to fail, and holds".into())),
        ("unknown", _) => {
            let why = format!("it was expected to have no answer, and {verdict}");
            judged(Status::Fail, verdict, Some(why))
        }
        (_, "unknown") => {
            let open = names(&bad);
            let why = if open.is_empty() { "there is no answer".to_string() } else { open };
            judged(Status::Unknown, verdict, Some(why))
        }
        _ => {
            let why = if bad.is_empty() { unexplained(code, record) } else { names(&bad) };
            judged(Status::Fail, verdict, Some(why))
        }
    }
}

/// What is wrong where no item is: outcomes of a model that differ, findings.
fn unexplained(code: i32, record: &Record) -> String {
    if record.kind != "explore" {
        let findings = record.findings.iter().filter(|f| f.severity != "note").count();
        return count(findings as u64, "finding", "findings");
    }
    let different = record.items.len();
    match code {
        3 => "not everything was explored".into(),
        _ if different < 2 => "its outcomes differ".into(),
        _ => {
            let mut text: Vec<&str> = record.items.iter().take(3).map(|i| i.detail.as_str()).collect();
            if different > 3 {
                text.push("and others");
            }
            format!("{different} different outcomes: {}", text.join("; "))
        }
    }
}

/// What is expected of an item, where it is said of each: others are expected to do what they say themselves.
fn wanted<'e>(list: &'e [(String, String)], i: &'e Item) -> &'e str {
    let said = list.iter().find(|(p, _)| matches(p, &i.name)).map(|e| &e.1);
    said.or(i.expect.as_ref()).map_or("holds", String::as_str)
}

/// Writes down what is expected of each item, for reports.
pub fn expectations(expect: &Expect, record: &mut Record) {
    if let Expect::Each(list) = expect {
        for i in &mut record.items {
            i.expect = Some(wanted(list, i).to_string());
        }
    }
}

fn each(list: &[(String, String)], code: i32, record: &Record) -> Judged {
    let verdict = verdict_of(code);
    if let Some((p, _)) = list.iter().find(|(p, _)| !record.items.iter().any(|i| matches(p, &i.name))) {
        let why = format!("no property fits `{p}`, of which something is expected");
        return judged(Status::Fail, verdict, Some(why));
    }
    let mut wrong: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for i in &record.items {
        let (want, got) = (wanted(list, i), i.verdict.came_out());
        if want != got {
            let text = format!("{} {}", i.name, differs(want, got));
            if got == "unknown" { open.push(text) } else { wrong.push(text) }
        }
    }
    // What the properties do not explain is not as expected.
    if code != 0 && record.items.iter().all(|i| i.verdict.came_out() == "holds") {
        let status = if code == 3 { Status::Unknown } else { Status::Fail };
        return judged(status, verdict, Some(unexplained(code, record)));
    }
    match (wrong.is_empty(), open.is_empty()) {
        (false, _) => judged(Status::Fail, verdict, Some(wrong.join("; "))),
        (true, false) => judged(Status::Unknown, verdict, Some(open.join("; "))),
        (true, true) => judged(Status::Pass, verdict, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: &str, exit: i32, verdicts: &[Verdict]) -> Record {
        let item = |(i, v): (usize, &Verdict)| Item {
            name: format!("p{i}"),
            place: None,
            source: None,
            verdict: *v,
            expect: None,
            detail: String::new(),
            engine: String::new(),
            seconds: 0.0,
            cached: false,
            key: None,
            wave: None,
            text: None,
        };
        Record { kind: kind.into(), exit, items: verdicts.iter().enumerate().map(item).collect(), ..Record::default() }
    }

    #[test]
    fn a_job_passes_only_if_everything_about_it_is_as_expected() {
        use Status::{Error, Fail, Pass, Unknown};
        use Verdict::{Bounded, Fails, Holds, HoldsUnchecked, Unreachable, Vacuous};
        let job = |w: &str| Expect::Job(w.into());
        let each =
            |list: &[(&str, &str)]| Expect::Each(list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect());
        for (expect, kind, exit, verdicts, status) in [
            (job("holds"), "check", 0, &[Holds, Holds][..], Pass),
            (job("holds"), "check", 1, &[Holds, Fails], Fail),
            (job("holds"), "check", 1, &[Vacuous], Fail),
            (job("holds"), "check", 3, &[Holds, Bounded], Unknown),
            (job("holds"), "check", 2, &[], Error),
            (job("holds"), "check", 4, &[Holds], Error),
            (job("fails"), "check", 1, &[Holds, Fails], Pass),
            (job("fails"), "check", 1, &[Unreachable], Fail),
            (job("fails"), "check", 1, &[Vacuous], Fail),
            (job("fails"), "check", 0, &[Holds], Fail),
            (job("fails"), "check", 3, &[Bounded], Unknown),
            (job("unknown"), "check", 3, &[Bounded], Pass),
            (job("unknown"), "check", 0, &[Holds], Fail),
            (job("holds"), "cdc", 1, &[], Fail),
            (job("fails"), "cdc", 1, &[], Pass),
            (each(&[("p1", "fails")]), "check", 1, &[Holds, Fails], Pass),
            (each(&[("p1", "fails")]), "check", 1, &[Fails, Fails], Fail),
            (each(&[("p1", "fails")]), "check", 0, &[Holds, Holds], Fail),
            (each(&[("p1", "fails")]), "check", 3, &[Holds, Bounded], Unknown),
            (each(&[("q*", "fails")]), "check", 1, &[Holds, Fails], Fail),
            (each(&[("p*", "holds")]), "cdc", 1, &[], Fail),
            // Each outcome is fine, and that there are two is not; or not all were seen.
            (job("holds"), "explore", 1, &[HoldsUnchecked, HoldsUnchecked], Fail),
            (job("fails"), "explore", 1, &[HoldsUnchecked, HoldsUnchecked], Pass),
            (each(&[("p*", "holds")]), "explore", 1, &[HoldsUnchecked, HoldsUnchecked], Fail),
            (each(&[("p*", "holds")]), "explore", 3, &[HoldsUnchecked], Unknown),
        ] {
            let r = record(kind, exit, verdicts);
            let j = judge(&expect, &Ended::Exit(exit), Some(&r));
            assert_eq!(j.status, status, "{expect:?} {kind} {exit} {verdicts:?}: {:?}", j.message);
            assert_eq!(j.mistake, exit == 2, "{expect:?} {kind} {exit} {verdicts:?}");
            // A record of another end is none.
            assert_eq!(judge(&expect, &Ended::Exit(exit + 1), Some(&r)).status, Error);
        }
        for (ended, status) in [
            (Ended::OutOfTime, Unknown),
            (Ended::OutOfMemory, Unknown),
            (Ended::Died("of something".into()), Error),
            (Ended::Lost("somewhere".into()), Error),
            (Ended::Stopped, Status::Skipped),
        ] {
            assert_eq!(judge(&job("holds"), &ended, None).status, status);
            assert_ne!(judge(&job("fails"), &ended, None).status, Pass, "no end of a process is a counterexample");
        }
    }

    #[test]
    fn what_is_wrong_is_said_of_what_it_is_wrong_with() {
        use Verdict::{Fails, Holds, HoldsUnchecked};
        let said = |expect: &Expect, r: &Record| judge(expect, &Ended::Exit(r.exit), Some(r)).message.expect("words");
        let each = Expect::Each(vec![("p0".into(), "fails".into()), ("p1".into(), "fails".into())]);
        let mut r = record("check", 1, &[Fails, Holds]);
        assert_eq!(said(&each, &r), "p1 was expected to fail, and holds");
        expectations(&each, &mut r);
        let wants: Vec<_> = r.items.iter().map(|i| i.expect.as_deref()).collect();
        assert_eq!(wants, [Some("fails"), Some("fails")]);
        let holds = Expect::Job("holds".into());
        let mut r = record("explore", 1, &[HoldsUnchecked, HoldsUnchecked]);
        r.items[0].detail = "sum = 3 (1 class)".into();
        r.items[1].detail = "sum = 5 (2 classes)".into();
        assert_eq!(said(&holds, &r), "2 different outcomes: sum = 3 (1 class); sum = 5 (2 classes)");
        // A specification that wants a failure of its own, and has another.
        let mut r = record("prove", 1, &[Fails, Fails]);
        r.items[0].expect = Some("fails".into());
        assert_eq!(said(&holds, &r), "p1 fails");
        assert_eq!(said(&holds, &record("cdc", 1, &[])), "0 findings");
    }
}
