-- Right: the clock stays whole; the enable decides whether the counter takes a new value.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, en : in  std_logic;
    count     : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal en_a : std_logic := '0';
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      en_a <= en;
      if en_a = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
