-- uart: transmitter and receiver in a clock domain of their own
-- -----------------------------------------------------------------------------
-- What it is
--   A UART, 8 data bits, no parity, 1 stop bit.  Its bits are timed by uart_clk;
--   bytes come from, and go to, a bus in bus_clk.
--
-- Clocks
--   bus_clk, bus_rst_n     the bus; reset, active low, asynchronous
--   uart_clk, uart_rst_n   the lines; reset, active low, asynchronous
--   rxd                    belongs to no clock
--   Both resets must be asserted together before first use.
--
-- Contract, bus_clk
--   loopback             1 (also after reset): receive what is sent, and ignore
--                        rxd.  Change it only while the lines are idle.
--   tx_valid, tx_data    a byte to send is offered
--   tx_ready             it is taken at this bus_clk edge if tx_valid
--   rx_valid             a received byte is offered; it is stable until taken
--   rx_data, rx_error    the byte; its stop bit was low
--   rx_ready             it is taken at this bus_clk edge if rx_valid
--   rx_overrun           high one cycle: bytes came while the last was not taken or
--                        still crossing, and were lost.  A crossing lasts about 5
--                        cycles of each clock, a frame 10*DIVISOR uart_clk cycles.
-- Contract, uart_clk
--   txd                  the line out; registered
--
-- Generics
--   DIVISOR   uart_clk cycles a bit (>= 4)
--   BUG       0 = correct; other values seed a defect, see below
--
-- How it works
--   tx_data -> handshake -> uart_tx -> txd
--   rxd -> sync_bit -> multiplexer (loopback) -> uart_rx -> handshake -> rx_data
--                                                       \-> pulse_sync -> rx_overrun
--   loopback -> register -> sync_bit -> multiplexer
--   Each byte crosses together with its error flag, as one word.
--
-- Which asserts guard it
--   uart_clk  as long as loopback has been on ever since reset, each byte received
--             is the byte sent, without error.  That byte is noted when its stop
--             bit begins, and kept until the next one's does; the receiver reports
--             between the two.
--   bus_clk   rx_valid, rx_data and rx_error stay until taken
--   and those of the parts
--
-- Seeded bugs
--   1  rxd not synchronised: the receiver sees the raw line.  Structural.
--   2  receiver waits a whole bit after the start edge, so it samples at the edges
--      of bits.  Functional: loopback assert.
--   3  combinational logic before the synchroniser: the loopback multiplexer stands
--      before it, not behind.  Structural.
--   4  request not held: in the handshake of tx_data req lasts one bus_clk cycle.
--      Functional: req assert; bytes lost when uart_clk is slow.
--   5  swapped clocks: the bus side of the handshake of rx_data runs on uart_clk.
--      Functional: bus assert; bytes lost or doubled.  Structural.
--   6  reset in the wrong domain: the receiver is reset by bus_rst_n, which is
--      released anywhere in a uart_clk cycle.  Structural.
--   7  reconvergence: the error flag crosses on its own and meets its byte on the
--      bus.  Functional: bus assert, a wrong flag, when the bus is slow to take a
--      byte and the next one has another flag.  Structural.
--   8  missing synchroniser stage: one flop on rxd.  Structural.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;
use work.uart_pkg.all;

entity uart is
  generic (
    DIVISOR : positive range 4 to 65536 := 16;
    BUG     : natural                   := 0
  );
  port (
    bus_clk    : in  std_logic;
    bus_rst_n  : in  std_logic;
    loopback   : in  std_logic;
    tx_valid   : in  std_logic;
    tx_ready   : out std_logic;
    tx_data    : in  byte_t;
    rx_valid   : out std_logic;
    rx_ready   : in  std_logic;
    rx_data    : out byte_t;
    rx_error   : out std_logic;
    rx_overrun : out std_logic;

    uart_clk   : in  std_logic;
    uart_rst_n : in  std_logic;
    txd        : out std_logic;
    rxd        : in  std_logic
  );
  -- No clock drives the line.
  attribute entail_clock : string;
  attribute entail_clock of rxd : signal is "none";
end entity uart;

architecture rtl of uart is

  -- uart_clk
  signal send_valid, send_ready, send_stop : std_logic;
  signal send_data                         : byte_t;
  signal loop_uart                         : std_logic;
  signal line                              : std_logic;
  signal got_valid, got_ready, lost        : std_logic;
  signal got                               : frame_t;
  signal got_word                          : frame_word_t;
  signal rx_rst_n                          : std_logic;

  -- bus_clk
  signal loop_bus                          : std_logic;
  signal offered                           : frame_word_t;
  signal taken                             : frame_t;

  -- the seeded defect of the transmit handshake: see there
  function transmit_bug return natural is
  begin
    if BUG = 4 then
      return 3;
    end if;
    return 0;
  end function transmit_bug;

