-- Body of IEEE.STD_LOGIC_MISC, written by us: everything but the native reductions.

package body std_logic_misc is

  -- What strength S drives for unknown (0), low (1) and high (2).
  function letters (S : strength) return std_ulogic_vector is
  begin
    case S is
      when strn_X01 => return "X01";
      when strn_X0H => return "X0H";
      when strn_XL1 => return "XL1";
      when strn_X0Z => return "X0Z";
      when strn_XZ1 => return "XZ1";
      when strn_WLH => return "WLH";
      when strn_WLZ => return "WLZ";
      when strn_WZH => return "WZH";
      when strn_W0H => return "W0H";
      when strn_WL1 => return "WL1";
    end case;
  end function letters;

  function strength_map (INPUT : std_ulogic; STRN : strength) return std_logic is
    constant drives : std_ulogic_vector(0 to 2) := letters(STRN);
  begin
    case INPUT is
      when 'U'       => return 'U';
      when '0' | 'L' => return drives(1);
      when '1' | 'H' => return drives(2);
      when others    => return drives(0);
    end case;
  end function strength_map;

  function strength_map_z (INPUT : std_ulogic; STRN : strength) return std_logic is
  begin
    if INPUT = 'Z' then
      return 'Z';
    else
      return strength_map(INPUT, STRN);
    end if;
  end function strength_map_z;

  function drive (V : std_ulogic_vector) return std_logic_vector is
    variable result : std_logic_vector(V'length - 1 downto 0);
  begin
    result := V;
    return result;
  end function drive;

  function sense (V : std_ulogic; VZ, VU, VDC : std_ulogic) return std_logic is
  begin
    case V is
      when 'Z'    => return VZ;
      when 'U'    => return VU;
      when '-'    => return VDC;
      when others => return V;
    end case;
  end function sense;

  function sense (V : std_ulogic_vector; VZ, VU, VDC : std_ulogic) return std_ulogic_vector is
    variable result : std_ulogic_vector(V'length - 1 downto 0);
  begin
    result := V;
    for i in result'range loop
      result(i) := sense(result(i), VZ, VU, VDC);
    end loop;
    return result;
  end function sense;

  function std_ulogictobit (V : std_ulogic;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit is
    variable result : bit := '0';
  begin
    case V is
      when '0' | 'L' => result := '0';
      when '1' | 'H' => result := '1';
      when 'X' | 'W' => if XFLAG then result := VX; end if;
      when 'Z'       => if ZFLAG then result := VZ; end if;
      when 'U'       => if UFLAG then result := VU; end if;
      when '-'       => if DCFLAG then result := VDC; end if;
    end case;
    return result;
  end function std_ulogictobit;

  function std_ulogic_vectortobit_vector (V : std_ulogic_vector;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit_vector is
    variable source : std_ulogic_vector(V'length - 1 downto 0);
    variable result : bit_vector(V'length - 1 downto 0);
  begin
    source := V;
    for i in source'range loop
      result(i) := std_ulogictobit(source(i), VX, VZ, VU, VDC, XFLAG, ZFLAG, UFLAG, DCFLAG);
    end loop;
    return result;
  end function std_ulogic_vectortobit_vector;

  function std_logic_vectortobit_vector (V : std_logic_vector;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit_vector is
  begin
    return std_ulogic_vectortobit_vector(V, VX, VZ, VU, VDC, XFLAG, ZFLAG, UFLAG, DCFLAG);
  end function std_logic_vectortobit_vector;

  -- An unknown enable gives the unknown letter, and 'U' where the enable or the input is 'U';
  -- the package's tables make an exception where a high input drives nothing anyway.
  function fun_buf3s (INPUT, ENABLE : UX01; STRN : strength) return std_logic is
    constant drives : std_ulogic_vector(0 to 2) := letters(STRN);
  begin
    case ENABLE is
      when '0' => return 'Z';
      when '1' => return strength_map(INPUT, STRN);
      when 'X' =>
        if INPUT = 'U' then
          return 'U';
        elsif INPUT = '1' and drives(2) = 'Z' then
          return 'Z';
        else
          return drives(0);
        end if;
      when 'U' =>
        if INPUT = '1' and STRN = strn_X0Z then
          return 'Z';
        else
          return 'U';
        end if;
    end case;
  end function fun_buf3s;

  function fun_buf3sl (INPUT, ENABLE : UX01; STRN : strength) return std_logic is
  begin
    return fun_buf3s(INPUT, not ENABLE, STRN);
  end function fun_buf3sl;

  function fun_mux2x1 (INPUT0, INPUT1, SEL : UX01) return UX01 is
  begin
    case SEL is
      when '0' => return INPUT0;
      when '1' => return INPUT1;
      when 'X' =>
        if INPUT0 = 'U' or INPUT1 = 'U' then
          return 'U';
        elsif INPUT0 = INPUT1 then
          return INPUT0;
        else
          return 'X';
        end if;
      when 'U' =>
        if INPUT0 = INPUT1 then
          return INPUT0;
        else
          return 'U';
        end if;
    end case;
  end function fun_mux2x1;

  function fun_maj23 (INPUT0, INPUT1, INPUT2 : UX01) return UX01 is
  begin
    return (INPUT0 and INPUT1) or (INPUT0 and INPUT2) or (INPUT1 and INPUT2);
  end function fun_maj23;

  function fun_wiredx (INPUT0, INPUT1 : std_ulogic) return std_logic is
    variable both : std_ulogic_vector(0 to 1);
  begin
    both(0) := INPUT0;
    both(1) := INPUT1;
    return resolved(both);
  end function fun_wiredx;

end package body std_logic_misc;
