-- uart_rx: UART receiver
-- -----------------------------------------------------------------------------
-- What it is
--   Receives the frames of uart_tx from a line that is already in this clock
--   domain but of unknown phase.  Written as one process whose registers are
--   variables.
--
-- Clock
--   clk, rst_n    reset active low, asynchronous
--
-- Contract
--   line          the line, settled
--   valid         high one cycle: a frame has come
--   frame         its byte; its error flag says that the stop bit was low
--
-- Generics
--   DIVISOR   clk cycles a bit (>= 4)
--   LATE      true = a seeded defect: the middle of a bit is taken to be its end
--
-- How it works
--   A low line starts a frame; half a bit later it must still be low, otherwise it
--   was a spike.  From there one sample each whole bit falls in the middle of the
--   data bits and of the stop bit.  The receiver is idle again in the middle of the
--   stop bit (or, after a frame error, as soon as the line is high), half a bit
--   ahead of the next start bit.
--
-- Which asserts guard it
--   valid lasts one cycle; after a frame error no frame begins before the line is
--   high again
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.uart_pkg.all;

entity uart_rx is
  generic (
    DIVISOR : positive range 4 to 65536 := 16;
    LATE    : boolean                   := false
  );
  port (
    clk   : in  std_logic;
    rst_n : in  std_logic;
    line  : in  std_logic;
    valid : out std_logic;
    frame : out frame_t
  );
end entity uart_rx;

architecture one_process of uart_rx is

  function half_bit return natural is
  begin
    if LATE then
      return DIVISOR - 1;
    else
      return DIVISOR / 2 - 1;
    end if;
  end function half_bit;

begin

  receive : process (clk, rst_n)
    variable state   : line_state_t;
    variable tick    : natural range 0 to DIVISOR - 1;
    variable nth     : integer range 7 downto 0;
    variable valid_p : std_logic;
  begin
    if rst_n = '0' then
      state   := IDLE;
      tick    := 0;
      nth     := 0;
      valid_p := '0';
      valid   <= '0';
      frame   <= (error => '0', data => (others => '0'));
    elsif rising_edge(clk) then

      -- checks: on the state before this edge
      assert (valid and valid_p) = '0'
        report "uart_rx: valid longer than a cycle" severity error;
      assert not (valid = '1' and frame.error = '1') or state = LOW_LINE
        report "uart_rx: frame error, but ready for a frame" severity error;
      assert state = DATA_BITS or nth = 0
        report "uart_rx: data bit counter not at rest" severity error;
      valid_p := valid;

      valid <= '0';
      case state is
        when IDLE =>
          if line = '0' then
            state := START_BIT;
            tick  := 0;
          end if;

        when START_BIT =>
          if tick /= half_bit then
            tick := tick + 1;
          elsif line = '0' then
            state := DATA_BITS;
            tick  := 0;
          else
            state := IDLE;                       -- a spike
          end if;

        when DATA_BITS | STOP_BIT =>
          if tick /= DIVISOR - 1 then
            tick := tick + 1;
          else
            tick := 0;
            if state = STOP_BIT then
              valid       <= '1';
              frame.error <= not line;
              if line = '1' then
                state := IDLE;
              else
                state := LOW_LINE;
              end if;
            else
              frame.data <= line & frame.data(7 downto 1);
              if nth = 7 then
                state := STOP_BIT;
                nth   := 0;
              else
                nth := nth + 1;
              end if;
            end if;
          end if;

        when LOW_LINE =>
          if line = '1' then
            state := IDLE;
          end if;
      end case;
    end if;
  end process receive;

end architecture one_process;
