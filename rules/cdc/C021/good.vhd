-- Right: one clock throughout; sel chooses the rate by an enable, full or half.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, sel : in  std_logic;
    count      : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal sel_a, half : std_logic := '0';
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      sel_a <= sel;
      half  <= not half;
      if sel_a = '1' or half = '1' then
        count <= count + 1;
      end if;
    end if;
  end process;
end architecture rtl;
