-- Each of four words is written once by aclk, then its flag crosses; bclk reads the word that its own synchronous
-- input `ra` names, and only if that word's flag has arrived. The word that is taken is always stable.
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity addr_input_mux is
  generic (REG : boolean := false);
  port (aclk, bclk, wr, d : in std_logic; wa, ra : in unsigned(1 downto 0); q : out std_logic);
end entity;
architecture a of addr_input_mux is
  signal m, f, s, t : std_logic_vector(3 downto 0) := "0000";
  signal rr, x : unsigned(1 downto 0) := "00";
  attribute async_reg : string; attribute async_reg of s, t : signal is "true";
begin
  process (aclk) begin
    if rising_edge(aclk) then
      if wr = '1' and f(to_integer(wa)) = '0' then m(to_integer(wa)) <= d; f(to_integer(wa)) <= '1'; end if;
    end if;
  end process;
  x <= rr when REG else ra;
  process (bclk) begin
    if rising_edge(bclk) then
      s <= f; t <= s; rr <= ra;
      if t(to_integer(x)) = '1' then q <= m(to_integer(x)); end if;
    end if;
  end process;
end architecture;
