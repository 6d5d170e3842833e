-- IEEE.STD_LOGIC_ARITH, the Synopsys package older designs use in place of NUMERIC_STD.
-- Declarations of our own; all of it is native, see NATIVE.md.

library ieee;
use ieee.std_logic_1164.all;

package std_logic_arith is

  type unsigned is array (natural range <>) of std_logic;
  type signed   is array (natural range <>) of std_logic;
  subtype small_int is integer range 0 to 1;

  -- Every sum, difference and product comes twice: as a number and as std_logic_vector.

  function "+" (L : unsigned; R : unsigned) return unsigned;
  function "+" (L : unsigned; R : unsigned) return std_logic_vector;
  function "+" (L : signed; R : signed) return signed;
  function "+" (L : signed; R : signed) return std_logic_vector;
  function "+" (L : unsigned; R : signed) return signed;
  function "+" (L : unsigned; R : signed) return std_logic_vector;
  function "+" (L : signed; R : unsigned) return signed;
  function "+" (L : signed; R : unsigned) return std_logic_vector;
  function "+" (L : unsigned; R : integer) return unsigned;
  function "+" (L : unsigned; R : integer) return std_logic_vector;
  function "+" (L : integer; R : unsigned) return unsigned;
  function "+" (L : integer; R : unsigned) return std_logic_vector;
  function "+" (L : signed; R : integer) return signed;
  function "+" (L : signed; R : integer) return std_logic_vector;
  function "+" (L : integer; R : signed) return signed;
  function "+" (L : integer; R : signed) return std_logic_vector;
  function "+" (L : unsigned; R : std_ulogic) return unsigned;
  function "+" (L : unsigned; R : std_ulogic) return std_logic_vector;
  function "+" (L : std_ulogic; R : unsigned) return unsigned;
  function "+" (L : std_ulogic; R : unsigned) return std_logic_vector;
  function "+" (L : signed; R : std_ulogic) return signed;
  function "+" (L : signed; R : std_ulogic) return std_logic_vector;
  function "+" (L : std_ulogic; R : signed) return signed;
  function "+" (L : std_ulogic; R : signed) return std_logic_vector;

  function "-" (L : unsigned; R : unsigned) return unsigned;
  function "-" (L : unsigned; R : unsigned) return std_logic_vector;
  function "-" (L : signed; R : signed) return signed;
  function "-" (L : signed; R : signed) return std_logic_vector;
  function "-" (L : unsigned; R : signed) return signed;
  function "-" (L : unsigned; R : signed) return std_logic_vector;
  function "-" (L : signed; R : unsigned) return signed;
  function "-" (L : signed; R : unsigned) return std_logic_vector;
  function "-" (L : unsigned; R : integer) return unsigned;
  function "-" (L : unsigned; R : integer) return std_logic_vector;
  function "-" (L : integer; R : unsigned) return unsigned;
  function "-" (L : integer; R : unsigned) return std_logic_vector;
  function "-" (L : signed; R : integer) return signed;
  function "-" (L : signed; R : integer) return std_logic_vector;
  function "-" (L : integer; R : signed) return signed;
  function "-" (L : integer; R : signed) return std_logic_vector;
  function "-" (L : unsigned; R : std_ulogic) return unsigned;
  function "-" (L : unsigned; R : std_ulogic) return std_logic_vector;
  function "-" (L : std_ulogic; R : unsigned) return unsigned;
  function "-" (L : std_ulogic; R : unsigned) return std_logic_vector;
  function "-" (L : signed; R : std_ulogic) return signed;
  function "-" (L : signed; R : std_ulogic) return std_logic_vector;
  function "-" (L : std_ulogic; R : signed) return signed;
  function "-" (L : std_ulogic; R : signed) return std_logic_vector;

  function "+" (L : unsigned) return unsigned;
  function "+" (L : unsigned) return std_logic_vector;
  function "+" (L : signed) return signed;
  function "+" (L : signed) return std_logic_vector;
  function "-" (L : signed) return signed;
  function "-" (L : signed) return std_logic_vector;
  function "abs" (L : signed) return signed;
  function "abs" (L : signed) return std_logic_vector;

  function "*" (L : unsigned; R : unsigned) return unsigned;
  function "*" (L : unsigned; R : unsigned) return std_logic_vector;
  function "*" (L : signed; R : signed) return signed;
  function "*" (L : signed; R : signed) return std_logic_vector;
  function "*" (L : unsigned; R : signed) return signed;
  function "*" (L : unsigned; R : signed) return std_logic_vector;
  function "*" (L : signed; R : unsigned) return signed;
  function "*" (L : signed; R : unsigned) return std_logic_vector;

  -- Comparisons by numeric value, signed as soon as one operand is.

  function "=" (L : unsigned; R : unsigned) return boolean;
  function "=" (L : signed; R : signed) return boolean;
  function "=" (L : unsigned; R : signed) return boolean;
  function "=" (L : signed; R : unsigned) return boolean;
  function "=" (L : unsigned; R : integer) return boolean;
  function "=" (L : integer; R : unsigned) return boolean;
  function "=" (L : signed; R : integer) return boolean;
  function "=" (L : integer; R : signed) return boolean;

  function "/=" (L : unsigned; R : unsigned) return boolean;
  function "/=" (L : signed; R : signed) return boolean;
  function "/=" (L : unsigned; R : signed) return boolean;
  function "/=" (L : signed; R : unsigned) return boolean;
  function "/=" (L : unsigned; R : integer) return boolean;
  function "/=" (L : integer; R : unsigned) return boolean;
  function "/=" (L : signed; R : integer) return boolean;
  function "/=" (L : integer; R : signed) return boolean;

  function "<" (L : unsigned; R : unsigned) return boolean;
  function "<" (L : signed; R : signed) return boolean;
  function "<" (L : unsigned; R : signed) return boolean;
  function "<" (L : signed; R : unsigned) return boolean;
  function "<" (L : unsigned; R : integer) return boolean;
  function "<" (L : integer; R : unsigned) return boolean;
  function "<" (L : signed; R : integer) return boolean;
  function "<" (L : integer; R : signed) return boolean;

  function "<=" (L : unsigned; R : unsigned) return boolean;
  function "<=" (L : signed; R : signed) return boolean;
  function "<=" (L : unsigned; R : signed) return boolean;
  function "<=" (L : signed; R : unsigned) return boolean;
  function "<=" (L : unsigned; R : integer) return boolean;
  function "<=" (L : integer; R : unsigned) return boolean;
  function "<=" (L : signed; R : integer) return boolean;
  function "<=" (L : integer; R : signed) return boolean;

  function ">" (L : unsigned; R : unsigned) return boolean;
  function ">" (L : signed; R : signed) return boolean;
  function ">" (L : unsigned; R : signed) return boolean;
  function ">" (L : signed; R : unsigned) return boolean;
  function ">" (L : unsigned; R : integer) return boolean;
  function ">" (L : integer; R : unsigned) return boolean;
  function ">" (L : signed; R : integer) return boolean;
  function ">" (L : integer; R : signed) return boolean;

  function ">=" (L : unsigned; R : unsigned) return boolean;
  function ">=" (L : signed; R : signed) return boolean;
  function ">=" (L : unsigned; R : signed) return boolean;
  function ">=" (L : signed; R : unsigned) return boolean;
  function ">=" (L : unsigned; R : integer) return boolean;
  function ">=" (L : integer; R : unsigned) return boolean;
  function ">=" (L : signed; R : integer) return boolean;
  function ">=" (L : integer; R : signed) return boolean;

  -- Shifts by an unsigned vector; SHR of a signed copies the sign.
  function shl (ARG : unsigned; COUNT : unsigned) return unsigned;
  function shl (ARG : signed; COUNT : unsigned) return signed;
  function shr (ARG : unsigned; COUNT : unsigned) return unsigned;
  function shr (ARG : signed; COUNT : unsigned) return signed;

  -- Conversions. SIZE is the width of the result.
  function conv_integer (ARG : integer) return integer;
  function conv_integer (ARG : unsigned) return integer;
  function conv_integer (ARG : signed) return integer;
  function conv_integer (ARG : std_ulogic) return small_int;
  function conv_unsigned (ARG : integer; SIZE : integer) return unsigned;
  function conv_unsigned (ARG : unsigned; SIZE : integer) return unsigned;
  function conv_unsigned (ARG : signed; SIZE : integer) return unsigned;
  function conv_unsigned (ARG : std_ulogic; SIZE : integer) return unsigned;
  function conv_signed (ARG : integer; SIZE : integer) return signed;
  function conv_signed (ARG : unsigned; SIZE : integer) return signed;
  function conv_signed (ARG : signed; SIZE : integer) return signed;
  function conv_signed (ARG : std_ulogic; SIZE : integer) return signed;
  function conv_std_logic_vector (ARG : integer; SIZE : integer) return std_logic_vector;
  function conv_std_logic_vector (ARG : unsigned; SIZE : integer) return std_logic_vector;
  function conv_std_logic_vector (ARG : signed; SIZE : integer) return std_logic_vector;
  function conv_std_logic_vector (ARG : std_ulogic; SIZE : integer) return std_logic_vector;
  function ext (ARG : std_logic_vector; SIZE : integer) return std_logic_vector;
  function sxt (ARG : std_logic_vector; SIZE : integer) return std_logic_vector;

end package std_logic_arith;
