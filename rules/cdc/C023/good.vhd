-- Right: a register that toggles with clk_a stands for the clock, and passes a synchroniser of clk_b.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    beat         : out std_logic := '0';
    count        : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal last : std_logic := '0';
  signal sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      beat <= not beat;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      sync <= sync(0) & beat;
      last <= sync(1);
      if sync(1) /= last then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
