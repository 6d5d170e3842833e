-- IEEE.NUMERIC_STD_UNSIGNED of VHDL-2008: std_ulogic_vector as an unsigned number.
-- Declarations of our own; what has a body is in numeric_std_unsigned-body.vhd,
-- the rest is native, see NATIVE.md.

library ieee;
use ieee.std_logic_1164.all;

package numeric_std_unsigned is

  -- Sums and differences.
  function "+" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "+" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "+" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "+" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "+" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  function "-" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "-" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "-" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "-" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "-" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  -- Products, quotients, remainders.
  function "*" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "*" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "*" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  function "/" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "/" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "/" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  function "rem" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "rem" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "rem" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  function "mod" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "mod" (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function "mod" (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  -- Index of the outermost element equal to Y, -1 if none.
  function find_leftmost (ARG : std_ulogic_vector; Y : std_ulogic) return integer;
  function find_rightmost (ARG : std_ulogic_vector; Y : std_ulogic) return integer;

  -- Comparisons by numeric value; these hide the predefined ones of the vector type.
  function "=" (L, R : std_ulogic_vector) return boolean;
  function "=" (L : std_ulogic_vector; R : natural) return boolean;
  function "=" (L : natural; R : std_ulogic_vector) return boolean;

  function "/=" (L, R : std_ulogic_vector) return boolean;
  function "/=" (L : std_ulogic_vector; R : natural) return boolean;
  function "/=" (L : natural; R : std_ulogic_vector) return boolean;

  function "<" (L, R : std_ulogic_vector) return boolean;
  function "<" (L : std_ulogic_vector; R : natural) return boolean;
  function "<" (L : natural; R : std_ulogic_vector) return boolean;

  function "<=" (L, R : std_ulogic_vector) return boolean;
  function "<=" (L : std_ulogic_vector; R : natural) return boolean;
  function "<=" (L : natural; R : std_ulogic_vector) return boolean;

  function ">" (L, R : std_ulogic_vector) return boolean;
  function ">" (L : std_ulogic_vector; R : natural) return boolean;
  function ">" (L : natural; R : std_ulogic_vector) return boolean;

  function ">=" (L, R : std_ulogic_vector) return boolean;
  function ">=" (L : std_ulogic_vector; R : natural) return boolean;
  function ">=" (L : natural; R : std_ulogic_vector) return boolean;

  -- Smaller and larger of two, resized to the longer operand.
  function minimum (L, R : std_ulogic_vector) return std_ulogic_vector;
  function minimum (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function minimum (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  function maximum (L, R : std_ulogic_vector) return std_ulogic_vector;
  function maximum (L : std_ulogic_vector; R : natural) return std_ulogic_vector;
  function maximum (L : natural; R : std_ulogic_vector) return std_ulogic_vector;

  -- Matching comparisons, the result is an element.
  function "?=" (L, R : std_ulogic_vector) return std_ulogic;
  function "?=" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?=" (L : natural; R : std_ulogic_vector) return std_ulogic;

  function "?/=" (L, R : std_ulogic_vector) return std_ulogic;
  function "?/=" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?/=" (L : natural; R : std_ulogic_vector) return std_ulogic;

  function "?<" (L, R : std_ulogic_vector) return std_ulogic;
  function "?<" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?<" (L : natural; R : std_ulogic_vector) return std_ulogic;

  function "?<=" (L, R : std_ulogic_vector) return std_ulogic;
  function "?<=" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?<=" (L : natural; R : std_ulogic_vector) return std_ulogic;

  function "?>" (L, R : std_ulogic_vector) return std_ulogic;
  function "?>" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?>" (L : natural; R : std_ulogic_vector) return std_ulogic;

  function "?>=" (L, R : std_ulogic_vector) return std_ulogic;
  function "?>=" (L : std_ulogic_vector; R : natural) return std_ulogic;
  function "?>=" (L : natural; R : std_ulogic_vector) return std_ulogic;

  -- Shifts and rotates.
  function shift_left (ARG : std_ulogic_vector; COUNT : natural) return std_ulogic_vector;
  function shift_right (ARG : std_ulogic_vector; COUNT : natural) return std_ulogic_vector;
  function rotate_left (ARG : std_ulogic_vector; COUNT : natural) return std_ulogic_vector;
  function rotate_right (ARG : std_ulogic_vector; COUNT : natural) return std_ulogic_vector;

  function "sla" (ARG : std_ulogic_vector; COUNT : integer) return std_ulogic_vector;
  function "sra" (ARG : std_ulogic_vector; COUNT : integer) return std_ulogic_vector;

  -- Width and type conversions; SIZE_RES only lends its length.
  function resize (ARG : std_ulogic_vector; NEW_SIZE : natural) return std_ulogic_vector;
  function resize (ARG, SIZE_RES : std_ulogic_vector) return std_ulogic_vector;
  function to_integer (ARG : std_ulogic_vector) return natural;

  function to_stdlogicvector (ARG, SIZE : natural) return std_logic_vector;
  function to_stdlogicvector (ARG : natural; SIZE_RES : std_ulogic_vector) return std_logic_vector;
  alias to_std_logic_vector is to_stdlogicvector [natural, natural return std_logic_vector];
  alias to_std_logic_vector is to_stdlogicvector [natural, std_ulogic_vector return std_logic_vector];
  alias to_slv is to_stdlogicvector [natural, natural return std_logic_vector];
  alias to_slv is to_stdlogicvector [natural, std_ulogic_vector return std_logic_vector];

  function to_stdulogicvector (ARG, SIZE : natural) return std_ulogic_vector;
  function to_stdulogicvector (ARG : natural; SIZE_RES : std_ulogic_vector) return std_ulogic_vector;
  alias to_std_ulogic_vector is to_stdulogicvector [natural, natural return std_ulogic_vector];
  alias to_std_ulogic_vector is to_stdulogicvector [natural, std_ulogic_vector return std_ulogic_vector];
  alias to_sulv is to_stdulogicvector [natural, natural return std_ulogic_vector];
  alias to_sulv is to_stdulogicvector [natural, std_ulogic_vector return std_ulogic_vector];

end package numeric_std_unsigned;
