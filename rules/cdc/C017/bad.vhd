-- Wrong: one reset input resets registers of two clocks; its release cannot be in step with both.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, clk_b, rst_n : in  std_logic;
    step_a, step_b      : in  std_logic;
    count_a, count_b    : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
begin
  process (clk_a, rst_n) begin
    if rst_n = '0' then
      count_a <= "0000";
    elsif rising_edge(clk_a) then
      if step_a = '1' then
        count_a <= count_a + 1;
      end if;
    end if;
  end process;
  process (clk_b, rst_n) begin
    if rst_n = '0' then
      count_b <= "0000";
    elsif rising_edge(clk_b) then
      if step_b = '1' then
        count_b <= count_b + 1;
      end if;
    end if;
  end process;
end architecture rtl;
