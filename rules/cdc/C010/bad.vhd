-- Wrong: a binary counter crosses bit by bit; a sample during a carry is a number it never held.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    step         : in  std_logic;
    over         : out std_logic := '0'
  );
end entity top;

architecture rtl of top is
  signal step_a               : std_logic := '0';
  signal count, first, second : unsigned(3 downto 0) := "0000";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of first, second : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      step_a <= step;
      if step_a = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      first  <= count;
      second <= first;
      if second > 9 then
        over <= '1';
      else
        over <= '0';
      end if;
    end if;
  end process;
end architecture rtl;
