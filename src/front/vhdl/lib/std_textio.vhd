-- STD.TEXTIO of VHDL-2008: text files and lines. Declarations of our own, without a body.

package textio is

  type line is access string;
  type text is file of string;
  type side is (right, left);
  subtype width is natural;

  file input  : text open read_mode  is "STD_INPUT";
  file output : text open write_mode is "STD_OUTPUT";

  function justify (VALUE : string; JUSTIFIED : side := right; FIELD : width := 0) return string;

  procedure readline  (file F : text; L : inout line);
  procedure writeline (file F : text; L : inout line);
  procedure tee       (file F : text; L : inout line);

  procedure read (L : inout line; VALUE : out bit; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out bit);
  procedure read (L : inout line; VALUE : out bit_vector; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out bit_vector);
  procedure read (L : inout line; VALUE : out boolean; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out boolean);
  procedure read (L : inout line; VALUE : out character; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out character);
  procedure read (L : inout line; VALUE : out integer; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out integer);
  procedure read (L : inout line; VALUE : out real; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out real);
  procedure read (L : inout line; VALUE : out string; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out string);
  procedure read (L : inout line; VALUE : out time; GOOD : out boolean);
  procedure read (L : inout line; VALUE : out time);
  procedure oread (L : inout line; VALUE : out bit_vector; GOOD : out boolean);
  procedure oread (L : inout line; VALUE : out bit_vector);
  procedure hread (L : inout line; VALUE : out bit_vector; GOOD : out boolean);
  procedure hread (L : inout line; VALUE : out bit_vector);
  procedure sread (L : inout line; VALUE : out string; STRLEN : out natural);

  alias bread is read [line, bit_vector, boolean];
  alias bread is read [line, bit_vector];
  alias binary_read is read [line, bit_vector, boolean];
  alias binary_read is read [line, bit_vector];
  alias octal_read is oread [line, bit_vector, boolean];
  alias octal_read is oread [line, bit_vector];
  alias hex_read is hread [line, bit_vector, boolean];
  alias hex_read is hread [line, bit_vector];
  alias string_read is sread [line, string, natural];

  procedure write (L : inout line; VALUE : in bit;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in bit_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in boolean;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in character;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in integer;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in real;
      JUSTIFIED : in side := right; FIELD : in width := 0; DIGITS : in natural := 0);
  procedure write (L : inout line; VALUE : in string;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in time;
      JUSTIFIED : in side := right; FIELD : in width := 0; UNIT : in time := ns);
  procedure owrite (L : inout line; VALUE : in bit_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure hwrite (L : inout line; VALUE : in bit_vector;
      JUSTIFIED : in side := right; FIELD : in width := 0);
  procedure write (L : inout line; VALUE : in real; FORMAT : in string);

  alias swrite is write [line, string, side, width];
  alias string_write is write [line, string, side, width];
  alias bwrite is write [line, bit_vector, side, width];
  alias binary_write is write [line, bit_vector, side, width];
  alias octal_write is owrite [line, bit_vector, side, width];
  alias hex_write is hwrite [line, bit_vector, side, width];

end package textio;
