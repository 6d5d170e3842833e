-- Right: the pulse turns a level over, which crosses; its edges are the pulses of clk_b.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    start        : in  std_logic;
    q            : out std_logic
  );
end entity top;

architecture rtl of top is
  signal start_a, level, last   : std_logic := '0';
  signal sync                   : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      start_a <= start;
      if start_a = '1' then
        level <= not level;
      end if;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      sync   <= sync(0) & level;
      last   <= sync(1);
    end if;
  end process;

  q <= sync(1) xor last;
end architecture rtl;
