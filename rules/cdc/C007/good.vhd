-- Right: one synchroniser, and everything in clk_b uses its output.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic;
    lamp         : out std_logic;
    count        : out unsigned(3 downto 0) := "0000"
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
        count <= count + 1;
      end if;
    end if;
  end process;

  lamp <= sync(1);
end architecture rtl;
