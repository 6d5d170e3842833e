-- gray_pkg: Gray code
-- -----------------------------------------------------------------------------
-- What it is
--   Conversions for vectors of any width and index range, and the property that
--   makes Gray code fit to cross clock domains: a step changes one bit.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package gray_pkg is

  function to_gray (bin : unsigned) return std_logic_vector;

  function to_binary (gray : std_logic_vector) return unsigned;

  -- How many bits differ.
  function distance (a, b : std_logic_vector) return natural;

end package gray_pkg;

package body gray_pkg is

  function to_gray (bin : unsigned) return std_logic_vector is
  begin
    return std_logic_vector(bin xor shift_right(bin, 1));
  end function to_gray;

  -- Bit i is the exclusive or of all Gray bits from the top down to i.
  function to_binary (gray : std_logic_vector) return unsigned is
    alias    code   : std_logic_vector(gray'length - 1 downto 0) is gray;
    variable bin    : unsigned(code'range);
    variable so_far : std_logic := '0';
  begin
    for i in code'range loop
      so_far := so_far xor code(i);
      bin(i) := so_far;
    end loop;
    return bin;
  end function to_binary;

  function distance (a, b : std_logic_vector) return natural is
    alias    left  : std_logic_vector(a'length - 1 downto 0) is a;
    alias    right : std_logic_vector(b'length - 1 downto 0) is b;
    variable count : natural range 0 to a'length := 0;
  begin
    for i in left'reverse_range loop
      next when left(i) = right(i);
      count := count + 1;
    end loop;
    return count;
  end function distance;

end package body gray_pkg;
