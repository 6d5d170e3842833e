//! Designs in two languages: an instance of the other language is the same hardware as one of its own.
//!
//! The bundled mixed designs run beside Verilator, which gets GHDL's synthesis of the VHDL parts.

mod support_cosim;

use entail::front::mixed::{Request, elaborate};
use entail::net::sim::{Sim, SimOptions};
use entail::net::{LowerOptions, lower};
use entail::project::filelist::parse_args;
use entail::source::{Format, SourceMap, render};
use entail::word::Bits;
use std::path::{Path, PathBuf};
use std::process::Command;
use support_cosim::Run;
use support_cosim::design::Design;

fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("designs")
}

/// GHDL's synthesis of a bundled VHDL entity, as Verilog.
fn synthesised(files: &[&str], top: &str, generics: &[&str], folder: &Path) -> String {
    let work = format!("--workdir={}", folder.display());
    let ghdl = |args: &[&str], more: &[String]| {
        let mut c = Command::new("ghdl");
        let (action, rest) = args.split_first().expect("an action");
        c.arg(action).args(["--std=08", "-frelaxed", &work]).args(rest).args(more).current_dir(folder);
        let out = c.output().expect("ghdl runs; `make test-tools` installs it");
        assert!(out.status.success(), "ghdl {action}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("text")
    };
    let files: Vec<String> = files.iter().map(|f| designs().join(f).display().to_string()).collect();
    ghdl(&["-i"], &files);
    ghdl(&["-m", top], &[]);
    // Random resets of one side only break what the design asserts.
    let mut args = vec!["--synth", "--no-formal"];
    args.extend(generics);
    args.extend(["--out=verilog", top]);
    ghdl(&args, &[])
}

const FIFO: [&str; 6] = [
    "vhdl/sync/sync_pkg.vhd",
    "vhdl/sync/sync_bit.vhd",
    "vhdl/sync/sync_bits.vhd",
    "vhdl/async_fifo/gray_pkg.vhd",
    "vhdl/async_fifo/fifo_ram.vhd",
    "vhdl/async_fifo/async_fifo.vhd",
];

fn list(name: &str) -> Vec<String> {
    vec!["-f".into(), designs().join(name).display().to_string()]
}

#[test]
fn a_vhdl_top_with_a_systemverilog_arbiter_does_what_verilator_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = FIFO.to_vec();
    files.push("mixed/merge.vhd");
    let text = synthesised(&files, "merge", &[], folder.path());
    // GHDL leaves an empty module in the place of the component.
    let (before, rest) = text.split_once("module arbiter\n").expect("the component");
    let (_, after) = rest.split_once("endmodule").expect("its end");
    let verilog = folder.path().join("merge.v");
    std::fs::write(&verilog, format!("{before}{after}")).expect("written");
    let design = Design {
        words: list("mixed/merge.f"),
        reference: Some(vec![
            designs().join("arbiter/arbiter.sv").display().to_string(),
            verilog.display().to_string(),
        ]),
        top: "merge".into(),
        clocks: vec!["wr_clk", "rd_clk"],
        resets: vec![("wr_rst_n", false), ("rd_rst_n", false)],
        reset_every: 400,
        least: [50, 50, 50],
        ..Design::default()
    };
    Run::new(vec![design], 1).check();
}

#[test]
fn a_systemverilog_top_with_a_vhdl_queue_does_what_verilator_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generics = ["-gSTYLE=distributed", "-gWIDTH=4", "-gDEPTH_LOG2=2"];
    let queue = folder.path().join("async_fifo.v");
    std::fs::write(&queue, synthesised(&FIFO, "async_fifo", &generics, folder.path())).expect("written");
    // Verilog tells upper from lower case, and GHDL's module has no parameters left.
    let text = std::fs::read_to_string(designs().join("mixed/loopback.sv")).expect("the design");
    let (before, rest) = text.split_once("Async_FIFO #(").expect("the instance");
    let (_, after) = rest.split_once(") queue").expect("its name");
    let top = folder.path().join("loopback.sv");
    std::fs::write(&top, format!("{before}async_fifo queue{after}").replace(".WR_CLK", ".wr_clk")).expect("written");
    let design = Design {
        words: list("mixed/loopback.f"),
        reference: Some(vec![top.display().to_string(), queue.display().to_string()]),
        top: "loopback".into(),
        clocks: vec!["wclk", "rclk"],
        resets: vec![("wrst_n", false), ("rrst_n", false)],
        reset_every: 400,
        least: [50, 50, 50],
        ..Design::default()
    };
    Run::new(vec![design], 1).check();
}

/// Elaborates texts given with their file names; the value of output `y` for input `a`, or the diagnostics.
fn run(files: &[(&str, &str)], words: &[&str], a: u64) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut all: Vec<String> = words.iter().map(|w| w.to_string()).collect();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        all.push(path.display().to_string());
    }
    let mut map = SourceMap::new();
    let list = match parse_args(&all, Path::new(""), &|_| None, &mut map) {
        Ok(l) => l,
        Err(d) => return Err(render(&d, &map, Format::Concise, false)),
    };
    let mut e = elaborate(&Request::new(list, None), map);
    let Some(design) = &e.design else { return Err(render(&e.diagnostics, &e.sources, Format::Concise, false)) };
    let net = lower(design, &LowerOptions::default(), &mut e.diagnostics);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let width = net.inputs[0].bits.len() as u32;
    sim.set_input_bits(0, 0, &Bits::from_u64(a, width));
    sim.settle().expect("settles");
    let y = net.outputs.iter().position(|o| o.name == "y").expect("an output y");
    Ok(sim.output_bits(y, 0).to_binary())
}

