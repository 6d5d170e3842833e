-- div_pkg: one step of restoring division
-- -----------------------------------------------------------------------------
-- What it is
--   The step of div as a procedure, for operands of any width.
--
-- How it works
--   part and quotient form one shift register.  The next dividend bit leaves
--   quotient at the left and enters part at the right; if the divisor fits, it is
--   subtracted and the quotient bit, which enters at the right, is one.  The
--   subtraction is tried on one bit more; if it goes negative, the old value is
--   kept ("restored").
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package div_pkg is

  procedure restoring_step (
    variable part     : inout unsigned;          -- the remainder so far
    variable quotient : inout unsigned;          -- and what is left of the dividend
    constant divisor  : in    unsigned;
    constant restore  : in    boolean := true    -- false is a seeded defect
  );

end package div_pkg;

package body div_pkg is

  procedure restoring_step (
    variable part     : inout unsigned;
    variable quotient : inout unsigned;
    constant divisor  : in    unsigned;
    constant restore  : in    boolean := true
  ) is
    variable shifted, trial : unsigned(part'length downto 0);
    variable fits           : std_logic;
  begin
    shifted := part & quotient(quotient'left);
    trial   := shifted - divisor;
    fits    := '0';
    if shifted >= divisor then
      fits := '1';
    end if;

    part := shifted(part'length - 1 downto 0);
    if fits = '1' or not restore then
      part := trial(part'length - 1 downto 0);
    end if;
    quotient := quotient(quotient'left - 1 downto quotient'right) & fits;
  end procedure restoring_step;

end package body div_pkg;
