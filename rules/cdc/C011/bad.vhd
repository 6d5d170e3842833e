-- Info: a counter crosses in gray code, registered in clk_a and synchronised in clk_b, and is recognised.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    step         : in  std_logic;
    number       : out unsigned(2 downto 0) := "000"
  );
end entity top;

architecture rtl of top is
  signal step_a                     : std_logic := '0';
  signal count, gray, first, second : unsigned(2 downto 0) := "000";
  signal next_count                 : unsigned(2 downto 0);
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of first, second : signal is "TRUE";
begin
  next_count <= count + 1 when step_a = '1' else count;

  process (clk_a) begin
    if rising_edge(clk_a) then
      step_a <= step;
      count  <= next_count;
      gray   <= next_count xor shift_right(next_count, 1);
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      first  <= gray;
      second <= first;
      number <= second xor shift_right(second, 1) xor shift_right(second, 2);
    end if;
  end process;
end architecture rtl;
