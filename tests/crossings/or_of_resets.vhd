library ieee; use ieee.std_logic_1164.all;
entity or_of_resets is
  port (clk, por, btn, d : in std_logic; q : out std_logic);
end entity;
architecture a of or_of_resets is
  signal arst : std_logic; signal r1, r2 : std_logic := '1';
begin
  arst <= por or btn;                       -- both active high: no 0-1-0 pulse is possible
  process (clk, arst) begin
    if arst = '1' then r1 <= '1'; r2 <= '1';
    elsif rising_edge(clk) then r1 <= '0'; r2 <= r1; end if;
  end process;
  process (clk, r2) begin
    if r2 = '1' then q <= '0'; elsif rising_edge(clk) then q <= d; end if;
  end process;
end architecture;
