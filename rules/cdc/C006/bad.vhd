-- Wrong: an AND gate stands between the two stages and takes settling time from the first one.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d, en        : in  std_logic;
    q            : out std_logic
  );
end entity top;

architecture rtl of top is
  signal d_a, en_b     : std_logic := '0';
  signal first, second : std_logic := '0';
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of first, second : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      en_b   <= en;
      first  <= d_a;
      second <= first and en_b;
    end if;
  end process;

  q <= second;
end architecture rtl;
