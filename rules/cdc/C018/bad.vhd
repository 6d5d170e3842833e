-- Wrong: when only rst_a_n is asserted, x changes between edges of clk_a while y, not in reset, samples it.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, rst_a_n, rst_b_n, d : in  std_logic;
    y                          : out std_logic := '0'
  );
end entity top;

architecture rtl of top is
  signal x                    : std_logic := '0';
  signal x_rst_n, y_rst_n     : std_logic;
  signal x_release, y_release : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of x_release, y_release : signal is "TRUE";
begin
  process (clk_a, rst_a_n) begin
    if rst_a_n = '0' then x_release <= "00";
    elsif rising_edge(clk_a) then x_release <= x_release(0) & '1';
    end if;
  end process;

  process (clk_a, rst_b_n) begin
    if rst_b_n = '0' then y_release <= "00";
    elsif rising_edge(clk_a) then y_release <= y_release(0) & '1';
    end if;
  end process;

  x_rst_n <= x_release(1);
  y_rst_n <= y_release(1);

  process (clk_a, x_rst_n) begin
    if x_rst_n = '0' then x <= '0';
    elsif rising_edge(clk_a) then x <= d;
    end if;
  end process;

  process (clk_a, y_rst_n) begin
    if y_rst_n = '0' then y <= '0';
    elsif rising_edge(clk_a) then y <= x;
    end if;
  end process;
end architecture rtl;
