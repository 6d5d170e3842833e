//! Designs with a seeded bug each, and the text that mends it.

/// A design whose assertion fails, and the same without the bug.
pub struct Case {
    pub name: &'static str,
    pub text: &'static str,
    /// What to replace by what.
    pub fix: (&'static str, &'static str),
}

impl Case {
    pub fn fixed(&self) -> String {
        assert!(self.text.contains(self.fix.0), "{}: nothing to mend", self.name);
        self.text.replace(self.fix.0, self.fix.1)
    }
}

pub const CASES: &[Case] = &[
    // Steps are edges; `key` starts with any value and only the right one leads to the failure.
    Case {
        name: "counter",
        text: "module ring(input clk, output logic [3:0] key);
  always_ff @(posedge clk) key <= {key[2:0], key[3]};
endmodule
module counter(input clk, input rst, input en, input [7:0] inc, output logic [7:0] count);
  logic ready = 0;
  logic [3:0] key;
  ring u(.clk(clk), .key(key));
  always_ff @(posedge clk)
    if (rst) begin count <= 0; ready <= 1; end
    else if (en && count < 100) count <= count + inc;
  always_ff @(posedge clk)
    if (ready && key == 4'b0110) assert (count < 200);
endmodule
",
        fix: ("count + inc", "count + inc[5:0]"),
    },
    Case {
        name: "async_reset",
        text: "module shift(input clk, input rst_n, input d, output logic [3:0] q, output logic all);
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) q <= 0; else q <= {q[2:0], d};
  always_ff @(posedge clk) all <= &q[2:0] && d;
  logic ready = 0;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) ready <= 1;
  always_ff @(posedge clk)
    if (ready && rst_n) assert (q != 4'b1011);
endmodule
",
        fix: ("{q[2:0], d}", "{q[2:0], d && q[0] == 0 || d && q[1]}"),
    },
    Case {
        name: "two_clocks",
        text: "module crossing(input wclk, input rclk, input d, input go, output logic [1:0] n);
  logic w = 0, m = 0, r = 0, p = 0;
  initial n = 0;
  always_ff @(posedge wclk) w <= d;
  always_ff @(posedge rclk) begin
    m <= w; r <= m; p <= r;
    if (r && !p && go) n <= n + 1;
  end
  always_ff @(posedge rclk) assert (n != 2);
endmodule
",
        fix: ("n + 1", "n | 1"),
    },
    Case {
        name: "falling",
        text: "module fall(input clk, input [3:0] a, output logic [0:3] q);
  initial q = 0;
  always_ff @(negedge clk) q <= q ^ a;
  always_ff @(negedge clk) assert (!(q == 4'hc && a == 4'h3));
endmodule
",
        fix: ("q ^ a", "q & a"),
    },
    // Both edges: the clock is a level, and each edge takes a step.
    Case {
        name: "both_edges",
        text: "module both(input clk, input d, output logic p, output logic n);
  initial begin p = 0; n = 0; end
  logic [2:0] seen = 0;
  always_ff @(posedge clk) p <= d;
  always_ff @(negedge clk) begin n <= p; seen <= {seen[1:0], p && !n}; end
  always_ff @(posedge clk) assert (seen != 3'b101);
endmodule
",
        fix: ("p && !n", "p && 1'b0"),
    },
    Case {
        name: "latch",
        text: "module latch(input clk, input open, input [3:0] d, output logic [3:0] q, output logic [3:0] held);
  always_latch if (open) q = d;
  initial held = 0;
  always_ff @(posedge clk) held <= held + (open ? 0 : q);
  always_ff @(posedge clk) assert (held != 9);
endmodule
",
        fix: ("held + (open ? 0 : q)", "held + (open ? 0 : 2 * q)"),
    },
    // No clock of its own: seen at rest.
    Case {
        name: "unclocked",
        text: "module comb(input clk, input rst, input a, input b, output logic [2:0] s, output logic y);
  initial s = 0;
  always_ff @(posedge clk or posedge rst)
    if (rst) s <= 0; else if (a) s <= s + 1;
  assign y = s == 5 && b;
  always_comb assert (!y || s < 5);
endmodule
",
        fix: ("s < 5", "s < 6"),
    },
    // The reset must come with the edge: `late` samples what it wipes out.
    Case {
        name: "joint",
        text: "module joint(input clk, input rst, output logic late);
  logic early = 0;
  initial late = 0;
  always_ff @(posedge clk or posedge rst)
    if (rst) early <= 0; else early <= 1;
  always_ff @(posedge clk) late <= early && rst;
  always_ff @(posedge clk) assert (!late);
endmodule
",
        fix: ("early && rst", "1'b0"),
    },
    Case {
        name: "vhdl_counter",
        text: "library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity stage is
  port (clk : in std_logic; d : in unsigned(3 downto 0); q : out unsigned(3 downto 0));
end entity;
architecture rtl of stage is
  signal r : unsigned(3 downto 0) := (others => '0');
begin
  process (clk) begin
    if rising_edge(clk) then r <= r + d; end if;
  end process;
  q <= r;
end architecture;
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity counter is
  port (clk, en : in std_logic; n : in natural range 0 to 7; wide : in boolean; d : in std_logic_vector(7 downto 0);
        s : in signed(1 downto 0); q : out unsigned(3 downto 0));
end entity;
architecture rtl of counter is
  signal sum, inc : unsigned(3 downto 0);
begin
  inc <= to_unsigned(n, 4) when en = '1' and wide and s = -1 and d(7) = '1' else (others => '0');
  u : entity work.stage port map (clk => clk, d => inc, q => sum);
  q <= sum;
  process (clk) begin
    if rising_edge(clk) then
      assert sum /= 14 report \"fourteen\" severity error;
    end if;
  end process;
end architecture;
",
        fix: ("r + d", "r or (d and \"0011\")"),
    },
    // Registers without initial values, and an asynchronous reset.
    Case {
        name: "vhdl_reset",
        text: "library ieee;
use ieee.std_logic_1164.all;
entity shift is
  port (clk, rst_n, d : in std_logic; q : out std_logic_vector(0 to 2));
end entity;
architecture rtl of shift is
  signal r : std_logic_vector(0 to 2);
  signal key : std_logic_vector(2 downto 0) := \"110\";
  signal ready : std_logic := '0';
begin
  process (clk, rst_n) begin
    if rst_n = '0' then
      r <= \"000\";
      ready <= '1';
    elsif rising_edge(clk) then
      r <= d & r(0 to 1);
    end if;
  end process;
  process (clk) begin
    if falling_edge(clk) then key <= key(1 downto 0) & key(2); end if;
  end process;
  q <= r;
  process (clk) begin
    if rising_edge(clk) then
      assert not (ready = '1' and rst_n = '1' and r = \"101\" and key = \"011\") report \"pattern\" severity error;
    end if;
  end process;
end architecture;
",
        fix: ("d & r(0 to 1)", "'0' & r(0 to 1)"),
    },
];

pub fn case(name: &str) -> &'static Case {
    CASES.iter().find(|c| c.name == name).expect("a case")
}
