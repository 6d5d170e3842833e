-- Info: a multiplexer that a synchronised signal selects lets a bus of clk_a into registers of clk_b.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d, other     : in  std_logic_vector(3 downto 0);
    q            : out std_logic_vector(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal d_a, hold, other_b : std_logic_vector(3 downto 0) := "0000";
  signal tick               : unsigned(3 downto 0) := "0000";
  signal show               : std_logic := '0';
  signal sync               : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  -- hold changes four edges of clk_a before show rises, and not until eight after it fell.
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a  <= d;
      tick <= tick + 1;
      show <= tick(2) and not tick(3);
      if tick = 0 then
        hold <= d_a;
      end if;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      sync    <= sync(0) & show;
      other_b <= other;
      if sync(1) = '1' then
        q <= hold;
      else
        q <= other_b;
      end if;
    end if;
  end process;
end architecture rtl;
