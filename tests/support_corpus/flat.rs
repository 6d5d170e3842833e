//! VHDL designs whose ports are records, in GHDL's simulator: a bench moves every element between a port
//! and a line of text.

use entail::net::Netlist;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An element of a port, or a whole port.
pub struct Leaf {
    /// As the text of the design names it: `e_in.itag.valid`.
    pub path: String,
    pub width: usize,
    /// The name of its type if it is an enumeration.
    pub enumeration: Option<String>,
}

/// A port and its elements, most significant first: the order of declaration.
pub struct Port {
    pub name: String,
    /// Its type, and the leaves it has.
    pub mark: String,
    pub leaves: Vec<Leaf>,
}

impl Port {
    /// From `e_in : type = valid op:6:insn_type_t nia:64`; without `=` the port is its only leaf.
    pub fn parse(line: &str) -> Port {
        let (head, leaves) = line.split_once('=').map_or((line, None), |(h, l)| (h, Some(l)));
        let (name, mark) = head.split_once(':').expect("a name and a type");
        let (name, mark) = (name.trim().to_string(), mark.trim().to_string());
        let leaf = |word: &str| {
            let mut parts = word.split(':');
            let path = format!("{name}.{}", parts.next().expect("a name"));
            let width = parts.next().map_or(1, |w| w.parse().expect("a width"));
            Leaf { path, width, enumeration: parts.next().map(str::to_string) }
        };
        let whole = || vec![Leaf { path: name.clone(), width: 1, enumeration: None }];
        let leaves = leaves.map_or_else(whole, |l| l.split_whitespace().map(leaf).collect());
        Port { name, mark, leaves }
    }

    pub fn width(&self) -> usize {
        self.leaves.iter().map(|l| l.width).sum()
    }
}

/// A design for GHDL.
pub struct Bench<'a> {
    pub files: &'a [PathBuf],
    pub top: &'a str,
    /// Packages of library `work` that the types of ports come from.
    pub packages: &'a [&'a str],
    pub ports: &'a [Port],
}

