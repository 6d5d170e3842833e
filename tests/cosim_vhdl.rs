//! Every design of `designs/vhdl/tops.txt`, with and without its seeded bugs, behaves as gates exactly
//! as GHDL simulates the text: 10,000 random steps of data and clocks after reset.
//!
//! In a step either data or clocks change, never both, so that no race decides. Of designs that differ
//! in generics only, a selection is run; `ENTAIL_COSIM_FULL=1` runs all. `ENTAIL_COSIM_SEED` sets
//! another seed than the fixed one.

mod support_bundled;

use entail::net::Netlist;
use entail::net::sim::{Fill, Sim, SimOptions};
use entail::word::Bits;
use fastrand::Rng;
use rayon::prelude::*;
use std::fmt::Write;
use std::process::Command;
use support_bundled::{Top, stimulus, tops};

/// The type mark of each port, read off the entity's text.
fn marks(top: &Top) -> Vec<(String, String)> {
    let texts: Vec<String> =
        top.files().iter().map(|f| std::fs::read_to_string(f).expect("a design").to_lowercase()).collect();
    let head = format!("entity {} is", top.name);
    let text = texts.iter().find(|t| t.contains(&head)).expect("the entity's file");
    let body = &text[text.find(&head).expect("the entity")..];
    let ports = &body[body.find("port (").expect("ports")..];
    ports
        .lines()
        .skip(1)
        .take_while(|l| !l.trim_start().starts_with(");"))
        .filter_map(|l| {
            let (name, rest) = l.split("--").next()?.split_once(':')?;
            let rest = rest.trim().trim_start_matches("in ").trim_start_matches("out ").trim();
            let mark = rest.split(['(', ';', ' ']).next()?;
            Some((name.trim().to_string(), mark.to_string()))
        })
        .collect()
}

/// GHDL's outputs after each step.
fn ghdl(top: &Top, net: &Netlist, vectors: &[Vec<String>]) -> Vec<Vec<String>> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let marks = marks(top);
    let mark = |n: &str| marks.iter().find(|m| m.0 == n).map_or("std_logic", |m| m.1.as_str());
    let mut bench = String::from(
        "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\nuse std.textio.all;\n\
         entity bench is end entity;\narchitecture a of bench is\n",
    );
    let plain = |m: &str| m == "std_logic";
    let numeric = |m: &str| m == "unsigned" || m == "signed";
    let mut maps = vec![];
    for (inward, port) in net.inputs.iter().map(|p| (true, p)).chain(net.outputs.iter().map(|p| (false, p))) {
        let (n, m) = (port.name.as_str(), mark(&port.name));
        if plain(m) {
            let _ = writeln!(bench, "  signal {n} : std_logic{};", if inward { " := '0'" } else { "" });
        } else {
            let init = if inward { " := (others => '0')" } else { "" };
            let _ = writeln!(bench, "  signal {n} : std_logic_vector({} downto 0){init};", port.bits.len() - 1);
        }
        maps.push(match (inward, numeric(m)) {
            (true, true) => format!("{n} => {m}({n})"),
            (false, true) => format!("std_logic_vector({n}) => {n}"),
            _ => format!("{n} => {n}"),
        });
    }
    let generics: Vec<String> = top
        .generics
        .iter()
        .map(|(n, v)| {
            let string = !v.chars().all(|c| c.is_ascii_digit()) && v != "true" && v != "false";
            if string { format!("{n} => \"{v}\"") } else { format!("{n} => {v}") }
        })
        .collect();
    let generics = if generics.is_empty() { String::new() } else { format!("generic map ({})", generics.join(", ")) };
    let _ = writeln!(bench, "begin\n  dut : entity work.{} {generics} port map ({});", top.name, maps.join(", "));
    // A line is read and written as one string: characters one by one take GHDL minutes.
    let total: usize = net.inputs.iter().map(|p| p.bits.len()).sum();
    let _ = writeln!(
        bench,
        "  process\n    file vectors : text open read_mode is \"vectors.txt\";\n    variable l, o : std.textio.line;\n    \
         variable s : string(1 to {total});\n    \
         function v(s : string) return std_logic_vector is\n      \
           variable r : std_logic_vector(1 to s'length);\n      alias t : string(1 to s'length) is s;\n    \
         begin\n      for k in r'range loop\n        if t(k) = '1' then r(k) := '1'; else r(k) := '0'; end if;\n      \
           end loop;\n      return r;\n    end function;\n  \
         begin\n    while not endfile(vectors) loop\n      readline(vectors, l);\n      read(l, s);"
    );
    let mut at = 1;
    for port in &net.inputs {
        let (n, w) = (&port.name, port.bits.len());
        if plain(mark(n)) {
            let _ = writeln!(bench, "      if s({at}) = '1' then {n} <= '1'; else {n} <= '0'; end if;");
        } else {
            let _ = writeln!(bench, "      {n} <= v(s({at} to {}));", at + w - 1);
        }
        at += w;
    }
    let texts: Vec<String> = net.outputs.iter().map(|p| format!("to_string({})", p.name)).collect();
    let _ = writeln!(
        bench,
        "      wait for 1 ns;\n      write(o, string'({} & \" \"));\n      writeline(output, o);\n    end loop;\n    wait;\n  \
         end process;\nend architecture;",
        texts.join(" & \" \" & ")
    );
    std::fs::write(dir.path().join("bench.vhd"), bench).expect("write the bench");
    let text: String = vectors.iter().map(|v| v.concat() + "\n").collect();
    std::fs::write(dir.path().join("vectors.txt"), text).expect("write the vectors");
    let mut files: Vec<String> =
        top.files().iter().map(|f| f.canonicalize().expect("a file").display().to_string()).collect();
    files.push("bench.vhd".into());
    let run = Command::new("ghdl")
        .args(["-c", "--std=08"])
        .args(&files)
        // Seeded bugs make the designs' own assertions fail.
        .args(["-r", "bench", "--ieee-asserts=disable", "--assert-level=none"])
        .current_dir(dir.path())
        .output()
        .expect("ghdl runs; install it: apt-get install ghdl");
    let said = String::from_utf8_lossy(&run.stdout);
    let is_value = |l: &&str| l.ends_with(' ') && l.chars().all(|c| "01UXZWLH- ".contains(c));
    let rows: Vec<Vec<String>> =
        said.lines().filter(is_value).map(|l| l.split_whitespace().map(str::to_string).collect()).collect();
    assert_eq!(
        rows.len(),
        vectors.len(),
        "{}: ghdl said {} {said:.2000}",
        top.label(),
        String::from_utf8_lossy(&run.stderr)
    );
    rows
}

