-- The classic: a registered one-cycle strobe (terminal count, 1 in 8 cycles) goes into a level synchroniser.
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity strobe_crosses is
  port (aclk, bclk : in std_logic; n : out unsigned(3 downto 0));
end entity;
architecture a of strobe_crosses is
  signal cnt : unsigned(2 downto 0) := "000"; signal tick, s1, s2, s3 : std_logic := '0';
  signal k : unsigned(3 downto 0) := "0000";
  attribute async_reg : string; attribute async_reg of s1, s2 : signal is "true";
begin
  process (aclk) begin
    if rising_edge(aclk) then
      cnt <= cnt + 1; tick <= '0';
      if cnt = 7 then tick <= '1'; end if;
    end if;
  end process;
  process (bclk) begin
    if rising_edge(bclk) then
      s1 <= tick; s2 <= s1; s3 <= s2;
      if s2 = '1' and s3 = '0' then k <= k + 1; end if;
    end if;
  end process;
  n <= k;
end architecture;
