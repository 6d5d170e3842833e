-- Right: the counter crosses from a register in gray code and becomes a number again in clk_b.
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
  signal step_a                     : std_logic := '0';
  signal count, gray, first, second : unsigned(3 downto 0) := "0000";
  signal next_count, number         : unsigned(3 downto 0);
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of first, second : signal is "TRUE";
begin
  next_count <= count + 1 when step_a = '1' else count;
  number     <= second xor shift_right(second, 1) xor shift_right(second, 2) xor shift_right(second, 3);

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
      if number > 9 then
        over <= '1';
      else
        over <= '0';
      end if;
    end if;
  end process;
end architecture rtl;
