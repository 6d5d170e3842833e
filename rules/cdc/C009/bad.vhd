-- Wrong: two bits of clk_a, synchronised apart, meet again in one gate of clk_b.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    x, y         : in  std_logic;
    q            : out std_logic := '0'
  );
end entity top;

architecture rtl of top is
  signal x_a, y_a       : std_logic := '0';
  signal x_sync, y_sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of x_sync, y_sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      x_a <= x;
      y_a <= y;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      x_sync <= x_sync(0) & x_a;
      y_sync <= y_sync(0) & y_a;
      q      <= x_sync(1) and y_sync(1);
    end if;
  end process;
end architecture rtl;
