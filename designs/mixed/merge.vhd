-- merge: two writers in one clock domain share a reader in another
-- -----------------------------------------------------------------------------
-- What it is
--   Each writer has a queue of its own (async_fifo, in VHDL).  The reader takes
--   words from both in turn, as a round-robin arbiter (arbiter, in SystemVerilog)
--   decides.
--
-- Clocks
--   wr_clk, wr_rst_n   write clock; reset, active low, asynchronous
--   rd_clk, rd_rst_n   read clock; reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract
--   wr_en, wr_data, wr_full   one bit and one word for each writer; bits and
--                             words of writer 0 are the rightmost
--   rd_en                     take the word offered at this rd_clk edge
--   rd_valid, rd_data         a word is offered; zero if none is
--   rd_from                   whose word it is: one-hot
--
-- Generics
--   WIDTH         bits in a word
--   DEPTH_LOG2    log2 of the number of words in each queue
--   ARBITER_BUG   seeds a defect of the arbiter, see there
--
-- Which asserts guard it
--   those of async_fifo and arbiter
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;

entity merge is
  generic (
    WIDTH       : positive := 4;
    DEPTH_LOG2  : positive := 2;
    ARBITER_BUG : natural  := 0
  );
  port (
    wr_clk   : in  std_logic;
    wr_rst_n : in  std_logic;
    wr_en    : in  std_logic_vector(1 downto 0);
    wr_data  : in  std_logic_vector(2 * WIDTH - 1 downto 0);
    wr_full  : out std_logic_vector(1 downto 0);
    rd_clk   : in  std_logic;
    rd_rst_n : in  std_logic;
    rd_en    : in  std_logic;
    rd_valid : out std_logic;
    rd_data  : out std_logic_vector(WIDTH - 1 downto 0);
    rd_from  : out std_logic_vector(1 downto 0)
  );
end entity;

architecture rtl of merge is
  -- The module of designs/arbiter/arbiter.sv.
  component arbiter is
    generic (
      N   : positive;
      BUG : natural := 0
    );
    port (
      clk   : in  std_logic;
      rst_n : in  std_logic;
      req   : in  std_logic_vector(N - 1 downto 0);
      take  : in  std_logic;
      gnt   : out std_logic_vector(N - 1 downto 0)
    );
  end component;

  type words_t is array (0 to 1) of std_logic_vector(WIDTH - 1 downto 0);
  signal words     : words_t;
  signal empty     : std_logic_vector(1 downto 0);
  signal grant     : std_logic_vector(1 downto 0);
  signal pop       : std_logic_vector(1 downto 0);
begin

  queues : for i in 0 to 1 generate
    queue : entity work.async_fifo
      generic map (
        DEPTH_LOG2 => DEPTH_LOG2,
        WIDTH      => WIDTH,
        STYLE      => "distributed"
      )
      port map (
        wr_clk   => wr_clk,
        wr_rst_n => wr_rst_n,
        wr_en    => wr_en(i),
        wr_data  => wr_data((i + 1) * WIDTH - 1 downto i * WIDTH),
        wr_full  => wr_full(i),
        wr_level => open,
        rd_clk   => rd_clk,
        rd_rst_n => rd_rst_n,
        rd_en    => pop(i),
        rd_empty => empty(i),
        rd_level => open,
        rd_valid => open,
        rd_data  => words(i)
      );
  end generate;

  turn : arbiter
    generic map (N => 2, BUG => ARBITER_BUG)
    port map (clk => rd_clk, rst_n => rd_rst_n, req => not empty, take => rd_en, gnt => grant);

  pop      <= grant when rd_en = '1' else "00";
  rd_valid <= or grant;
  rd_from  <= grant;
  rd_data  <= words(0) when grant(0) = '1' else words(1) when grant(1) = '1' else (others => '0');

end architecture;
