//! Concurrent assertions: verdicts tick by tick against definitions written down a second time
//! (`support_sva`), what small sources mean by hand, and what unsupported ones are told.

mod support_sva;

use entail::front::verilog::{Elaborated, elaborate_text};
use entail::net::sim::{Sim, SimOptions};
use entail::net::{LowerOptions, Netlist, lower};
use entail::source::{Format, render};
use fastrand::Rng;
use std::process::Command;
use support_sva::make::{SIGNALS, boolean, property, sequence};
use support_sva::meaning::{Truth, View, decided, matches};
use support_sva::{Prop, Seq};

const TICKS: usize = 12;
/// Traces compared per property; each is a lane of one simulation.
const LANES: usize = 6;

fn shown(e: &Elaborated) -> String {
    render(&e.diagnostics, &e.sources, Format::Concise, false)
}

#[track_caller]
fn netlist(text: &str) -> Netlist {
    let mut e = elaborate_text(text, None);
    let Some(d) = e.design.take() else { panic!("{}\n{text}", shown(&e)) };
    lower(&d, &LowerOptions::default(), &mut e.diagnostics)
}

/// What the asserts of a net do at each tick of `clk`: `[tick][assert]`, by lanes.
struct Run {
    failures: Vec<Vec<u64>>,
    hits: Vec<Vec<u64>>,
    triggers: Vec<Vec<u64>>,
}

/// Runs a net with `inputs` by name, each with the lanes of each tick.
fn run(net: &Netlist, inputs: &[(&str, Vec<u64>)]) -> Run {
    let mut sim = Sim::<u64>::new(net, SimOptions::default());
    let clk = sim.input_index("clk").expect("a clock");
    let ports: Vec<usize> = inputs.iter().map(|(n, _)| sim.input_index(n).expect("an input")).collect();
    let mut run = Run { failures: Vec::new(), hits: Vec::new(), triggers: Vec::new() };
    for t in 0..inputs[0].1.len() {
        for (p, (_, values)) in ports.iter().zip(inputs) {
            sim.set_input(*p, 0, values[t]);
        }
        sim.set_input(clk, 0, 0);
        sim.settle().expect("settles");
        run.triggers.push(net.asserts.iter().map(|a| sim.lit(a.trigger)).collect());
        sim.set_input(clk, 0, !0);
        sim.settle().expect("settles");
        run.failures.push(sim.assert_failures().to_vec());
        run.hits.push(sim.assert_hits().to_vec());
    }
    run
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|t| t.parse().ok()).unwrap_or(default)
}

/// What is asked about one random property.
enum Ask {
    Assert(Prop),
    Cover(Prop),
    CoverSequence(Seq),
}

impl Ask {
    fn text(&self) -> String {
        match self {
            Ask::Assert(p) => format!("assert property ({p})"),
            Ask::Cover(p) => format!("cover property ({p})"),
            Ask::CoverSequence(s) => format!("cover sequence ({s})"),
        }
    }

    /// The ticks at which it is to fail, or to be hit.
    fn expected(&self, trace: &[Vec<bool>], off: impl Fn(usize) -> bool) -> Vec<bool> {
        match self {
            Ask::Assert(p) => decided(trace, off, |v, from| v.holds(p, from) == Truth::F),
            Ask::Cover(p) => decided(trace, off, |v, from| v.holds(p, from).min(v.nonvacuous(p, from)) == Truth::T),
            Ask::CoverSequence(s) => {
                let mut first = 0;
                let tick = |now| {
                    if off(now) {
                        first = now + 1;
                    }
                    let mut view = View::new(trace, Some(now));
                    (first..=now).any(|from| view.tight(s, from).get(now + 1 - from) == Some(&Truth::T))
                };
                (0..trace.len()).map(tick).collect()
            }
        }
    }
}

