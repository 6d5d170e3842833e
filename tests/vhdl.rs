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
    let reset = |list: &str| {
        format!(
            "{HEAD}entity t is port (clk, arst, srst, d : in std_logic; q : out std_logic); end;
architecture r of t is begin
  process ({list}) begin
    if arst = '1' then q <= '0'; elsif rising_edge(clk) then
      if srst = '1' then q <= '0'; else q <= d; end if;
    end if;
  end process;
end;"
        )
    };
    check(&reset("clk, arst"), &[]);
    check(&reset("clk"), &["6:3 W0512 the sensitivity list lacks arst"]);
}

/// Choices give an aggregate its bounds; an integer variable remembers what it was computed from.
#[test]
fn bounds_of_operands_and_slices_are_their_own() {
    good(&format!(
        "{HEAD}entity t is port (v : in std_logic_vector(7 downto 3); q, r : out std_logic); end;
architecture a of t is begin
  q <= '1' when v = (v'range => '0') else '0';
  r <= '1' when v /= (0 to 4 => '1') else '0';
end;"
    ));
    good(
        "library ieee; use ieee.std_logic_1164.all; use ieee.std_logic_arith.all; use ieee.std_logic_unsigned.all;
entity t is generic (W : natural := 64);
  port (d : in std_logic_vector(W-1 downto 0); a : in std_logic_vector(2 downto 0);
        q : out std_logic_vector(31 downto 0)); end;
architecture r of t is begin
  process (d, a) variable i : integer; begin
    if W <= 32 then i := 0; else i := conv_integer(a(2 downto 2)); end if;
    q <= d((i+1)*32-1 downto i*32);
  end process;
end;",
    );
}

#[test]
fn mistakes_are_told_where_they_are() {
    // A literal with the name of a port is that port, which is of another type.
    check(
        &format!(
            "{HEAD}entity t is port (clk, b : in std_logic; q : out std_logic); end;
architecture r of t is type t3 is (A0, B, C); signal s : t3; begin
  process (clk) begin
    if rising_edge(clk) then s <= B; end if;
  end process;
  q <= '1' when s = C else '0';
end;"
        ),
        &["5:40 W0218 ", "7:35 W0218 ", "7:35 E0310 "],
    );
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

/// An entity with input `a` of `n` bits, output `y` of `m` bits, declarations and statements.
fn unit(n: u32, m: u32, decls: &str, stmts: &str) -> String {
    format!(
        "{HEAD}entity t is port (a : in std_logic_vector({} downto 0); y : out std_logic_vector({} downto 0)); end;
architecture r of t is\n{decls}\nbegin\n{stmts}\nend;",
        n - 1,
        m - 1
    )
}

#[test]
fn text_that_is_switched_off_for_synthesis_is_no_hardware() {
    let f = "function sim return boolean is begin
      -- synthesis translate_off
      return true;
      -- synthesis translate_on
      return false;
    end;";
    assert_eq!(table(&unit(1, 1, f, "y <= a when sim else not a;")), "1 0");
}

#[test]
fn a_slice_of_constant_length_may_move() {
    // Two of four bits, chosen by the upper two of six.
    let window = "process (all) variable i : integer; begin
      i := to_integer(unsigned(a(3 downto 2))); y <= \"00\";
      if i < 2 then y <= a(2 * i + 1 downto 2 * i); end if; end process;";
    // i = 0 gives bits 1..0; i = 1 bits 3..2, which are 01; otherwise 00.
    assert_eq!(table(&unit(4, 2, "", window)), "00 01 10 11 01 01 01 01 00 00 00 00 00 00 00 00");
    // The bounds stay those of the slice when a function asks for them.
    let left = "function left_of(v : std_logic_vector) return integer is begin return v'left; end;";
    let ask = "process (all) variable i : natural range 0 to 3; variable w : std_logic_vector(5 downto 0); begin
      i := to_integer(unsigned(a)); w := (others => '0');
      y <= std_logic_vector(to_unsigned(left_of(w(i + 2 downto i)), 3)); end process;";
    assert_eq!(table(&unit(2, 3, left, ask)), "010 011 100 101");
}

#[test]
fn a_slice_of_any_length_may_be_filled() {
    let mask = "process (all) variable m : std_logic_vector(3 downto 0); begin
      m := (others => '0'); m(to_integer(unsigned(a)) downto 0) := (others => '1'); y <= m; end process;";
    assert_eq!(table(&unit(2, 4, "", mask)), "0001 0011 0111 1111");
    let copy = "process (all) variable m : std_logic_vector(3 downto 0);
      constant c : std_logic_vector(3 downto 0) := \"1011\"; variable n : natural range 0 to 3; begin
      n := to_integer(unsigned(a)); m := (others => '0'); m(n - 1 downto 0) := c(n - 1 downto 0); y <= m; end process;";
    assert_eq!(table(&unit(2, 4, "", copy)), "0000 0001 0011 0011");
}

#[test]
fn aggregates_take_slices_and_null_ranges() {
    let body = "y <= (5 downto 4 => a, 3 downto 2 => '1', others => '0');";
    assert_eq!(table(&unit(2, 6, "", body)), "001100 011100 101100 111100");
    assert_eq!(table(&unit(2, 2, "", "y <= (1 downto 2 => '0') & a;")), "00 01 10 11");
    let empty = "signal none, more : unsigned(-1 downto 0);";
    assert_eq!(table(&unit(1, 1, empty, "more <= none + 1; y <= std_logic_vector(more) & a;")), "0 1");
}

#[test]
fn generic_subprograms_and_attributes_have_their_values() {
    let decls = "function pick generic (type t; k : natural) parameter (x, z : t) return t is
      begin if k = 0 then return x; end if; return z; end;
    function second is new pick generic map (t => std_logic_vector, k => 1);
    attribute depth : integer; signal s : std_logic; attribute depth of s : signal is 2;";
    let body = "y <= second(not a, a) when s'depth = 2 else (others => '0'); s <= '0';";
    assert_eq!(table(&unit(2, 2, decls, body)), "00 01 10 11");
}

#[test]
fn an_operator_of_a_package_in_use_hides_the_predefined_one() {
    let text = format!(
        "library ieee; use ieee.std_logic_1164.all;
package p is function \"=\" (l, r : std_logic_vector) return boolean; end;
package body p is
  function \"=\" (l, r : std_logic_vector) return boolean is begin return l(l'left) = r(r'left); end;
end;
{}",
        unit(2, 1, "", "y(0) <= '1' when a = \"10\" else '0';").replace("entity t", "use work.p.all;\nentity t")
    );
    // Only the left bits are compared.
    assert_eq!(table(&text), "0 0 1 1");
}

#[test]
fn an_array_used_word_by_word_is_a_memory() {
    let text = |class: &str, assign: &str, more: &str| {
        format!(
            "{HEAD}entity t is port (clk, we : in std_logic; w, r : in unsigned(5 downto 0);
  d : in std_logic_vector(15 downto 0); q : out std_logic_vector(15 downto 0)); end;
architecture a of t is
  type mem_t is array (0 to 63) of std_logic_vector(15 downto 0);
  {class} mem : mem_t := (5 => x\"1234\", others => x\"0000\");
begin
  process (clk) begin
    if rising_edge(clk) then
      if we = '1' then mem(to_integer(w)) {assign} d; end if;
      q <= mem(to_integer(r));
    end if;
  end process;
  {more}
end;"
        )
    };
    let memories = |t: &str| good(t).design.expect("a design").memories;
    let ram = &memories(&text("signal", "<=", ""))[0];
    assert_eq!((ram.size, ram.width, ram.writes.len(), ram.init.len()), (64, 16, 1, 64));
    // Element 5 of `0 to 63` is the 58th from the right, where addresses start.
    assert_eq!(ram.init.iter().find(|(a, _)| *a == 58).map(|(_, b)| b.to_u64()), Some(Some(0x1234)));
    let second = "process (clk) begin if rising_edge(clk) then mem(0) := d; end if; end process;";
    assert_eq!(memories(&text("shared variable", ":=", second))[0].writes.len(), 2);
    // Used as a whole it is flattened.
    assert!(memories(&text("signal", "<=", "assert mem /= (0 to 63 => x\"ffff\");")).is_empty());
}

#[test]
fn psl_is_passed_over_with_a_word() {
    check(
        &unit(1, 1, "default clock is rising_edge(a(0));", "y <= a;\n-- psl assert always a(0);\nassert never a(0);"),
        &["6:1 W0416 PSL in"],
    );
}

#[test]
fn what_would_be_lost_in_silence_is_an_error() {
    let sub = "entity sub is generic (w : natural := 8); port (a : in bit; y : out bit); end;
architecture r of sub is begin y <= a; end;\n";
    let top = |body: &str| {
        format!("{sub}entity t is port (a : in bit; y : out bit); end;\narchitecture r of t is begin {body} end;")
    };
    let said = |text: &str| {
        let e = elaborate(text, &[]);
        render(&e.diagnostics, &e.sources, Format::Concise, false)
    };
    let generic = said(&top("u : entity work.sub generic map (v => 4) port map (a, y);"));
    assert!(generic.contains("error[E0206]: entity `sub` has no generic `v`"), "{generic}");
    let port = said(&top("u : entity work.sub port map (a => a, z => y);"));
    assert!(port.contains("error[E0205]: entity `sub` has no port `z`"), "{port}");
    let case = said(&unit(2, 1, "", "with a select y(0) <= '0' when \"00\", '1' when \"11\";"));
    assert!(case.contains("error[E0314]"), "{case}");
    let entity = said(&top("u : work.sub port map (a, y);"));
    assert!(entity.contains("error[E0202]: an entity stands where a component is needed"), "{entity}");
}

#[test]
fn what_runs_after_an_exit_sees_what_it_assigned() {
    // `n` is always assigned before it is read: no state, no loop.
    let body = "process (all) variable v, n : natural range 0 to 3; begin
      v := 0;
      for j in 1 to 3 loop
        n := 4 - j;
        if a(n) = '1' then v := n; exit; end if;
      end loop;
      y <= std_logic_vector(to_unsigned(v, 2));
    end process;";
    // The highest bit of 3, 2, 1 that is set.
    assert_eq!(table(&unit(4, 2, "", body)), "00 00 01 01 10 10 10 10 11 11 11 11 11 11 11 11");
}

#[test]
fn a_function_fills_a_table_from_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("table.txt");
    // A number, a hexadecimal word and bits in a line; the last line has no third value.
    std::fs::write(&path, "3 2A 1_01\n5 01 110\r\n250 3f\n").expect("written");
    let text = |name: &str| {
        format!(
            "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all; use std.textio.all;
entity t is port (a : in std_logic_vector(1 downto 0); y : out std_logic_vector(17 downto 0)); end;
architecture r of t is
  type table_t is array (0 to 3) of std_logic_vector(17 downto 0);
  impure function table return table_t is
    file f : text open read_mode is \"{name}\";
    variable l : line;
    variable n : integer;
    variable w : std_logic_vector(5 downto 0);
    variable b : std_logic_vector(2 downto 0);
    variable good : boolean;
    variable t : table_t := (others => (others => '1'));
  begin
    for i in t'range loop
      exit when endfile(f);
      readline(f, l); read(l, n); hread(l, w); read(l, b, good);
      if not good then b := \"000\"; end if;
      t(i) := '0' & std_logic_vector(to_unsigned(n, 8)) & w & b;
    end loop;
    return t;
  end;
  constant c : table_t := table;
begin y <= c(to_integer(unsigned(a))); end;"
        )
    };
    let want = [
        "0 00000011 101010 101".replace(' ', ""),
        "0 00000101 000001 110".replace(' ', ""),
        "0 11111010 111111 000".replace(' ', ""),
        "1".repeat(18),
    ];
    assert_eq!(table(&text(&path.display().to_string())), want.join(" "));
    let said = elaborate(&text("nowhere.txt"), &[]);
    let said = render(&said.diagnostics, &said.sources, Format::Concise, false);
    assert!(said.contains("6:37: error[E0101]: cannot read file `nowhere.txt`"), "{said}");
}

#[test]
fn a_quotient_that_does_not_fit_keeps_its_sign() {
    // -45 .. -42 by -1 is positive, and numeric_std resizes it to the divisor's single bit: the sign.
    let body = "y <= std_logic_vector((to_integer(unsigned(a)) - 45) / signed'(\"1\"));";
    assert_eq!(table(&unit(2, 1, "", body)), "0 0 0 0");
}

#[test]
fn configurations_choose_architectures_at_every_depth() {
    let text = |top: &str, config: &str| {
        format!(
            "entity leaf is port (a : in bit; y : out bit); end;
architecture same of leaf is begin y <= a; end;
architecture flip of leaf is begin y <= not a; end;
entity mid is port (a : in bit; y : out bit); end;
architecture r of mid is
  component leaf is port (a : in bit; y : out bit); end component;
begin u : leaf port map (a, y); end;
entity t is port (a : in bit_vector(0 downto 0); y : out bit_vector(0 downto 0)); end;
architecture r of t is
  component mid is port (a : in bit; y : out bit); end component;
begin {top} end;
configuration c of t is for r {config} end for; end;"
        )
    };
    let value = |text: &str| {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("t.vhd");
        std::fs::write(&path, text).expect("written");
        let options = vhdl::elab::Options { top: Some("c".into()), ..Default::default() };
        let request = vhdl::Request { files: vec![(None, path)], cache_dir: None, options };
        let e = vhdl::elaborate(&request, SourceMap::new());
        let Some(d) = &e.design else { return render(&e.diagnostics, &e.sources, Format::Concise, false) };
        let net = lower(d, &LowerOptions::default(), &mut vec![]);
        let mut sim = Sim::<u64>::new(&net, SimOptions::default());
        sim.set_input_bits(0, 0, &Bits::from_u64(0, 1));
        sim.settle().expect("settles");
        sim.output_bits(0, 0).to_binary()
    };
    let one = "m : mid port map (a(0), y(0));";
    let leaf = |arch: &str| format!("for r for u : leaf use entity work.leaf({arch}); end for; end for;");
    // Inside a component whose binding is left to the default rules.
    assert_eq!(value(&text(one, &format!("for m : mid {} end for;", leaf("same")))), "0");
    assert_eq!(value(&text(one, &format!("for m : mid {} end for;", leaf("flip")))), "1");
    // What is not followed is an error.
    let many = "g : for i in 0 to 0 generate m : mid port map (a(i), y(i)); end generate;";
    let some = format!("for g(0) for m : mid {} end for; end for;", leaf("flip"));
    assert!(value(&text(many, &some)).contains("E0405"), "{}", value(&text(many, &some)));
    let map = "for m : mid use entity work.leaf port map (a => y, y => a); end for;";
    assert!(value(&text(one, map)).contains("E0405"));
}

#[test]
fn letters_beyond_latin_1_beside_psl_are_read_as_bytes() {
    // A character of three bytes before the mistake: its column counts bytes.
    let text = "entity t is end; -- \u{20ac} \u{3b1}\narchitecture a of t is begin\n-- psl assert always true;\nassert never false; -- \u{20ac}\nx <= ;\nend;";
    check(text, &["3:1 W0416 PSL in", "5:6 E0106 "]);
}