begin

  -- ---- transmit: bus_clk to uart_clk -----------------------------------------
  transmit_link : entity work.handshake
    generic map (WIDTH => byte_t'length, BUG => transmit_bug)
    port map (
      src_clk   => bus_clk,
      src_rst_n => bus_rst_n,
      src_valid => tx_valid,
      src_ready => tx_ready,
      src_data  => tx_data,
      dst_clk   => uart_clk,
      dst_rst_n => uart_rst_n,
      dst_valid => send_valid,
      dst_ready => send_ready,
      dst_data  => send_data
    );

  transmitter : entity work.uart_tx
    generic map (DIVISOR => DIVISOR)
    port map (
      clk   => uart_clk,
      rst_n => uart_rst_n,
      valid => send_valid,
      ready => send_ready,
      data  => send_data,
      txd   => txd,
      stop  => send_stop
    );

  -- ---- loopback: bus_clk to uart_clk -----------------------------------------
  process (bus_clk, bus_rst_n)
  begin
    if bus_rst_n = '0' then
      loop_bus <= '1';
    elsif rising_edge(bus_clk) then
      loop_bus <= loopback;
    end if;
  end process;

  loop_chain : component sync_bit
    generic map (RESET => '1')
    port map (clk => uart_clk, rst_n => uart_rst_n, d => loop_bus, q => loop_uart);

  -- ---- the line in -----------------------------------------------------------
  line_in : if BUG = 1 generate
    line <= txd when loop_uart = '1' else rxd;
  elsif BUG = 3 generate
    signal either : std_logic;
  begin
    either <= txd when loop_uart = '1' else rxd;
    line_chain : component sync_bit
      generic map (RESET => '1')
      port map (clk => uart_clk, rst_n => uart_rst_n, d => either, q => line);
  else generate
    signal settled : std_logic;
  begin
    line_chain : component sync_bit
      generic map (STAGES => chain_length(2, missing => BUG = 8), RESET => '1')
      port map (clk => uart_clk, rst_n => uart_rst_n, d => rxd, q => settled);
    line <= txd when loop_uart = '1' else settled;
  end generate line_in;

  -- ---- receive: uart_clk to bus_clk ------------------------------------------
  rx_rst_n <= bus_rst_n when BUG = 6 else uart_rst_n;

  receiver : entity work.uart_rx
    generic map (DIVISOR => DIVISOR, LATE => BUG = 2)
    port map (
      clk   => uart_clk,
      rst_n => rx_rst_n,
      line  => line,
      valid => got_valid,
      frame => got
    );

  got_word <= to_word(got);

  receive_link : if BUG = 5 generate
    link : entity work.handshake
      generic map (WIDTH => frame_word_t'length)
      port map (
        src_clk   => uart_clk,
        src_rst_n => uart_rst_n,
        src_valid => got_valid,
        src_ready => got_ready,
        src_data  => got_word,
        dst_clk   => uart_clk,
        dst_rst_n => uart_rst_n,
        dst_valid => rx_valid,
        dst_ready => rx_ready,
        dst_data  => offered
      );
  else generate
    link : entity work.handshake
      generic map (WIDTH => frame_word_t'length)
      port map (
        src_clk   => uart_clk,
        src_rst_n => uart_rst_n,
        src_valid => got_valid,
        src_ready => got_ready,
        src_data  => got_word,
        dst_clk   => bus_clk,
        dst_rst_n => bus_rst_n,
        dst_valid => rx_valid,
        dst_ready => rx_ready,
        dst_data  => offered
      );
  end generate receive_link;

  taken   <= to_frame(offered);
  rx_data <= taken.data;

  error_flag : if BUG = 7 generate
    error_chain : component sync_bit
      port map (clk => bus_clk, rst_n => bus_rst_n, d => got.error, q => rx_error);
  else generate
    rx_error <= taken.error;
  end generate error_flag;

  -- ---- overrun: uart_clk to bus_clk ------------------------------------------
  lost <= got_valid and not got_ready;

  overrun_link : entity work.pulse_sync
    port map (
      src_clk   => uart_clk,
      src_rst_n => uart_rst_n,
      src_pulse => lost,
      src_busy  => open,                         -- one report may stand for several
      dst_clk   => bus_clk,
      dst_rst_n => bus_rst_n,
      dst_pulse => rx_overrun
    );

  -- ---- checks ----------------------------------------------------------------
  -- current: the byte in the transmitter; sent: the last one whose stop bit began
  -- clean: since reset, loopback has never been off
  loop_check : process (uart_clk, uart_rst_n)
    variable current, sent : byte_t;
    variable clean         : boolean;
  begin
    if uart_rst_n = '0' then
      current := (others => '0');
      sent    := (others => '0');
      clean   := true;
    elsif rising_edge(uart_clk) then
      assert not (clean and got_valid = '1') or (got.data = sent and got.error = '0')
        report "uart: loopback byte differs from the byte sent" severity error;
      if send_stop = '1' then
        sent := current;
      end if;
      if send_valid = '1' and send_ready = '1' then
        current := send_data;
      end if;
      clean := clean and loop_uart = '1';
    end if;
  end process loop_check;

  bus_check : process (bus_clk, bus_rst_n)
    variable waiting : boolean;                  -- a byte was offered and not taken
    variable before  : frame_t;
  begin
    if bus_rst_n = '0' then
      waiting := false;
      before  := ('0', x"00");
    elsif rising_edge(bus_clk) then
      assert not waiting or (rx_valid = '1' and frame_t'(rx_error, rx_data) = before)
        report "uart: offered byte changed or withdrawn" severity error;
      waiting := rx_valid = '1' and rx_ready = '0';
      before  := (error => rx_error, data => rx_data);
    end if;
  end process bus_check;

end architecture rtl;
