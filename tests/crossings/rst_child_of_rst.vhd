-- rs is the synchronised release of rst_n: it can only fall (at any time) when rst_n falls. Register b, reset by rst_n,
-- reads a, reset by rs. Whenever a is cleared asynchronously, b is in reset too. And c (rs) reads b (rst_n), harmful or not:
-- rs falls together with rst_n, so c is in reset too.
library ieee; use ieee.std_logic_1164.all;
entity rst_child_of_rst is
  port (clk, rst_n, d : in std_logic; q : out std_logic);
end entity;
architecture a of rst_child_of_rst is
  signal ch : std_logic_vector(1 downto 0) := "00"; signal rs, a, b, c : std_logic := '0';
begin
  rs <= ch(1);
  process (clk, rst_n) begin
    if rst_n = '0' then ch <= "00"; b <= '0';
    elsif rising_edge(clk) then ch <= ch(0) & '1'; b <= a; end if;
  end process;
  process (clk, rs) begin
    if rs = '0' then a <= '0'; c <= '0';
    elsif rising_edge(clk) then a <= d; c <= b; end if;
  end process;
  q <= c;
end architecture;
