//! The VHDL front end: what small sources mean, and what wrong ones are told.
//!
//! Expected designs and values are read off the source by hand; behaviour at large is compared with GHDL
//! in `random_vhdl.rs` and `cosim_vhdl.rs`.

use entail::front::verilog::Elaborated;
use entail::front::vhdl;
use entail::net::sim::{Sim, SimOptions};
use entail::net::{LowerOptions, lower};
use entail::source::{Format, SourceMap, render};
use entail::word::{Bits, Edge};

const HEAD: &str = "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n";

fn elaborate(text: &str, generics: &[(&str, &str)]) -> Elaborated {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("t.vhd");
    std::fs::write(&path, text).expect("write the source");
    let request = vhdl::Request {
        files: vec![(None, path)],
        cache_dir: None,
        options: vhdl::elab::Options {
            top: None,
            generics: generics.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
            ..Default::default()
        },
    };
    let mut e = vhdl::elaborate(&request, SourceMap::new());
    if let Some(d) = &e.design {
        lower(d, &LowerOptions::default(), &mut e.diagnostics);
    }
    e
}

fn good(text: &str) -> Elaborated {
    let e = elaborate(text, &[]);
    assert!(e.design.is_some(), "{}", render(&e.diagnostics, &e.sources, Format::Full, false));
    e
}

/// Demands exactly these diagnostics, each as `line:column code words-of-the-message`.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let e = elaborate(text, &[]);
    let got = render(&e.diagnostics, &e.sources, Format::Concise, false);
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines.len(), expect.len(), "diagnostics:\n{got}");
    for (line, want) in lines.iter().zip(expect) {
        let mut words = want.splitn(3, ' ');
        let (at, code, message) = (words.next().unwrap_or(""), words.next().unwrap_or(""), words.next().unwrap_or(""));
        let fits = line.contains(&format!(":{at}:")) && line.contains(&format!("[{code}]")) && line.contains(message);
        assert!(fits, "wanted {want}, got {line}");
    }
}

/// The output `y` of a combinational entity for each value of its input `a`.
fn table(text: &str) -> String {
    let e = good(text);
    let net = lower(e.design.as_ref().expect("a design"), &LowerOptions::default(), &mut vec![]);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    let width = net.inputs[0].bits.len() as u32;
    let mut out = vec![];
    for v in 0..1u64 << width {
        sim.set_input_bits(0, 0, &Bits::from_u64(v, width));
        sim.settle().expect("settles");
        out.push(sim.output_bits(0, 0).to_binary());
    }
    out.join(" ")
}

#[test]
fn a_matching_case_takes_a_dash_for_anything() {
    let text = format!(
        "{HEAD}entity t is port (a : in std_logic_vector(2 downto 0); y : out std_logic_vector(1 downto 0)); end;
architecture r of t is begin
  process (all) begin
    case? a is
      when \"1--\" => y <= \"11\";
      when \"01-\" => y <= \"10\";
      when \"001\" => y <= \"01\";
      when others => y <= \"00\";
    end case?;
  end process;
end;"
    );
    assert_eq!(table(&text), "00 01 10 10 11 11 11 11");
}

#[test]
fn a_metavalue_matches_nothing_but_a_dash_in_std_match_does() {
    let text = |e: &str| {
        format!(
            "{HEAD}entity t is port (a : in std_logic_vector(1 downto 0); y : out std_logic); end;
architecture r of t is begin y <= '1' when {e} else '0'; end;"
        )
    };
    assert_eq!(table(&text("a = \"0X\"")), "0 0 0 0");
    assert_eq!(table(&text("a /= \"0-\"")), "1 1 1 1");
    assert_eq!(table(&text("std_match(a, \"0-\")")), "1 1 0 0");
    assert_eq!(table(&text("a(0) = 'Z'")), "0 0 0 0");
}

#[test]
fn the_old_packages_hide_the_predefined_comparison() {
    let text = |used: &str| {
        format!(
            "library ieee;\nuse ieee.std_logic_1164.all;\n{used}
entity t is port (a : in std_logic_vector(1 downto 0); y : out std_logic); end;
architecture r of t is signal w : std_logic_vector(3 downto 0) := \"0010\";
begin y <= '1' when w = a else '0'; end;"
        )
    };
    // Lengths differ: never equal by the predefined operator, equal as numbers by the package's.
    assert_eq!(table(&text("")), "0 0 0 0");
    assert_eq!(table(&text("use ieee.std_logic_unsigned.all;")), "0 0 1 0");
}

#[test]
fn an_asynchronous_reset_is_a_control_only_of_what_it_resets() {
    let text = format!(
        "{HEAD}entity t is port (clk, rst, d : in std_logic; q, r : out std_logic); end;
architecture a of t is begin
  process (clk, rst) begin
    if rst = '1' then
      q <= '0';
    elsif rising_edge(clk) then
      q <= d;
      r <= d;
    end if;
  end process;
end;"
    );
    let d = good(&text).design.expect("a design");
    assert_eq!(d.registers.len(), 2);
    let by_name = |n: &str| {
        let s = d.signal_named(n).expect("a signal");
        d.registers.iter().find(|r| r.signal == s).expect("a register")
    };
    assert_eq!(by_name("q").asyncs.len(), 1);
    // `r` waits while the reset is active: its enable is in the next value, not a control.
    assert!(by_name("r").asyncs.is_empty());
}

