-- Body of IEEE.NUMERIC_STD_UNSIGNED, written by us: the find functions and the
-- conversions from natural, the rest is native.

library ieee;
use ieee.numeric_std.all;

package body numeric_std_unsigned is

  -- The last match of a walk towards the wanted end is the outermost one.

  function find_leftmost (ARG : std_ulogic_vector; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : std_ulogic_vector; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

  function to_stdlogicvector (ARG, SIZE : natural) return std_logic_vector is
  begin
    return std_logic_vector(to_unsigned(ARG, SIZE));
  end function to_stdlogicvector;

  function to_stdlogicvector (ARG : natural; SIZE_RES : std_ulogic_vector) return std_logic_vector is
  begin
    return std_logic_vector(to_unsigned(ARG, SIZE_RES'length));
  end function to_stdlogicvector;

  function to_stdulogicvector (ARG, SIZE : natural) return std_ulogic_vector is
  begin
    return std_ulogic_vector(to_unsigned(ARG, SIZE));
  end function to_stdulogicvector;

  function to_stdulogicvector (ARG : natural; SIZE_RES : std_ulogic_vector) return std_ulogic_vector is
  begin
    return std_ulogic_vector(to_unsigned(ARG, SIZE_RES'length));
  end function to_stdulogicvector;

end package body numeric_std_unsigned;
