//! The benches written for traces make the designs' own assertions fail in Icarus and in GHDL, and do not
//! once the bug is mended.

mod support_trace;

use entail::model::Clocks;
use entail::trace::bench;
use std::path::Path;
use std::process::Command;
use support_trace::designs::{CASES, Case};
use support_trace::{Language, build};

/// What a simulator says of a design under a bench, and whether it ended well.
fn simulate(dir: &Path, language: Language, design: &str, bench: &str) -> (String, bool) {
    let script = match language {
        Language::Verilog => {
            std::fs::write(dir.join("d.sv"), design).expect("write the design");
            std::fs::write(dir.join("b.sv"), bench).expect("write the bench");
            "iverilog -g2012 -s entail_bench -o b.vvp d.sv b.sv && timeout 20 vvp -n b.vvp"
        }
        Language::Vhdl => {
            std::fs::write(dir.join("d.vhd"), design).expect("write the design");
            std::fs::write(dir.join("b.vhd"), bench).expect("write the bench");
            "timeout 20 ghdl -c --std=08 d.vhd b.vhd -r entail_bench --assert-level=error"
        }
    };
    let run = Command::new("sh").args(["-c", script]).current_dir(dir).output().expect("a shell");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    (said, run.status.success())
}

fn fails(language: Language, said: &str) -> bool {
    match language {
        Language::Verilog => said.contains("ERROR: d.sv:"),
        Language::Vhdl => said.contains("(assertion error)"),
    }
}

fn run(c: &Case, clocks: Clocks) {
    let b = build(c.text, clocks);
    let t = b.trace_of(0);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let language = Language::of(c.text);
    let text = match language {
        Language::Verilog => bench::verilog(&t, &b.sources, &Default::default()),
        Language::Vhdl => bench::vhdl(&t, &b.sources, &Default::default()),
    };
    let (said, _) = simulate(dir.path(), language, c.text, &text);
    assert!(fails(language, &said), "{}: the bug is not seen:\n{said}\n{text}", c.name);
    // It fails where the model says, and not before.
    let last = (t.steps.len() as u64 - 1) * entail::trace::STEP;
    let times: Vec<u64> = match language {
        Language::Verilog => {
            said.lines().filter_map(|l| l.trim().strip_prefix("Time: ")?.split(' ').next()?.parse().ok()).collect()
        }
        Language::Vhdl => said
            .lines()
            .filter_map(|l| l.split_once(":@")?.1.split_once("ns:(assertion error)")?.0.parse().ok())
            .collect(),
    };
    assert!(times.first().is_some_and(|t| *t >= last), "{}: {times:?}, not {last}:\n{said}\n{text}", c.name);
    let (said, well) = simulate(dir.path(), language, &c.fixed(), &text);
    assert!(well && !fails(language, &said), "{}: the mended design fails:\n{said}\n{text}", c.name);
    assert!(said.contains("entail: end of the trace"), "{}: {said}", c.name);
}

#[test]
fn a_seeded_bug_is_seen_in_other_simulators_too() {
    for c in CASES {
        run(c, Clocks::Ticks);
    }
}

#[test]
fn so_it_is_where_clocks_are_levels() {
    for c in CASES {
        run(c, Clocks::Levels);
    }
}

/// Open state of every shape: an array, an enumeration, a structure, part of a vector, a generate block.
#[test]
fn open_state_of_any_shape_is_set() {
    let text = "module flop(input clk, input d, output logic q);
  always_ff @(posedge clk) q <= d;
endmodule
module shapes(input clk, input [1:0] at, output logic [7:0] word, output logic [4:1] part);
  typedef enum logic [1:0] {IDLE, RUN, DONE} state_t;
  typedef struct packed { logic [2:0] a; logic b; } pair_t;
  state_t state;
  pair_t pair;
  logic [7:0] mem [4];
  logic [1:0] chain;
  for (genvar i = 0; i < 2; i++) begin : g
    flop c(.clk(clk), .d(chain[1 - i]), .q(chain[i]));
  end
  initial part[1] = 1;
  always_ff @(posedge clk) begin
    state <= state == RUN ? DONE : state;
    pair.a <= pair.a + 1;
    pair.b <= pair.b;
    mem[0] <= mem[1]; mem[1] <= mem[2]; mem[2] <= mem[3];
    mem[3] <= mem[3];
    part <= {part[3:1], part[4]};
    word <= mem[at];
  end
  always_ff @(posedge clk)
    assert (!(state == DONE && pair == 4'b1011 && word == 8'ha5 && mem[2] == 8'h11 && part == 4'b0110 && chain == 2'b01));
endmodule
";
    let fix = ("part == 4'b0110", "part == 4'b0110 && 0");
    run(&Case { name: "up", text, fix }, Clocks::Ticks);
    let down = text.replace("mem [4]", "mem [3:0]").leak();
    run(&Case { name: "down", text: down, fix }, Clocks::Ticks);
}

/// An array that is a memory, in words.
#[test]
fn words_of_memories_are_set() {
    let text = "module words(input clk, input we, input [5:0] at, input [7:0] d, output logic [7:0] q);
  logic [7:0] mem [100:131];
  always_ff @(posedge clk) if (we) mem[at + 100] <= d;
  always_ff @(posedge clk) q <= mem[at + 100];
  initial q = 0;
  always_ff @(posedge clk) assert (we || at != 3 || q != 8'h5a);
endmodule
";
    run(&Case { name: "words", text, fix: ("q != 8'h5a", "q != 8'h5a || 1") }, Clocks::Ticks);
    let down = text.replace("[100:131]", "[131:100]").leak();
    run(&Case { name: "words down", text: down, fix: ("q != 8'h5a", "q != 8'h5a || 1") }, Clocks::Ticks);
}
