-- pulse_sync: toggle-based pulse synchroniser with busy feedback
-- -----------------------------------------------------------------------------
-- What it is
--   Carries single-cycle events from one clock domain to another, whichever clock
--   is the faster; one dst_pulse for each accepted src_pulse.
--
-- Clocks
--   src_clk, src_rst_n   source clock; reset, active low, asynchronous
--   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract
--   src_pulse   an event, for each src_clk edge at which it is high and src_busy
--               is low
--   src_busy    the last event is still under way; pulses are ignored
--   dst_pulse   high for one dst_clk cycle an event
--
-- Generics
--   STAGES   flops in each synchroniser (>= 2)
--   BUG      0 = correct; other values seed a defect, see below
--
-- How it works, and why it is right
--   An accepted pulse flips the register `sent`, and that level crosses: an event
--   is a change of level, which lasts until the next event and so cannot fall
--   between two dst_clk edges.  The destination compares the level that arrives
--   with `seen`, the level it has already reported; a difference is the pulse.
--   `seen` crosses back, and src_busy is "sent, not yet seen", so a second flip
--   cannot overtake the first.
--
-- Which asserts guard it
--   src_clk  `sent` never flips while busy; src_busy rises only after an accepted
--            pulse
--   dst_clk  dst_pulse lasts one cycle
--
-- Seeded bugs
--   1  missing flop: single-stage synchroniser to the destination.  Structural.
--   2  combinational logic before the synchroniser: the XOR that computes the
--      next level crosses, not the register.  Structural; it is also a cycle
--      early, and reacts to pulses that are gone at the src_clk edge.
--   3  pulse too short: the pulse itself crosses as a level, one src_clk cycle
--      long; lost when dst_clk is the slower.  Functional: src_busy never falls.
--   4  busy not honoured: two pulses close together flip the level twice and
--      vanish.  Functional: src_clk assert, lost events.
--   5  swapped clocks: the synchroniser of the feedback runs on dst_clk, and
--      src_clk logic sees its output raw.  Structural.
--   6  reset in the wrong domain: `seen` is reset by src_rst_n, which is released
--      anywhere in a dst_clk cycle.  Structural.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;

entity pulse_sync is
  generic (
    STAGES : positive := 2;
    BUG    : natural  := 0
  );
  port (
    src_clk   : in  std_logic;
    src_rst_n : in  std_logic;
    src_pulse : in  std_logic;
    src_busy  : out std_logic;

    dst_clk   : in  std_logic;
    dst_rst_n : in  std_logic;
    dst_pulse : out std_logic
  );
end entity pulse_sync;

architecture rtl of pulse_sync is
  signal sent    : std_logic;                    -- src_clk: flips at each event
  signal crosses : std_logic;                    -- what goes to the destination
  signal arrived : std_logic;                    -- dst_clk: `crosses`, settled
  signal seen    : std_logic;                    -- dst_clk: flips at each report
  signal back    : std_logic;                    -- src_clk: `seen`, settled
  signal seen_rst_n : std_logic;
begin

  -- ---- source domain ---------------------------------------------------------
  source : block
    signal take, take_q, busy_q : std_logic;
  begin
    -- 2008 allows src_busy, an output, to be read
    src_busy <= sent xor back;
    take     <= src_pulse when BUG = 4 else src_pulse and not src_busy;

    registers : process (src_clk, src_rst_n)
    begin
      if src_rst_n = '0' then
        sent   <= '0';
        take_q <= '0';
        busy_q <= '0';
      elsif rising_edge(src_clk) then
        flip_if(sent, enable => take);
        take_q <= take;
        busy_q <= src_busy;
      end if;
    end process registers;

    what_crosses : if BUG = 2 generate
      crosses <= sent xor take;
    elsif BUG = 3 generate
      crosses <= take_q;
    else generate
      crosses <= sent;
    end generate what_crosses;

    check : process (src_clk)
    begin
      if rising_edge(src_clk) and src_rst_n = '1' then
        assert (take nand src_busy) = '1'
          report "pulse_sync: toggle flipped while busy" severity error;
        assert (src_busy and not busy_q and not take_q) = '0'
          report "pulse_sync: busy without a pulse" severity error;
      end if;
    end process check;
  end block source;

  -- ---- synchronisers ---------------------------------------------------------
  seen_rst_n <= src_rst_n when BUG = 6 else dst_rst_n;

  forth_chain : entity work.sync_bit
    generic map (chain_length(STAGES, BUG = 1), '0')
    port map (dst_clk, dst_rst_n, crosses, arrived);

  feedback : if BUG = 5 generate
    back_chain : entity work.sync_bit
      generic map (STAGES, '0')
      port map (dst_clk, dst_rst_n, seen, back);
  else generate
    back_chain : entity work.sync_bit
      generic map (STAGES, '0')
      port map (src_clk, src_rst_n, seen, back);
  end generate feedback;

  -- ---- destination domain ----------------------------------------------------
  destination : block
    signal pulse_q, arrived_q : std_logic;
  begin
    detect : if BUG = 3 generate
      dst_pulse <= arrived and not arrived_q;
    else generate
      dst_pulse <= arrived xor seen;
    end generate detect;

    report_event : process (dst_clk, seen_rst_n)
    begin
      if seen_rst_n = '0' then
        seen <= '0';
      elsif rising_edge(dst_clk) then
        flip_if(seen, enable => dst_pulse);
      end if;
    end process report_event;

    remember : process (dst_clk, dst_rst_n)
    begin
      if dst_rst_n = '0' then
        (pulse_q, arrived_q) <= std_logic_vector'("00");
      elsif rising_edge(dst_clk) then
        pulse_q   <= dst_pulse;
        arrived_q <= arrived;
      end if;
    end process remember;

    check : process (dst_clk)
    begin
      if rising_edge(dst_clk) and dst_rst_n = '1' then
        assert (dst_pulse and pulse_q) = '0'
          report "pulse_sync: pulse longer than a cycle" severity error;
      end if;
    end process check;
  end block destination;

end architecture rtl;
