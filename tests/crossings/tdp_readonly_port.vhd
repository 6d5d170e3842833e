-- true dual-port memory whose port b never writes (web is tied to 0 at the instance): only aclk -> bclk crosses
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity ram2 is port (ca, cb, wea, web : in std_logic; aa, ab : in unsigned(1 downto 0); da, db : in std_logic_vector(1 downto 0); qa, qb : out std_logic_vector(1 downto 0)); end;
architecture a of ram2 is type t is array (0 to 3) of std_logic_vector(1 downto 0); shared variable mem : t; begin
  process (ca) begin if rising_edge(ca) then qa <= mem(to_integer(aa)); if wea = '1' then mem(to_integer(aa)) := da; end if; end if; end process;
  process (cb) begin if rising_edge(cb) then qb <= mem(to_integer(ab)); if web = '1' then mem(to_integer(ab)) := db; end if; end if; end process;
end;
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity tdp_readonly_port is port (aclk, bclk, we : in std_logic; aa, ab : in unsigned(1 downto 0); d : in std_logic_vector(1 downto 0); qa, qb : out std_logic_vector(1 downto 0)); end;
architecture a of tdp_readonly_port is begin
  u : entity work.ram2 port map (aclk, bclk, we, '0', aa, ab, d, "00", qa, qb);
end;
