-- Body of IEEE.NUMERIC_BIT, written by us: the find functions, the rest is native.

package body numeric_bit is

  -- The last match of a walk towards the wanted end is the outermost one.

  function find_leftmost (ARG : unsigned; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : unsigned; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

  function find_leftmost (ARG : signed; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'reverse_range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_leftmost;

  function find_rightmost (ARG : signed; Y : bit) return integer is
    variable result : integer := -1;
  begin
    for i in ARG'range loop
      if (ARG(i) ?= Y) = '1' then
        result := i;
      end if;
    end loop;
    return result;
  end function find_rightmost;

end package body numeric_bit;
