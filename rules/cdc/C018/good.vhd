-- Right: one reset, released in step with clk_a, clears both registers.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, rst_a_n, d : in  std_logic;
    y                 : out std_logic := '0'
  );
end entity top;

architecture rtl of top is
  signal x         : std_logic := '0';
  signal clear_n   : std_logic;
  signal release_a : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of release_a : signal is "TRUE";
begin
  process (clk_a, rst_a_n) begin
    if rst_a_n = '0' then
      release_a <= "00";
    elsif rising_edge(clk_a) then
      release_a <= release_a(0) & '1';
    end if;
  end process;

  clear_n <= release_a(1);

  process (clk_a, clear_n) begin
    if clear_n = '0' then
      x <= '0';
      y <= '0';
    elsif rising_edge(clk_a) then
      x <= d;
      y <= x;
    end if;
  end process;
end architecture rtl;
