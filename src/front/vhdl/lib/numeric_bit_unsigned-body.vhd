-- Body of IEEE.NUMERIC_BIT_UNSIGNED, written by us: the find functions and the
-- conversions from natural, the rest is native.

library ieee;
use ieee.numeric_bit.all;

package body numeric_bit_unsigned is

  -- The last match of a walk towards the wanted end is the outermost one.

  function find_leftmost (ARG : bit_vector; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : bit_vector; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

  function to_bitvector (ARG, SIZE : natural) return bit_vector is
  begin
    return bit_vector(to_unsigned(ARG, SIZE));
  end function to_bitvector;

  function to_bitvector (ARG : natural; SIZE_RES : bit_vector) return bit_vector is
  begin
    return bit_vector(to_unsigned(ARG, SIZE_RES'length));
  end function to_bitvector;

end package body numeric_bit_unsigned;
