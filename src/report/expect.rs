//! Whether an item is as expected: asked by every writer, so that all of them blame the same.

use super::record::{Item, JobReport, Status, Verdict};

/// How an item is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// There is no answer: nothing is known to be wrong.
    pub open: bool,
    /// What is wrong, in words that go on after the item's name.
    pub words: String,
}

/// What is not as expected of an item, if something is.
///
/// What is expected of a job as a whole to fail is some item of it: then none can be blamed for the job, only those
/// without an answer.
pub fn unexpected(job: &JobReport, item: &Item) -> Option<Unexpected> {
    let got = item.verdict.came_out();
    let open = got == "unknown";
    if item.verdict == Verdict::Broken {
        return Some(Unexpected { open, words: plain(item) });
    }
    if let Some(want) = &item.expect {
        return (want != got).then(|| Unexpected { open, words: differs(want, got) });
    }
    let fine = match job.expect.as_str() {
        _ if job.status == Status::Pass => true,
        "fails" => !open,
        "unknown" => open || got == "holds",
        _ => got == "holds",
    };
    (!fine).then(|| Unexpected { open, words: plain(item) })
}

/// What was expected, and what came.
pub fn differs(want: &str, got: &str) -> String {
    let want = match want {
        "holds" => "hold",
        "fails" => "fail",
        "unknown" => "have no answer",
        "vacuous" => "say nothing",
        "over-constrained" => "be over-constrained",
        other => other,
    };
    format!("was expected to {want}, and {}", came(got))
}

/// What came, as the end of a sentence.
fn came(got: &str) -> &str {
    match got {
        "unknown" => "has no answer",
        "vacuous" => "says nothing",
        "unreachable" => "cannot be reached",
        "broken" => "has two answers",
        other => other,
    }
}

/// The verdict, with what is known about it.
fn plain(item: &Item) -> String {
    let word = match item.verdict {
        Verdict::Bounded => "was not settled beyond a bound",
        Verdict::Unknown => "was not settled",
        v => came(v.came_out()),
    };
    if item.detail.is_empty() { word.to_owned() } else { format!("{word}: {}", item.detail) }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn said(status: Status, of_job: &str, of_item: Option<&str>, verdict: Verdict) -> Option<(bool, String)> {
        let job = sample::job("j", status, "fails", of_job);
        let item = Item { expect: of_item.map(str::to_owned), ..sample::item("a", verdict) };
        unexpected(&job, &item).map(|u| (u.open, u.words))
    }

    #[test]
    fn an_item_is_blamed_for_what_was_expected_of_it_and_for_nothing_else() {
        let blamed = |text: &str| Some((false, text.to_owned()));
        let each = "a: fails, b: fails";
        assert_eq!(said(Status::Fail, each, Some("fails"), Verdict::Fails), None);
        let words = "was expected to fail, and holds";
        assert_eq!(said(Status::Fail, each, Some("fails"), Verdict::HoldsUnchecked), blamed(words));
        assert_eq!(said(Status::Fail, each, Some("holds"), Verdict::Holds), None);
        let open = Some((true, "was expected to hold, and has no answer".to_owned()));
        assert_eq!(said(Status::Unknown, each, Some("holds"), Verdict::Bounded), open);
    }

    #[test]
    fn a_job_that_should_fail_as_a_whole_blames_no_item_for_failing_or_not() {
        for verdict in [Verdict::Holds, Verdict::Fails, Verdict::Vacuous] {
            assert_eq!(said(Status::Fail, "fails", None, verdict), None);
        }
        assert_eq!(said(Status::Fail, "holds", None, Verdict::Fails), Some((false, "fails".into())));
        assert_eq!(said(Status::Pass, "fails", None, Verdict::Fails), None);
        assert_eq!(said(Status::Unknown, "fails", None, Verdict::Unknown), Some((true, "was not settled".into())));
        assert!(said(Status::Pass, "holds", None, Verdict::Broken).is_some(), "that is never as expected");
    }
}
