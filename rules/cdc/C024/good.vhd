-- Right: the input is registered in clk_a only, and reaches clk_b through a synchroniser.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic;
    q_a          : out std_logic := '0';
    q_b          : out std_logic
  );
end entity top;

architecture rtl of top is
  signal sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      q_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      sync <= sync(0) & q_a;
    end if;
  end process;

  q_b <= sync(1);
end architecture rtl;
