//! `entail prove` as users run it: answers of the bundled proofs, counterexamples in a simulator, evaluation for given values,
//! signals that are not needed, mistakes in specifications.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn entail(folder: &Path, args: &[&str]) -> Output {
    let mut c = Command::new(env!("CARGO_BIN_EXE_entail"));
    c.arg("-C").arg(folder).arg("prove").args(args).output().expect("entail runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What is expected of one run of `entail prove`.
struct Row {
    spec: String,
    parameters: Vec<String>,
    /// Answer and assertion; none if all holds.
    answers: Vec<(String, String)>,
}

impl Row {
    fn args(&self) -> Vec<&str> {
        let mut args = vec![self.spec.as_str()];
        self.parameters.iter().for_each(|p| args.extend(["-P", p.as_str()]));
        args
    }

    fn name(&self) -> String {
        format!("{} {}", self.spec, self.parameters.join(" "))
    }
}

/// The lines of `proofs/expected.txt`; those about one run together.
fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(root().join("proofs/expected.txt")).expect("readable");
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (what, answer) = line.split_once(" : ").expect("an answer");
        let mut words = what.split(' ').map(str::to_string);
        let spec = words.next().expect("a specification");
        let parameters: Vec<String> = words.collect();
        let answer = (answer != "holds").then(|| {
            let (word, name) = answer.split_once(' ').expect("an assertion");
            assert!(["fails", "unknown", "over-constrained", "vacuous"].contains(&word), "{line}");
            (word.to_string(), name.to_string())
        });
        match rows.iter_mut().find(|r| r.spec == spec && r.parameters == parameters) {
            Some(r) => {
                let answer = answer.unwrap_or_else(|| panic!("{line}: holds, and does not"));
                assert!(!r.answers.is_empty(), "{line}: holds, and does not");
                r.answers.push(answer);
            }
            None => rows.push(Row { spec, parameters, answers: answer.into_iter().collect() }),
        }
    }
    assert!(rows.len() > 40);
    rows
}

/// The answer to each assertion, by its name.
fn answers(said: &str) -> BTreeMap<String, String> {
    let known = ["holds", "fails", "unknown", "over-constrained", "vacuous", "broken"];
    let mut all = BTreeMap::new();
    for l in said.lines() {
        let mut words = l.split_whitespace();
        if let (Some(answer), Some(name)) = (words.next(), words.next())
            && known.contains(&answer)
            && !l.starts_with(' ')
        {
            all.insert(name.to_string(), answer.to_string());
        }
    }
    all
}

/// Correct designs satisfy their specifications, composed up to the goal; each seeded bug is found where it must be.
#[test]
fn bundled_proofs_have_their_answers() {
    for row in &rows() {
        let out = entail(&root().join("proofs"), &row.args());
        let said = text(&out.stdout);
        let shown = format!("{}\n{said}{}", row.name(), text(&out.stderr));
        let found = answers(&said);
        if row.answers.is_empty() {
            assert_eq!(out.status.code(), Some(0), "{shown}");
            assert!(!found.is_empty() && found.values().all(|a| a == "holds"), "{shown}");
            assert!(!said.contains("not proved") && !said.contains("refused"), "{shown}");
            // Each was looked at twice.
            assert!(!said.contains("unchecked"), "{shown}");
        }
        for (answer, name) in &row.answers {
            assert_eq!(found.get(name), Some(answer), "{shown}");
            assert_eq!(
                out.status.code(),
                Some(if row.answers.iter().any(|a| a.0 == "fails") { 1 } else { 3 }),
                "{shown}"
            );
        }
    }
}

/// Values that grow beyond a limit become X, which is said, and never an answer of its own.
#[test]
fn values_that_are_too_large_become_x_and_that_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = std::fs::read_to_string(root().join("proofs/booth8.yaml")).expect("a specification");
    let list = root().join("designs/mult/mult.f");
    let spec = spec.replace("../designs/mult/mult.f", &list.display().to_string());
    for (most, code, says) in [("2000", 3, "values became X for their size"), ("100000000", 0, "holds")] {
        let spec = spec.replace("  multiplies:\n", &format!("  multiplies:\n    weaken_above: {most}\n"));
        std::fs::write(folder.path().join("s.yaml"), spec).expect("written");
        let out = entail(folder.path(), &["s.yaml"]);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert!(out.status.code() == Some(code) && said.contains(says), "{most}: {said}");
    }
}

