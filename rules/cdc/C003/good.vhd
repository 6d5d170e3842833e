-- Right: the first stage asks for a chain of three registers, and three there are.
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
  signal d_a, first, second, third : std_logic := '0';
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of first, second, third : signal is "TRUE";
  attribute entail_stages : string;
  attribute entail_stages of first : signal is "3";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      first  <= d_a;
      second <= first;
      third  <= second;
      if third = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