#[test]
fn several_clocks_and_edges_in_one_process() {
    let text = format!(
        "{HEAD}entity t is port (c1, c2, d : in std_logic; q1, q2, q3 : out std_logic); end;
architecture a of t is begin
  process (c1, c2) begin
    if rising_edge(c1) then q1 <= d; end if;
    if c2'event and c2 = '0' then q2 <= d; end if;
  end process;
  q3 <= d when falling_edge(c1);
end;"
    );
    let d = good(&text).design.expect("a design");
    let edges: Vec<Edge> = d.registers.iter().map(|r| r.edge).collect();
    assert_eq!(d.registers.len(), 3);
    assert_eq!(edges.iter().filter(|e| **e == Edge::Neg).count(), 2);
}

#[test]
fn a_variable_is_a_register_only_if_its_old_value_is_read() {
    let text = |body: &str| {
        format!(
            "{HEAD}entity t is port (clk, d : in std_logic; q : out std_logic); end;
architecture a of t is begin
  process (clk)
    variable v : std_logic;
  begin
    if rising_edge(clk) then {body} end if;
  end process;
end;"
        )
    };
    let gates = |body: &str| {
        let e = good(&text(body));
        lower(e.design.as_ref().expect("a design"), &LowerOptions::default(), &mut vec![]).registers.len()
    };
    assert_eq!(gates("v := d; q <= v;"), 1);
    assert_eq!(gates("q <= v; v := d;"), 2);
}

#[test]
fn an_integer_that_can_leave_its_range_is_obliged_not_to() {
    let text = |step: &str| {
        format!(
            "{HEAD}entity t is port (clk : in std_logic; q : out std_logic); end;
architecture a of t is signal n : integer range 0 to 9 := 0; begin
  process (clk) begin
    if rising_edge(clk) then {step} end if;
  end process;
  q <= '1' when n = 0 else '0';
end;"
        )
    };
    let asserts = |step: &str| good(&text(step)).design.expect("a design").asserts.len();
    assert_eq!(asserts("n <= n + 1;"), 1);
    assert_eq!(asserts("n <= (n + 1) mod 10;"), 0);
}

#[test]
fn latches_and_short_sensitivity_lists_are_reported() {
    check(
        &format!(
            "{HEAD}entity t is port (a, b : in std_logic; y : out std_logic); end;
architecture r of t is begin
  process (a) begin
    if a = '1' then y <= b; end if;
  end process;
end;"
        ),
        &["6:3 W0512 the sensitivity list lacks b", "7:21 W0503 a latch is inferred for `y`"],
    );
}

#[test]
fn mistakes_are_told_where_they_are() {
    check("entity t is port (a : in bit) end;", &["1:31 E0106 "]);
    check(
        &format!(
            "{HEAD}entity t is port (clk, d : in std_logic; q : out std_logic); end;
architecture r of t is begin
  process (clk, d) begin
    q <= d;
    if rising_edge(clk) then q <= not d; end if;
  end process;
end;"
        ),
        &["8:30 E0409 `q` is assigned at an edge and without it"],
    );
    check(
        &format!(
            "{HEAD}entity t is port (y : out std_logic_vector(3 downto 0)); end;
architecture r of t is begin y <= \"00000\"; end;"
        ),
        &["5:35 E0310 lengths differ: 5 where 4 are wanted"],
    );
    check(
        &format!(
            "{HEAD}entity t is port (a : in std_logic; y : out std_logic); end;
architecture r of t is
  component sub is port (a : in std_logic; y : out std_logic); end component;
begin u : sub port map (a, y); end;"
        ),
        &["7:11 E0202 no entity for component `sub` was read"],
    );
}

#[test]
fn generics_come_from_the_command_line_in_many_forms() {
    let text = format!(
        "{HEAD}entity t is
  generic (w : positive := 2; name : string := \"x\"; on_it : boolean := false; v : std_logic_vector(1 downto 0) := \"00\");
  port (y : out std_logic_vector(w - 1 downto 0); z : out std_logic_vector(1 downto 0));
end;
architecture a of t is begin
  y <= (others => '1') when name = \"full\" and on_it else (others => '0');
  z <= v;
end;"
    );
    let e = elaborate(&text, &[("W", "5"), ("NAME", "full"), ("ON_IT", "true"), ("V", "10")]);
    let d = e.design.as_ref().unwrap_or_else(|| panic!("{}", render(&e.diagnostics, &e.sources, Format::Full, false)));
    let net = lower(d, &LowerOptions::default(), &mut vec![]);
    let mut sim = Sim::<u64>::new(&net, SimOptions::default());
    sim.settle().expect("settles");
    let out = |n: &str| {
        let o = net.outputs.iter().position(|o| o.name == n).expect("an output");
        sim.output_bits(o, 0).to_binary()
    };
    assert_eq!((out("y").as_str(), out("z").as_str()), ("11111", "10"));
    let e = elaborate(&text, &[("W", "-1")]);
    let said = render(&e.diagnostics, &e.sources, Format::Concise, false);
    assert!(said.contains("[E0205]"), "{said}");
}
