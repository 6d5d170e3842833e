-- Wrong: a plain multiplexer switches the clock; a change of sel can cut a pulse short.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b, sel : in  std_logic;
    count             : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal clk_mux : std_logic;
begin
  clk_mux <= clk_a when sel = '1' else clk_b;

  process (clk_mux) begin
    if rising_edge(clk_mux) then
      count <= count + 1;
    end if;
  end process;
end architecture rtl;
