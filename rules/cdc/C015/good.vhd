-- Right: a single bit crosses through a synchroniser and selects among signals of its new clock.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b, d : in  std_logic;
    one, other      : in  std_logic_vector(3 downto 0);
    q               : out std_logic_vector(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal d_a  : std_logic := '0';
  signal sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      sync <= sync(0) & d_a;
      if sync(1) = '1' then
        q <= one;
      else
        q <= other;
      end if;
    end if;
  end process;
end architecture rtl;
