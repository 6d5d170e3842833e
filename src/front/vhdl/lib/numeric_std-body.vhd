-- Body of IEEE.NUMERIC_STD, written by us: the find functions, the rest is native.

package body numeric_std is

  -- The last match of a walk towards the wanted end is the outermost one.

  function find_leftmost (ARG : unresolved_unsigned; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : unresolved_unsigned; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

  function find_leftmost (ARG : unresolved_signed; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : unresolved_signed; Y : std_ulogic) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

end package body numeric_std;
