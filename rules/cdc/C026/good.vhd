-- Right: the port is promised to clk_b, and the last register of a synchroniser of clk_b drives it.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b, d : in  std_logic;
    q               : out std_logic
  );
  attribute entail_clock : string;
  attribute entail_clock of q : signal is "clk_b";
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
    end if;
  end process;

  q <= sync(1);
end architecture rtl;
