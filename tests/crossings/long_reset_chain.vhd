-- Asynchronous assert, synchronous release, 16 stages: as in many code bases that stretch the reset.
library ieee; use ieee.std_logic_1164.all;
entity long_reset_chain is
  generic (N : positive := 16);
  port (arst, clka, clkb : in std_logic; ra_n, rb_n : out std_logic);
end entity;
architecture a of long_reset_chain is
  signal ca, cb : std_logic_vector(N-1 downto 0) := (others => '0');
begin
  process (clka, arst) begin
    if arst = '1' then ca <= (others => '0'); elsif rising_edge(clka) then ca <= '1' & ca(N-1 downto 1); end if;
  end process;
  process (clkb, arst) begin
    if arst = '1' then cb <= (others => '0'); elsif rising_edge(clkb) then cb <= '1' & cb(N-1 downto 1); end if;
  end process;
  ra_n <= ca(0); rb_n <= cb(0);
end architecture;
