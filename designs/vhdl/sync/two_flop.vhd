-- two_flop: level synchroniser with edge detector
-- -----------------------------------------------------------------------------
-- What it is
--   The elementary crossing: one bit, registered in the source domain, passes
--   through STAGES flops of the destination clock.
--
-- Clocks
--   src_clk, src_rst_n   source clock; reset, active low, asynchronous
--   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract
--   src_a, src_b   the level that crosses is src_a and src_b; it must last longer
--                  than one dst_clk period to be seen
--   dst_q          the level in the destination domain
--   dst_rise       high for one dst_clk cycle at each rise of dst_q
--
-- Generics
--   STAGES   flops in the synchroniser (>= 2)
--   BUG      0 = correct; other values seed a defect, see below
--
-- How it works, and why it is right
--   The AND is registered before it crosses, so the crossing wire is free of
--   glitches and changes once a source cycle.  The first destination flop may go
--   metastable; nothing but the second looks at it, so it has a whole cycle to
--   settle.  dst_rise derives from settled flops of this one chain alone.
--
-- Which asserts guard it (dst_clk)
--   dst_rise implies dst_q; dst_rise implies dst_q was low the cycle before;
--   a rise of dst_q is always reported.
--
-- Seeded bugs
--   1  missing flop: a single-stage synchroniser.  Structural.
--   2  combinational logic before the synchroniser: the AND is not registered,
--      and glitches when both inputs switch.  Structural.
--   3  first flop fans out: dst_rise looks at the stage that may be metastable.
--      Structural, and functional: dst_rise comes a cycle before dst_q.
--   4  reconvergence: dst_rise uses a second, parallel synchroniser of the same
--      bit.  The two may settle a cycle apart, so dst_rise may be lost or wrong.
--      Invisible at zero delay; needs a crossing model.
--   5  swapped clocks: the synchroniser runs on src_clk, and dst_clk logic sees
--      its output raw, and late if src_clk is slow.  Structural.
--   6  reset in the wrong domain: the synchroniser is reset by src_rst_n, which
--      is released anywhere in a dst_clk cycle.  Structural.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;

entity two_flop is
  generic (
    STAGES : positive := 2;
    BUG    : natural  := 0
  );
  port (
    src_clk   : in  std_logic;
    src_rst_n : in  std_logic;
    src_a     : in  std_logic;
    src_b     : in  std_logic;

    dst_clk   : in  std_logic;
    dst_rst_n : in  std_logic;
    dst_q     : out std_logic;
    dst_rise  : out std_logic
  );
end entity two_flop;

architecture rtl of two_flop is
  constant LENGTH : positive := chain_length(STAGES, missing => BUG = 1);

  signal crossing    : std_logic;                -- what crosses
  signal chain_rst_n : std_logic;
  signal level       : std_logic;                -- settled
  signal level_prev  : std_logic;
  signal rise        : std_logic;
begin

  -- ---- source domain ---------------------------------------------------------
  source : if BUG = 2 generate
    crossing <= src_a and src_b;
  else generate
    signal src_q : std_logic;
  begin
    capture : process (src_clk, src_rst_n)
    begin
      if src_rst_n = '0' then
        src_q <= '0';
      elsif rising_edge(src_clk) then
        src_q <= src_a and src_b;
      end if;
    end process capture;
    crossing <= src_q;
  end generate source;

  -- ---- synchroniser ----------------------------------------------------------
  chain_rst_n <= src_rst_n when BUG = 6 else dst_rst_n;

  chains : if BUG = 3 generate
    signal first : std_logic;
  begin
    head : component sync_bit
      generic map (STAGES => 1)
      port map (clk => dst_clk, rst_n => chain_rst_n, d => crossing, q => first);
    tail : component sync_bit
      generic map (STAGES => LENGTH - 1)
      port map (clk => dst_clk, rst_n => chain_rst_n, d => first, q => level);
    rise <= first and not level;
  elsif BUG = 4 generate
    signal level_b : std_logic;
  begin
    chain : component sync_bit
      generic map (STAGES => LENGTH)
      port map (clk => dst_clk, rst_n => chain_rst_n, d => crossing, q => level);
    chain_b : component sync_bit
      generic map (STAGES => LENGTH)
      port map (clk => dst_clk, rst_n => chain_rst_n, d => crossing, q => level_b);
    rise <= level_b and not level_prev;
  elsif BUG = 5 generate
    chain : component sync_bit
      generic map (STAGES => LENGTH)
      port map (clk => src_clk, rst_n => src_rst_n, d => crossing, q => level);
    rise <= level and not level_prev;
  else generate
    chain : component sync_bit
      generic map (STAGES => LENGTH)
      port map (clk => dst_clk, rst_n => chain_rst_n, d => crossing, q => level);
    rise <= level and not level_prev;
  end generate chains;

  -- ---- destination domain ----------------------------------------------------
  remember : process (dst_clk, dst_rst_n)
  begin
    if dst_rst_n = '0' then
      level_prev <= '0';
    elsif rising_edge(dst_clk) then
      level_prev <= level;
    end if;
  end process remember;

  dst_q    <= level;
  dst_rise <= rise;

  -- ---- checks ----------------------------------------------------------------
  check : process (dst_clk)
  begin
    if rising_edge(dst_clk) and dst_rst_n = '1' then
      assert not (rise = '1' and level = '0')
        report "two_flop: rise reported, level is low" severity error;
      assert not (rise = '1' and level_prev = '1')
        report "two_flop: rise reported, level was high before" severity error;
      assert rise = '1' or level = '0' or level_prev = '1'
        report "two_flop: rise not reported" severity error;
    end if;
  end process check;

end architecture rtl;