fn ask(r: &mut Rng) -> Ask {
    match r.u32(..8) {
        0 => Ask::CoverSequence(loop {
            let s = sequence(r, 3);
            if matches(&s).1 {
                break s;
            }
        }),
        1..=2 => Ask::Cover(property(r, 2)),
        _ => Ask::Assert(property(r, 2)),
    }
}

/// Compares one module full of random properties with the definitions.
fn compare(seed: u64, count: usize) -> usize {
    let mut r = Rng::with_seed(seed);
    let disabled = r.bool();
    let asks: Vec<Ask> = (0..count).map(|_| ask(&mut r)).collect();
    let mut text = String::from("module m(input clk, a, b, c, d);\n  default clocking @(posedge clk); endclocking\n");
    if disabled {
        text.push_str("  default disable iff (d);\n");
    }
    for (k, a) in asks.iter().enumerate() {
        text.push_str(&format!("  p{k}: {};\n", a.text()));
    }
    text.push_str("endmodule\n");
    let net = netlist(&text);
    let wave = |r: &mut Rng, rare: bool| -> Vec<u64> {
        (0..TICKS)
            .map(|_| if rare { r.u64(..) & r.u64(..) & r.u64(..) } else { r.u64(..) | r.u64(..) & r.u64(..) })
            .collect()
    };
    let mut inputs: Vec<(&str, Vec<u64>)> = SIGNALS.iter().map(|s| (*s, wave(&mut r, false))).collect();
    inputs.push(("d", wave(&mut r, true)));
    let got = run(&net, &inputs);
    let mut events = 0;
    for lane in 0..LANES {
        let bit = |v: u64| v >> lane & 1 == 1;
        let trace: Vec<Vec<bool>> =
            (0..TICKS).map(|t| inputs[..SIGNALS.len()].iter().map(|(_, w)| bit(w[t])).collect()).collect();
        let off = |t: usize| disabled && bit(inputs[SIGNALS.len()].1[t]);
        for (k, a) in asks.iter().enumerate() {
            let at = net.asserts.iter().position(|x| x.name == format!("p{k}")).expect("an assert per property");
            let table = if matches!(a, Ask::Assert(_)) { &got.failures } else { &got.hits };
            let ours: Vec<bool> = table.iter().map(|row| bit(row[at])).collect();
            let wanted = a.expected(&trace, off);
            events += wanted.iter().filter(|w| **w).count();
            if ours != wanted {
                let row = |v: &[bool]| v.iter().map(|b| if *b { '1' } else { '.' }).collect::<String>();
                let signals: Vec<String> = (0..SIGNALS.len())
                    .map(|s| format!("{} {}", SIGNALS[s], row(&trace.iter().map(|t| t[s]).collect::<Vec<_>>())))
                    .collect();
                let dropped: Vec<bool> = (0..TICKS).map(off).collect();
                panic!(
                    "seed {seed}: {}\n{}\noff {}\nours   {}\nwanted {}",
                    a.text(),
                    signals.join("\n"),
                    row(&dropped),
                    row(&ours),
                    row(&wanted)
                );
            }
        }
    }
    events
}

#[test]
fn random_properties_fail_when_the_definitions_say() {
    let seed = setting("ENTAIL_SEED", 1);
    let modules = setting("ENTAIL_SVA_MODULES", 30);
    println!("ENTAIL_SEED={seed} ENTAIL_SVA_MODULES={modules}");
    let events: usize = (0..modules).map(|k| compare(seed.wrapping_mul(1_000_003).wrapping_add(k), 50)).sum();
    println!("{events} failures and hits in {} properties", modules * 50);
    assert!(events > 1000, "the properties say too little: {events}");
}