/// What was proved can be checked again from its file alone; a file that was changed, or whose sources were, is noticed.
#[test]
fn proofs_replay_and_tell_when_they_are_stale() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy =
        |from: &str, to: &str| std::fs::copy(root().join(from), folder.path().join(to)).map(drop).expect("a copy");
    for f in ["adder_unit.sv", "carry_net.sv"] {
        copy(&format!("designs/datapath/{f}"), f);
    }
    let spec = std::fs::read_to_string(root().join("proofs/adder.yaml")).expect("a specification");
    let spec = spec.replace("lists: [../designs/datapath/datapath.f]", "files: [adder_unit.sv, carry_net.sv]");
    std::fs::write(folder.path().join("s.yaml"), &spec).expect("written");
    let out = entail(folder.path(), &["s.yaml", "--json", "p.json"]);
    assert_eq!(out.status.code(), Some(0), "{}{}", text(&out.stdout), text(&out.stderr));
    let replay = || {
        let mut replay = Command::new(env!("CARGO_BIN_EXE_entail"));
        let out = replay.current_dir(folder.path()).args(["replay", "p.json"]).output().expect("entail runs");
        (out.status.code(), text(&out.stdout))
    };
    let (code, said) = replay();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("confirmed  adds") && said.contains("the same   s.yaml"), "{said}");
    // Another design, specification or program.
    let path = folder.path().join("adder_unit.sv");
    let design = std::fs::read_to_string(&path).expect("a design");
    std::fs::write(&path, format!("{design}// changed\n")).expect("written");
    let (code, said) = replay();
    assert!(code == Some(1) && said.contains("stale      adder_unit.sv has changed"), "{said}");
    std::fs::write(&path, &design).expect("written");
    let file = folder.path().join("p.json");
    let good = std::fs::read_to_string(&file).expect("a proof");
    let mut j: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    j["tool"] = "entail 0.0.1".into();
    std::fs::write(&file, j.to_string()).expect("written");
    let (code, said) = replay();
    assert!(code == Some(1) && said.contains("stale      the program has changed"), "{said}");
    // A claim that is not so, and one that is so but is not asked for.
    let mut j: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    let value = j["steps"][0]["statement"]["consequent"][0][2].as_u64().expect("a literal");
    j["steps"][0]["statement"]["consequent"][0][2] = (value ^ 1).into();
    std::fs::write(&file, j.to_string()).expect("written");
    let (code, said) = replay();
    assert!(code == Some(4) && said.contains("REFUTED    adds"), "{said}");
    let mut j: serde_json::Value = serde_json::from_str(&good).expect("JSON");
    j["steps"][0]["statement"]["consequent"].as_array_mut().expect("claims").truncate(3);
    std::fs::write(&file, j.to_string()).expect("written");
    let (code, said) = replay();
    assert!(code == Some(4) && said.contains("`adds` says something else than the specification"), "{said}");
}

/// Every specification of the folder has lines, and each bug of its design is named.
#[test]
fn every_specification_and_every_bug_is_expected() {
    let rows = rows();
    for entry in std::fs::read_dir(root().join("proofs")).expect("proofs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|x| x != "yaml") {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let own: Vec<&Row> = rows.iter().filter(|r| r.spec == name).collect();
        assert!(own.iter().any(|r| r.answers.is_empty()), "{name} holds nowhere");
        let bugs = match name.as_str() {
            "mem_unit.yaml" => 2,
            "reset_sync.yaml" => 4,
            _ => 3,
        };
        for bug in 1..=bugs {
            let bug = format!("BUG={bug}");
            assert!(own.iter().any(|r| r.parameters.contains(&bug) && !r.answers.is_empty()), "{name} {bug}");
        }
    }
}

/// The files of the design that a bundled specification is about.
fn files(spec: &str) -> Vec<PathBuf> {
    let list = match spec {
        "booth8.yaml" | "mult16.yaml" => "designs/mult/mult.f",
        "reset_sync.yaml" => "designs/sync/sync.f",
        _ => "designs/datapath/datapath.f",
    };
    let list = root().join(list);
    let folder = list.parent().expect("a folder");
    let text = std::fs::read_to_string(&list).expect("readable");
    let lines = text.lines().map(|l| l.split("//").next().unwrap_or("").trim());
    lines.filter(|l| !l.is_empty()).map(|l| folder.join(l)).collect()
}

