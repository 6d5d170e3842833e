-- a soft reset and a toggle cross from aclk, each on its own synchroniser; the reset is used as a synchronous clear.
library ieee; use ieee.std_logic_1164.all;
entity sync_reset_meets_data is
  port (aclk, bclk, srst, p : in std_logic; q : out std_logic);
end entity;
architecture a of sync_reset_meets_data is
  signal rsta, t, r1, r2, s1, s2, s3 : std_logic := '0';
  attribute async_reg : string; attribute async_reg of r1, r2, s1, s2 : signal is "true";
begin
  process (aclk) begin
    if rising_edge(aclk) then rsta <= srst; t <= t xor p; end if;
  end process;
  process (bclk) begin
    if rising_edge(bclk) then
      r1 <= rsta; r2 <= r1; s1 <= t; s2 <= s1;
      s3 <= s2; q <= s2 xor s3;
      if r2 = '1' then s3 <= '0'; q <= '0'; end if;
    end if;
  end process;
end architecture;
