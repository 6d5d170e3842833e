-- mult_check: mult next to the operator *, with an assert
-- -----------------------------------------------------------------------------
-- What it is
--   Generics and ports as in mult, and
--     clk    when to look: the assert samples the settled product at its rise, so
--            that simulators do not report values on the way
--     good   high if the product is right, for all a and b
--   There are no registers, and so no reset.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity mult_check is
  generic (
    WIDTH : positive range 2 to 64 := 8;
    SIGN  : boolean                := false;
    TREE  : boolean                := false;
    BUG   : natural                := 0
  );
  port (
    clk  : in  std_logic;
    a    : in  std_logic_vector(WIDTH - 1 downto 0);
    b    : in  std_logic_vector(WIDTH - 1 downto 0);
    p    : out std_logic_vector(2 * WIDTH - 1 downto 0);
    good : out std_logic
  );
end entity mult_check;

architecture rtl of mult_check is
  signal expected : std_logic_vector(p'range);
begin

  dut : entity work.mult
    generic map (WIDTH => WIDTH, SIGN => SIGN, TREE => TREE, BUG => BUG)
    port map (a => a, b => b, p => p);

  reference : if SIGN generate
    expected <= std_logic_vector(signed(a) * signed(b));
  else generate
    expected <= std_logic_vector(unsigned(a) * unsigned(b));
  end generate reference;

  good <= p ?= expected;

  check : process
  begin
    wait until rising_edge(clk);
    assert good = '1' report "mult_check: wrong product" severity error;
  end process check;

end architecture rtl;
