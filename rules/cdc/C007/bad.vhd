-- Wrong: one register of clk_a goes through two synchronisers of clk_b, whose outputs can disagree.
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
  signal d_a                   : std_logic := '0';
  signal lamp_sync, count_sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of lamp_sync, count_sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      lamp_sync  <= lamp_sync(0) & d_a;
      count_sync <= count_sync(0) & d_a;
      if count_sync(1) = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;

  lamp <= lamp_sync(1);
end architecture rtl;