const HEAD: &str = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\n";

#[test]
fn generics_of_every_kind_become_parameters() {
    let sv = "module M #(parameter int K = 0, parameter [3:0] V = 0, parameter NAME = \"\", parameter bit B = 0)
        (input [7:0] a, output [7:0] y);
        assign y = (NAME == \"plus\" && B) ? a + K + V : 8'h00;
    endmodule";
    let vhdl = format!(
        "{HEAD}entity t is port (a : in unsigned(7 downto 0); y : out unsigned(7 downto 0)); end;
        architecture r of t is
          component m is
            generic (K : integer; V : std_logic_vector(3 downto 0); NAME : string := \"plus\"; B : boolean := false);
            port (a : in unsigned(7 downto 0); y : out unsigned(7 downto 0));
          end component;
        begin u : m generic map (-3, \"0101\", B => true) port map (a, y); end;"
    );
    // 100 - 3 + 5 = 102.
    assert_eq!(run(&[("m.sv", sv), ("t.vhd", &vhdl)], &["--top", "t"], 100), Ok("01100110".into()));
}

#[test]
fn parameters_of_every_kind_become_generics() {
    let vhdl = format!(
        "{HEAD}entity sub is
          generic (k : integer := 0; v : std_logic_vector(3 downto 0) := \"0000\"; name : string := \"\"; b : boolean := false);
          port (a : in unsigned(7 downto 0); y : out unsigned(7 downto 0); c : in std_logic := '1');
        end;
        architecture r of sub is begin
          y <= a + unsigned(v) + to_unsigned(k + 10, 8) - 10 when name = \"plus\" and b and c = '1' else x\"00\";
        end;"
    );
    let sv = "module t(input [7:0] a, output [7:0] y);
        localparam string N = \"plus\";
        SUB #(.K(-3), .V(4'd5), .Name(N), .B(1)) u (.A(a), .y(y));
    endmodule";
    // The input left open has its default.
    assert_eq!(run(&[("t.sv", sv), ("sub.vhd", &vhdl)], &["--top", "t"], 100), Ok("01100110".into()));
}

#[test]
fn entities_of_named_libraries_and_modules_nest_in_each_other() {
    let deep = "module deep(input [7:0] a, output [7:0] y); assign y = ~a; endmodule";
    let mid = format!(
        "{HEAD}entity mid is port (a : in std_logic_vector(7 downto 0); y : out std_logic_vector(7 downto 0)); end;
        architecture r of mid is begin u : entity work.deep port map (a => a, y => y); end;"
    );
    let top = "module t(input [7:0] a, output [7:0] y); mid u(.*); endmodule";
    let files = [("deep.sv", deep), ("t.sv", top), ("mid.vhd", mid.as_str())];
    assert_eq!(run(&files, &["--work", "lib"], 0x0f), Ok("11110000".into()));
}

#[test]
fn integers_cross_as_numbers() {
    let sv = "module add(input [7:0] n, output [8:0] s); assign s = n + 9'd1; endmodule";
    let vhdl = format!(
        "{HEAD}entity t is port (a : in integer range 0 to 200; y : out integer range 0 to 511); end;
        architecture r of t is
          component add is port (n : in natural range 0 to 200; s : out natural range 0 to 511); end component;
        begin u : add port map (n => a, s => y); end;"
    );
    assert_eq!(run(&[("add.sv", sv), ("t.vhd", &vhdl)], &[], 200), Ok("011001001".into()));
}

#[test]
fn mistakes_between_languages_are_told_where_they_are() {
    let sv = "module m(input [7:0] a, output [7:0] y); assign y = a; endmodule\n";
    let top = |body: &str| {
        format!(
            "{HEAD}entity t is port (a : in std_logic_vector(7 downto 0); y : out std_logic_vector(7 downto 0)); end;
architecture r of t is
  component m is port (a : in std_logic_vector(7 downto 0); y : out std_logic_vector(7 downto 0)); end component;
  component n is port (b : in std_logic); end component;
begin\n{body}\nend;"
        )
    };
    let told = |body: &str, sv: &str, words: &str| {
        let said = run(&[("t.vhd", &top(body)), ("m.sv", sv)], &["--top", "t"], 0).expect_err("an error");
        assert!(said.contains(words), "{said}");
    };
    told("u : entity work.m port map (a => a, z => y);", sv, "has no port `z`");
    told("u : entity work.m port map (a => a(3 downto 0), y => y);", sv, "4 bits for port `a` of 8");
    told("u : n port map (b => a(0));", sv, "t.vhd:7:5: error[E0202]");
    told("u : m port map (a, y);", "module M(input a, output y); endmodule\n", "port `a` has 1 bits, its component 8");
    let twice = "module m(input [7:0] a, output [7:0] y); endmodule module M(input a); endmodule\n";
    told("u : m port map (a, y);", twice, "several modules are called `m`");
    let both = "module m(inout [7:0] a, output [7:0] y); endmodule\n";
    told("u : m port map (a, y);", both, "inout port `a` between two languages");
    let own = "module m(input [7:0] a, output [7:0] y); t u(.a(a), .y(y)); endmodule\n";
    told("u : m port map (a, y);", own, "[E0210]");
    let broken = "module m(input [7:0] a, output [7:0] y); assign y = nowhere; endmodule\n";
    told("u : m port map (a, y);", broken, "m.sv:1:53: error");
}
