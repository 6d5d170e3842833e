-- IEEE.STD_LOGIC_MISC, the Synopsys package of small helpers, in the form it has where
-- std_logic_vector is a subtype of std_ulogic_vector. Declarations of our own; the reductions
-- are native, see NATIVE.md, the rest has a body in std_logic_misc-body.vhd.

library ieee;
use ieee.std_logic_1164.all;

package std_logic_misc is

  -- How an output drives: the letters stand for unknown, low and high.
  type strength is (strn_X01, strn_X0H, strn_XL1, strn_X0Z, strn_XZ1,
                    strn_WLH, strn_WLZ, strn_WZH, strn_W0H, strn_WL1);

  -- Minimal, typical and maximal delay.
  type minomax is array (1 to 3) of time;

  function strength_map   (INPUT : std_ulogic; STRN : strength) return std_logic;
  function strength_map_z (INPUT : std_ulogic; STRN : strength) return std_logic;

  function drive (V : std_ulogic_vector) return std_logic_vector;

  -- V with replacements for 'Z', 'U' and '-'.
  function sense (V : std_ulogic; VZ, VU, VDC : std_ulogic) return std_logic;
  function sense (V : std_ulogic_vector; VZ, VU, VDC : std_ulogic) return std_ulogic_vector;

  -- To bit; a value V.. counts only where its flag is set, '0' otherwise.
  function std_logic_vectortobit_vector (V : std_logic_vector;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit_vector;
  function std_ulogic_vectortobit_vector (V : std_ulogic_vector;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit_vector;
  function std_ulogictobit (V : std_ulogic;
      VX, VZ, VU, VDC : bit := '0';
      XFLAG, ZFLAG, UFLAG, DCFLAG : boolean := false) return bit;

  function and_reduce  (ARG : std_ulogic_vector) return UX01;
  function nand_reduce (ARG : std_ulogic_vector) return UX01;
  function or_reduce   (ARG : std_ulogic_vector) return UX01;
  function nor_reduce  (ARG : std_ulogic_vector) return UX01;
  function xor_reduce  (ARG : std_ulogic_vector) return UX01;
  function xnor_reduce (ARG : std_ulogic_vector) return UX01;

  -- Gates: tri-state buffer with active high and active low enable, multiplexer,
  -- majority of three, two drivers on one net.
  function fun_buf3s  (INPUT, ENABLE : UX01; STRN : strength) return std_logic;
  function fun_buf3sl (INPUT, ENABLE : UX01; STRN : strength) return std_logic;
  function fun_mux2x1 (INPUT0, INPUT1, SEL : UX01) return UX01;
  function fun_maj23  (INPUT0, INPUT1, INPUT2 : UX01) return UX01;
  function fun_wiredx (INPUT0, INPUT1 : std_ulogic) return std_logic;

end package std_logic_misc;
