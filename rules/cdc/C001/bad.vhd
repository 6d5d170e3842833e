-- Wrong: one register of clk_b captures a bit of clk_a, and a counter uses it one edge later.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic;
    count        : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal d_a, seen : std_logic := '0';
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      seen <= d_a;
      if seen = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
