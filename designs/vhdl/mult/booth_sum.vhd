-- booth_sum: adds rows, in two ways
-- -----------------------------------------------------------------------------
-- What it is
--   total = the sum of all rows, modulo the width.  How many rows there are, and
--   how wide they are, the actuals say.
--     carry_save   a chain of 3:2 compressors, and one carry-propagate adder
--     tree         a binary tree of adders, by a recursive function
--
-- Clocks
--   none
--
-- Generics
--   SHORT   true = a seeded defect: the top bit of the last addition misses its
--           carry
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.booth_pkg.all;

entity booth_sum is
  generic (
    SHORT : boolean := false
  );
  port (
    rows  : in  rows_t;
    total : out unsigned
  );
end entity booth_sum;

architecture carry_save of booth_sum is
  subtype row_t is unsigned(total'range);
begin

  reduce : process (rows)
    variable sum, carry           : row_t;
    variable next_sum, next_carry : row_t;
  begin
    sum   := (others => '0');
    carry := (others => '0');
    for i in rows'range loop
      compress(sum, carry, rows(i), next_sum, next_carry);
      sum   := next_sum;
      carry := next_carry;
    end loop;
    total <= last_add(sum, carry, SHORT);
  end process reduce;

end architecture carry_save;

architecture tree of booth_sum is

  function sum_of (some : rows_t; top : boolean) return unsigned is
    constant MIDDLE : natural := (some'low + some'high) / 2;
  begin
    if some'length = 1 then
      return some(some'low);
    end if;
    return last_add(
      sum_of(some(some'low to MIDDLE), false),
      sum_of(some(MIDDLE + 1 to some'high), false),
      top and SHORT);
  end function sum_of;

begin

  total <= sum_of(rows, true);

end architecture tree;
