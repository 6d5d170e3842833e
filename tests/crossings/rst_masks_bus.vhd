library ieee; use ieee.std_logic_1164.all;
entity rst_masks_bus is
  port (aclk, bclk, arst : in std_logic; d : in std_logic_vector(3 downto 0); q : out std_logic_vector(3 downto 0));
end entity;
architecture a of rst_masks_bus is
  signal rsta, r1, r2 : std_logic := '1';
  signal da : std_logic_vector(3 downto 0) := "0000";
begin
  process (aclk) begin if rising_edge(aclk) then da <= d; rsta <= arst; end if; end process;
  process (bclk) begin
    if rising_edge(bclk) then
      r1 <= rsta; r2 <= r1;                 -- synchronised reset
      if r2 = '1' then q <= "0000";         -- synchronous reset ...
      else q <= da; end if;                 -- ... and a bare bus capture at EVERY other edge
    end if;
  end process;
end architecture;