/// Verilator 5.006 takes booleans with one implication between them.
#[test]
fn verilator_agrees_on_implications_of_booleans() {
    let mut r = Rng::with_seed(setting("ENTAIL_SEED", 1));
    let count = 60;
    let mut text = String::new();
    for k in 0..count {
        let (a, b) = (boolean(&mut r, 2), boolean(&mut r, 2));
        let property = match r.u32(..5) {
            0 => format!("{a}"),
            1 => format!("disable iff (d) {a} |-> {b}"),
            2 => format!("disable iff (d) {a} |=> {b}"),
            3 => format!("not {a}"),
            _ => format!("{a} |=> {b}"),
        };
        text += &format!("  p{k}: assert property (@(posedge clk) {property}) else $display(\"F {k} %0d\", t);\n");
    }
    let ticks = 40;
    let waves: Vec<u64> = (0..ticks).map(|_| r.u64(..16)).collect();
    let rom: Vec<String> = waves.iter().map(u64::to_string).collect();
    let bench = format!(
        "module tb;
           bit clk = 0, a, b, c, d; int t = 0;
           bit [3:0] rom [0:{}] = '{{{}}};
           {text}
           initial begin
             for (int i = 0; i < {ticks}; i++) begin
               {{d, c, b, a}} = rom[i]; t = i;
               #1 clk = 1; #1 clk = 0; #1;
             end
             $finish;
           end
         endmodule",
        ticks - 1,
        rom.join(", ")
    );
    let dir = std::env::temp_dir().join(format!("entail-sva-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a scratch folder");
    std::fs::write(dir.join("tb.sv"), bench).expect("write the bench");
    let flags = ["--binary", "--assert", "-O0", "-Wno-fatal", "-Wno-lint", "--top-module", "tb", "-CFLAGS", "-O0"];
    let made = Command::new("verilator").args(flags).arg("tb.sv").current_dir(&dir).output().expect("verilator");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let said = Command::new(dir.join("obj_dir/Vtb")).output().expect("the simulation");
    std::fs::remove_dir_all(&dir).expect("the scratch folder goes");
    let mut theirs: Vec<(usize, usize)> = String::from_utf8_lossy(&said.stdout)
        .lines()
        .filter_map(|l| l.strip_prefix("F ")?.split_once(' '))
        .filter_map(|(k, t)| Some((k.parse().ok()?, t.parse().ok()?)))
        .collect();
    theirs.sort();
    let net = netlist(&format!("module m(input clk, a, b, c, d);\n int t;\n{text}\nendmodule"));
    let inputs: Vec<(&str, Vec<u64>)> = ["a", "b", "c", "d"]
        .iter()
        .enumerate()
        .map(|(i, n)| (*n, waves.iter().map(|w| w >> i & 1).collect()))
        .collect();
    let got = run(&net, &inputs);
    let mut ours = Vec::new();
    for (k, t) in (0..count).flat_map(|k| (0..ticks).map(move |t| (k, t))) {
        if got.failures[t][k] & 1 == 1 {
            ours.push((k, t));
        }
    }
    assert!(theirs.len() > 100, "{} failures are too few", theirs.len());
    assert_eq!(ours, theirs, "{text}");
}

/// Runs one property over hand-made waves, `1` and `.` per tick, and gives its failures and triggers.
#[track_caller]
fn waves(items: &str, inputs: &[(&str, &str)]) -> (String, String) {
    let names: Vec<&str> = inputs.iter().map(|(n, _)| *n).collect();
    let net = netlist(&format!("module m(input clk, {});\n{items}\nendmodule", names.join(", ")));
    let inputs: Vec<(&str, Vec<u64>)> =
        inputs.iter().map(|(n, w)| (*n, w.chars().map(|c| u64::from(c == '1')).collect())).collect();
    let r = run(&net, &inputs);
    let row = |t: &[Vec<u64>]| t.iter().map(|v| if v[0] & 1 == 1 { '1' } else { '.' }).collect();
    (row(&r.failures), row(&r.triggers))
}

#[test]
fn a_handshake_fails_at_the_end_of_its_window() {
    let (fails, triggers) = waves(
        "p: assert property (@(posedge clk) r |-> ##[1:3] k);",
        &[("r", "1....1....11......"), ("k", "..1.......1.......")],
    );
    assert_eq!(fails, "........1....11...");
    assert_eq!(triggers, "1....1....11......");
}

#[test]
fn matches_of_the_antecedent_each_ask_but_an_attempt_fails_once() {
    // From tick 0 the antecedent matches at 1 and 2, and y misses both: one failure of that attempt, at 2.
    // The attempts from 1 and 2 fail at 3.
    let text = "p: assert property (@(posedge clk) x ##[1:2] x |=> y);";
    let (fails, _) = waves(text, &[("x", "111....."), ("y", "........")]);
    assert_eq!(fails, "..11....");
    // Only the attempt from 0 is left where x comes once more, and its second failure is none.
    let (fails, _) = waves(text, &[("x", "1.1....."), ("y", "........")]);
    assert_eq!(fails, "...1....");
}

#[test]
fn nothing_fails_before_there_is_a_past() {
    // Ages start empty, so `|=>` asks nothing at the first tick.
    let (fails, triggers) = waves("p: assert property (@(posedge clk) 1 |=> x);", &[("x", "..11.")]);
    assert_eq!(fails, ".1..1");
    assert_eq!(triggers, ".1111");
}

#[test]
fn triggers_tell_when_something_is_asked() {
    let inputs = [("x", "11.1...."), ("y", ".1..11.."), ("z", "......11")];
    let trigger = |p: &str| waves(&format!("p: assert property (@(posedge clk) {p});"), &inputs).1;
    assert_eq!(trigger("x"), "11111111");
    assert_eq!(trigger("disable iff (z) x"), "111111..");
    assert_eq!(trigger("disable iff (z) x |-> y"), "11.1....");
    // Of nested implications the last antecedent decides.
    assert_eq!(trigger("x |=> y |=> z"), "..1..1..");
    assert_eq!(trigger("(x |-> z) and (y |-> z)"), "11.111..");
    assert_eq!(trigger("if (y) x"), ".1..11..");
    assert_eq!(trigger("not (y |-> z)"), ".1..11..");
}

#[test]
fn a_disable_between_ticks_drops_attempts() {
    let text = "module m(input clk, r, k, off);
      p: assert property (@(posedge clk) disable iff (off) r |-> ##2 k);
    endmodule";
    let net = netlist(text);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let port = |sim: &Sim<u64>, n: &str| sim.input_index(n).expect("an input");
    let (clk, r, off) = (port(&sim, "clk"), port(&sim, "r"), port(&sim, "off"));
    // Lane 1 pulses `off` between the second and the third tick.
    let mut failed = 0;
    for tick in 0..4 {
        sim.set_input(clk, 0, 0);
        sim.set_input(r, 0, if tick == 0 { !0 } else { 0 });
        sim.settle().expect("settles");
        if tick == 2 {
            sim.set_input(off, 0, 2);
            sim.settle().expect("settles");
            sim.set_input(off, 0, 0);
            sim.settle().expect("settles");
        }
        sim.set_input(clk, 0, !0);
        sim.settle().expect("settles");
        failed |= sim.assert_failures()[0] & 3;
    }
    assert_eq!(failed, 1);
}

#[test]
fn named_properties_take_what_they_are_given() {
    let body = |p: &str| {
        format!(
            "  sequence later(x, n = 1); ##n x; endsequence
               property answered(x, y, n); @(posedge clk) disable iff (z) x |-> later(y, n); endproperty
               property sum(s); @(posedge clk) s == 2; endproperty
               p: assert property ({p});"
        )
    };
    let inputs = [("x", "1..1..1..."), ("y", "..1...1..."), ("z", ".......1..")];
    assert_eq!(waves(&body("answered(x, y, 2)"), &inputs).0, ".....1....");
    assert_eq!(waves(&body("answered(.n(2), .y(y), .x(x))"), &inputs).0, ".....1....");
    assert_eq!(waves(&body("@(posedge clk) x |-> later(y)"), &inputs).0, ".1..1..1..");
    // The argument takes its width from where it stands: a sum of two bits is compared as an integer.
    assert_eq!(waves(&body("sum(x + y)"), &inputs).0, "111111.111");
}

#[test]
fn a_process_starts_attempts_where_control_is() {
    let text = "always @(posedge clk or posedge z) if (z) ; else if (x) begin
        p: assert property (y |=> !y);
      end";
    let (fails, triggers) = waves(text, &[("x", "1111...."), ("y", "1.11.111"), ("z", "........")]);
    assert_eq!(fails, "...1....");
    assert_eq!(triggers, ".1.11...");
}

#[test]
fn earlier_values_are_there_in_processes() {
    let text = "logic q;
      always_ff @(posedge clk) q <= x;
      always @(posedge clk) begin
        p: assert (q == $past(x) && $past(x, 2) == $past(q));
      end";
    let (fails, _) = waves(text, &[("x", "1.11..1.")]);
    assert_eq!(fails, "........");
    // The same with an asynchronous reset, which is found by running the process once more.
    let text = "logic q, r;
      always_ff @(posedge clk or posedge z) if (z) q <= 0; else q <= $past(x);
      always_ff @(posedge clk or posedge z) if (z) r <= 0; else r <= x;
      logic s;
      always_ff @(posedge clk or posedge z) if (z) s <= 0; else s <= r;
      p: assert property (@(posedge clk) $past(z) || z || q == s);";
    let (fails, _) = waves(text, &[("x", "1.11..1.11.1"), ("z", "....1......."), ("y", "............")]);
    assert_eq!(fails, "............");
    // What the process assigned before is not what is sampled.
    let text = "logic q;
      always @(posedge clk) begin
        q = x;
        p: assert ($past(q, 1) == $past(x, 2));
      end";
    let (fails, _) = waves(text, &[("x", "1.11..1.")]);
    assert_eq!(fails, "........");
}

#[test]
fn a_tick_can_have_a_condition() {
    let text = "p: assert property (@(posedge clk iff z) x |=> y);";
    let (fails, _) = waves(text, &[("x", "11......"), ("y", "......1."), ("z", "1..1..1.")]);
    assert_eq!(fails, "...1....");
}

#[test]
fn kinds_and_generate_blocks_keep_their_names() {
    let text = "module sub(input clk, input [1:0] x);
        default clocking cb @(posedge clk); endclocking
        for (genvar i = 0; i < 2; i++) begin : g
          a: assume property (x[i] |=> !x[i]);
          restrict property (x[i]);
        end
      endmodule
      module m(input clk, input [1:0] x);
        sub u(.clk, .x);
        c: cover property (@(negedge clk) x[0] ##1 x[1]);
      endmodule";
    let e = elaborate_text(text, Some("m"));
    let printed = e.design.as_ref().map_or_else(|| panic!("{}", shown(&e)), ToString::to_string);
    for w in [
        "assume u.g[0].a at posedge",
        "assume u.g[1].a at posedge",
        "assume u.g[0].assert_line_5",
        "cover c at negedge clk if 1'h1 then",
        "u.g[1].a.age1",
    ] {
        assert!(printed.contains(w), "no `{w}` in\n{printed}");
    }
}

/// Demands exactly these diagnostics, each as `line:column code words-of-the-message`.
#[track_caller]
fn told(items: &str, expect: &[&str]) {
    let e = elaborate_text(&format!("module m(input clk, a, b, input [7:0] v);\n{items}\nendmodule"), None);
    let got = shown(&e);
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines.len(), expect.len(), "diagnostics:\n{got}");
    for (line, want) in lines.iter().zip(expect) {
        let mut parts = want.splitn(3, ' ');
        let (at, code, words) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        assert!(
            line.contains(&format!(":{at}: ")) && line.contains(&format!("[{code}]")) && line.contains(words),
            "{line}\nwanted {want}"
        );
    }
}

#[test]
fn what_is_not_supported_is_told_at_its_place() {
    let clocked = |p: &str| format!("assert property (@(posedge clk)\n{p});");
    told(&clocked("a |-> s_eventually b"), &["3:7 E0417 s_eventually"]);
    told(&clocked("a |-> ##[1:$] b"), &["3:7 E0417 the delay"]);
    told(&clocked("a ##[+] b"), &["3:1 E0417 the delay"]);
    told(&clocked("a[*] ##1 b"), &["3:1 E0417 the repetition"]);
    told(&clocked("a |-> b[->2]"), &["3:7 E0417 [->]"]);
    told(&clocked("a until b"), &["3:1 E0417 until"]);
    told(&clocked("first_match(a ##[1:2] b) |-> a"), &["3:1 E0405 first_match"]);
    told(&clocked("(a, x = 1) |-> b"), &["3:1 E0405 an action"]);
    told(&clocked("a |-> @(negedge clk) b"), &["3:17 E0405 two clocks"]);
    told(&clocked("a[*0:2]"), &["3:1 E0418 no tick"]);
    told(&clocked("a |-> (a intersect (a ##1 b))"), &["3:7 E0418 never matches"]);
    told(&clocked("a ##[3:1] b"), &["3:1 E0311 counts from 3 down to 1"]);
    told(&clocked("a ##b b"), &["3:5 E0301 not constant"]);
    told(&clocked("a ##[1:100000] b"), &["3:1 E0311 more states"]);
    told(&clocked("(not a) ##1 b"), &["3:1 E0213 a property stands where a sequence"]);
    told(&clocked("case (a) 1: b; endcase"), &["3:1 E0405 case"]);
    told("assert property (a |-> b);", &["2:1 E0408 has no clock"]);
    told("assert property (@(clk) a);", &["2:20 E0408 any change"]);
    told("assert property (@(posedge clk or posedge b) a);", &["2:43 E0409 several events"]);
    told("initial assert property (@(posedge clk) a);", &["2:9 E0405 in an initial block"]);
    told("always_comb assert property (@(posedge clk) a);", &["2:13 E0405 without a clock"]);
    told("wire x = $past(a);", &["2:10 E0408 `$past` has no clock"]);
    told("localparam x = $rose(1'b1);", &["2:16 E0301 not constant"]);
    told("property p; a |=> p; endproperty\nassert property (@(posedge clk) p);", &["2:19 E0417 uses itself"]);
    told(
        "property p; bit x; (a, x = b) |=> x; endproperty\nassert property (@(posedge clk) p);",
        &["2:13 E0405 a local"],
    );
    told("property p(x); x; endproperty\nassert property (@(posedge clk) p);", &["3:33 E0308 missing"]);
    told("property p; a; endproperty\nassert (p);", &["3:9 E0213 a property"]);
    told("default disable iff a;\ndefault disable iff b;", &["3:21 E0203 a second default"]);
    told("default clocking cb; assert property (a);", &["2:18 E0204 cb"]);
    // Unused declarations are nobody's trouble.
    told("property p; a until b; endproperty", &[]);
}

#[test]
fn broken_properties_are_syntax_errors() {
    for text in ["a |->", "|-> a", "a ##", "a ##[1:", "(a ##1 b", "a [*", "not", "if (a) else b", "a and", "@"] {
        let e = elaborate_text(&format!("module m(input clk, a, b);\nassert property ({text});\nendmodule"), None);
        assert!(shown(&e).contains("E0106"), "{text}: {}", shown(&e));
    }
    let deep = format!("{}a ##1 b{}", "(".repeat(5000), ")".repeat(5000));
    let e = elaborate_text(&format!("module m(input clk, a, b);\nassert property ({deep});\nendmodule"), None);
    assert!(shown(&e).contains("E0107"), "{}", shown(&e));
}
