-- booth_pkg: radix-4 Booth recoding, and sums of many rows
-- -----------------------------------------------------------------------------
-- What it is
--   The digits of a number in radix 4 with values -2 .. 2, the row of partial
--   products that a digit makes, and the adders that rows go through.
--
-- How it works
--   b, extended by its sign (or by zeros), is read in overlapping groups of three
--   bits, b(2i+1) b(2i) b(2i-1); group i is the digit
--       d = -2*b(2i+1) + b(2i) + b(2i-1)      in -2 .. 2
--   and b = sum of d*4**i.  That halves the rows.  A negative digit complements its
--   row, and the 1 that makes this a negation is added elsewhere.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package booth_pkg is

  type digit_t is record
    negative : std_logic;                        -- also for 111, which is zero
    one, two : std_logic;                        -- the absolute value
  end record digit_t;

  type digits_t is array (natural range <>) of digit_t;
  type rows_t is array (natural range <>) of unsigned;

  -- Digits of a WIDTH-bit number; an unsigned one needs room for a zero sign.
  function digit_count (width : positive; sign : boolean) return positive;

  function recode (group_of_3 : std_logic_vector(2 downto 0)) return digit_t;

  -- The row of a digit, without the 1 of a negation; a is wide enough for 2*a.
  function row_of (digit : digit_t; a : unsigned) return unsigned;

  -- Three rows into two of the same sum, modulo the width.
  procedure compress (
    constant x, y, z    : in  unsigned;
    variable sum, carry : out unsigned
  );

  -- x + y; if `short`, the carry into the top bit is forgotten.
  function last_add (x, y : unsigned; short : boolean) return unsigned;

end package booth_pkg;

package body booth_pkg is

  function digit_count (width : positive; sign : boolean) return positive is
  begin
    if sign then
      return (width + 1) / 2;
    end if;
    return width / 2 + 1;
  end function digit_count;

  function recode (group_of_3 : std_logic_vector(2 downto 0)) return digit_t is
    variable digit : digit_t;
  begin
    case group_of_3 is
      when "000"         => digit := (negative => '0', one => '0', two => '0');
      when "001" | "010" => digit := (negative => '0', one => '1', two => '0');
      when "011"         => digit := (negative => '0', one => '0', two => '1');
      when "100"         => digit := (negative => '1', one => '0', two => '1');
      when "101" | "110" => digit := (negative => '1', one => '1', two => '0');
      when "111"         => digit := (negative => '1', others => '0');
      when others        => digit := (others => 'X');      -- not 0s and 1s
    end case;
    return digit;
  end function recode;

  function row_of (digit : digit_t; a : unsigned) return unsigned is
    variable row : unsigned(a'length - 1 downto 0) := (others => '0');
  begin
    if digit.one = '1' then
      row := a;
    elsif digit.two = '1' then
      row := shift_left(a, 1);
    end if;
    if digit.negative = '1' then
      row := not row;
    end if;
    return row;
  end function row_of;

  procedure compress (
    constant x, y, z    : in  unsigned;
    variable sum, carry : out unsigned
  ) is
  begin
    sum   := x xor y xor z;
    carry := shift_left((x and y) or (x and z) or (y and z), 1);
  end procedure compress;

  function last_add (x, y : unsigned; short : boolean) return unsigned is
    variable sum : unsigned(x'length - 1 downto 0);
  begin
    sum := x + y;
    if short then
      sum(sum'high) := x(x'left) xor y(y'left);
    end if;
    return sum;
  end function last_add;

end package body booth_pkg;
