-- Wrong: registers of clk_a and of clk_b sample the same input, which cannot be timed to both.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic;
    q_a, q_b     : out std_logic := '0'
  );
end entity top;

architecture rtl of top is
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      q_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      q_b <= d;
    end if;
  end process;
end architecture rtl;
