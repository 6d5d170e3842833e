library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity foreign_bit_enables_counter is
  port (aclk, bclk, d : in std_logic; n : out unsigned(3 downto 0));
end entity;
architecture a of foreign_bit_enables_counter is
  signal e : std_logic := '0'; signal k : unsigned(3 downto 0) := "0000";
begin
  process (aclk) begin if rising_edge(aclk) then e <= d; end if; end process;
  process (bclk) begin if rising_edge(bclk) then if e = '1' then k <= k + 1; end if; end if; end process;
  n <= k;
end architecture;
