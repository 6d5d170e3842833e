-- uart_tx: UART transmitter
-- -----------------------------------------------------------------------------
-- What it is
--   Sends bytes as asynchronous serial frames: a start bit (low), eight data bits,
--   lowest first, a stop bit (high).  Written in two processes, one for the logic
--   and one for the registers, which are the fields of one record.
--
-- Clock
--   clk, rst_n    reset active low, asynchronous
--
-- Contract
--   valid, data   a byte is offered
--   ready         it is taken at this clk edge if valid
--   txd           the line; registered, high when idle
--   stop          the stop bit is on the line
--
-- Generics
--   DIVISOR   clk cycles a bit (>= 4, for the receiver's sake)
--
-- Which asserts guard it
--   the line is high when idle, low in the start bit, high in the stop bit; the
--   counters are at rest when they should be
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.uart_pkg.all;

entity uart_tx is
  generic (
    DIVISOR : positive range 4 to 65536 := 16
  );
  port (
    clk   : in  std_logic;
    rst_n : in  std_logic;
    valid : in  std_logic;
    ready : out std_logic;
    data  : in  byte_t;
    txd   : out std_logic;
    stop  : out std_logic
  );
end entity uart_tx;

architecture two_process of uart_tx is

  type registers_t is record
    state : send_state_t;
    tick  : natural range 0 to DIVISOR - 1;      -- cycles of this bit so far
    nth   : natural range 0 to 7;                -- data bit on the line
    shift : byte_t;                              -- bits still to go
    line  : std_logic;
  end record registers_t;

  constant RESET : registers_t := (
    state => IDLE, tick => 0, nth => 0, shift => (others => '0'), line => '1');

  signal r, r_next : registers_t;

  -- The next data bit goes onto the line.
  procedure put_bit (variable v : inout registers_t) is
  begin
    v.line  := v.shift(0);
    v.shift := '0' & v.shift(7 downto 1);
  end procedure put_bit;

begin

  logic : process (all)
    variable v       : registers_t;
    variable bit_end : boolean;
  begin
    v       := r;
    bit_end := r.tick = DIVISOR - 1;

    if r.state = IDLE or bit_end then
      v.tick := 0;
    else
      v.tick := r.tick + 1;
    end if;

    case r.state is
      when IDLE =>
        if valid = '1' then
          v.state := START_BIT;
          v.shift := data;
          v.line  := '0';
        end if;
      when START_BIT =>
        if bit_end then
          v.state := DATA_BITS;
          put_bit(v);
        end if;
      when DATA_BITS =>
        if bit_end and r.nth = 7 then
          v.nth   := 0;
          v.state := STOP_BIT;
          v.line  := '1';
        elsif bit_end then
          v.nth := r.nth + 1;
          put_bit(v);
        end if;
      when STOP_BIT =>
        if bit_end then
          v.state := IDLE;
        end if;
    end case;

    r_next <= v;
    ready  <= '1' when r.state = IDLE else '0';
    stop   <= '1' when r.state = STOP_BIT else '0';
    txd    <= r.line;
  end process logic;

  registers : process (clk, rst_n)
  begin
    if rst_n = '0' then
      r <= RESET;
    elsif rising_edge(clk) then
      r <= r_next;
    end if;
  end process registers;

  -- ---- checks ----------------------------------------------------------------
  check : process (clk)
  begin
    if rising_edge(clk) and rst_n = '1' then
      assert r.state /= IDLE or r.line = '1'
        report "uart_tx: line low when idle" severity error;
      assert r.state /= START_BIT or r.line = '0'
        report "uart_tx: start bit high" severity error;
      assert r.state /= STOP_BIT or r.line = '1'
        report "uart_tx: stop bit low" severity error;
      assert r.state = DATA_BITS or r.nth = 0
        report "uart_tx: data bit counter not at rest" severity error;
      assert r.state /= IDLE or r.tick = 0
        report "uart_tx: bit counter not at rest" severity error;
    end if;
  end process check;

end architecture two_process;