/// With each failure come a waveform and a bench, and the bench fails in a simulator that shares nothing with us.
#[test]
fn counterexamples_fail_in_a_simulator() {
    let found = Command::new("iverilog").arg("-V").output().is_ok();
    assert!(found, "`iverilog` does not run; install it: apt-get install iverilog (`make test` does)");
    let mut seen = 0;
    for row in &rows() {
        for (_, name) in row.answers.iter().filter(|a| a.0 == "fails") {
            let folder = tempfile::tempdir().expect("a folder");
            let place = folder.path().display().to_string();
            let mut args = row.args();
            args.extend(["--only", name, "--trace", &place]);
            let out = entail(&root().join("proofs"), &args);
            let said = format!("{} {name}\n{}{}", row.name(), text(&out.stdout), text(&out.stderr));
            let wave = std::fs::read_to_string(folder.path().join(format!("{name}.vcd")));
            assert!(wave.expect(&said).contains("$enddefinitions"), "{said}");
            let bench = folder.path().join(format!("{name}_tb.sv"));
            let program = folder.path().join("bench.vvp");
            let mut c = Command::new("iverilog");
            c.args(["-g2012", "-s", "entail_bench", "-o"]).arg(&program).arg(&bench).args(files(&row.spec));
            let built = c.output().expect("iverilog runs");
            assert!(built.status.success(), "{said}\n{}", text(&built.stderr));
            let ran = text(&Command::new("vvp").arg("-n").arg(&program).output().expect("it runs").stdout);
            assert!(ran.contains("end of the trace"), "{said}\n{ran}");
            // A formula without a node of its own, as that of `rotates_back`, is no line of the bench.
            assert!(name == "rotates_back" || ran.contains("entail: FAIL"), "{said}\n{ran}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

/// The answers that are neither *holds* nor *fails*, each with its reason.
#[test]
fn unknown_over_constrained_and_vacuous_are_explained() {
    let folder = root().join("tests/support_prove");
    let cases: &[(&str, &str, &str, i32, &[&str])] = &[
        // b is not given, so the lowest bit of the sum is X already.
        (
            "unknown.yaml",
            "unknown",
            "open_input",
            3,
            &[
                "(X reaches what follows;",
                "`sum is a + b + cin`",
                // Whatever a, b and cin are: 17 bits.
                "is X for 131072 of 131072 assignments",
                "X begins at b[0] at 0 ",
                "adder_unit.sv:38: an input that nothing binds",
                "help: give it a value, as in `b[0] is VALUE at 0`",
            ],
        ),
        ("unknown.yaml", "unknown", "open_input", 3, &["reaches sum[0] at 0", "not proved   goal open_input"]),
        // Nothing is known of what the register holds before the first edge.
        ("state.yaml", "unknown", "open_state", 3, &["X begins at y[0] at 0 ", ": state that nothing binds"]),
        // sum[0] is a[0] ^ b[0] ^ cin, and is said to be something else.
        (
            "over.yaml",
            "over-constrained",
            "two_sums",
            1,
            &[
                "(what is given contradicts the design;",
                "sum[0] at 0 is given a value that it cannot have there",
                // For each a, b and cin 255 of 256 values of s.
                "contradicts the design for 33423360 of 33554432 assignments",
                "help: exclude these values with `where`, or give the node no value there",
            ],
        ),
        // A node that is constant, with the other value.
        ("constant.yaml", "over-constrained", "constant", 1, &["(what is given contradicts the design;"]),
        ("vacuous.yaml", "vacuous", "no_values", 1, &["(nothing satisfies the constraint)"]),
    ];
    for (spec, answer, name, code, parts) in cases {
        let out = entail(&folder, &[spec]);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(answers(&said).get(*name).map(String::as_str), Some(*answer), "{spec}\n{said}");
        assert_eq!(out.status.code(), Some(*code), "{spec}\n{said}");
        for p in *parts {
            assert!(said.contains(p), "{spec}: {p}\n{said}");
        }
    }
}

/// An answer that is expected in the file is no surprise, any other is.
#[test]
fn expectations_in_the_file_decide_the_exit_code() {
    let base = std::fs::read_to_string(root().join("tests/support_prove/unknown.yaml")).expect("readable");
    let datapath = root().join("designs/datapath/datapath.f").display().to_string();
    let base = base.replace("../../designs/datapath/datapath.f", &datapath).replace("goal: open_input\n", "");
    for (expect, code) in [("unknown", 0), ("holds", 1), ("fails", 1), ("vacuous", 1)] {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = base.replace("    then:", &format!("    expect: {expect}\n    then:"));
        std::fs::write(folder.path().join("s.yaml"), spec).expect("written");
        let out = entail(folder.path(), &["s.yaml"]);
        assert_eq!(out.status.code(), Some(code), "{expect}\n{}{}", text(&out.stdout), text(&out.stderr));
    }
}

/// `--eval`: what is expected and what the design has, for values worked out by hand.
#[test]
fn specifications_are_executed_for_given_values() {
    let cases: &[(&[&str], &str, i32, &[&str])] = &[
        // 3 + 5 + 1 = 9, no carry.
        (
            &["adder.yaml"],
            "a=3,b=5,cin=1",
            0,
            &["expected 0x9 (9)  the design has 0x9 (9)", "expected 0  the design has 0"],
        ),
        // (2**64 - 1) + 1 = 2**64: sum 0, carry 1.
        (
            &["adder.yaml"],
            "a=0xffff_ffff_ffff_ffff,b=1,cin=0",
            0,
            &["expected 0x0 (0)  the design has 0x0 (0)", "expected 1  the design has 1"],
        ),
        // Every bit propagates: bug 3 loses the carry.
        (&["adder.yaml", "-P", "BUG=3"], "a=-1,b=0,cin=1", 1, &["expected 1  the design has 0   <-- differs"]),
        // SUB: 3 - 5 = -2 = 2**32 - 2 = 4294967294.
        (
            &["alu.yaml", "--only", "op_1"],
            "op=1,a=3,b=5",
            0,
            &["expected 0xfffffffe (4294967294)  the design has 0xfffffffe (4294967294)"],
        ),
        // SRA of 0x80000000 by 4 has five ones at the left: 0xf8000000 = 31 * 2**27 = 4160749568.
        (
            &["alu.yaml", "--only", "op_9"],
            "op=9,a=0x80000000,b=4",
            0,
            &["expected 0xf8000000 (4160749568)  the design has 0xf8000000 (4160749568)"],
        ),
        // The case of another opcode says nothing.
        (&["alu.yaml", "--only", "op_2"], "op=1,a=3,b=5", 0, &["op_2: the constraint does not allow these values"]),
        // Rotating right by 4 moves the last digit to the front.
        (&["barrel.yaml", "--only", "mode_3"], "mode=3,x=0x0123456789abcdef,n=4", 0, &["expected 0xf0123456789abcde "]),
        // (1 + 2) ^ rotl(0x8001) = 3 ^ 0x0003 = 0 in cycle 1 of stage 3, with pa the sum.
        (
            &["stall_pipe.yaml", "--only", "result"],
            "v=0,a=0,b=0,c=0,w=0,pv=1,pa=3,pb=0,pc=0x8001,qv=0,qa=0,qb=0,qc=0",
            0,
            &["at 1: y is", "expected 0x0 (0)  the design has 0x0 (0)"],
        ),
        // Word 3 is written with 0x1234 = 4660 in cycle 0.
        (
            &["mem_unit.yaml", "--only", "write"],
            "i=3,j=7,d=0x1234,e=9",
            0,
            &["at 1: mem[i] is d at 1", "expected 0x1234 (4660)  the design has 0x1234 (4660)"],
        ),
        (&["adder.yaml"], "a=3,b=5", 2, &["error: --eval 'a=3,b=5': no value for cin"]),
        (&["adder.yaml"], "a=3,b=5,cin=2", 2, &["`2` is no value of 1 bits"]),
        (&["adder.yaml"], "a=3,b=5,q=2", 2, &["there is no vector `q`; the vectors are a, b, cin"]),
    ];
    for (args, values, code, parts) in cases {
        let mut args = args.to_vec();
        args.extend(["--eval", values]);
        let out = entail(&root().join("proofs"), &args);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(out.status.code(), Some(*code), "{args:?}\n{said}");
        for p in *parts {
            assert!(said.contains(p), "{args:?}: {p}\n{said}");
        }
    }
}

/// Both engines have the same answers.
#[test]
fn engines_agree() {
    for (spec, bug) in [("adder.yaml", 0), ("adder.yaml", 2), ("cam.yaml", 0), ("cam.yaml", 1), ("stall_pipe.yaml", 1)]
    {
        let bug = format!("BUG={bug}");
        let by = |engine: &str| {
            let out = entail(&root().join("proofs"), &[spec, "-P", &bug, "--engine", engine]);
            (answers(&text(&out.stdout)), out.status.code())
        };
        let bdd = by("bdd");
        assert!(!bdd.0.is_empty(), "{spec}");
        assert_eq!(bdd, by("sat"), "{spec} {bug}");
    }
}

const GATES: &str = "module r (input logic a, b, c, output logic y, z);
    wire p = a & b, n = b & c, spare = a ^ c;
    assign y = p | n;
    assign z = spare;
endmodule
";

const GATES_SPEC: &str = "design: {files: [r.sv], top: r}
assertions:
  one: {given: [a is 1, b is 1, c is 1], then: y is 1}
";

const SUM_SPEC: &str = "design: {lists: [LIST], top: adder_unit, parameters: {WIDTH: 4, KIND: 0}}
vectors: {a: 4, b: 4, cin: 1}
assertions:
  sums: {given: [a is a, b is b, cin is cin], then: sum is a + b + cin}
";

/// The lines of `--redundant` without places: what is said, of which node.
fn needs(said: &str) -> Vec<(String, String)> {
    let lines = said.lines().map(|l| l.split_whitespace().take(2).map(str::to_string).collect::<Vec<_>>());
    let lines = lines.filter(|w| w.len() == 2 && ["redundant", "alone", "needed"].contains(&w[0].as_str()));
    lines.map(|w| (w[0].clone(), w[1].trim_start_matches('!').to_string())).collect()
}

/// `--redundant`: which signals can be X, known by hand.
#[test]
fn signals_that_are_not_needed_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = root().join("designs/datapath/datapath.f").display().to_string();
    for (name, content) in
        [("r.sv", GATES.to_string()), ("r.yaml", GATES_SPEC.into()), ("s.yaml", SUM_SPEC.replace("LIST", &list))]
    {
        std::fs::write(folder.path().join(name), content).expect("written");
    }
    let run = |args: &[&str]| {
        let out = entail(folder.path(), args);
        (text(&out.stdout), text(&out.stderr), out.status.code())
    };
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
    };
    // With all inputs 1 either term makes y 1, so one of them can be X, not both; `spare`, alias `z`, is not used for y.
    let (said, _, code) =
        run(&["r.yaml", "--redundant", "p", "--redundant", "n", "--redundant", "spare", "--redundant", "y"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(
        needs(&said),
        pairs(&[("redundant", "p"), ("alone", "n"), ("redundant", "z"), ("needed", "y")]),
        "{said}"
    );
    assert!(said.contains("2 of 4 bits can be X all at once"), "{said}");
    // The carry out of the last place and what generates it are for cout alone. carry[0] is cin itself.
    let (said, _, code) = run(&["s.yaml", "--redundant", "carry", "--redundant", "g"]);
    assert_eq!(code, Some(0), "{said}");
    let wanted = [
        ("needed", "cin"),
        ("needed", "carry[1]"),
        ("needed", "carry[2]"),
        ("needed", "carry[3]"),
        ("redundant", "cout"),
        ("needed", "g[0]"),
        ("needed", "g[1]"),
        ("needed", "g[2]"),
        ("redundant", "g[3]"),
    ];
    assert_eq!(needs(&said), pairs(&wanted), "{said}");
    let (_, err, code) = run(&["s.yaml", "--redundant", "nope"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("error: no node fits `nope`"), "{err}");
    // Of what does not hold nothing can be said.
    let (said, _, code) = run(&["s.yaml", "-P", "BUG=2", "--redundant", "g"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("`sums` does not hold as it is"), "{said}");
}

const DESIGN: &str = "// Two stages: s <= a + b, then q <= s.
module d (
    input  logic       clk,
    input  logic [7:0] a,
    input  logic [7:0] b,
    output logic [7:0] q
);
    typedef struct packed { logic [3:0] hi; logic [3:0] lo; } pair;
    logic [7:0] s;
    pair        halves;
    logic [7:0] mem [0:3];

    assign halves = s;

    always_ff @(posedge clk) begin
        s <= a + b;
        q <= s;
        mem[a[1:0]] <= b;
    end
endmodule
";

/// A specification that holds. The wrong ones differ from it in one place.
const SPEC: &str = "design: {files: [d.sv], top: d}
clock: clk
vectors: {x: 8, y: 8}
assertions:
  adds:
    given:
      - a is x at 0
      - b is y at 0
    then:
      - q is x + y at 2
goal: adds
";

/// One mistake: what is replaced, by what, where it must be shown (line, column), the message, the help.
type Mistake = (&'static str, &'static str, Option<(u32, u32)>, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    // Keys.
    ("goal:", "goals:", Some((11, 1)), "error[E1102]: there is no key `goals` here", "did you mean `goal`?"),
    ("goal: adds", "wombat: adds", Some((11, 1)), "there is no key `wombat` here", "the keys are about, design"),
    ("goal: adds", "clock: clk", Some((11, 1)), "error[E1101]: `clock` stands here twice", "keep one of them"),
    ("    then:", "    than:", Some((9, 5)), "there is no key `than` here", "did you mean `then`?"),
    ("      - q is x + y at 2\n", "", Some((6, 5)), "nothing follows: `then` is empty", ""),
    ("files: [d.sv], ", "", Some((1, 9)), "the design has no files", "name them with `files:` or `lists:`"),
    ("y: 8}", "y: 8", Some((4, 11)), "error[E1101]: this is no YAML", ""),
    ("clock: clk", "clock: &c clk\nclocks: *c", Some((3, 9)), "error[E1101]: aliases are not read here", ""),
    // Nodes.
    ("b is y", "bb is y", Some((8, 9)), "error[E1104]: the design has no node `bb`", "did you mean `b`?"),
    ("q is x", "u.sum is x", Some((10, 9)), "the design has no node `u.sum`", "names are hierarchical"),
    ("q is x", "q[8:0] is x", Some((10, 9)), "error[E1104]: index 8 is not in 7 to 0", ""),
    ("q is x + y at 2", "mem[4] is x at 1", Some((10, 9)), "index 4 is not in 0 to 3", ""),
    ("q is x + y at 2", "mem[x][y] is x at 1", Some((10, 9)), "only one index of a node can be an expression", ""),
    ("q is x + y at 2", "halves.mid is x at 1", Some((10, 9)), "there is no field `mid`", "the fields are hi, lo"),
    ("q is x", "q.lo is x", Some((10, 9)), "`lo` is a field of something that has none", ""),
    // Times.
    ("y at 2", "y", Some((10, 9)), "error[E1103]: when is not said", "add `at TIME`, `from TIME to TIME` or `always`"),
    ("y at 2", "y at", Some((10, 9)), "a time is missing", "write NODE is VALUE when GUARD at TIME"),
    ("y at 2", "y at T", Some((10, 23)), "`T` is no number", ""),
    ("y at 2", "y at 1 - 2", Some((10, 23)), "-1 is no time", ""),
    ("y at 2", "y from 3 to 2", Some((10, 25)), "from 3 to 2 is no time at all", ""),
    ("y at 2", "y from 3", Some((10, 9)), "`from` without `to`", ""),
    // Values: the place inside of the expression.
    ("x + y", "x + z", Some((10, 18)), "error[E0204]: unknown name `z`", ""),
    ("x + y", "x + y + wide(y)", Some((10, 22)), "error[E0204]: unknown name `wide`", ""),
    ("x + y at", "x + at", Some((10, 17)), "error[E0106]: syntax error: expected an expression", ""),
    ("x + y", "x y", Some((10, 16)), "error[E0106]: syntax error", ""),
    ("x + y", "8'bx", Some((10, 9)), "error[E1105]: this value is not defined", "it depends on x"),
    ("x + y", "x / y", Some((10, 9)), "error[E1105]: this value is not defined", ""),
    ("b is y at 0", "x < y", Some((8, 9)), "what is given must say what a node is", "belong into `where:`"),
    ("q is x + y at 2", "x < y at 2", Some((10, 9)), "a formula has no time of its own", "times stand in `reads:`"),
    // Vectors, reads, orders.
    ("y: 8", "y: 0", Some((3, 20)), "a vector has 1 to 4096 bits", ""),
    ("y: 8", "y: 8 bits", Some((3, 22)), "`8 bits` is no whole number", ""),
    ("y: 8", "2y: 8", Some((3, 17)), "`2y` is no name for a vector", ""),
    ("clock: clk", "clock: clk\nreads: {r: q}", Some((3, 12)), "a read is `NODE at TIME`", ""),
    ("clock: clk", "clock: clk\nreads: {x: q at 1}", Some((3, 9)), "`x` is already a vector", ""),
    ("clock: clk", "clock: clk\norder: ['interleave(x, z)']", Some((3, 24)), "there is no vector `z`", ""),
    ("clock: clk", "clock: clk\norder: [sorted(x)]", Some((3, 9)), "`sorted` is no order", "an order is"),
    // Design, files, clocks, engines.
    ("clock: clk", "clock: clock", Some((2, 8)), "the design has no input `clock`", "did you mean `clk`?"),
    ("clock: clk", "clock: a", Some((2, 8)), "`a` has more than one bit", ""),
    ("clock: clk", "clock: clk\nstart: reset", Some((3, 8)), "`start` is `any` or `initial`", ""),
    ("clock: clk", "library: [no.sv]\nclock: clk", Some((2, 11)), "there is no file no.sv", ""),
    ("d.sv", "no.sv", Some((1, 18)), "there is no file no.sv", "paths are relative to the specification"),
    ("top: d", "top: e", None, "top module `e` not found", ""),
    ("    then:", "    engine: smt\n    then:", Some((9, 13)), "the engines are `bdd` and `sat`", ""),
    ("    then:", "    expect: works\n    then:", Some((9, 13)), "what is expected is one of holds, fails", ""),
    ("    then:", "    weaken: [no*]\n    then:", Some((9, 14)), "error[E1104]: no node fits `no*`", ""),
    // Loops.
    ("  adds:\n", "  adds:\n    for: {i: 1-3}\n", Some((6, 14)), "a loop runs over `FIRST..LAST`", ""),
    ("  adds:\n", "  adds:\n    for: {i: 0..3}\n", Some((5, 3)), "must contain its loop variables", ""),
    // Steps.
    ("goal: adds", "theorems:\n  t: {where: x == 0}", Some((12, 6)), "a step has exactly one rule", "the rules are"),
    ("goal: adds", "theorems:\n  t: {shift: adds}", Some((12, 6)), "`by` is missing", ""),
    ("goal: adds", "theorems:\n  t: {shift: adds, by: 1, then: q}", Some((12, 33)), "`shift` has no `then`", ""),
    (
        "goal: adds",
        "theorems:\n  t: {apply: magic}",
        Some((12, 14)),
        "there is no rule `magic`",
        "the derived rules are",
    ),
    ("goal: adds", "theorems:\n  t: {apply: chain, steps: adds}", Some((12, 6)), "`then` is missing", ""),
    ("goal: adds", "theorems:\n  t: {fact: x == x, by: eye}", Some((12, 25)), "is shown by `algebra` or by `sat`", ""),
    ("goal: adds", "theorems:\n  t: {instantiate: adds, with: {z: 3}}", Some((12, 33)), "no vector `z`", ""),
    ("goal: adds", "theorems:\n  adds: {shift: adds, by: 1}", Some((12, 3)), "`adds` is defined twice", ""),
    ("goal: adds", "theorems:\n  t: {shift: add, by: 1}", None, "there is no theorem `add`", ""),
];

fn try_spec(spec: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("d.sv"), DESIGN).expect("written");
    std::fs::write(folder.path().join("s.yaml"), spec).expect("written");
    entail(folder.path(), &["s.yaml"])
}

/// Each mistake is a message about that mistake, at its place in the file.
#[test]
fn mistakes_in_specifications_are_shown_where_they_are() {
    let out = try_spec(SPEC);
    assert_eq!(out.status.code(), Some(0), "{}{}", text(&out.stdout), text(&out.stderr));
    for (old, new, place, message, help) in MISTAKES {
        assert!(SPEC.contains(old), "{old}");
        let spec = match *new {
            "" if old.starts_with("      -") => SPEC.replacen(old, "      []\n", 1),
            _ => SPEC.replacen(old, new, 1),
        };
        let out = try_spec(&spec);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(out.status.code(), Some(2), "{new}\n{said}");
        assert!(said.contains(message), "{message}\n{said}");
        assert!(said.contains(help), "{help}\n{said}");
        if let Some((line, column)) = place {
            assert!(said.contains(&format!("s.yaml:{line}:{column}\n")), "{line}:{column}\n{said}");
        }
        assert!(!said.contains("panicked") && !said.contains("entail_e"), "{said}");
    }
}

/// Steps whose side conditions do not hold are refused, and what rests on them is not proved.
#[test]
fn unsound_steps_are_refused() {
    let cases: &[(&str, &str)] = &[
        ("{weaken: adds, then: q is x at 2}", "weakening: claim 0 of the new consequent does not follow"),
        ("{shift: adds, by: -1}", "time shift: a theorem cannot be moved to earlier times"),
        ("{compose: [adds, other]}", "composition: the second starts from a signal of which the first says nothing"),
        ("{conjoin: [adds, other]}", "conjunction: their antecedents differ"),
        ("{split: [small], where: 1'b1}", "case split: the cases leave something out"),
        ("{split: [adds, other], where: 1'b1}", "case split: the cases have different antecedents"),
        ("{strengthen: small, where: x < 5}", "strengthening: the new constraint allows what the old one does not"),
        ("{fact: x + y == x}", "fact: it does not hold for all values"),
        ("{fact: \"x + y == x - y\", by: algebra}", "arithmetic fact: "),
        ("{weaken: adds, then: q is x + y at 2, using: adds}", "weakening: only facts can help"),
    ];
    for (step, why) in cases {
        let more = "  other: {given: [s is x at 0], then: q is x at 1}
  small: {where: x < 4, given: [a is x at 0, b is y at 0], then: q is x + y at 2}
theorems:
  t: STEP
  u: {shift: t, by: 1}
goal: u
";
        let spec = SPEC.replace("goal: adds\n", &more.replace("STEP", step));
        let out = try_spec(&spec);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        assert_eq!(out.status.code(), Some(1), "{step}\n{said}");
        assert!(said.contains("refused      t s.yaml:14"), "{step}\n{said}");
        assert!(said.contains(why), "{step}: {why}\n{said}");
        assert!(said.contains("not proved   u s.yaml:15  (`t` is not proved)"), "{step}\n{said}");
        assert!(said.contains("not proved   goal u"), "{step}\n{said}");
    }
}

/// From the initial state times cannot be moved.
#[test]
fn theorems_about_the_start_cannot_be_moved() {
    let spec = SPEC.replace("clock: clk", "clock: clk\nstart: initial");
    let out = try_spec(&spec.replace("goal: adds\n", "theorems:\n  t: {shift: adds, by: 1}\ngoal: t\n"));
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("runs start in the initial state, and later times do not"), "{said}");
}

/// What would say less than it seems to, and what is shown elsewhere than it is: each line is a specification, its exit
/// code and what is said.
#[test]
fn what_says_less_than_it_seems_is_refused_at_its_place() {
    let theorem = |t: &str| SPEC.replace("goal: adds", &format!("theorems:\n  t: {t}\ngoal: t"));
    let cases: Vec<(String, i32, &str)> = vec![
        // A name that is all of an expression.
        (SPEC.replace("x + y", "z"), 2, "s.yaml:10:14\n"),
        (SPEC.replace("x + y", "x + y when z"), 2, "s.yaml:10:25\n"),
        // X comes from b, which nothing binds, and not from q, which is loaded twice since.
        (SPEC.replace("      - b is y at 0\n", ""), 3, "X begins at b[0] at 0"),
        // `always` has no end in a theorem.
        (theorem("{weaken: adds, then: a is x always}"), 2, "always"),
        // A theorem about nothing.
        (theorem("{strengthen: adds, where: 1'b0}"), 1, "vacuous"),
        // What follows says nothing.
        (SPEC.replace("x + y", "0 when 1'b0"), 1, "vacuous"),
        // A goal that is not in the file.
        (SPEC.replace("goal: adds", "goal: add"), 2, "there is no theorem `add`"),
        // A slice inside of a symbolic index.
        (SPEC.replace("q is x + y at 2", "mem[x[1:0]] is y at 1"), 0, "holds"),
        // A loop variable without a loop.
        (SPEC.replace("q is x + y", "q[$i] is x"), 2, "s.yaml:10:11\n"),
    ];
    let mut wrong = Vec::new();
    for (spec, code, part) in cases {
        let out = try_spec(&spec);
        let said = format!("{}{}", text(&out.stdout), text(&out.stderr));
        if out.status.code() != Some(code) || !said.contains(part) {
            wrong.push(format!("{part} ({code}, not {:?})\n{said}", out.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
