-- Wrong: the enable changes just after the rising edge, while the AND gate lets the clock through.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, en : in  std_logic;
    count     : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal en_a      : std_logic := '0';
  signal clk_gated : std_logic;
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      en_a <= en;
    end if;
  end process;

  clk_gated <= clk_a and en_a;

  process (clk_gated) begin
    if rising_edge(clk_gated) then
      count <= count + 1;
    end if;
  end process;
end architecture rtl;
