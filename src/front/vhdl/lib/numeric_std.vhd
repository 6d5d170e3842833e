-- IEEE.NUMERIC_STD of VHDL-2008: numbers as vectors of std_ulogic.
-- Declarations of our own; all but the find functions are native, see NATIVE.md.

use std.textio.all;
library ieee;
use ieee.std_logic_1164.all;

package numeric_std is

  type unresolved_unsigned is array (natural range <>) of std_ulogic;
  type unresolved_signed   is array (natural range <>) of std_ulogic;
  subtype u_unsigned is unresolved_unsigned;
  subtype u_signed   is unresolved_signed;
  subtype unsigned is (resolved) unresolved_unsigned;
  subtype signed   is (resolved) unresolved_signed;

  -- Signed only: two's complement, the most negative value maps to itself.
  function "abs" (ARG : unresolved_signed) return unresolved_signed;
  function "-" (ARG : unresolved_signed) return unresolved_signed;

  -- Sums and differences.
  function "+" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "+" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "+" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "+" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "+" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "+" (L, R : unresolved_signed) return unresolved_signed;
  function "+" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "+" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "+" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "+" (L : integer; R : unresolved_signed) return unresolved_signed;

  function "-" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "-" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "-" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "-" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "-" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "-" (L, R : unresolved_signed) return unresolved_signed;
  function "-" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "-" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "-" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "-" (L : integer; R : unresolved_signed) return unresolved_signed;

  -- Products, quotients, remainders.
  function "*" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "*" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "*" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "*" (L, R : unresolved_signed) return unresolved_signed;
  function "*" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "*" (L : integer; R : unresolved_signed) return unresolved_signed;

  function "/" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "/" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "/" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "/" (L, R : unresolved_signed) return unresolved_signed;
  function "/" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "/" (L : integer; R : unresolved_signed) return unresolved_signed;

  function "rem" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "rem" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "rem" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "rem" (L, R : unresolved_signed) return unresolved_signed;
  function "rem" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "rem" (L : integer; R : unresolved_signed) return unresolved_signed;

  function "mod" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "mod" (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function "mod" (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function "mod" (L, R : unresolved_signed) return unresolved_signed;
  function "mod" (L : unresolved_signed; R : integer) return unresolved_signed;
  function "mod" (L : integer; R : unresolved_signed) return unresolved_signed;

  -- Index of the outermost element equal to Y, -1 if none. Bodies in numeric_std-body.vhd.
  function find_leftmost (ARG : unresolved_unsigned; Y : std_ulogic) return integer;
  function find_leftmost (ARG : unresolved_signed; Y : std_ulogic) return integer;
  function find_rightmost (ARG : unresolved_unsigned; Y : std_ulogic) return integer;
  function find_rightmost (ARG : unresolved_signed; Y : std_ulogic) return integer;

  -- Comparisons by numeric value.
  function "=" (L, R : unresolved_unsigned) return boolean;
  function "=" (L : unresolved_unsigned; R : natural) return boolean;
  function "=" (L : natural; R : unresolved_unsigned) return boolean;
  function "=" (L, R : unresolved_signed) return boolean;
  function "=" (L : unresolved_signed; R : integer) return boolean;
  function "=" (L : integer; R : unresolved_signed) return boolean;

  function "/=" (L, R : unresolved_unsigned) return boolean;
  function "/=" (L : unresolved_unsigned; R : natural) return boolean;
  function "/=" (L : natural; R : unresolved_unsigned) return boolean;
  function "/=" (L, R : unresolved_signed) return boolean;
  function "/=" (L : unresolved_signed; R : integer) return boolean;
  function "/=" (L : integer; R : unresolved_signed) return boolean;

  function "<" (L, R : unresolved_unsigned) return boolean;
  function "<" (L : unresolved_unsigned; R : natural) return boolean;
  function "<" (L : natural; R : unresolved_unsigned) return boolean;
  function "<" (L, R : unresolved_signed) return boolean;
  function "<" (L : unresolved_signed; R : integer) return boolean;
  function "<" (L : integer; R : unresolved_signed) return boolean;

  function "<=" (L, R : unresolved_unsigned) return boolean;
  function "<=" (L : unresolved_unsigned; R : natural) return boolean;
  function "<=" (L : natural; R : unresolved_unsigned) return boolean;
  function "<=" (L, R : unresolved_signed) return boolean;
  function "<=" (L : unresolved_signed; R : integer) return boolean;
  function "<=" (L : integer; R : unresolved_signed) return boolean;

  function ">" (L, R : unresolved_unsigned) return boolean;
  function ">" (L : unresolved_unsigned; R : natural) return boolean;
  function ">" (L : natural; R : unresolved_unsigned) return boolean;
  function ">" (L, R : unresolved_signed) return boolean;
  function ">" (L : unresolved_signed; R : integer) return boolean;
  function ">" (L : integer; R : unresolved_signed) return boolean;

  function ">=" (L, R : unresolved_unsigned) return boolean;
  function ">=" (L : unresolved_unsigned; R : natural) return boolean;
  function ">=" (L : natural; R : unresolved_unsigned) return boolean;
  function ">=" (L, R : unresolved_signed) return boolean;
  function ">=" (L : unresolved_signed; R : integer) return boolean;
  function ">=" (L : integer; R : unresolved_signed) return boolean;

  -- Smaller and larger of two, resized to the longer operand.
  function minimum (L, R : unresolved_unsigned) return unresolved_unsigned;
  function minimum (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function minimum (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function minimum (L, R : unresolved_signed) return unresolved_signed;
  function minimum (L : unresolved_signed; R : integer) return unresolved_signed;
  function minimum (L : integer; R : unresolved_signed) return unresolved_signed;

  function maximum (L, R : unresolved_unsigned) return unresolved_unsigned;
  function maximum (L : unresolved_unsigned; R : natural) return unresolved_unsigned;
  function maximum (L : natural; R : unresolved_unsigned) return unresolved_unsigned;
  function maximum (L, R : unresolved_signed) return unresolved_signed;
  function maximum (L : unresolved_signed; R : integer) return unresolved_signed;
  function maximum (L : integer; R : unresolved_signed) return unresolved_signed;

  -- Matching comparisons, the result is an element.
  function "?=" (L, R : unresolved_unsigned) return std_ulogic;
  function "?=" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?=" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?=" (L, R : unresolved_signed) return std_ulogic;
  function "?=" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?=" (L : integer; R : unresolved_signed) return std_ulogic;

  function "?/=" (L, R : unresolved_unsigned) return std_ulogic;
  function "?/=" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?/=" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?/=" (L, R : unresolved_signed) return std_ulogic;
  function "?/=" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?/=" (L : integer; R : unresolved_signed) return std_ulogic;

  function "?<" (L, R : unresolved_unsigned) return std_ulogic;
  function "?<" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?<" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?<" (L, R : unresolved_signed) return std_ulogic;
  function "?<" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?<" (L : integer; R : unresolved_signed) return std_ulogic;

  function "?<=" (L, R : unresolved_unsigned) return std_ulogic;
  function "?<=" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?<=" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?<=" (L, R : unresolved_signed) return std_ulogic;
  function "?<=" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?<=" (L : integer; R : unresolved_signed) return std_ulogic;

  function "?>" (L, R : unresolved_unsigned) return std_ulogic;
  function "?>" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?>" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?>" (L, R : unresolved_signed) return std_ulogic;
  function "?>" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?>" (L : integer; R : unresolved_signed) return std_ulogic;

  function "?>=" (L, R : unresolved_unsigned) return std_ulogic;
  function "?>=" (L : unresolved_unsigned; R : natural) return std_ulogic;
  function "?>=" (L : natural; R : unresolved_unsigned) return std_ulogic;
  function "?>=" (L, R : unresolved_signed) return std_ulogic;
  function "?>=" (L : unresolved_signed; R : integer) return std_ulogic;
  function "?>=" (L : integer; R : unresolved_signed) return std_ulogic;

  -- Shifts and rotates.
  function shift_left (ARG : unresolved_unsigned; COUNT : natural) return unresolved_unsigned;
  function shift_left (ARG : unresolved_signed; COUNT : natural) return unresolved_signed;
  function shift_right (ARG : unresolved_unsigned; COUNT : natural) return unresolved_unsigned;
  function shift_right (ARG : unresolved_signed; COUNT : natural) return unresolved_signed;
  function rotate_left (ARG : unresolved_unsigned; COUNT : natural) return unresolved_unsigned;
  function rotate_left (ARG : unresolved_signed; COUNT : natural) return unresolved_signed;
  function rotate_right (ARG : unresolved_unsigned; COUNT : natural) return unresolved_unsigned;
  function rotate_right (ARG : unresolved_signed; COUNT : natural) return unresolved_signed;

  function "sll" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "sll" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;
  function "srl" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "srl" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;
  function "sla" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "sla" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;
  function "sra" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "sra" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;
  function "rol" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "rol" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;
  function "ror" (ARG : unresolved_unsigned; COUNT : integer) return unresolved_unsigned;
  function "ror" (ARG : unresolved_signed; COUNT : integer) return unresolved_signed;

  -- Width and type conversions; SIZE_RES only lends its length.
  function resize (ARG : unresolved_signed; NEW_SIZE : natural) return unresolved_signed;
  function resize (ARG : unresolved_unsigned; NEW_SIZE : natural) return unresolved_unsigned;
  function resize (ARG, SIZE_RES : unresolved_signed) return unresolved_signed;
  function resize (ARG, SIZE_RES : unresolved_unsigned) return unresolved_unsigned;
  function to_integer (ARG : unresolved_unsigned) return natural;
  function to_integer (ARG : unresolved_signed) return integer;
  function to_unsigned (ARG, SIZE : natural) return unresolved_unsigned;
  function to_unsigned (ARG : natural; SIZE_RES : unresolved_unsigned) return unresolved_unsigned;
  function to_signed (ARG : integer; SIZE : natural) return unresolved_signed;
  function to_signed (ARG : integer; SIZE_RES : unresolved_signed) return unresolved_signed;

  -- Element by element, element with every element, and reduction to one element.
  function "not" (L : unresolved_unsigned) return unresolved_unsigned;
  function "and" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "and" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "and" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "and" (L : unresolved_unsigned) return std_ulogic;
  function "or" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "or" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "or" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "or" (L : unresolved_unsigned) return std_ulogic;
  function "nand" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "nand" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "nand" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "nand" (L : unresolved_unsigned) return std_ulogic;
  function "nor" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "nor" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "nor" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "nor" (L : unresolved_unsigned) return std_ulogic;
  function "xor" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "xor" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "xor" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "xor" (L : unresolved_unsigned) return std_ulogic;
  function "xnor" (L, R : unresolved_unsigned) return unresolved_unsigned;
  function "xnor" (L : unresolved_unsigned; R : std_ulogic) return unresolved_unsigned;
  function "xnor" (L : std_ulogic; R : unresolved_unsigned) return unresolved_unsigned;
  function "xnor" (L : unresolved_unsigned) return std_ulogic;

  function "not" (L : unresolved_signed) return unresolved_signed;
  function "and" (L, R : unresolved_signed) return unresolved_signed;
  function "and" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "and" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "and" (L : unresolved_signed) return std_ulogic;
  function "or" (L, R : unresolved_signed) return unresolved_signed;
  function "or" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "or" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "or" (L : unresolved_signed) return std_ulogic;
  function "nand" (L, R : unresolved_signed) return unresolved_signed;
  function "nand" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "nand" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "nand" (L : unresolved_signed) return std_ulogic;
  function "nor" (L, R : unresolved_signed) return unresolved_signed;
  function "nor" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "nor" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "nor" (L : unresolved_signed) return std_ulogic;
  function "xor" (L, R : unresolved_signed) return unresolved_signed;
  function "xor" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "xor" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "xor" (L : unresolved_signed) return std_ulogic;
  function "xnor" (L, R : unresolved_signed) return unresolved_signed;
  function "xnor" (L : unresolved_signed; R : std_ulogic) return unresolved_signed;
  function "xnor" (L : std_ulogic; R : unresolved_signed) return unresolved_signed;
  function "xnor" (L : unresolved_signed) return std_ulogic;

  -- Metavalues.
  function std_match (L, R : std_ulogic) return boolean;
  function std_match (L, R : std_ulogic_vector) return boolean;
  function std_match (L, R : unresolved_unsigned) return boolean;
  function std_match (L, R : unresolved_signed) return boolean;
  function to_01 (S : unresolved_unsigned; XMAP : std_ulogic := '0') return unresolved_unsigned;
  function to_01 (S : unresolved_signed; XMAP : std_ulogic := '0') return unresolved_signed;
  function to_x01 (S : unresolved_unsigned) return unresolved_unsigned;
  function to_x01 (S : unresolved_signed) return unresolved_signed;
  function to_x01z (S : unresolved_unsigned) return unresolved_unsigned;
  function to_x01z (S : unresolved_signed) return unresolved_signed;
  function to_ux01 (S : unresolved_unsigned) return unresolved_unsigned;
  function to_ux01 (S : unresolved_signed) return unresolved_signed;
  function is_x (S : unresolved_unsigned) return boolean;
  function is_x (S : unresolved_signed) return boolean;

  -- Strings and text files.
  alias to_bstring       is to_string  [unresolved_unsigned return string];
  alias to_binary_string is to_string  [unresolved_unsigned return string];
  function to_ostring (VALUE : unresolved_unsigned) return string;
  alias to_octal_string  is to_ostring [unresolved_unsigned return string];
  function to_hstring (VALUE : unresolved_unsigned) return string;
  alias to_hex_string    is to_hstring [unresolved_unsigned return string];

  alias to_bstring       is to_string  [unresolved_signed return string];
  alias to_binary_string is to_string  [unresolved_signed return string];
  function to_ostring (VALUE : unresolved_signed) return string;
  alias to_octal_string  is to_ostring [unresolved_signed return string];
  function to_hstring (VALUE : unresolved_signed) return string;
  alias to_hex_string    is to_hstring [unresolved_signed return string];

  procedure read (L : inout line; VALUE : out unresolved_unsigned; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out unresolved_unsigned);
  procedure oread (L : inout line; VALUE : out unresolved_unsigned; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out unresolved_unsigned);
  procedure hread (L : inout line; VALUE : out unresolved_unsigned; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out unresolved_unsigned);
  procedure write (L : inout line; VALUE : in unresolved_unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure owrite (L : inout line; VALUE : in unresolved_unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in unresolved_unsigned;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  alias bread is read [line, unresolved_unsigned, boolean];
  alias bread is read [line, unresolved_unsigned];
  alias binary_read is read [line, unresolved_unsigned, boolean];
  alias binary_read is read [line, unresolved_unsigned];
  alias octal_read is oread [line, unresolved_unsigned, boolean];
  alias octal_read is oread [line, unresolved_unsigned];
  alias hex_read is hread [line, unresolved_unsigned, boolean];
  alias hex_read is hread [line, unresolved_unsigned];
  alias bwrite is write [line, unresolved_unsigned, side, width];
  alias binary_write is write [line, unresolved_unsigned, side, width];
  alias octal_write is owrite [line, unresolved_unsigned, side, width];
  alias hex_write is hwrite [line, unresolved_unsigned, side, width];

  procedure read (L : inout line; VALUE : out unresolved_signed; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out unresolved_signed);
  procedure oread (L : inout line; VALUE : out unresolved_signed; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out unresolved_signed);
  procedure hread (L : inout line; VALUE : out unresolved_signed; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out unresolved_signed);
  procedure write (L : inout line; VALUE : in unresolved_signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure owrite (L : inout line; VALUE : in unresolved_signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in unresolved_signed;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  alias bread is read [line, unresolved_signed, boolean];
  alias bread is read [line, unresolved_signed];
  alias binary_read is read [line, unresolved_signed, boolean];
  alias binary_read is read [line, unresolved_signed];
  alias octal_read is oread [line, unresolved_signed, boolean];
  alias octal_read is oread [line, unresolved_signed];
  alias hex_read is hread [line, unresolved_signed, boolean];
  alias hex_read is hread [line, unresolved_signed];
  alias bwrite is write [line, unresolved_signed, side, width];
  alias binary_write is write [line, unresolved_signed, side, width];
  alias octal_write is owrite [line, unresolved_signed, side, width];
  alias hex_write is hwrite [line, unresolved_signed, side, width];

end package numeric_std;
