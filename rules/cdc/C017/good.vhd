-- Right: reset is asserted at once, but each clock has two registers of its own that release it.
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
  signal clear_a_n, clear_b_n : std_logic;
  signal release_a, release_b : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of release_a : signal is "TRUE";
  attribute ASYNC_REG of release_b : signal is "TRUE";
begin
  process (clk_a, rst_n) begin
    if rst_n = '0' then
      release_a <= "00";
    elsif rising_edge(clk_a) then
      release_a <= release_a(0) & '1';
    end if;
  end process;
  clear_a_n <= release_a(1);
  process (clk_b, rst_n) begin
    if rst_n = '0' then
      release_b <= "00";
    elsif rising_edge(clk_b) then
      release_b <= release_b(0) & '1';
    end if;
  end process;
  clear_b_n <= release_b(1);
  process (clk_a, clear_a_n) begin
    if clear_a_n = '0' then
      count_a <= "0000";
    elsif rising_edge(clk_a) then
      if step_a = '1' then
        count_a <= count_a + 1;
      end if;
    end if;
  end process;
  process (clk_b, clear_b_n) begin
    if clear_b_n = '0' then
      count_b <= "0000";
    elsif rising_edge(clk_b) then
      if step_b = '1' then
        count_b <= count_b + 1;
      end if;
    end if;
  end process;
end architecture rtl;
