-- Right: clk_a clocks the counter too; the two inputs, registered, enable it.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, sel, wr : in  std_logic;
    hit            : out std_logic := '0';
    count          : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal sel_a, wr_a : std_logic := '0';
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      sel_a <= sel;
      wr_a  <= wr;
      hit   <= sel_a and wr_a;
      if sel_a = '1' and wr_a = '1' and hit = '0' then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
