-- flag_fifo: dual-clock FIFO over a block RAM whose flags compare raw pointers
-- -----------------------------------------------------------------------------
-- What it is
--   A queue of 2**DEPTH_LOG2 - 1 words, written in one clock domain and read in
--   another, unrelated one.  It has no synchronisers: each flag is a register
--   that captures a comparison with the other side's pointer, as it is at that
--   moment.  Such queues were common in FPGAs, since they are small and fast to
--   answer; async_fifo is the one to use.
--
-- Clocks
--   wr_clk, wr_rst_n   write clock; write-side reset, active low, asynchronous
--   rd_clk, rd_rst_n   read clock; read-side reset, active low, asynchronous
--   Both resets must be asserted together before first use.  Both clocks must be
--   slow enough for a comparison to settle between two edges of either.
--
-- Contract
--   wr_en, wr_data   push at this wr_clk edge (ignored while wr_full)
--   wr_full          no room; may stay high too long
--   rd_en            pop at this rd_clk edge (ignored while rd_empty)
--   rd_empty         nothing to read; may stay high too long
--   rd_data          the word popped at the last rd_clk edge with rd_en
--
-- Generics
--   DEPTH_LOG2   log2 of the number of words in the memory (>= 2)
--   WIDTH        bits in a word
--   BUG          0 = correct; other values seed a defect, see below
--
-- How it works
--   Each side has a binary counter and the Gray codes of the last places: the
--   next one, the one before it (here), and on the read side one more (last).
--   The queue is empty if the writer's place is the reader's, and becomes empty
--   with this pop if it is the reader's next one; likewise for full, which
--   compares with the reader's last place and so keeps one word free.
--   A flag rises by what its own clock does, so it rises in time; it falls by
--   what the other clock does, at any moment.  Since one bit of a Gray code
--   changes a step, a comparison that is captured while it settles says that the
--   other side has moved, or that it has not: both are true enough.
--
-- Which asserts guard it
--   write side  no overflow   a push finds a free word in the memory
--   read side   no underflow  a pop finds a word
--   They compare both counters, which have one bit more than the memory needs.
--   That bit is there for the asserts alone.
--
-- Seeded bugs
--   1  wr_full looks at the next place only, so it falls after one cycle.
--      Functional: overflow.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gray_pkg.all;

entity flag_fifo is
  generic (
    DEPTH_LOG2 : positive := 4;
    WIDTH      : positive := 8;
    BUG        : natural  := 0
  );
  port (
    wr_clk   : in  std_logic;
    wr_rst_n : in  std_logic;
    wr_en    : in  std_logic;
    wr_data  : in  std_logic_vector(WIDTH - 1 downto 0);
    wr_full  : out std_logic;

    rd_clk   : in  std_logic;
    rd_rst_n : in  std_logic;
    rd_en    : in  std_logic;
    rd_data  : out std_logic_vector(WIDTH - 1 downto 0);
    rd_empty : out std_logic
  );
end entity flag_fifo;

architecture rtl of flag_fifo is

  constant DEPTH : positive := 2 ** DEPTH_LOG2;

  subtype count_t is unsigned(DEPTH_LOG2 downto 0);
  subtype code_t is std_logic_vector(DEPTH_LOG2 - 1 downto 0);

  -- The code of a place, counted from the first word.
  function code (place : integer) return code_t is
    constant at : unsigned(DEPTH_LOG2 - 1 downto 0) := to_unsigned(place mod DEPTH, DEPTH_LOG2);
  begin
    return to_gray(at);
  end function code;

  function code (count : count_t) return code_t is
  begin
    return to_gray(count(DEPTH_LOG2 - 1 downto 0));
  end function code;

  signal wr_count, rd_count       : count_t;     -- the top bit is for the asserts
  signal wr_ahead, wr_here        : code_t;
  signal rd_ahead, rd_here        : code_t;
  signal rd_last                  : code_t;
  signal full, empty              : std_logic;
  signal full_next, empty_next    : std_logic;
  signal push, pop                : std_logic;

begin

  -- ---- write side ------------------------------------------------------------
  push <= wr_en and not full;

  flag_full : process (all)
  begin
    full_next <= '0';
    if wr_here = rd_last and BUG /= 1 then
      full_next <= '1';
    elsif wr_ahead = rd_last and push = '1' then
      full_next <= '1';
    end if;
  end process flag_full;

  write_side : process (wr_clk, wr_rst_n)
  begin
    if wr_rst_n = '0' then
      wr_count <= (others => '0');
      wr_ahead <= code(-1);
      wr_here  <= code(-2);
      full     <= '0';
    elsif rising_edge(wr_clk) then
      full <= full_next;
      if push = '1' then
        wr_count <= wr_count + 1;
        wr_ahead <= code(wr_count);
        wr_here  <= wr_ahead;
      end if;
    end if;
  end process write_side;

  wr_full <= full;

  -- ---- read side -------------------------------------------------------------
  pop <= rd_en and not empty;

  flag_empty : process (all)
  begin
    empty_next <= '0';
    if wr_here = rd_here or (wr_here = rd_ahead and pop = '1') then
      empty_next <= '1';
    end if;
  end process flag_empty;

  read_side : process (rd_clk, rd_rst_n)
  begin
    if rd_rst_n = '0' then
      rd_count <= (others => '0');
      rd_ahead <= code(-1);
      rd_here  <= code(-2);
      rd_last  <= code(-3);
      empty    <= '1';
    elsif rising_edge(rd_clk) then
      empty <= empty_next;
      if pop = '1' then
        rd_count <= rd_count + 1;
        rd_ahead <= code(rd_count);
        rd_here  <= rd_ahead;
        rd_last  <= rd_here;
      end if;
    end if;
  end process read_side;

  rd_empty <= empty;

  -- ---- memory ----------------------------------------------------------------
  ram : entity work.fifo_ram(block_ram)
    generic map (ADDR_BITS => DEPTH_LOG2, WIDTH => WIDTH)
    port map (
      wr_clk  => wr_clk,
      wr_en   => push,
      wr_addr => wr_count(DEPTH_LOG2 - 1 downto 0),
      wr_data => wr_data,
      rd_clk  => rd_clk,
      rd_en   => pop,
      rd_addr => rd_count(DEPTH_LOG2 - 1 downto 0),
      rd_data => rd_data
    );

  -- ---- checks ----------------------------------------------------------------
  wr_check : process (wr_clk)
  begin
    if rising_edge(wr_clk) and wr_rst_n = '1' then
      assert push = '0' or wr_count - rd_count /= DEPTH
        report "flag_fifo: overflow" severity error;
    end if;
  end process wr_check;

  rd_check : process (rd_clk)
  begin
    if rising_edge(rd_clk) and rd_rst_n = '1' then
      assert pop = '0' or wr_count /= rd_count
        report "flag_fifo: underflow" severity error;
    end if;
  end process rd_check;

end architecture rtl;
