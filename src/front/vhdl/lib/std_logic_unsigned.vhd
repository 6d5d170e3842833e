-- IEEE.STD_LOGIC_UNSIGNED, the Synopsys package that reads std_logic_vector as an unsigned number.
-- Declarations of our own; all of it is native, see NATIVE.md.

library ieee;
use ieee.std_logic_1164.all;
use ieee.std_logic_arith.all;

package std_logic_unsigned is

  function "+" (L : std_logic_vector; R : std_logic_vector) return std_logic_vector;
  function "+" (L : std_logic_vector; R : integer) return std_logic_vector;
  function "+" (L : integer; R : std_logic_vector) return std_logic_vector;
  function "+" (L : std_logic_vector; R : std_logic) return std_logic_vector;
  function "+" (L : std_logic; R : std_logic_vector) return std_logic_vector;

  function "-" (L : std_logic_vector; R : std_logic_vector) return std_logic_vector;
  function "-" (L : std_logic_vector; R : integer) return std_logic_vector;
  function "-" (L : integer; R : std_logic_vector) return std_logic_vector;
  function "-" (L : std_logic_vector; R : std_logic) return std_logic_vector;
  function "-" (L : std_logic; R : std_logic_vector) return std_logic_vector;

  function "+" (L : std_logic_vector) return std_logic_vector;
  function "*" (L : std_logic_vector; R : std_logic_vector) return std_logic_vector;

  -- Comparisons by numeric value; these hide the predefined ones of the vector type.
  function "=" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function "=" (L : std_logic_vector; R : integer) return boolean;
  function "=" (L : integer; R : std_logic_vector) return boolean;
  function "/=" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function "/=" (L : std_logic_vector; R : integer) return boolean;
  function "/=" (L : integer; R : std_logic_vector) return boolean;
  function "<" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function "<" (L : std_logic_vector; R : integer) return boolean;
  function "<" (L : integer; R : std_logic_vector) return boolean;
  function "<=" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function "<=" (L : std_logic_vector; R : integer) return boolean;
  function "<=" (L : integer; R : std_logic_vector) return boolean;
  function ">" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function ">" (L : std_logic_vector; R : integer) return boolean;
  function ">" (L : integer; R : std_logic_vector) return boolean;
  function ">=" (L : std_logic_vector; R : std_logic_vector) return boolean;
  function ">=" (L : std_logic_vector; R : integer) return boolean;
  function ">=" (L : integer; R : std_logic_vector) return boolean;

  function shl (ARG : std_logic_vector; COUNT : std_logic_vector) return std_logic_vector;
  function shr (ARG : std_logic_vector; COUNT : std_logic_vector) return std_logic_vector;
  function conv_integer (ARG : std_logic_vector) return integer;

end package std_logic_unsigned;
