-- r2 is a plain register of clk (reset by rst only): its assertion follows an edge of clk, so a changes after an edge.
library ieee; use ieee.std_logic_1164.all;
entity rst_sync_register is
  port (clk, rst, soft, d : in std_logic; q : out std_logic);
end entity;
architecture a of rst_sync_register is
  signal r2, a, b : std_logic := '0';
begin
  process (clk, rst) begin
    if rst = '1' then r2 <= '1'; b <= '0';
    elsif rising_edge(clk) then r2 <= soft; b <= a; end if;
  end process;
  process (clk, r2) begin
    if r2 = '1' then a <= '0'; elsif rising_edge(clk) then a <= d; end if;
  end process;
  q <= b;
end architecture;
