-- Wrong: the port is promised to clk_b, but a register of clk_a drives it.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b, d, e : in  std_logic;
    q, r               : out std_logic := '0'
  );
  attribute entail_clock : string;
  attribute entail_clock of q : signal is "clk_b";
end entity top;

architecture rtl of top is
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      q <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      r <= e;
    end if;
  end process;
end architecture rtl;
