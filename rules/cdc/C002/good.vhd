-- Right: the word is held until a synchronised request has loaded it and a synchronised answer is back.
library ieee;
use ieee.std_logic_1164.all;

entity top is
  port (
    clk_a, clk_b : in  std_logic;
    d            : in  std_logic_vector(3 downto 0);
    q            : out std_logic_vector(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal d_a, hold          : std_logic_vector(3 downto 0) := "0000";
  signal req, ack           : std_logic := '0';
  signal req_sync, ack_sync : std_logic_vector(1 downto 0) := "00";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of req_sync, ack_sync : signal is "TRUE";
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      d_a      <= d;
      ack_sync <= ack_sync(0) & ack;
      if req = ack_sync(1) then
        hold <= d_a;
        req  <= not req;
      end if;
    end if;
  end process;

  process (clk_b) begin
    if rising_edge(clk_b) then
      req_sync <= req_sync(0) & req;
      if req_sync(1) /= ack then
        q   <= hold;
        ack <= not ack;
      end if;
    end if;
  end process;
end architecture rtl;
