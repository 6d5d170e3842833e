-- Wrong: a gate of two registers drives an asynchronous reset, and each of its glitches clears the counter.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (
    clk_a, stop, fault : in  std_logic;
    count              : out unsigned(3 downto 0) := "0000"
  );
end entity top;

architecture rtl of top is
  signal stop_a, fault_a : std_logic := '0';
  signal clear_n         : std_logic;
begin
  process (clk_a) begin
    if rising_edge(clk_a) then
      stop_a  <= stop;
      fault_a <= fault;
    end if;
  end process;

  clear_n <= stop_a nand fault_a;

  process (clk_a, clear_n) begin
    if clear_n = '0' then
      count <= "0000";
    elsif rising_edge(clk_a) then
      count <= count + 1;
    end if;
  end process;
end architecture rtl;
