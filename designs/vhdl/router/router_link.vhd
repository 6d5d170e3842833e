-- router_link: takes words from one clock domain to another
-- -----------------------------------------------------------------------------
-- What it is
--   One entity over two ways to cross, with valid/ready on both sides: a small
--   FIFO (fast) or a handshake (small).
--
-- Clocks
--   src_clk, src_rst_n   source clock; reset, active low, asynchronous
--   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
--
-- Contract
--   As that of handshake: a word is taken where valid and ready are both high; an
--   offered word is stable until taken.  The width is that of the actuals.
--
-- Generics
--   FIFO        true: async_fifo with combinational read; false: handshake
--   DEPTH_LOG2  log2 of the FIFO's depth
--   BUG         0 = correct; 1 = binary pointers (FIFO) or request not held
--               (handshake); 2 = missing synchroniser stage
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity router_link is
  generic (
    FIFO       : boolean;
    DEPTH_LOG2 : positive;
    BUG        : natural range 0 to 2
  );
  port (
    src_clk   : in  std_logic;
    src_rst_n : in  std_logic;
    src_valid : in  std_logic;
    src_ready : out std_logic;
    src_word  : in  std_logic_vector;

    dst_clk   : in  std_logic;
    dst_rst_n : in  std_logic;
    dst_valid : out std_logic;
    dst_ready : in  std_logic;
    dst_word  : out std_logic_vector
  );
end entity router_link;

architecture structure of router_link is
  type bug_table_t is array (0 to 2) of natural;
  constant FIFO_BUG      : bug_table_t := (0, 2, 3);
  constant HANDSHAKE_BUG : bug_table_t := (1 => 3, 2 => 1, others => 0);
begin

  crossing : if FIFO generate
    signal full : std_logic;
  begin
    queue : entity work.async_fifo
      generic map (
        DEPTH_LOG2 => DEPTH_LOG2,
        WIDTH      => src_word'length,
        STYLE      => "distributed",
        BUG        => FIFO_BUG(BUG)
      )
      port map (
        wr_clk   => src_clk,
        wr_rst_n => src_rst_n,
        wr_en    => src_valid,
        wr_data  => src_word,
        wr_full  => full,
        wr_level => open,
        rd_clk   => dst_clk,
        rd_rst_n => dst_rst_n,
        rd_en    => dst_ready,
        rd_data  => dst_word,
        rd_valid => dst_valid,
        rd_empty => open,
        rd_level => open
      );

    src_ready <= not full;
  else generate
    transfer : entity work.handshake
      generic map (WIDTH => src_word'length, BUG => HANDSHAKE_BUG(BUG))
      port map (
        src_clk   => src_clk,
        src_rst_n => src_rst_n,
        src_valid => src_valid,
        src_ready => src_ready,
        src_data  => src_word,
        dst_clk   => dst_clk,
        dst_rst_n => dst_rst_n,
        dst_valid => dst_valid,
        dst_ready => dst_ready,
        dst_data  => dst_word
      );
  end generate crossing;

end architecture structure;
