-- sync_bit: the chain of flops that takes one bit into a clock domain
-- -----------------------------------------------------------------------------
-- What it is
--   STAGES flops in a row.  The first may go metastable; only the second sees it.
--
-- Clock
--   clk, rst_n   destination clock; reset, active low, asynchronous
--
-- Contract
--   d comes from a register of one other domain, without gates, and keeps each
--   value for longer than a clk period.  q is d, STAGES clk edges later, or one
--   edge more.
--
-- Generics
--   STAGES   flops in the chain (2 or more; 1 is the seeded defect of its users)
--   RESET    value of the chain in reset
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;

entity sync_bit is
  generic (
    STAGES : positive  := 2;
    RESET  : std_logic := '0'
  );
  port (
    clk   : in  std_logic;
    rst_n : in  std_logic;
    d     : in  std_logic;
    q     : out std_logic
  );
end entity sync_bit;

architecture rtl of sync_bit is
  signal chain : std_logic_vector(1 to STAGES);
  attribute ASYNC_REG of chain : signal is "TRUE";
begin

  shift : process (clk, rst_n)
  begin
    if rst_n = '0' then
      chain <= (others => RESET);
    elsif rising_edge(clk) then
      chain <= d & chain(1 to STAGES - 1);       -- a null slice if STAGES = 1
    end if;
  end process shift;

  q <= chain(STAGES);

end architecture rtl;
