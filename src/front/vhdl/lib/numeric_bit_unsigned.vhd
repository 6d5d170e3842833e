-- IEEE.NUMERIC_BIT_UNSIGNED of VHDL-2008: bit_vector as an unsigned number.
-- Declarations of our own; what has a body is in numeric_bit_unsigned-body.vhd,
-- the rest is native, see NATIVE.md.

package numeric_bit_unsigned is

  -- Sums and differences.
  function "+" (L, R : bit_vector) return bit_vector;
  function "+" (L : bit_vector; R : bit) return bit_vector;
  function "+" (L : bit; R : bit_vector) return bit_vector;
  function "+" (L : bit_vector; R : natural) return bit_vector;
  function "+" (L : natural; R : bit_vector) return bit_vector;

  function "-" (L, R : bit_vector) return bit_vector;
  function "-" (L : bit_vector; R : bit) return bit_vector;
  function "-" (L : bit; R : bit_vector) return bit_vector;
  function "-" (L : bit_vector; R : natural) return bit_vector;
  function "-" (L : natural; R : bit_vector) return bit_vector;

  -- Products, quotients, remainders.
  function "*" (L, R : bit_vector) return bit_vector;
  function "*" (L : bit_vector; R : natural) return bit_vector;
  function "*" (L : natural; R : bit_vector) return bit_vector;

  function "/" (L, R : bit_vector) return bit_vector;
  function "/" (L : bit_vector; R : natural) return bit_vector;
  function "/" (L : natural; R : bit_vector) return bit_vector;

  function "rem" (L, R : bit_vector) return bit_vector;
  function "rem" (L : bit_vector; R : natural) return bit_vector;
  function "rem" (L : natural; R : bit_vector) return bit_vector;

  function "mod" (L, R : bit_vector) return bit_vector;
  function "mod" (L : bit_vector; R : natural) return bit_vector;
  function "mod" (L : natural; R : bit_vector) return bit_vector;

  -- Index of the outermost element equal to Y, -1 if none.
  function find_leftmost (ARG : bit_vector; Y : bit) return integer;
  function find_rightmost (ARG : bit_vector; Y : bit) return integer;

  -- Comparisons by numeric value; these hide the predefined ones of the vector type.
  function "=" (L, R : bit_vector) return boolean;
  function "=" (L : bit_vector; R : natural) return boolean;
  function "=" (L : natural; R : bit_vector) return boolean;

  function "/=" (L, R : bit_vector) return boolean;
  function "/=" (L : bit_vector; R : natural) return boolean;
  function "/=" (L : natural; R : bit_vector) return boolean;

  function "<" (L, R : bit_vector) return boolean;
  function "<" (L : bit_vector; R : natural) return boolean;
  function "<" (L : natural; R : bit_vector) return boolean;

  function "<=" (L, R : bit_vector) return boolean;
  function "<=" (L : bit_vector; R : natural) return boolean;
  function "<=" (L : natural; R : bit_vector) return boolean;

  function ">" (L, R : bit_vector) return boolean;
  function ">" (L : bit_vector; R : natural) return boolean;
  function ">" (L : natural; R : bit_vector) return boolean;

  function ">=" (L, R : bit_vector) return boolean;
  function ">=" (L : bit_vector; R : natural) return boolean;
  function ">=" (L : natural; R : bit_vector) return boolean;

  -- Smaller and larger of two, resized to the longer operand.
  function minimum (L, R : bit_vector) return bit_vector;
  function minimum (L : bit_vector; R : natural) return bit_vector;
  function minimum (L : natural; R : bit_vector) return bit_vector;

  function maximum (L, R : bit_vector) return bit_vector;
  function maximum (L : bit_vector; R : natural) return bit_vector;
  function maximum (L : natural; R : bit_vector) return bit_vector;

  -- Matching comparisons, the result is an element.
  function "?=" (L, R : bit_vector) return bit;
  function "?=" (L : bit_vector; R : natural) return bit;
  function "?=" (L : natural; R : bit_vector) return bit;

  function "?/=" (L, R : bit_vector) return bit;
  function "?/=" (L : bit_vector; R : natural) return bit;
  function "?/=" (L : natural; R : bit_vector) return bit;

  function "?<" (L, R : bit_vector) return bit;
  function "?<" (L : bit_vector; R : natural) return bit;
  function "?<" (L : natural; R : bit_vector) return bit;

  function "?<=" (L, R : bit_vector) return bit;
  function "?<=" (L : bit_vector; R : natural) return bit;
  function "?<=" (L : natural; R : bit_vector) return bit;

  function "?>" (L, R : bit_vector) return bit;
  function "?>" (L : bit_vector; R : natural) return bit;
  function "?>" (L : natural; R : bit_vector) return bit;

  function "?>=" (L, R : bit_vector) return bit;
  function "?>=" (L : bit_vector; R : natural) return bit;
  function "?>=" (L : natural; R : bit_vector) return bit;

  -- Shifts and rotates.
  function shift_left (ARG : bit_vector; COUNT : natural) return bit_vector;
  function shift_right (ARG : bit_vector; COUNT : natural) return bit_vector;
  function rotate_left (ARG : bit_vector; COUNT : natural) return bit_vector;
  function rotate_right (ARG : bit_vector; COUNT : natural) return bit_vector;

  function "sll" (ARG : bit_vector; COUNT : integer) return bit_vector;
  function "srl" (ARG : bit_vector; COUNT : integer) return bit_vector;
  function "sla" (ARG : bit_vector; COUNT : integer) return bit_vector;
  function "sra" (ARG : bit_vector; COUNT : integer) return bit_vector;
  function "rol" (ARG : bit_vector; COUNT : integer) return bit_vector;
  function "ror" (ARG : bit_vector; COUNT : integer) return bit_vector;

  -- Width and type conversions; SIZE_RES only lends its length.
  function resize (ARG : bit_vector; NEW_SIZE : natural) return bit_vector;
  function resize (ARG, SIZE_RES : bit_vector) return bit_vector;
  function to_integer (ARG : bit_vector) return natural;

  function to_bitvector (ARG, SIZE : natural) return bit_vector;
  function to_bitvector (ARG : natural; SIZE_RES : bit_vector) return bit_vector;
  alias to_bit_vector is to_bitvector [natural, natural return bit_vector];
  alias to_bit_vector is to_bitvector [natural, bit_vector return bit_vector];
  alias to_bv is to_bitvector [natural, natural return bit_vector];
  alias to_bv is to_bitvector [natural, bit_vector return bit_vector];

end package numeric_bit_unsigned;
