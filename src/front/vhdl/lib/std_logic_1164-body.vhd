-- Body of IEEE.STD_LOGIC_1164, written by us: the resolution function, the rest is native.

package body std_logic_1164 is

  -- Two drivers: 'U' wins, a forcing value beats a weak one, 'Z' gives way to everything,
  -- a contradiction is unknown, and so is '-'.
  function wire (A, B : std_ulogic) return std_ulogic is
  begin
    if A = 'U' or B = 'U' then
      return 'U';
    elsif A = '-' or B = '-' or A = 'X' or B = 'X' then
      return 'X';
    elsif A = B or B = 'Z' then
      return A;
    elsif A = 'Z' then
      return B;
    elsif A = '0' or A = '1' then
      if B = '0' or B = '1' then
        return 'X';
      else
        return A;
      end if;
    elsif B = '0' or B = '1' then
      return B;
    else
      return 'W';
    end if;
  end function wire;

  -- A single driver passes unchanged; no driver at all is 'Z'.
  function resolved (S : std_ulogic_vector) return std_ulogic is
    variable result : std_ulogic := 'Z';
  begin
    if S'length = 1 then
      result := S(S'low);
    else
      for i in S'range loop
        result := wire(result, S(i));
      end loop;
    end if;
    return result;
  end function resolved;

end package body std_logic_1164;
