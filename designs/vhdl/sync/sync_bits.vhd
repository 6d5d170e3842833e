-- sync_bits: a synchroniser for each bit of a vector
-- -----------------------------------------------------------------------------
-- What it is
--   One sync_bit a bit.  The width is that of the actual: the ports are
--   unconstrained.
--
-- Clock
--   clk, rst_n   destination clock; reset, active low, asynchronous
--
-- Contract
--   Each bit may arrive one clk edge earlier or later than its neighbours.  So d
--   must be such that a mixture of old and new bits is harmless: Gray code, or
--   bits that have nothing to do with one another.
--
-- Generics
--   STAGES   flops in each chain; all chains are zero in reset
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;

entity sync_bits is
  generic (
    STAGES : positive := 2
  );
  port (
    clk   : in  std_logic;
    rst_n : in  std_logic;
    d     : in  std_logic_vector;
    q     : out std_logic_vector
  );
end entity sync_bits;

architecture structure of sync_bits is
  -- the actuals may be declared with any index range
  alias d_bits : std_logic_vector(d'length - 1 downto 0) is d;
  signal q_bits : std_logic_vector(d'length - 1 downto 0);
begin

  assert d'length = q'length
    report "sync_bits: d and q differ in width" severity failure;

  each_bit : for i in d_bits'range generate
    chain : component sync_bit
      generic map (STAGES => STAGES)
      port map (clk => clk, rst_n => rst_n, d => d_bits(i), q => q_bits(i));
  end generate each_bit;

  q <= q_bits;

end architecture structure;
