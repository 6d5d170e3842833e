-- uart_pkg: types of the UART
-- -----------------------------------------------------------------------------
-- What it is
--   A byte, the states that sender and receiver go through, a received frame, and
--   the conversions that make of it a word that can cross clock domains.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;

package uart_pkg is

  subtype byte_t is std_logic_vector(7 downto 0);

  -- LOW_LINE: after a frame error, until the line is high again
  type line_state_t is (IDLE, START_BIT, DATA_BITS, STOP_BIT, LOW_LINE);

  -- what a sender goes through
  subtype send_state_t is line_state_t range IDLE to STOP_BIT;

  type frame_t is record
    error : std_logic;                           -- the stop bit was low
    data  : byte_t;
  end record frame_t;

  subtype frame_word_t is std_logic_vector(byte_t'length downto 0);

  function to_word (frame : frame_t) return std_logic_vector;
  function to_frame (word : std_logic_vector) return frame_t;

end package uart_pkg;

package body uart_pkg is

  function to_word (frame : frame_t) return std_logic_vector is
  begin
    return frame.error & frame.data;
  end function to_word;

  function to_frame (word : std_logic_vector) return frame_t is
    alias bits : std_logic_vector(byte_t'length downto 0) is word;
  begin
    return (error => bits(bits'left), data => bits(byte_t'range));
  end function to_frame;

end package body uart_pkg;