impl Bench<'_> {
    /// The ports of one direction in the order of the netlist, which must agree in width.
    pub fn sorted(&self, net: &Netlist, inward: bool) -> Vec<&Port> {
        let ports = if inward { &net.inputs } else { &net.outputs };
        let find = |name: &str| self.ports.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("port {name}"));
        let sorted: Vec<&Port> = ports.iter().map(|p| find(&p.name)).collect();
        for (port, ours) in sorted.iter().zip(ports) {
            assert_eq!(port.width(), ours.bits.len(), "width of port {}", port.name);
        }
        sorted
    }

    /// The outputs after each line of inputs, as one string, leaf after leaf; what is neither 0 nor 1 is `x`.
    pub fn run(&self, net: &Netlist, lines: &[String], dir: &Path) -> Vec<String> {
        std::fs::write(dir.join("bench.vhd"), self.text(net)).expect("written");
        std::fs::write(dir.join("vectors.txt"), lines.join("\n") + "\n").expect("written");
        let run = Command::new("ghdl")
            .args(["-c", "--std=08", "-frelaxed"])
            .args(self.files)
            .arg("bench.vhd")
            // Random inputs do what the design asserts that nobody does.
            .args(["-r", "bench", "--ieee-asserts=disable", "--assert-level=none"])
            .current_dir(dir)
            .output()
            .expect("ghdl runs; `make test` installs it");
        let said = std::fs::read_to_string(dir.join("outputs.txt")).unwrap_or_default();
        let rows: Vec<String> = said.lines().map(str::to_string).collect();
        let errors = String::from_utf8_lossy(&run.stderr);
        let tail = errors.lines().rev().take(5).collect::<Vec<_>>().join("\n");
        assert_eq!(rows.len(), lines.len(), "{}: GHDL said {tail}", self.top);
        rows
    }

    fn text(&self, net: &Netlist) -> String {
        let mut out = String::from(
            "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\nuse std.textio.all;\n",
        );
        for package in self.packages {
            let _ = writeln!(out, "use work.{package}.all;");
        }
        out += "entity bench is end entity;\narchitecture a of bench is\n";
        for port in self.ports {
            let _ = writeln!(out, "  signal {} : {};", port.name, port.mark);
        }
        let map: Vec<String> = self.ports.iter().map(|p| format!("{0} => {0}", p.name)).collect();
        let _ = writeln!(out, "begin\n  dut : entity work.{} port map ({});\n  process", self.top, map.join(", "));
        out += PROCEDURES;
        let (ins, outs) = (self.sorted(net, true), self.sorted(net, false));
        let widths = |ports: &[&Port]| ports.iter().map(|p| p.width()).sum::<usize>();
        for mark in self.ports.iter().flat_map(|p| &p.leaves).filter_map(|l| l.enumeration.as_ref()) {
            let _ = writeln!(
                out,
                "    procedure get(signal t : out {mark}; s : string) is begin t <= {mark}'val(to_integer(unsigned(v(s)))); end;"
            );
        }
        let _ = writeln!(
            out,
            "    file vectors : std.textio.text open read_mode is \"vectors.txt\";\n    \
             file outputs : std.textio.text open write_mode is \"outputs.txt\";\n    variable l : std.textio.line;\n    \
             variable s : string(1 to {});\n    variable r : string(1 to {});\n  begin\n    \
             while not std.textio.endfile(vectors) loop\n      std.textio.readline(vectors, l);\n      \
             std.textio.read(l, s);",
            widths(&ins),
            widths(&outs)
        );
        let mut at = 1;
        for leaf in ins.iter().flat_map(|p| &p.leaves) {
            let _ = writeln!(out, "      get({}, s({at} to {}));", leaf.path, at + leaf.width - 1);
            at += leaf.width;
        }
        out += "      wait for 1 ns;\n";
        at = 1;
        for leaf in outs.iter().flat_map(|p| &p.leaves) {
            let _ = writeln!(out, "      put({}, r({at} to {}));", leaf.path, at + leaf.width - 1);
            at += leaf.width;
        }
        out += "      std.textio.write(l, r);\n      std.textio.writeline(outputs, l);\n    end loop;\n    \
                file_close(outputs);\n    wait;\n  end process;\nend architecture;\n";
        out
    }
}

/// One name for every type that an element may have.
const PROCEDURES: &str = "    \
    function v(s : string) return std_ulogic_vector is\n      \
      alias t : string(1 to s'length) is s;\n      variable r : std_ulogic_vector(1 to s'length);\n    \
    begin\n      \
      for k in r'range loop\n        if t(k) = '1' then r(k) := '1'; else r(k) := '0'; end if;\n      end loop;\n      \
      return r;\n    \
    end;\n    \
    procedure get(signal t : out std_ulogic; s : string) is begin t <= v(s)(1); end;\n    \
    procedure get(signal t : out std_ulogic_vector; s : string) is begin t <= v(s); end;\n    \
    procedure get(signal t : out integer; s : string) is begin t <= to_integer(unsigned(v(s))); end;\n    \
    procedure put(t : std_ulogic_vector; s : out string) is\n      \
      alias u : std_ulogic_vector(1 to t'length) is t;\n      variable r : string(1 to t'length);\n    \
    begin\n      \
      for k in r'range loop\n        case u(k) is\n          when '0' | 'L' => r(k) := '0';\n          \
          when '1' | 'H' => r(k) := '1';\n          when others => r(k) := 'x';\n        end case;\n      end loop;\n      \
      s := r;\n    \
    end;\n    \
    procedure put(t : std_ulogic; s : out string) is begin put(std_ulogic_vector'(0 => t), s); end;\n    \
    procedure put(t : natural; s : out string) is\n    \
    begin put(std_ulogic_vector(to_unsigned(t, s'length)), s); end;\n";
