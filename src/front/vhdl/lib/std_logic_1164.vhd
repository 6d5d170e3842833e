-- IEEE.STD_LOGIC_1164 of VHDL-2008: the nine-valued logic type, its vector and their operators.
-- std_logic_vector is a subtype of std_ulogic_vector, so both are one type.
-- Declarations of our own; all but RESOLVED is native, see NATIVE.md.

use std.textio.all;

package std_logic_1164 is

  --                  uninit., forcing unknown/0/1, high imp., weak unknown/0/1, don't care
  type std_ulogic is ('U', 'X', '0', '1', 'Z', 'W', 'L', 'H', '-');
  type std_ulogic_vector is array (natural range <>) of std_ulogic;

  -- Value of a net from the values of its drivers. Body in std_logic_1164-body.vhd.
  function resolved (S : std_ulogic_vector) return std_ulogic;

  subtype std_logic is resolved std_ulogic;
  subtype std_logic_vector is (resolved) std_ulogic_vector;

  subtype X01   is resolved std_ulogic range 'X' to '1';
  subtype X01Z  is resolved std_ulogic range 'X' to 'Z';
  subtype UX01  is resolved std_ulogic range 'U' to '1';
  subtype UX01Z is resolved std_ulogic range 'U' to 'Z';

  -- One value.
  function "not" (L : std_ulogic) return UX01;
  function "and" (L : std_ulogic; R : std_ulogic) return UX01;
  function "or" (L : std_ulogic; R : std_ulogic) return UX01;
  function "nand" (L : std_ulogic; R : std_ulogic) return UX01;
  function "nor" (L : std_ulogic; R : std_ulogic) return UX01;
  function "xor" (L : std_ulogic; R : std_ulogic) return UX01;
  function "xnor" (L : std_ulogic; R : std_ulogic) return UX01;

  -- Truth of a condition: '1' and 'H'.
  function "??" (L : std_ulogic) return boolean;

  -- Element by element (operands of equal length), element with every element, reduction.
  function "not" (L : std_ulogic_vector) return std_ulogic_vector;
  function "and" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "and" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "and" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "and" (L : std_ulogic_vector) return std_ulogic;
  function "or" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "or" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "or" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "or" (L : std_ulogic_vector) return std_ulogic;
  function "nand" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "nand" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "nand" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "nand" (L : std_ulogic_vector) return std_ulogic;
  function "nor" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "nor" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "nor" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "nor" (L : std_ulogic_vector) return std_ulogic;
  function "xor" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "xor" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "xor" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "xor" (L : std_ulogic_vector) return std_ulogic;
  function "xnor" (L, R : std_ulogic_vector) return std_ulogic_vector;
  function "xnor" (L : std_ulogic_vector; R : std_ulogic) return std_ulogic_vector;
  function "xnor" (L : std_ulogic; R : std_ulogic_vector) return std_ulogic_vector;
  function "xnor" (L : std_ulogic_vector) return std_ulogic;

  -- Shifts fill with '0'; a negative count goes the other way.
  function "sll" (L : std_ulogic_vector; R : integer) return std_ulogic_vector;
  function "srl" (L : std_ulogic_vector; R : integer) return std_ulogic_vector;
  function "rol" (L : std_ulogic_vector; R : integer) return std_ulogic_vector;
  function "ror" (L : std_ulogic_vector; R : integer) return std_ulogic_vector;

  -- To and from bit; XMAP replaces everything that is not 0, 1, L or H.
  function to_bit (S : std_ulogic; XMAP : bit := '0') return bit;
  function to_bitvector (S : std_ulogic_vector; XMAP : bit := '0') return bit_vector;
  function to_stdulogic (B : bit) return std_ulogic;
  function to_stdlogicvector (B : bit_vector) return std_logic_vector;
  function to_stdlogicvector (S : std_ulogic_vector) return std_logic_vector;
  function to_stdulogicvector (B : bit_vector) return std_ulogic_vector;
  function to_stdulogicvector (S : std_logic_vector) return std_ulogic_vector;

  alias to_bit_vector is to_bitvector [std_ulogic_vector, bit return bit_vector];
  alias to_bv is to_bitvector [std_ulogic_vector, bit return bit_vector];
  alias to_std_logic_vector is to_stdlogicvector [bit_vector return std_logic_vector];
  alias to_std_logic_vector is to_stdlogicvector [std_ulogic_vector return std_logic_vector];
  alias to_slv is to_stdlogicvector [bit_vector return std_logic_vector];
  alias to_slv is to_stdlogicvector [std_ulogic_vector return std_logic_vector];
  alias to_std_ulogic_vector is to_stdulogicvector [bit_vector return std_ulogic_vector];
  alias to_std_ulogic_vector is to_stdulogicvector [std_logic_vector return std_ulogic_vector];
  alias to_sulv is to_stdulogicvector [bit_vector return std_ulogic_vector];
  alias to_sulv is to_stdulogicvector [std_logic_vector return std_ulogic_vector];

  -- Reduce the strength, or map everything unknown to XMAP.
  function to_01 (S : std_ulogic_vector; XMAP : std_ulogic := '0') return std_ulogic_vector;
  function to_01 (S : std_ulogic; XMAP : std_ulogic := '0') return std_ulogic;
  function to_01 (S : bit_vector; XMAP : std_ulogic := '0') return std_ulogic_vector;
  function to_01 (S : bit; XMAP : std_ulogic := '0') return std_ulogic;
  function to_x01 (S : std_ulogic_vector) return std_ulogic_vector;
  function to_x01 (S : std_ulogic) return X01;
  function to_x01 (B : bit_vector) return std_ulogic_vector;
  function to_x01 (B : bit) return X01;
  function to_x01z (S : std_ulogic_vector) return std_ulogic_vector;
  function to_x01z (S : std_ulogic) return X01Z;
  function to_x01z (B : bit_vector) return std_ulogic_vector;
  function to_x01z (B : bit) return X01Z;
  function to_ux01 (S : std_ulogic_vector) return std_ulogic_vector;
  function to_ux01 (S : std_ulogic) return UX01;
  function to_ux01 (B : bit_vector) return std_ulogic_vector;
  function to_ux01 (B : bit) return UX01;

  -- Is any element none of 0, 1, L, H?
  function is_x (S : std_ulogic_vector) return boolean;
  function is_x (S : std_ulogic) return boolean;

  -- A change from 0 or L to 1 or H, and back.
  function rising_edge (signal S : std_ulogic) return boolean;
  function falling_edge (signal S : std_ulogic) return boolean;

  -- Strings and text files.
  alias to_bstring       is to_string  [std_ulogic_vector return string];
  alias to_binary_string is to_string  [std_ulogic_vector return string];
  function to_ostring (VALUE : std_ulogic_vector) return string;
  alias to_octal_string  is to_ostring [std_ulogic_vector return string];
  function to_hstring (VALUE : std_ulogic_vector) return string;
  alias to_hex_string    is to_hstring [std_ulogic_vector return string];

  procedure read (L : inout line; VALUE : out std_ulogic; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out std_ulogic);
  procedure write (L : inout line; VALUE : in std_ulogic;
      JUSTIFIED : in side := right; FIELD : in width := 0);

  procedure read (L : inout line; VALUE : out std_ulogic_vector; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out std_ulogic_vector);
  procedure oread (L : inout line; VALUE : out std_ulogic_vector; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out std_ulogic_vector);
  procedure hread (L : inout line; VALUE : out std_ulogic_vector; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out std_ulogic_vector);
  procedure write (L : inout line; VALUE : in std_ulogic_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure owrite (L : inout line; VALUE : in std_ulogic_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in std_ulogic_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  -- Predefined with the type; declared because the analysis does not think of them.
  function minimum (L, R : std_ulogic_vector) return std_ulogic_vector;
  function maximum (L, R : std_ulogic_vector) return std_ulogic_vector;

  alias bread is read [line, std_ulogic_vector, boolean];
  alias bread is read [line, std_ulogic_vector];
  alias binary_read is read [line, std_ulogic_vector, boolean];
  alias binary_read is read [line, std_ulogic_vector];
  alias octal_read is oread [line, std_ulogic_vector, boolean];
  alias octal_read is oread [line, std_ulogic_vector];
  alias hex_read is hread [line, std_ulogic_vector, boolean];
  alias hex_read is hread [line, std_ulogic_vector];
  alias bwrite is write [line, std_ulogic_vector, side, width];
  alias binary_write is write [line, std_ulogic_vector, side, width];
  alias octal_write is owrite [line, std_ulogic_vector, side, width];
  alias hex_write is hwrite [line, std_ulogic_vector, side, width];

end package std_logic_1164;
