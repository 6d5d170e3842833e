-- mult: multiplier with radix-4 Booth recoding
-- -----------------------------------------------------------------------------
-- What it is
--   p = a * b, full width, unsigned or two's complement.
--
-- Clocks
--   none: it is combinational
--
-- Contract
--   a, b   operands, WIDTH bits
--   p      product, 2*WIDTH bits
--
-- Generics
--   WIDTH   bits of each operand (>= 2)
--   SIGN    false = unsigned, true = two's complement
--   TREE    how the rows are added; see booth_sum
--   BUG     0 = correct; other values seed a defect, see below
--
-- How it works, and why it is right
--   b is recoded (booth_pkg); digit i times a is row i, shifted left by 2i and
--   extended by its sign to the width of the product.  The rows of negative digits
--   are complemented; the 1 that each of them lacks stands in one more row, at bit
--   2i.  booth_sum adds all rows modulo 2**(2*WIDTH), and the product fits.
--   mult_check asserts p against the operator *.
--
-- Seeded bugs (all functional, found by mult_check)
--   1  the 1 of a negative lowest digit is forgotten
--   2  the last addition stops one bit short: the top bit of p misses its carry
--   3  a needle: p(0) is wrong for just one pair of operands, a = all ones,
--      b = 10...01.  Random simulation has one chance in 2**(2*WIDTH) a try.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.booth_pkg.all;

entity mult is
  generic (
    WIDTH : positive range 2 to 64 := 8;
    SIGN  : boolean                := false;
    TREE  : boolean                := false;
    BUG   : natural                := 0
  );
  port (
    a : in  std_logic_vector(WIDTH - 1 downto 0);
    b : in  std_logic_vector(WIDTH - 1 downto 0);
    p : out std_logic_vector(2 * WIDTH - 1 downto 0)
  );
end entity mult;

architecture rtl of mult is

  constant COLUMNS : positive := 2 * WIDTH;
  constant DIGITS  : positive := digit_count(WIDTH, SIGN);

  -- To the width `size`, by the sign if there is one.
  function extend (bits : std_logic_vector; size : positive) return unsigned is
  begin
    if SIGN then
      return unsigned(resize(signed(bits), size));
    end if;
    return resize(unsigned(bits), size);
  end function extend;

  signal a_wide : unsigned(COLUMNS - 1 downto 0);
  signal b_wide : unsigned(2 * DIGITS downto 0);  -- with a zero at the right
  signal digit  : digits_t(0 to DIGITS - 1);
  signal rows   : rows_t(0 to DIGITS)(COLUMNS - 1 downto 0);
  signal total  : unsigned(COLUMNS - 1 downto 0);

begin

  a_wide <= extend(a, COLUMNS);
  b_wide <= extend(b, 2 * DIGITS) & '0';

  -- ---- partial products ------------------------------------------------------
  each_digit : for i in digit'range generate
    digit(i) <= recode(std_logic_vector(b_wide(2 * i + 2 downto 2 * i)));
    rows(i)  <= row_of(digit(i), a_wide) sll (2 * i);
  end generate each_digit;

  negations : process (digit)
  begin
    rows(DIGITS) <= (others => '0');
    for i in digit'range loop
      if not (BUG = 1 and i = 0) then
        rows(DIGITS)(2 * i) <= digit(i).negative;
      end if;
    end loop;
  end process negations;

  -- ---- their sum -------------------------------------------------------------
  sum : if TREE generate
    adders : entity work.booth_sum(tree)
      generic map (SHORT => BUG = 2)
      port map (rows => rows, total => total);
  else generate
    adders : entity work.booth_sum(carry_save)
      generic map (SHORT => BUG = 2)
      port map (rows => rows, total => total);
  end generate sum;

  result : if BUG = 3 generate
    constant NEEDLE : std_logic_vector(WIDTH - 1 downto 0) :=
      '1' & (WIDTH - 2 downto 1 => '0') & '1';
  begin
    p(COLUMNS - 1 downto 1) <= std_logic_vector(total(COLUMNS - 1 downto 1));
    p(0) <= total(0) xor ((and a) and (b ?= NEEDLE));
  else generate
    p <= std_logic_vector(total);
  end generate result;

end architecture rtl;
