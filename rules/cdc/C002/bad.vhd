-- Wrong: a register of clk_b captures four bits of clk_a at every edge; nothing says when they are stable.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic_vector(3 downto 0);
    q            : out std_logic_vector(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal d_a : std_logic_vector(3 downto 0) := "0000";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a <= d;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      q <= d_a;
    end if;
  end process;
end architecture rtl;
