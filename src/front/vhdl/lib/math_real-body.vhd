-- Body of IEEE.MATH_REAL, written by us: the random generator, the functions are native.

package body math_real is

  -- One step of the generator x := (factor * x) mod modulus without overflow (Schrage);
  -- quotient and rest are those of modulus by factor.
  function step (SEED, FACTOR, MODULUS, QUOTIENT, REST : integer) return integer is
    constant high   : integer := SEED / QUOTIENT;
    variable result : integer;
  begin
    result := FACTOR * (SEED - high * QUOTIENT) - high * REST;
    if result < 0 then
      result := result + MODULUS;
    end if;
    return result;
  end function step;

  -- The sum of two such generators (L'Ecuyer 1988), scaled to the open interval (0, 1).
  -- The seeds are in 1 .. 2147483562 and 1 .. 2147483398.
  procedure uniform (variable SEED1, SEED2 : inout positive; variable X : out real) is
    variable sum : integer;
  begin
    SEED1 := step(SEED1, 40014, 2147483563, 53668, 12211);
    SEED2 := step(SEED2, 40692, 2147483399, 52774, 3791);
    sum := SEED1 - SEED2;
    if sum < 1 then
      sum := sum + 2147483562;
    end if;
    X := real(sum) * 4.656613e-10;
  end procedure uniform;

end package body math_real;
