-- IEEE.NUMERIC_BIT of VHDL-2008: numbers as vectors of bit.
-- Declarations of our own; all but the find functions are native, see NATIVE.md.

use std.textio.all;

package numeric_bit is

  type unsigned is array (natural range <>) of bit;
  type signed   is array (natural range <>) of bit;

  -- Signed only: two's complement, the most negative value maps to itself.
  function "abs" (ARG : signed) return signed;
  function "-" (ARG : signed) return signed;

  -- Sums and differences.
  function "+" (L, R : unsigned) return unsigned;
  function "+" (L : unsigned; R : bit) return unsigned;
  function "+" (L : bit; R : unsigned) return unsigned;
  function "+" (L : unsigned; R : natural) return unsigned;
  function "+" (L : natural; R : unsigned) return unsigned;
  function "+" (L, R : signed) return signed;
  function "+" (L : signed; R : bit) return signed;
  function "+" (L : bit; R : signed) return signed;
  function "+" (L : signed; R : integer) return signed;
  function "+" (L : integer; R : signed) return signed;

  function "-" (L, R : unsigned) return unsigned;
  function "-" (L : unsigned; R : bit) return unsigned;
  function "-" (L : bit; R : unsigned) return unsigned;
  function "-" (L : unsigned; R : natural) return unsigned;
  function "-" (L : natural; R : unsigned) return unsigned;
  function "-" (L, R : signed) return signed;
  function "-" (L : signed; R : bit) return signed;
  function "-" (L : bit; R : signed) return signed;
  function "-" (L : signed; R : integer) return signed;
  function "-" (L : integer; R : signed) return signed;

  -- Products, quotients, remainders.
  function "*" (L, R : unsigned) return unsigned;
  function "*" (L : unsigned; R : natural) return unsigned;
  function "*" (L : natural; R : unsigned) return unsigned;
  function "*" (L, R : signed) return signed;
  function "*" (L : signed; R : integer) return signed;
  function "*" (L : integer; R : signed) return signed;

  function "/" (L, R : unsigned) return unsigned;
  function "/" (L : unsigned; R : natural) return unsigned;
  function "/" (L : natural; R : unsigned) return unsigned;
  function "/" (L, R : signed) return signed;
  function "/" (L : signed; R : integer) return signed;
  function "/" (L : integer; R : signed) return signed;

  function "rem" (L, R : unsigned) return unsigned;
  function "rem" (L : unsigned; R : natural) return unsigned;
  function "rem" (L : natural; R : unsigned) return unsigned;
  function "rem" (L, R : signed) return signed;
  function "rem" (L : signed; R : integer) return signed;
  function "rem" (L : integer; R : signed) return signed;

  function "mod" (L, R : unsigned) return unsigned;
  function "mod" (L : unsigned; R : natural) return unsigned;
  function "mod" (L : natural; R : unsigned) return unsigned;
  function "mod" (L, R : signed) return signed;
  function "mod" (L : signed; R : integer) return signed;
  function "mod" (L : integer; R : signed) return signed;

  -- Index of the outermost element equal to Y, -1 if none. Bodies in numeric_bit-body.vhd.
  function find_leftmost (ARG : unsigned; Y : bit) return integer;
  function find_leftmost (ARG : signed; Y : bit) return integer;
  function find_rightmost (ARG : unsigned; Y : bit) return integer;
  function find_rightmost (ARG : signed; Y : bit) return integer;

  -- Comparisons by numeric value.
  function "=" (L, R : unsigned) return boolean;
  function "=" (L : unsigned; R : natural) return boolean;
  function "=" (L : natural; R : unsigned) return boolean;
  function "=" (L, R : signed) return boolean;
  function "=" (L : signed; R : integer) return boolean;
  function "=" (L : integer; R : signed) return boolean;

  function "/=" (L, R : unsigned) return boolean;
  function "/=" (L : unsigned; R : natural) return boolean;
  function "/=" (L : natural; R : unsigned) return boolean;
  function "/=" (L, R : signed) return boolean;
  function "/=" (L : signed; R : integer) return boolean;
  function "/=" (L : integer; R : signed) return boolean;

  function "<" (L, R : unsigned) return boolean;
  function "<" (L : unsigned; R : natural) return boolean;
  function "<" (L : natural; R : unsigned) return boolean;
  function "<" (L, R : signed) return boolean;
  function "<" (L : signed; R : integer) return boolean;
  function "<" (L : integer; R : signed) return boolean;

  function "<=" (L, R : unsigned) return boolean;
  function "<=" (L : unsigned; R : natural) return boolean;
  function "<=" (L : natural; R : unsigned) return boolean;
  function "<=" (L, R : signed) return boolean;
  function "<=" (L : signed; R : integer) return boolean;
  function "<=" (L : integer; R : signed) return boolean;

  function ">" (L, R : unsigned) return boolean;
  function ">" (L : unsigned; R : natural) return boolean;
  function ">" (L : natural; R : unsigned) return boolean;
  function ">" (L, R : signed) return boolean;
  function ">" (L : signed; R : integer) return boolean;
  function ">" (L : integer; R : signed) return boolean;

  function ">=" (L, R : unsigned) return boolean;
  function ">=" (L : unsigned; R : natural) return boolean;
  function ">=" (L : natural; R : unsigned) return boolean;
  function ">=" (L, R : signed) return boolean;
  function ">=" (L : signed; R : integer) return boolean;
  function ">=" (L : integer; R : signed) return boolean;

  -- Smaller and larger of two, resized to the longer operand.
  function minimum (L, R : unsigned) return unsigned;
  function minimum (L : unsigned; R : natural) return unsigned;
  function minimum (L : natural; R : unsigned) return unsigned;
  function minimum (L, R : signed) return signed;
  function minimum (L : signed; R : integer) return signed;
  function minimum (L : integer; R : signed) return signed;

  function maximum (L, R : unsigned) return unsigned;
  function maximum (L : unsigned; R : natural) return unsigned;
  function maximum (L : natural; R : unsigned) return unsigned;
  function maximum (L, R : signed) return signed;
  function maximum (L : signed; R : integer) return signed;
  function maximum (L : integer; R : signed) return signed;

  -- Matching comparisons, the result is an element.
  function "?=" (L, R : unsigned) return bit;
  function "?=" (L : unsigned; R : natural) return bit;
  function "?=" (L : natural; R : unsigned) return bit;
  function "?=" (L, R : signed) return bit;
  function "?=" (L : signed; R : integer) return bit;
  function "?=" (L : integer; R : signed) return bit;

  function "?/=" (L, R : unsigned) return bit;
  function "?/=" (L : unsigned; R : natural) return bit;
  function "?/=" (L : natural; R : unsigned) return bit;
  function "?/=" (L, R : signed) return bit;
  function "?/=" (L : signed; R : integer) return bit;
  function "?/=" (L : integer; R : signed) return bit;

  function "?<" (L, R : unsigned) return bit;
  function "?<" (L : unsigned; R : natural) return bit;
  function "?<" (L : natural; R : unsigned) return bit;
  function "?<" (L, R : signed) return bit;
  function "?<" (L : signed; R : integer) return bit;
  function "?<" (L : integer; R : signed) return bit;

  function "?<=" (L, R : unsigned) return bit;
  function "?<=" (L : unsigned; R : natural) return bit;
  function "?<=" (L : natural; R : unsigned) return bit;
  function "?<=" (L, R : signed) return bit;
  function "?<=" (L : signed; R : integer) return bit;
  function "?<=" (L : integer; R : signed) return bit;

  function "?>" (L, R : unsigned) return bit;
  function "?>" (L : unsigned; R : natural) return bit;
  function "?>" (L : natural; R : unsigned) return bit;
  function "?>" (L, R : signed) return bit;
  function "?>" (L : signed; R : integer) return bit;
  function "?>" (L : integer; R : signed) return bit;

  function "?>=" (L, R : unsigned) return bit;
  function "?>=" (L : unsigned; R : natural) return bit;
  function "?>=" (L : natural; R : unsigned) return bit;
  function "?>=" (L, R : signed) return bit;
  function "?>=" (L : signed; R : integer) return bit;
  function "?>=" (L : integer; R : signed) return bit;

  -- Shifts and rotates.
  function shift_left (ARG : unsigned; COUNT : natural) return unsigned;
  function shift_left (ARG : signed; COUNT : natural) return signed;
  function shift_right (ARG : unsigned; COUNT : natural) return unsigned;
  function shift_right (ARG : signed; COUNT : natural) return signed;
  function rotate_left (ARG : unsigned; COUNT : natural) return unsigned;
  function rotate_left (ARG : signed; COUNT : natural) return signed;
  function rotate_right (ARG : unsigned; COUNT : natural) return unsigned;
  function rotate_right (ARG : signed; COUNT : natural) return signed;

  function "sll" (ARG : unsigned; COUNT : integer) return unsigned;
  function "sll" (ARG : signed; COUNT : integer) return signed;
  function "srl" (ARG : unsigned; COUNT : integer) return unsigned;
  function "srl" (ARG : signed; COUNT : integer) return signed;
  function "sla" (ARG : unsigned; COUNT : integer) return unsigned;
  function "sla" (ARG : signed; COUNT : integer) return signed;
  function "sra" (ARG : unsigned; COUNT : integer) return unsigned;
  function "sra" (ARG : signed; COUNT : integer) return signed;
  function "rol" (ARG : unsigned; COUNT : integer) return unsigned;
  function "rol" (ARG : signed; COUNT : integer) return signed;
  function "ror" (ARG : unsigned; COUNT : integer) return unsigned;
  function "ror" (ARG : signed; COUNT : integer) return signed;

  -- Width and type conversions; SIZE_RES only lends its length.
  function resize (ARG : signed; NEW_SIZE : natural) return signed;
  function resize (ARG : unsigned; NEW_SIZE : natural) return unsigned;
  function resize (ARG, SIZE_RES : signed) return signed;
  function resize (ARG, SIZE_RES : unsigned) return unsigned;
  function to_integer (ARG : unsigned) return natural;
  function to_integer (ARG : signed) return integer;
  function to_unsigned (ARG, SIZE : natural) return unsigned;
  function to_unsigned (ARG : natural; SIZE_RES : unsigned) return unsigned;
  function to_signed (ARG : integer; SIZE : natural) return signed;
  function to_signed (ARG : integer; SIZE_RES : signed) return signed;

  -- Element by element, element with every element, and reduction to one element.
  function "not" (L : unsigned) return unsigned;
  function "and" (L, R : unsigned) return unsigned;
  function "and" (L : unsigned; R : bit) return unsigned;
  function "and" (L : bit; R : unsigned) return unsigned;
  function "and" (L : unsigned) return bit;
  function "or" (L, R : unsigned) return unsigned;
  function "or" (L : unsigned; R : bit) return unsigned;
  function "or" (L : bit; R : unsigned) return unsigned;
  function "or" (L : unsigned) return bit;
  function "nand" (L, R : unsigned) return unsigned;
  function "nand" (L : unsigned; R : bit) return unsigned;
  function "nand" (L : bit; R : unsigned) return unsigned;
  function "nand" (L : unsigned) return bit;
  function "nor" (L, R : unsigned) return unsigned;
  function "nor" (L : unsigned; R : bit) return unsigned;
  function "nor" (L : bit; R : unsigned) return unsigned;
  function "nor" (L : unsigned) return bit;
  function "xor" (L, R : unsigned) return unsigned;
  function "xor" (L : unsigned; R : bit) return unsigned;
  function "xor" (L : bit; R : unsigned) return unsigned;
  function "xor" (L : unsigned) return bit;
  function "xnor" (L, R : unsigned) return unsigned;
  function "xnor" (L : unsigned; R : bit) return unsigned;
  function "xnor" (L : bit; R : unsigned) return unsigned;
  function "xnor" (L : unsigned) return bit;

  function "not" (L : signed) return signed;
  function "and" (L, R : signed) return signed;
  function "and" (L : signed; R : bit) return signed;
  function "and" (L : bit; R : signed) return signed;
  function "and" (L : signed) return bit;
  function "or" (L, R : signed) return signed;
  function "or" (L : signed; R : bit) return signed;
  function "or" (L : bit; R : signed) return signed;
  function "or" (L : signed) return bit;
  function "nand" (L, R : signed) return signed;
  function "nand" (L : signed; R : bit) return signed;
  function "nand" (L : bit; R : signed) return signed;
  function "nand" (L : signed) return bit;
  function "nor" (L, R : signed) return signed;
  function "nor" (L : signed; R : bit) return signed;
  function "nor" (L : bit; R : signed) return signed;
  function "nor" (L : signed) return bit;
  function "xor" (L, R : signed) return signed;
  function "xor" (L : signed; R : bit) return signed;
  function "xor" (L : bit; R : signed) return signed;
  function "xor" (L : signed) return bit;
  function "xnor" (L, R : signed) return signed;
  function "xnor" (L : signed; R : bit) return signed;
  function "xnor" (L : bit; R : signed) return signed;
  function "xnor" (L : signed) return bit;

  -- The edge functions are those of STANDARD.
  alias rising_edge  is std.standard.rising_edge  [std.standard.bit return std.standard.boolean];
  alias falling_edge is std.standard.falling_edge [std.standard.bit return std.standard.boolean];

  -- Strings and text files.
  alias to_bstring       is to_string  [unsigned return string];
  alias to_binary_string is to_string  [unsigned return string];
  function to_ostring (VALUE : unsigned) return string;
  alias to_octal_string  is to_ostring [unsigned return string];
  function to_hstring (VALUE : unsigned) return string;
  alias to_hex_string    is to_hstring [unsigned return string];

  alias to_bstring       is to_string  [signed return string];
  alias to_binary_string is to_string  [signed return string];
  function to_ostring (VALUE : signed) return string;
  alias to_octal_string  is to_ostring [signed return string];
  function to_hstring (VALUE : signed) return string;
  alias to_hex_string    is to_hstring [signed return string];

  procedure read (L : inout line; VALUE : out unsigned; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out unsigned);
  procedure oread (L : inout line; VALUE : out unsigned; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out unsigned);
  procedure hread (L : inout line; VALUE : out unsigned; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out unsigned);
  procedure write (L : inout line; VALUE : in unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure owrite (L : inout line; VALUE : in unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  alias bread is read [line, unsigned, boolean];
  alias bread is read [line, unsigned];
  alias binary_read is read [line, unsigned, boolean];
  alias binary_read is read [line, unsigned];
  alias octal_read is oread [line, unsigned, boolean];
  alias octal_read is oread [line, unsigned];
  alias hex_read is hread [line, unsigned, boolean];
  alias hex_read is hread [line, unsigned];
  alias bwrite is write [line, unsigned, side, width];
  alias binary_write is write [line, unsigned, side, width];
  alias octal_write is owrite [line, unsigned, side, width];
  alias hex_write is hwrite [line, unsigned, side, width];

  procedure read (L : inout line; VALUE : out signed; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out signed);
  procedure oread (L : inout line; VALUE : out signed; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out signed);
  procedure hread (L : inout line; VALUE : out signed; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out signed);
  procedure write (L : inout line; VALUE : in signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure owrite (L : inout line; VALUE : in signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  alias bread is read [line, signed, boolean];
  alias bread is read [line, signed];
  alias binary_read is read [line, signed, boolean];
  alias binary_read is read [line, signed];
  alias octal_read is oread [line, signed, boolean];
  alias octal_read is oread [line, signed];
  alias hex_read is hread [line, signed, boolean];
  alias hex_read is hread [line, signed];
  alias bwrite is write [line, signed, side, width];
  alias binary_write is write [line, signed, side, width];
  alias octal_write is owrite [line, signed, side, width];
  alias hex_write is hwrite [line, signed, side, width];

end package numeric_bit;
