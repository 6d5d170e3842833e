-- a register of bclk resets, through an ordinary asynchronous-assert/synchronous-release chain of 3,
-- a gray counter of aclk that crosses to bclk
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity rst_sync_gray is
  port (aclk, bclk, req : in std_logic; q : out unsigned(1 downto 0));
end entity;
architecture a of rst_sync_gray is
  signal rb : std_logic := '1';
  signal ch : std_logic_vector(2 downto 0) := "111";
  signal bin, gray, g1, g2 : unsigned(1 downto 0) := "00";
  attribute async_reg : string; attribute async_reg of ch, g1, g2 : signal is "true";
begin
  process (bclk) begin
    if rising_edge(bclk) then rb <= '0'; g1 <= gray; g2 <= g1; end if;   -- released once, for ever
  end process;
  q <= g2;
  process (aclk, rb) begin
    if rb = '1' then ch <= "111";
    elsif rising_edge(aclk) then ch <= ch(1 downto 0) & '0'; end if;
  end process;
  process (aclk) variable n : unsigned(1 downto 0); begin
    if rising_edge(aclk) then
      n := bin + 1;
      if ch(2) = '1' then bin <= "00"; gray <= "00";
      else bin <= n; gray <= n xor ('0' & n(1)); end if;
    end if;
  end process;
end architecture;
