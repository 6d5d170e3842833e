library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity tdp_mem is
  port (aclk, bclk, awe, bwe : in std_logic; aa, ba : in unsigned(1 downto 0);
        ad, bd : in std_logic_vector(1 downto 0); aq, bq : out std_logic_vector(1 downto 0));
end entity;
architecture a of tdp_mem is
  type mem_t is array (0 to 3) of std_logic_vector(1 downto 0);
  shared variable m : mem_t := (others => "00");
begin
  process (aclk) begin if rising_edge(aclk) then
    aq <= m(to_integer(aa)); if awe = '1' then m(to_integer(aa)) := ad; end if; end if; end process;
  process (bclk) begin if rising_edge(bclk) then
    bq <= m(to_integer(ba)); if bwe = '1' then m(to_integer(ba)) := bd; end if; end if; end process;
end architecture;
