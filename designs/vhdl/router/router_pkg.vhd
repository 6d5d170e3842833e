-- router_pkg: packets and their parts
-- -----------------------------------------------------------------------------
-- What it is
--   A packet is a head flit and up to 3 payload flits.  The head holds
--       top bit            the destination, output 0 or 1
--       two lowest bits    how many payload flits follow
--   and anything between.  Flits have any width from 3 bits; a flit is a record
--   whose data field is unconstrained.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package router_pkg is

  constant OUTPUTS   : positive := 2;
  constant LEFT_BITS : positive := 2;

  subtype output_t is natural range 0 to OUTPUTS - 1;
  subtype left_t is natural range 0 to 2 ** LEFT_BITS - 1;
  subtype per_output_t is std_logic_vector(OUTPUTS - 1 downto 0);

  type flit_t is record
    last : std_logic;                            -- it ends its packet
    data : std_logic_vector;
  end record flit_t;

  function destination (head : std_logic_vector) return output_t;
  function payload (head : std_logic_vector) return left_t;

  -- A flit as a word with `last` on top, and back.
  function to_word (flit : flit_t) return std_logic_vector;
  function to_flit (word : std_logic_vector) return flit_t;

  function one_hot (index : output_t) return per_output_t;

end package router_pkg;

package body router_pkg is

  function destination (head : std_logic_vector) return output_t is
    alias bits : std_logic_vector(head'length - 1 downto 0) is head;
  begin
    if bits(bits'high) = '1' then
      return 1;
    end if;
    return 0;
  end function destination;

  function payload (head : std_logic_vector) return left_t is
    alias bits : std_logic_vector(head'length - 1 downto 0) is head;
  begin
    return to_integer(unsigned(bits(LEFT_BITS - 1 downto 0)));
  end function payload;

  function to_word (flit : flit_t) return std_logic_vector is
  begin
    return flit.last & flit.data;
  end function to_word;

  function to_flit (word : std_logic_vector) return flit_t is
    alias bits : std_logic_vector(word'length - 1 downto 0) is word;
    variable flit : flit_t(data(word'length - 2 downto 0));
  begin
    flit.last := bits(bits'high);
    flit.data := bits(bits'high - 1 downto 0);
    return flit;
  end function to_flit;

  function one_hot (index : output_t) return per_output_t is
    variable bits : per_output_t := (others => '0');
  begin
    bits(index) := '1';
    return bits;
  end function one_hot;

end package body router_pkg;
