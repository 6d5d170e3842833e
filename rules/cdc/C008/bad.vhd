-- Wrong: registers of clk_a and of clk_b meet in a gate in front of a synchroniser of clk_c.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b, clk_c : in  std_logic;
    x, y                : in  std_logic;
    q                   : out std_logic
  );
end entity top;

architecture rtl of top is
  signal x_a, y_b : std_logic := '0';
  signal sync     : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      x_a <= x;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      y_b <= y;
    end if;
  end process;

  process (clk_c) begin
    if rising_edge(clk_c) then
      sync <= sync(0) & (x_a and y_b);
    end if;
  end process;

  q <= sync(1);
end architecture rtl;
