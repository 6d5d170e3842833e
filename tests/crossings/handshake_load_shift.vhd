-- A toggle handshake into a register that is loaded, and afterwards shifted: one word, no buffer, no pointers.
library ieee; use ieee.std_logic_1164.all;
entity handshake_load_shift is
  port (aclk, bclk, go, rstb : in std_logic; d : in std_logic_vector(3 downto 0); q : out std_logic_vector(3 downto 0));
end entity;
architecture a of handshake_load_shift is
  signal st : integer range 0 to 2 := 0; signal w : std_logic_vector(3 downto 0) := "0000";
  signal req, s1, s2, s3, ack1, ack2, took, busy, new_w : std_logic := '0';
  attribute async_reg : string; attribute async_reg of s1, s2, ack1, ack2 : signal is "true";
begin
  busy <= req xor ack2;  new_w <= s2 xor s3;
  process (aclk) begin
    if rising_edge(aclk) then
      ack1 <= s3; ack2 <= ack1;
      if busy = '0' and go = '1' then w <= d; req <= not req; end if;
    end if;
  end process;
  process (bclk) begin
    if rising_edge(bclk) then
      s1 <= req; s2 <= s1; s3 <= s2; took <= new_w;
      case st is when 0 => if new_w = '1' then q <= w; st <= 1; end if; when 1 => if rstb = '1' then q <= q(2 downto 0) & '0'; st <= 2; end if; when others => st <= 0; end case;
    end if;
  end process;
end architecture;
