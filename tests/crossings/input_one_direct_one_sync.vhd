library ieee; use ieee.std_logic_1164.all;
entity input_one_direct_one_sync is
  port (wclk, rclk, d : in std_logic; qw, qr : out std_logic);   -- d belongs to wclk
end entity;
architecture a of input_one_direct_one_sync is
  signal s1, s2, w : std_logic := '0';
  attribute async_reg : string; attribute async_reg of s1, s2 : signal is "true";
begin
  process (wclk) begin if rising_edge(wclk) then w <= d xor w; end if; end process;      -- ordinary use in wclk
  process (rclk) begin if rising_edge(rclk) then s1 <= d; s2 <= s1; end if; end process; -- proper synchroniser into rclk
  qw <= w; qr <= s2;
end architecture;
