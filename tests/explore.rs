//! The SystemC explorer against brute force, the paper's counts, our models with seeded bugs, and models
//! that misbehave.

#[path = "explore/oracle.rs"]
#[allow(dead_code)]
mod oracle;
#[path = "explore/program.rs"]
#[allow(dead_code)]
mod program;

use entail::explore::build::Toolchain;
use entail::explore::outcome::{Outcome, Problem};
use entail::explore::resume::Resume;
use entail::explore::server::{Failure, Setup};
use entail::explore::trace::End;
use entail::explore::{Explored, Limits, explore};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn toolchain() -> Toolchain {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".into());
    Toolchain { compiler, systemc: None, cache: Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore") }
}

fn built(source: &Path, words: &[&str]) -> PathBuf {
    let words: Vec<String> = words.iter().map(|w| w.to_string()).collect();
    match toolchain().model(&[source.to_path_buf()], &words, true) {
        Ok(p) => p,
        Err(e) => panic!("{}\n{}\n{}", e.message, e.details, e.help),
    }
}

fn design(name: &str, words: &[&str]) -> PathBuf {
    built(&root().join("designs/systemc").join(name), words)
}

fn setup(program: &Path, loose_ppm: u64) -> Setup {
    Setup {
        program: program.to_path_buf(),
        arguments: vec![],
        loose_ppm,
        max_steps: 20_000,
        max_deltas: 2_000,
        timeout: Duration::from_secs(20),
        trace_bytes: 256 << 20,
        output_bytes: 1 << 20,
        observe: vec![],
        checkpoints: 8,
        checkpoint_after: Duration::from_millis(4),
        states: false,
        stop: Default::default(),
    }
}

fn limits() -> Limits {
    Limits {
        runs: 200_000,
        time: None,
        departures: u32::MAX,
        jobs: 1,
        ordered_output: false,
        first: false,
        room: 1 << 24,
        shared_delays: false,
        merge: false,
        when: vec![],
        resume: None,
    }
}

fn explored(setup: &Setup, limits: &Limits) -> Explored {
    explore(setup, limits, &|_, _, _, _| {}).unwrap_or_else(|e| panic!("{e:?}"))
}

/// All that was printed, each outcome's text in one.
fn printed(e: &Explored) -> BTreeSet<String> {
    let all = |o: &Outcome| o.printed.iter().map(|p| p.1.as_str()).collect::<String>();
    e.outcomes.all.keys().map(|o| all(o).trim().to_string()).collect()
}

/// Classes that fail.
fn failing(e: &Explored) -> u64 {
    let bad = |o: &Outcome, x| !e.outcomes.problems(o, x).is_empty();
    e.outcomes.all.iter().filter(|(o, (_, x))| bad(o, x)).map(|(_, (n, _))| n).sum()
}

/// One run a class, and nothing left.
fn exact(e: &Explored, classes: u64) {
    assert_eq!((e.runs, e.classes, e.left, e.stopped), (classes, classes, 0, None));
}

#[test]
fn the_papers_examples_have_the_papers_outcomes() {
    for (name, words, outcomes) in [
        ("foo.cpp", &[][..], &["Ok\nfoo: Ok", "Ko\nfoo: Ko", "foo: P waits for ever"][..]),
        ("foo.cpp", &["-DBAR"], &["Ok\nfoo: Ok", "Ko\nfoo: Ko", "foo: P waits for ever"]),
        ("foochi.cpp", &[], &["Ok\nfoochi: Ok", "Ko\nfoochi: Ko", "foochi: P waits for ever"]),
        ("foochi.cpp", &["-DD2=2", "-DD4=2"], &["Ok\nfoochi: Ok", "foochi: P waits for ever"]),
    ] {
        let e = explored(&setup(&design(name, words), 0), &limits());
        exact(&e, outcomes.len() as u64);
        assert_eq!(printed(&e), outcomes.iter().map(|s| s.to_string()).collect(), "{name} {words:?}");
    }
}

#[test]
fn readers_and_lastzero_have_as_many_runs_as_classes() {
    for n in [1u32, 3, 6, 10] {
        let word = format!("-DN={n}");
        let e = explored(&setup(&design("readers.cpp", &[&word]), 0), &limits());
        exact(&e, 1 << n);
    }
    for n in [2u32, 3, 5, 8, 10] {
        let word = format!("-DN={n}");
        let e = explored(&setup(&design("lastzero.cpp", &[&word]), 0), &limits());
        exact(&e, (1u64 << (n - 2)) * (n as u64 + 3));
    }
}

/// Counted by hand: the case study has seven independent choices of two.
#[test]
fn the_case_study_has_128_schedules() {
    let program = design("decoder.cpp", &[]);
    let e = explored(&setup(&program, 0), &limits());
    exact(&e, 128);
    assert_eq!(failing(&e), 0);
    let steps = e.outcomes.most_steps;
    assert!(steps >= 150, "{steps} steps");
    let e = explored(&setup(&program, 100_000), &Limits { jobs: 2, ..limits() });
    assert_eq!((e.classes, e.left, failing(&e)), (288, 0, 0));
}

#[test]
fn good_models_hold_and_every_seeded_bug_is_found() {
    for name in ["token_ring", "fifo", "arbiter", "interrupts", "tlm_memory", "tlm_nb"] {
        let e = explored(&setup(&design(&format!("{name}.cpp"), &[]), 0), &limits());
        assert_eq!((failing(&e), e.left, e.outcomes.all.len()), (0, 0, 1), "{name}");
    }
    for (name, bug) in [
        ("decoder", 1),
        ("token_ring", 1),
        ("fifo", 1),
        ("arbiter", 1),
        ("arbiter", 2),
        ("interrupts", 1),
        ("interrupts", 2),
        ("tlm_memory", 1),
        ("tlm_nb", 1),
    ] {
        let word = format!("-DBUG={bug}");
        let program = design(&format!("{name}.cpp"), &[&word]);
        // The first run is the kernel's own order, where no bug shows.
        let e = explored(&setup(&program, 0), &Limits { runs: 1, ..limits() });
        assert_eq!(failing(&e), 0, "{name} {bug} in the kernel's order");
        let e = explored(&setup(&program, 0), &limits());
        assert!(failing(&e) > 0, "{name} {bug}");
    }
    // This one needs delays that differ by more than a tenth.
    let program = design("decoder.cpp", &["-DBUG=2"]);
    let e = explored(&setup(&program, 0), &limits());
    assert_eq!((failing(&e), e.left), (0, 0));
    let e = explored(&setup(&program, 200_000), &Limits { first: true, ..limits() });
    assert!(failing(&e) > 0);
}

/// The paper's case study with every delay changed by up to a half. The latch between the decoder's processes alone goes 24,
/// 48 and 54 ways in the three images, so there are millions of classes; but between images the model is at rest.
#[test]
fn the_case_study_is_complete_at_half_of_every_delay() {
    let merged = |words: &[&str], loose: u64| {
        let mut s = setup(&design("decoder.cpp", words), loose);
        s.states = true;
        explored(&s, &Limits { jobs: 2, merge: true, ..limits() })
    };
    let e = merged(&[], 500_000);
    assert_eq!((failing(&e), e.left, e.stopped, e.outcomes.all.len()), (0, 0, None, 1));
    assert!(e.merged.1 > 100 && e.classes < 20_000, "{} classes", e.classes);
    // As without.
    for bug in ["-DBUG=0", "-DBUG=1"] {
        let few = merged(&[bug], 200_000);
        let all = explored(&setup(&design("decoder.cpp", &[bug]), 200_000), &Limits { jobs: 2, ..limits() });
        let outcomes = |e: &Explored| e.outcomes.all.keys().cloned().collect::<Vec<_>>();
        assert_eq!((outcomes(&few), few.stopped, all.stopped), (outcomes(&all), None, None), "{bug}");
        assert!(few.runs * 10 < all.runs, "{bug}: {} runs in place of {}", few.runs, all.runs);
    }
}

/// States are compared only where all that matters is in them.
#[test]
fn states_that_do_not_have_everything_are_not_compared() {
    let text = |body: &str, start: &str| {
        format!(
            "#include <systemc>\n#include <cstdlib>\n#include <cstring>\n#include <iostream>\nusing namespace sc_core;\n\
             SC_MODULE(top) {{ int x = 0; sc_event e; void A() {{ for (int i = 0; i < 3; i++) {{ wait(10, SC_NS); {body} }} }} \
             void B() {{ for (int i = 0; i < 3; i++) {{ wait(11, SC_NS); x = 1; }} }} \
             SC_CTOR(top) {{ SC_THREAD(A); SC_THREAD(B); }} }};\n\
             int sc_main(int, char **) {{ top t(\"top\"); {start}; return 0; }}\n"
        )
    };
    let two = "sc_start(20, SC_NS); sc_start()";
    for (name, body, start, why) in [
        ("plain", "x = 0;", "sc_start()", None),
        ("date", "if (sc_time_stamp() > sc_time(25, SC_NS)) x = 2;", "sc_start()", Some("reads the date")),
        ("deltas", "x = sc_delta_count();", "sc_start()", Some("counts delta cycles")),
        ("triggered", "x = e.triggered();", "sc_start()", Some("whether an event was triggered")),
        ("malloc", "int *p = (int *)malloc(4); *p = x; x = *p;", "sc_start()", Some("calls malloc")),
        ("strdup", "char *p = strdup(\"a\"); *p = x; x = *p;", "sc_start()", Some("calls strdup")),
        ("spawn", "sc_spawn([this] { x = 3; });", "sc_start()", Some("makes processes")),
        ("random", "x = rand();", "sc_start()", Some("random numbers")),
        ("bounded", "x = 0;", two, Some("sc_start is given a time")),
    ] {
        let mut s = setup(&model(&format!("states_{name}.cpp"), &text(body, start)), 100_000);
        s.states = true;
        let e = explored(&s, &Limits { merge: true, runs: 50, ..limits() });
        let told = e.why_not_merged.as_deref();
        assert_eq!(told.is_some(), why.is_some(), "{name}: {told:?}");
        assert!(why.is_none_or(|w| told.is_some_and(|t| t.contains(w))), "{name}: {told:?}");
    }
    let e = explored(&setup(&design("decoder.cpp", &[]), 0), &Limits { merge: true, ..limits() });
    assert_eq!((e.classes, e.why_not_merged.as_deref()), (128, Some("all delays are fixed")));
}

/// Random programs: what the explorer sees is what brute force over all schedules and delays sees.
#[test]
fn random_programs_end_as_brute_force_says() {
    let from: u64 = std::env::var("ENTAIL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let each: u64 = std::env::var("ENTAIL_EXPLORE_PROGRAMS").ok().and_then(|s| s.parse().ok()).unwrap_or(40);
    let interp = built(&root().join("tests/explore/interp.cpp"), &["-DENTAIL"]);
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("program");
    let copied = std::cell::Cell::new(0);
    let seen = |p: &program::Program| -> Option<Explored> {
        std::fs::write(&file, p.to_string()).expect("a file");
        let mut s = setup(&interp, 0);
        s.arguments = vec![file.display().to_string()];
        // One half with copies of the model at every choice, where most runs begin.
        if p.to_string().len().is_multiple_of(2) {
            s.checkpoint_after = Duration::ZERO;
        }
        let e = explored(&s, &Limits { runs: 3_000, ..limits() });
        copied.set(copied.get() + e.copied);
        // Every few programs, the same in parts.
        if p.processes.len() > 2 && e.runs > 8 && e.runs < 40 && e.runs.is_multiple_of(4) {
            let (sum, _) = in_parts(&s, &limits(), 5);
            assert_eq!(found(&sum), found(&e), "{p}");
        }
        (e.stopped != Some("--max-runs")).then_some(e)
    };
    // Steps that left the model as others had, and runs with and without looking.
    let alike = std::cell::Cell::new((0, 0, 0));
    let merged = |p: &program::Program| -> Option<Explored> {
        if !p.is_loose() {
            return None;
        }
        let mut s = setup(&interp, 0);
        (s.arguments, s.states) = (vec![file.display().to_string()], true);
        Some(explored(&s, &Limits { runs: 3_000, merge: true, ..limits() }))
    };
    let differs = |p: &program::Program| -> Option<(String, u64, u64)> {
        let want = oracle::explore(p, 20_000)?;
        let e = seen(p)?;
        let merged = merged(p);
        let got = printed(&e);
        // Of things due at one date the kernel takes one order, the explorer all. Where it does not call itself
        // complete, it must still have seen nothing that cannot be.
        let same = match (want.ties, e.stopped) {
            (false, None) => got == want.lines,
            (true, None) => got.is_superset(&want.lines),
            (false, Some(_)) => got.is_subset(&want.lines),
            (true, Some(_)) => true,
        };
        let missing: Vec<_> = want.lines.difference(&got).collect();
        let extra: Vec<_> = got.difference(&want.lines).collect();
        let mut text = if same { String::new() } else { format!("missing {missing:#?}\nextra {extra:#?}") };
        // With states looked at once, the same.
        if let Some(m) = merged.filter(|m| m.stopped.is_none() && e.stopped.is_none()) {
            let few = printed(&m);
            let missing: Vec<_> = got.difference(&few).collect();
            let extra: Vec<_> = few.difference(&got).collect();
            if !missing.is_empty() || !extra.is_empty() {
                text += &format!("with --merge missing {missing:#?}\nextra {extra:#?}");
            }
            let sums = alike.get();
            alike.set((sums.0 + m.merged.1, sums.1 + m.runs, sums.2 + e.runs));
        }
        Some((text, e.runs, e.classes))
    };
    let (mut compared, mut runs, mut classes) = (0, 0, 0);
    // One kind of program alone, where somebody looks for what is wrong with it.
    let only = std::env::var("ENTAIL_EXPLORE_PROFILE").ok();
    for profile in program::Profile::ALL.into_iter().filter(|p| only.as_ref().is_none_or(|o| o == p.name())) {
        for seed in from * 1_000_000..from * 1_000_000 + each {
            let p = program::generate(profile, seed);
            let Some((text, r, c)) = differs(&p) else { continue };
            if !text.is_empty() {
                let small = program::shrink(&p, &mut |q| differs(q).is_some_and(|d| !d.0.is_empty()));
                let text = differs(&small).map_or(text, |d| d.0);
                panic!("{} seed {seed}:\n{small}{text}", profile.name());
            }
            (compared, runs, classes) = (compared + 1, runs + r, classes + c);
        }
    }
    let (ratio, copied) = (runs as f64 / classes as f64, copied.get());
    println!("{compared} programs, {runs} runs of {classes} classes: {ratio:.3}; {copied} began at copies");
    let (alike, few, all) = alike.get();
    println!("with --merge: {alike} steps like others; {few} runs in place of {all}");
    assert!(copied > compared / 4, "copies of the model are used");
    assert!(only.is_some() || alike > compared / 10, "states come again");
    assert!(only.is_some() || compared >= each * 8);
}

/// Random programs, made small, of which an outcome was once missing from an exploration that called itself complete. In the
/// first one a step comes before another only with delays that no run with both has had; in three no delays bring a step
/// before one thing that happens, but some do before two; in the next two one notification takes in another; in the
/// last two a process is killed in a delta cycle that it could have been through before, or before a step that other delays
/// bring behind that of somebody else.
#[test]
fn delays_that_move_several_orders_are_found() {
    let interp = built(&root().join("tests/explore/interp.cpp"), &["-DENTAIL"]);
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("program");
    for (text, classes) in [
        (
            "seed 100066 timing\nvars 2\nevents 0\nsignals 0\nfifos 2\nmutexes 0\nsemaphores\n\
             thread 1\n loose 3 0\n read 1\n\
             thread 1\n loose 2 1\n put 0 0\n get 0\n add 1 0\n\
             thread 1\n get 0\n",
            Some(3),
        ),
        (
            "seed 103058 timing\nvars 0\nevents 2\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n notifyt 1 3\n notifyt 0 3\n\
             thread 1\n loose 3 1\n waitor 0 1\n",
            Some(3),
        ),
        (
            "seed 103085 timing\nvars 0\nevents 2\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n loose 1 0\n loose 4 0\n waitand 1 0\n\
             thread 1\n loose 3 1\n notifyt 1 2\n notifyt 0 2\n",
            Some(3),
        ),
        (
            "seed 103555 timing\nvars 1\nevents 2\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n loose 2 1\n read 0\n notify 1\n\
             thread 1\n waitfor 0 1\n delta\n add 0 0\n\
             thread 1\n waitfor 1 2\n",
            Some(2),
        ),
        (
            "seed 2002035 timing\nvars 0\nevents 1\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n loose 4 2\n notify0 0\n\
             thread 1\n waitfor 0 3\n notify0 0\n",
            None,
        ),
        (
            "seed 2001798 timing\nvars 0\nevents 1\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n loose 3 1\n waitfor 0 1\n notify0 0\n\
             thread 1\n loose 4 2\n loose 3 1\n notifyt 0 1\n",
            None,
        ),
        (
            "seed 21000858 loosecontrol\nvars 0\nevents 0\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n loose 4 0\n kill 1\n\
             thread 1\n loose 4 1\n delta\n",
            // Killed before its time; woken at that date, and killed before it runs; killed before its delta; not killed.
            Some(4),
        ),
        (
            "seed 31000687 loosecontrol\nvars 2\nevents 0\nsignals 0\nfifos\nmutexes 0\nsemaphores\n\
             thread 1\n delay 1\n loose 2 1\n add 0 0\n\
             thread 1\n loose 3 0\n kill 2\n\
             thread 1\n delay 3\n add 1 0\n",
            None,
        ),
    ] {
        std::fs::write(&file, text).expect("a file");
        let mut s = setup(&interp, 0);
        s.arguments = vec![file.display().to_string()];
        let e = explored(&s, &limits());
        let p = program::Program::parse(text).expect("a program");
        let want = oracle::explore(&p, 20_000).expect("few states");
        assert!(printed(&e).is_superset(&want.lines), "{p}");
        // Those of notifications do not call themselves complete.
        if let Some(n) = classes {
            exact(&e, n);
        }
    }
}

/// A state comes again, but with other dates of what is pending. A reads x0, forgets what it saw, and waits until B has
/// written it; if it reads first, it goes on just when B has written, else up to some ns later. Then A's write of x1 comes
/// before B's reads in the first case, and may come before, between or after them in the second. (B's write of x3 in front
/// of them follows A's, so that nothing of them is looked at beside the state.)
#[test]
fn states_with_other_dates_are_not_alike() {
    let interp = built(&root().join("tests/explore/interp.cpp"), &["-DENTAIL"]);
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("program");
    for late in [5, 2] {
        let text = format!(
            "seed 1 resting\nvars 4\nevents 0\nsignals 0\nfifos\nmutexes 0\nsemaphores 0\n\
             thread 1\n loose 4 3\n read 0\n keep 2\n acquire 0\n set 0 0\n set 2 0\n set 3 0\n delay 3\n set 1 1\n\
             thread 1\n delay {late}\n set 0 1\n post 0\n delay 3\n set 3 1\n delay 1\n read 1\n delay 1\n read 1\n"
        );
        std::fs::write(&file, &text).expect("a file");
        let p = program::Program::parse(&text).expect("a program");
        let want = oracle::explore(&p, 20_000).expect("few states").lines;
        assert_eq!(want.len(), if late == 5 { 3 } else { 4 }, "{want:#?}");
        let mut s = setup(&interp, 0);
        (s.arguments, s.states) = (vec![file.display().to_string()], true);
        let e = explored(&s, &Limits { merge: true, ..limits() });
        assert_eq!((printed(&e), e.stopped), (want, None));
    }
}

fn model(name: &str, text: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a file");
    built(&path, &[])
}

fn main_of(body: &str, threads: &str) -> String {
    format!(
        "#include <systemc>\n#include <pthread.h>\n#include <cstdlib>\n#include <iostream>\nusing namespace sc_core;\n\
         int shared = 0;\nSC_MODULE(top) {{ sc_event e; {body}\n SC_CTOR(top) {{ {threads} }} }};\n\
         int sc_main(int, char **) {{ top t(\"top\"); sc_start(); return 0; }}\n"
    )
}

#[test]
fn models_that_misbehave_are_told_and_survived() {
    let two = "SC_THREAD(A); SC_THREAD(B);";
    // A crash in one order only.
    let crash = main_of("void A() { shared = 1; } void B() { if (!shared) *(volatile int *)0 = 1; }", two);
    let e = explored(&setup(&model("crash.cpp", &crash), 0), &limits());
    assert_eq!((e.classes, failing(&e)), (2, 1));
    let ends: BTreeSet<End> = e.outcomes.all.keys().map(|o| o.end).collect();
    assert!(ends.contains(&End::Exit(0)) && ends.contains(&End::Signal(11)), "{ends:?}");
    // Crashes first: the order that avoids it must be seen all the same.
    let crash = main_of("void A() { if (!shared) abort(); } void B() { shared = 1; }", two);
    let e = explored(&setup(&model("abort.cpp", &crash), 0), &limits());
    assert_eq!((e.classes, failing(&e)), (2, 1));
    // The same, where only another delay avoids it: at 10 ns, while B comes at 9 to 15.
    let late =
        main_of("void A() { wait(10, SC_NS); if (!shared) abort(); } void B() { lwait(12, 3); shared = 1; }", two)
            .replace("<systemc>", "\"entail_systemc.h\"");
    let e = explored(&setup(&model("abort_late.cpp", &late), 0), &limits());
    // It may come before, after, and at that date with A before it.
    assert_eq!((e.classes, failing(&e), e.stopped), (3, 2, None));
    // A loop without a wait.
    let endless = main_of("void A() { for (volatile int i = 0;; i = i + 1) {} } void B() {}", two);
    let mut s = setup(&model("loop.cpp", &endless), 0);
    s.timeout = Duration::from_millis(500);
    let e = explored(&s, &limits());
    assert!(e.outcomes.all.keys().any(|o| o.end == End::Time));
    // Delta cycles without end.
    let livelock = main_of("void A() { for (;;) wait(SC_ZERO_TIME); } void B() {}", two);
    let e = explored(&setup(&model("livelock.cpp", &livelock), 0), &Limits { runs: 10, ..limits() });
    let problems: Vec<Problem> = e.outcomes.all.iter().flat_map(|(o, (_, x))| e.outcomes.problems(o, x)).collect();
    assert!(problems.contains(&Problem::Livelock), "{problems:?}");
    // Output without end.
    let chatter = main_of("void A() { for (;;) std::cout << \"all work and no play \"; } void B() {}", two);
    let e = explored(&setup(&model("chatter.cpp", &chatter), 0), &Limits { runs: 4, ..limits() });
    assert!(e.outcomes.all.keys().any(|o| o.end == End::Signal(25)), "{:?}", e.outcomes.all.keys());
    // Leaves in the middle.
    let leaves = main_of("void A() { exit(3); } void B() { shared = 1; }", two);
    let e = explored(&setup(&model("exit.cpp", &leaves), 0), &limits());
    assert!(e.outcomes.all.keys().all(|o| o.end == End::Exit(3)));
    // Threads of the host, random numbers, the host's clock.
    let outside = main_of(
        "static void *f(void *) { return nullptr; } void A() { pthread_t t; pthread_create(&t, 0, f, 0); \
         pthread_join(t, 0); } void B() { shared = rand() + time(nullptr); }",
        two,
    );
    let e = explored(&setup(&model("outside.cpp", &outside), 0), &limits());
    assert_eq!((e.outcomes.outside.len(), e.stopped), (3, Some("threads of the host")), "{:?}", e.outcomes.outside);
    // No simulation at all.
    let none = "#include <systemc>\nint sc_main(int, char **) { return 7; }\n";
    let program = model("none.cpp", none);
    match explore(&setup(&program, 0), &limits(), &|_, _, _, _| {}) {
        Err(Failure::Early(status, _)) => assert!(status.contains('7') || status.contains('0'), "{status}"),
        Err(e) => panic!("{e:?}"),
        Ok(_) => panic!("a run of nothing"),
    }
}

/// Where the simulation stops, and what a step finds the date to be, are orders, too.
#[test]
fn ends_and_dates_are_followed() {
    let text = |body: &str, start: &str| {
        format!(
            "#include \"entail_systemc.h\"\n#include <iostream>\nusing namespace sc_core;\nSC_MODULE(top) {{ int a = 0, b = 0, c = 0; \
             sc_time start, deadline; {body} SC_CTOR(top) {{ SC_THREAD(A); SC_THREAD(B); }} }};\nint sc_main(int, char **) {{ \
             top t(\"top\"); {start}; std::cout << t.a << t.b << t.c << std::endl; return 0; }}\n"
        )
    };
    let outcomes = |name: &str, text: String| -> BTreeSet<String> {
        let e = explored(&setup(&model(name, &text), 0), &limits());
        printed(&e).iter().filter_map(|s| s.lines().last().map(String::from)).collect()
    };
    let set = |all: &[&str]| all.iter().map(|s| s.to_string()).collect::<BTreeSet<_>>();
    // A: 7 to 13 ns, then another 7 to 13. B: 9 to 15 ns. Steps at the very end of sc_start(12 ns) do not run.
    let a = "void A() { lwait(10, 3); a = 1; wait(SC_ZERO_TIME); a = 2; lwait(10, 3); a = 3; }";
    let end = text(&format!("{a} void B() {{ lwait(12, 3); b = 1; }}"), "sc_start(12, SC_NS)");
    assert_eq!(outcomes("end.cpp", end), set(&["000", "010", "200", "210"]));
    let stop = text(&format!("{a} void B() {{ lwait(12, 3); b = 1; sc_stop(); }}"), "sc_start()");
    assert_eq!(outcomes("stop.cpp", stop), set(&["010", "110", "210", "310"]));
    // Compared with a constant, with an earlier date, with a kept date. b needs 7 ns, c more than 4: b implies c.
    let dates = text(
        "void A() { lwait(10, 3); sc_time now = sc_time_stamp(); \
         a = now < sc_time(9, SC_NS) ? 1 : now == sc_time(10, SC_NS) ? 2 : 3; } \
         void B() { lwait(5, 1); start = sc_time_stamp(); deadline = start + sc_time(4, SC_NS); lwait(5, 2); \
         if (sc_time_stamp() - start > sc_time(6, SC_NS)) b = 1; if (sc_time_stamp() > deadline) c = 1; }",
        "sc_start()",
    );
    let all = ["1", "2", "3"].iter().flat_map(|a| ["00", "01", "11"].iter().map(move |bc| format!("{a}{bc}")));
    assert_eq!(outcomes("dates.cpp", dates), all.collect());
}

/// Models that make processes while they run, with a count of classes by hand.
#[test]
fn processes_that_come_and_go_are_told_apart() {
    let text = |body: &str| {
        format!(
            "#include <systemc>\n#include <iostream>\nusing namespace sc_core;\nSC_MODULE(top) {{ int a = 0, b = 0; \
             void main() {{ {body} std::cout << a << b << std::endl; }} SC_CTOR(top) {{ SC_THREAD(main); }} }};\n\
             int sc_main(int, char **) {{ top t(\"top\"); sc_start(); return 0; }}\n"
        )
    };
    let outcomes = |name: &str, classes: u64, text: String| -> Vec<String> {
        let e = explored(&setup(&model(name, &text), 0), &limits());
        exact(&e, classes);
        printed(&e).iter().map(|s| s.trim().to_string()).collect()
    };
    // Ten end one after the other; the two that come then lie where some of those lay, and write at one date.
    let reuse = "for (int i = 0; i < 10; ++i) sc_spawn([this, i] { wait(i + 1, SC_NS); }); wait(20, SC_NS); \
                 for (int i = 1; i <= 2; ++i) sc_spawn([this, i] { wait(5, SC_NS); a = i; }); wait(20, SC_NS);";
    assert_eq!(outcomes("reuse.cpp", 2, text(reuse)), ["10", "20"]);
    // Whoever ends last wakes the one who joins, who follows both: two classes that end alike.
    let join =
        "SC_FORK sc_spawn([this] { wait(1, SC_NS); a = 1; }), sc_spawn([this] { wait(1, SC_NS); b = 1; }) SC_JOIN";
    assert_eq!(outcomes("join.cpp", 2, text(join)), ["11"]);
    // An event that is made where another one was: the one process hears the first, the other the second.
    let events = "for (int i = 1; i <= 2; ++i) { sc_event *e = new sc_event; \
                  sc_spawn([this, e, i] { wait(*e); (i == 1 ? a : b) = 1; }); wait(1, SC_NS); e->notify(1, SC_NS); \
                  wait(2, SC_NS); delete e; }";
    assert_eq!(outcomes("events.cpp", 1, text(events)), ["11"]);
}

/// Earliest and latest dates, by hand: P ends 30 to 50 ns after Q's notification at 4 to 8 ns, if it hears it.
#[test]
fn dates_of_the_end_are_exact() {
    let program = design("foochi.cpp", &[]);
    let when = vec!["foochi.Q".to_string()];
    let e = explored(&setup(&program, 0), &Limits { when, ..limits() });
    let ns = |n: u64| n * 1000;
    // Q: 4 to 8, then 18 to 30 more. P: if it heard Q's notification, at 34 to 58. Without it, Q is the last.
    assert_eq!(e.outcomes.spans["foochi.Q"], (ns(22), ns(38)));
    assert_eq!(e.outcomes.spans["the end"], (ns(22), ns(58)));
}

/// One wait passed twice, at w and 2w with w from 8 to 12 ns, beside 9 and 19 ns: if the first comes before 9,
/// the second comes before 19, unless the two passes may differ.
#[test]
fn shared_delays_are_one_choice() {
    let text = "#include \"entail_systemc.h\"\n#include <iostream>\nusing namespace sc_core;\nSC_MODULE(top) { int x = 0, seen[2]; \
                void A() { for (int i = 0; i < 2; i++) { lwait(10, 2); seen[i] = x; } } \
                void B() { wait(9, SC_NS); x = 1; wait(10, SC_NS); x = 2; } \
                SC_CTOR(top) { SC_THREAD(A); SC_THREAD(B); } };\nint sc_main(int, char **) { top t(\"top\"); sc_start(); \
                std::cout << t.seen[0] << t.seen[1] << std::endl; return 0; }\n";
    let program = model("shared.cpp", text);
    let set = |all: &[&str]| all.iter().map(|s| s.to_string()).collect::<BTreeSet<_>>();
    let e = explored(&setup(&program, 0), &limits());
    assert_eq!(printed(&e), set(&["01", "02", "11", "12"]));
    let e = explored(&setup(&program, 0), &Limits { shared_delays: true, ..limits() });
    assert_eq!(printed(&e), set(&["01", "11", "12"]));
}

/// Random programs with `--shared-delays`: all that brute force over schedules and over delays, one for each wait,
/// sees is seen; and in each run that was made, all passes through a wait took as long.
#[test]
fn shared_delays_end_as_brute_force_says() {
    let from: u64 = std::env::var("ENTAIL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let most: u64 = std::env::var("ENTAIL_EXPLORE_PROGRAMS").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    let interp = built(&root().join("tests/explore/interp.cpp"), &["-DENTAIL", "-DFINE"]);
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("program");
    let differs = |p: &program::Program| -> Option<String> {
        if !p.is_loose() {
            return None;
        }
        // Dates are sums of at most three passes: sixths of a ns have every order.
        let mut want = BTreeSet::new();
        for q in program::with_delays(p, 6) {
            want.extend(oracle::explore(&q, 3_000)?.lines);
        }
        std::fs::write(&file, p.to_string()).expect("a file");
        let mut s = setup(&interp, 0);
        s.arguments = vec![file.display().to_string()];
        let e = explored(&s, &Limits { runs: 3_000, shared_delays: true, ..limits() });
        for (_, x) in e.outcomes.all.values() {
            let mut by_wait = std::collections::BTreeMap::new();
            for d in x.run.nodes.iter().flat_map(|n| &n.delays) {
                let first = *by_wait.entry(d.site).or_insert(d.chosen);
                if first != d.chosen {
                    return Some(format!("one wait took {first} and {}", d.chosen));
                }
            }
        }
        let got = printed(&e);
        let missing: Vec<_> = want.difference(&got).collect();
        let text =
            if missing.is_empty() || e.stopped.is_some() { String::new() } else { format!("missing {missing:#?}") };
        Some(text)
    };
    let mut compared = 0;
    for seed in from * 1_000_000..from * 1_000_000 + most {
        let p = program::generate_shared(seed);
        let Some(text) = differs(&p) else { continue };
        if !text.is_empty() {
            let small = program::shrink(&p, &mut |q| differs(q).is_some_and(|d| !d.is_empty()));
            panic!("shared seed {seed}:\n{small}{}", differs(&small).unwrap_or(text));
        }
        compared += 1;
    }
    println!("{compared} programs");
    assert!(compared >= most * 2 / 3);
}

#[test]
fn limits_are_kept_and_told() {
    let program = design("readers.cpp", &["-DN=6"]);
    let e = explored(&setup(&program, 0), &Limits { runs: 10, ..limits() });
    assert_eq!((e.runs, e.stopped), (10, Some("--max-runs")));
    assert!(e.left > 0);
    // One departure from the kernel's order: the first run, and one for each reader.
    let e = explored(&setup(&program, 0), &Limits { departures: 1, ..limits() });
    assert_eq!((e.runs, e.stopped), (7, Some("--preemptions")));
    assert!(e.left > 0);
    let e = explored(&setup(&program, 0), &Limits { time: Some(Duration::ZERO), ..limits() });
    assert_eq!(e.stopped, Some("--time"));
}

/// Where choices come late, runs begin at copies that others have left, and the end is the same.
#[test]
fn runs_begin_at_copies() {
    for (name, words, loose) in [
        ("decoder.cpp", &[][..], 0),
        ("decoder.cpp", &[], 100_000),
        ("lastzero.cpp", &["-DN=5"], 0),
        ("tlm_nb.cpp", &[], 0),
    ] {
        let mut s = setup(&design(name, words), loose);
        s.checkpoints = 0;
        let without = explored(&s, &limits());
        (s.checkpoints, s.checkpoint_after) = (8, Duration::ZERO);
        let with = explored(&s, &limits());
        assert_eq!(found(&with), found(&without), "{name}");
        assert!(without.copied == 0 && with.copied * 4 > with.runs, "{name}: {} of {}", with.copied, with.runs);
    }
}

/// With room for one run only, the others are made again, and nothing is lost.
#[test]
fn little_memory_costs_runs_not_classes() {
    for (name, words, loose, classes) in
        [("readers.cpp", &["-DN=6"][..], 0, 64), ("decoder.cpp", &[], 0, 128), ("lastzero.cpp", &["-DN=5"], 0, 64)]
    {
        let e = explored(&setup(&design(name, words), loose), &Limits { room: 1, ..limits() });
        assert_eq!((e.classes, e.left, e.unstable), (classes, 0, 0), "{name}");
        assert!(e.replayed > 0);
    }
}

/// Explores in parts of so many runs, each going on from a file, until nothing is left.
fn in_parts(setup: &Setup, limits: &Limits, runs: u64) -> (Explored, u64) {
    let dir = tempfile::tempdir().expect("a folder");
    let resume = Some(Resume { file: dir.path().join("state"), tool: "test".into() });
    let limits = Limits { runs, resume, ..limits.clone() };
    let mut parts = 0;
    loop {
        let e = explored(setup, &limits);
        parts += 1;
        if e.stopped != Some("--max-runs") {
            return (e, parts);
        }
        assert_eq!(e.runs, parts * runs);
    }
}

/// Outcomes with their numbers of classes, and places that race with theirs.
fn found(e: &Explored) -> String {
    let all: Vec<_> = e.outcomes.all.iter().map(|(o, (n, x))| (o, n, e.outcomes.problems(o, x))).collect();
    format!("{:?} {} {} {all:#?} {:#?} {:?}", e.stopped, e.classes, e.runs, e.outcomes.races, e.outcomes.spans)
}

#[test]
fn parts_make_the_same_whole() {
    for (name, words, loose, runs) in [
        ("decoder.cpp", &[][..], 0, 20),
        ("decoder.cpp", &["-DBUG=2"], 100_000, 100),
        ("readers.cpp", &["-DN=6"], 0, 5),
        ("foochi.cpp", &[], 0, 1),
        ("interrupts.cpp", &["-DBUG=2"], 0, 1),
    ] {
        let s = setup(&design(name, words), loose);
        let whole = explored(&s, &limits());
        let (sum, parts) = in_parts(&s, &limits(), runs);
        assert!(parts > 1, "{name}");
        assert_eq!(found(&sum), found(&whole), "{name}");
    }
    // What is known of states is kept, too.
    let mut s = setup(&design("decoder.cpp", &["-DBUG=1"]), 200_000);
    s.states = true;
    let limits = Limits { merge: true, ..limits() };
    let (sum, parts) = in_parts(&s, &limits, 10);
    assert_eq!((found(&sum), parts > 1), (found(&explored(&s, &limits)), true));
}

/// A state is only for the exploration it is of; and it is whole, or not taken.
#[test]
fn a_state_of_something_else_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("state");
    let resume = Some(Resume { file: file.clone(), tool: "test".into() });
    let limits = Limits { runs: 5, resume, ..limits() };
    let readers = setup(&design("readers.cpp", &["-DN=6"]), 0);
    assert_eq!(explored(&readers, &limits).stopped, Some("--max-runs"));
    let refused = |setup: &Setup, limits: &Limits| match explore(setup, limits, &|_, _, _, _| {}) {
        Err(Failure::State(why, _)) => why,
        Err(e) => panic!("{e:?}"),
        Ok(_) => panic!("it went on"),
    };
    let other = setup(&design("readers.cpp", &["-DN=5"]), 0);
    assert!(refused(&other, &limits).contains("other: program or libraries"));
    let other = Limits { shared_delays: true, ..limits.clone() };
    assert!(refused(&readers, &other).contains("other: --shared-delays"));
    let other = Limits { resume: Some(Resume { file: file.clone(), tool: "new".into() }), ..limits.clone() };
    assert!(refused(&readers, &other).contains("other: entail"));
    let mut bytes = std::fs::read(&file).expect("a state");
    bytes.pop();
    std::fs::write(&file, &bytes).expect("a file");
    assert!(refused(&readers, &limits).contains("damaged"));
    std::fs::write(&file, "notes of mine").expect("a file");
    assert!(refused(&readers, &limits).contains("not a file"));
}

#[test]
fn two_workers_see_the_same() {
    let program = design("arbiter.cpp", &["-DBUG=1"]);
    let one = explored(&setup(&program, 0), &limits());
    let two = explored(&setup(&program, 0), &Limits { jobs: 2, ..limits() });
    let all = |e: &Explored| e.outcomes.all.iter().map(|(o, (n, _))| (o.clone(), *n)).collect::<Vec<_>>();
    assert_eq!(one.classes, two.classes);
    assert_eq!(all(&one), all(&two));
}

fn entail(words: &[&str]) -> (i32, String, String) {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_entail"))
        .args(words)
        .current_dir(root())
        .env("ENTAIL_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .output()
        .expect("entail runs");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

/// Whether some process has this word in its command.
fn runs(word: &str) -> bool {
    std::process::Command::new("pgrep").args(["-f", word]).output().expect("pgrep runs").status.success()
}

/// The first signal ends the search with a report, a second one ends everything; nothing is left running.
#[test]
fn signals_end_with_what_was_found() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir().expect("a folder");
    let endless = dir.path().join("endless.cpp");
    let text =
        main_of("void A() { for (volatile int i = 0;; i = i + 1) {} } void B() {}", "SC_THREAD(A); SC_THREAD(B);");
    std::fs::write(&endless, text).expect("a file");
    let endless: &str = &endless.display().to_string();
    let readers = ["designs/systemc/readers.cpp", "-D", "N=18"];
    for (k, (model, signals)) in [
        (&readers[..], &[Signal::INT][..]),
        (&[endless], &[Signal::TERM]),
        (&readers, &[Signal::INT, Signal::TERM]),
        (&[endless], &[Signal::INT, Signal::INT]),
    ]
    .iter()
    .enumerate()
    {
        // Built before, so that the signal comes when it runs.
        let build = [&["explore"], *model, &["--max-runs", "1", "--run-time", "0.1"]].concat();
        entail(&build);
        let word = format!("entail-signals-{}-{k}", std::process::id());
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_entail"))
            .arg("explore")
            .args(*model)
            .args(["-j", "2", "--allow-different", "--run-time", "600", "--", &word])
            .current_dir(root())
            .env("ENTAIL_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("entail runs");
        std::thread::sleep(Duration::from_millis(1500));
        assert!(runs(&word));
        for &signal in *signals {
            kill_process(Pid::from_child(&child), signal).expect("a signal");
        }
        let began = std::time::Instant::now();
        let ended = child.wait_with_output().expect("an end");
        let out = String::from_utf8_lossy(&ended.stdout);
        let out = out.get(..2_000).unwrap_or(&out);
        assert_eq!(ended.status.code(), Some(130), "{out}");
        if signals.len() == 1 {
            assert!(out.contains("not complete: stopped by an interrupt"), "{out}");
            assert!(began.elapsed() < Duration::from_secs(20));
        }
        // What dies with its parent may take a moment.
        let gone = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            !runs(&word)
        });
        assert!(gone, "something of {word} still runs");
    }
}

#[test]
fn the_command_line_tells_outcomes_and_how_to_see_them_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let trace = dir.path().display().to_string();
    let json = dir.path().join("result.json").display().to_string();
    let (code, out, err) =
        entail(&["explore", "designs/systemc/foo.cpp", "-j", "1", "--trace", &trace, "--json", &json]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    for line in [
        "fails: 1 of 3 classes fail; 3 outcomes",
        "  3 runs of 3 classes of schedules, complete;",
        "  deadlock: foo.P waits for ever for foo.event_0 (foo.cpp:28)",
        "    lost: foo.Q notified foo.event_0 (foo.cpp:35) when nobody waited for it",
        "    write foo.cpp:38  x = 1;",
    ] {
        assert!(out.contains(line), "{line:?} is not in\n{out}");
    }
    let result: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).expect("a result")).expect("JSON");
    assert_eq!((&result["runs"], &result["complete"]), (&3.into(), &true.into()));
    // Each schedule gives the output that it was written for, run by hand.
    let again: Vec<&str> = out.lines().filter_map(|l| l.trim().strip_prefix("again: ")).collect();
    assert_eq!(again.len(), 3);
    for (k, command) in again.iter().enumerate() {
        let run = std::process::Command::new("sh")
            .args(["-c", command])
            .env("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1")
            .output()
            .expect("sh runs");
        let want = std::fs::read(dir.path().join(format!("outcome-{}.out", k + 1))).expect("an output");
        assert_eq!(String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&want));
        let svg = std::fs::read_to_string(dir.path().join(format!("outcome-{}.svg", k + 1))).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }
    let (code, out, _) = entail(&["explore", "designs/systemc/foo.cpp", "--oracle", "grep -q Ok"]);
    assert_eq!(code, 1);
    assert!(out.contains("fails: 2 of 3 classes fail"), "{out}");
    let (code, out, _) = entail(&["explore", "designs/systemc/fifo.cpp"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("holds: all schedules seen end alike"), "{out}");
    let (code, out, _) =
        entail(&["explore", "designs/systemc/readers.cpp", "-D", "N=6", "--max-runs", "5", "--allow-different"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("not complete: stopped by --max-runs"), "{out}");
}

#[test]
fn mistakes_are_told_with_a_remedy() {
    let dir = tempfile::tempdir().expect("a folder");
    let broken = dir.path().join("broken.cpp");
    std::fs::write(&broken, "#include <systemc>\nint sc_main(int, char **) { return unknown; }\n").expect("a file");
    let broken = broken.display().to_string();
    let strange = dir.path().join("include/sysc/kernel");
    std::fs::create_dir_all(&strange).expect("a folder");
    std::fs::write(
        strange.join("sc_ver.h"),
        "#define SC_VERSION_MAJOR 9\n#define SC_VERSION_MINOR 1\n#define SC_VERSION_PATCH 0\n",
    )
    .expect("a file");
    std::fs::write(strange.join("sc_cmnhdr.h"), "").expect("a file");
    let strange = dir.path().display().to_string();
    for (words, message, help) in [
        (&["explore"][..], "no model", "give its sources"),
        (&["explore", "nothing.cpp"], "there is no file nothing.cpp", "check the path"),
        (&["explore", &broken], "compiling", "-I"),
        (&["explore", "designs/systemc/foo.cpp", "--cxx", "no-such-compiler"], "cannot run the compiler", "--cxx"),
        (
            &["explore", "designs/systemc/foo.cpp", "--systemc", &strange],
            "SystemC 9.1.0 is not one whose scheduler entail knows",
            "--systemc",
        ),
        (&["explore", "--program", "/bin/true"], "ended before its simulation began", "sc_start"),
        (&["explore", "designs/systemc/foo.cpp", "--loose", "much"], "expected a part such as 20% or 0.2", ""),
        (&["explore", "designs/systemc/foo.cpp", "--loose", "150%"], "less than 100%", ""),
    ] {
        let (code, _, err) = entail(words);
        assert_eq!(code, 2, "{words:?}: {err}");
        assert!(err.contains(message) && err.contains(help), "{words:?}: {err}");
    }
}