/// Runs both; the share of output bits that GHDL knew.
fn compare(top: &Top, seed: u64) -> f64 {
    let (net, _) = top.netlist();
    let mut rng = Rng::with_seed(seed);
    let vectors = stimulus(&net, &mut rng);
    let expect = ghdl(top, &net, &vectors);
    let options = SimOptions { init: Fill::Random(1), frees: Fill::Random(2), ..SimOptions::default() };
    let mut sim = Sim::<u64>::new(&net, options);
    let (mut known, mut all) = (0, 0);
    for (step, (vector, row)) in vectors.iter().zip(&expect).enumerate() {
        for (port, value) in vector.iter().enumerate() {
            sim.set_input_bits(port, 0, &Bits::from_bits(value.bytes().rev().map(|c| c == b'1')));
        }
        if step == 0 {
            sim.prime();
        }
        sim.settle().expect("settles");
        for (o, want) in row.iter().enumerate() {
            let got = sim.output_bits(o, 0).to_binary();
            for (g, w) in got.chars().zip(want.chars()) {
                all += 1;
                known += u64::from(w == '0' || w == '1');
                let wrong = (w == '0' || w == '1') && g != w;
                assert!(
                    !wrong,
                    "{} (seed {seed}): step {step}, output {}: ghdl {want}, entail {got}",
                    top.label(),
                    net.outputs[o].name
                );
            }
        }
    }
    known as f64 / all as f64
}

#[test]
fn the_gates_of_every_vhdl_design_do_what_ghdl_says() {
    let seed = std::env::var("ENTAIL_COSIM_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let full = std::env::var("ENTAIL_COSIM_FULL").is_ok();
    let only = std::env::var("ENTAIL_COSIM_ONLY").unwrap_or_default();
    let tops: Vec<Top> = tops()
        .into_iter()
        .enumerate()
        .filter(|(n, t)| (full || n % 3 == 0) && t.label().contains(&only))
        .map(|(_, t)| t)
        .collect();
    // Records at the boundary have no place in the bench; such parts are compared inside their wholes.
    let vectors = |m: &str| matches!(m, "std_logic" | "std_logic_vector" | "unsigned" | "signed" | "byte_t");
    let (tops, parts): (Vec<Top>, Vec<Top>) = tops.into_iter().partition(|t| marks(t).iter().all(|(_, m)| vectors(m)));
    println!(
        "seed {seed}: {} designs; inside others: {:?}",
        tops.len(),
        parts.iter().map(Top::label).collect::<Vec<_>>()
    );
    let shares: Vec<(String, f64)> = tops.par_iter().map(|t| (t.label(), compare(t, seed))).collect();
    for (label, share) in &shares {
        println!("equal {label}: {:.1}% of output bits known to ghdl", share * 100.0);
        assert!(*share > 0.9, "{label}: the comparison says little");
    }
}
