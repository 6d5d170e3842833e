-- A toggle handshake; the destination register clears itself one cycle after it took the word.
library ieee; use ieee.std_logic_1164.all;
entity handshake_with_clear is
  port (aclk, bclk, go : in std_logic; d : in std_logic_vector(3 downto 0); q : out std_logic_vector(3 downto 0));
end entity;
architecture a of handshake_with_clear is
  signal w : std_logic_vector(3 downto 0) := "0000";
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
      if took = '1' then q <= "0000";        -- clear: not a capture
      elsif new_w = '1' then q <= w; end if; -- else: hold
    end if;
  end process;
end architecture;
