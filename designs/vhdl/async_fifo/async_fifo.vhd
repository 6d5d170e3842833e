-- async_fifo: dual-clock FIFO with Gray pointers and a fill level on each side
-- -----------------------------------------------------------------------------
-- What it is
--   A queue of 2**DEPTH_LOG2 words, written in one clock domain and read in
--   another, unrelated one.  Each side is told how full the queue is.
--
-- Clocks
--   wr_clk, wr_rst_n   write clock; write-side reset, active low, asynchronous
--   rd_clk, rd_rst_n   read clock; read-side reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract
--   wr_en, wr_data   push at this wr_clk edge (ignored while wr_full)
--   wr_full          no room; may stay high a few cycles too long
--   wr_level         words in the queue, as the writer knows: never too few
--   rd_en            pop at this rd_clk edge (ignored while rd_empty)
--   rd_empty         nothing to read; may stay high a few cycles too long
--   rd_level         words in the queue, as the reader knows: never too many
--   rd_valid         rd_data is a word of the queue:
--                      STYLE "block"        in the cycle after each pop
--                      STYLE "distributed"  while not rd_empty: the oldest word,
--                                           which a pop removes
--   rd_data          "block": stays until the next pop; "distributed": zero while
--                    rd_empty
--   All outputs but rd_data of "distributed" are registers, or one gate from one.
--
-- Generics
--   DEPTH_LOG2   log2 of the number of words (>= 1)
--   WIDTH        bits in a word
--   STYLE        "block" or "distributed": how the memory is read
--   STAGES       flops in each pointer synchroniser (>= 2)
--   BUG          0 = correct; other values seed a defect, see below
--
-- How it works
--   Each side keeps a binary pointer with one bit more than the address, so that
--   a full queue and an empty one, whose addresses are equal, differ in the top
--   bit.  The Gray code of each pointer is held in a register and crosses to the
--   other side.  One bit changes a step, so a sample taken during a change is the
--   old or the new pointer, never a third value.  An old value is merely
--   pessimistic.  The side that receives it turns it back into binary and
--   subtracts: that is its level, and full and empty are two of its values.
--   The memory crosses without a synchroniser: a word is read only once the write
--   pointer that covers it has arrived, so it has long been stable.
--
-- Which asserts guard it
--   write side  no overflow   level <= DEPTH: no unread word is overwritten
--               status        wr_full just if wr_level = DEPTH; the level rises
--                             by one with a push, and not without
--               gray          the crossing pointer changes in <= 1 bit an edge
--   read side   no underflow  level <= DEPTH (reading past the writer wraps)
--               status        rd_empty just if rd_level = 0; the level falls by
--                             one with a pop, and not without
--               gray          the crossing pointer changes in <= 1 bit an edge
--               stable        rd_data does not change but by a pop
--
-- Seeded bugs
--   1  Gray encoder not registered: XOR gates drive the crossing, so a binary step
--      with many toggling bits glitches into the synchroniser.  Structural.
--   2  binary pointers cross: several bits change at once, and a torn sample is
--      an unrelated pointer.  Breaks both gray asserts; overflow, underflow and
--      wrong status follow only under a crossing model.
--   3  missing synchroniser stage: single-flop synchronisers.  Structural.
--   4  swapped clocks: the synchroniser of the write pointer runs on wr_clk, and
--      the read side sees its output raw.  Structural.
--   5  reset in the wrong domain: the read side is reset by wr_rst_n, which is
--      released anywhere in an rd_clk cycle.  Structural.
--   6  reconvergence: the address crosses in Gray code and the top bit, on its
--      own, as a lap flag; the other side puts them together.  At the wrap both
--      change.  Invisible at zero delay; under a crossing model overflow,
--      underflow and wrong status.
--   7  status not synchronised: wr_level is computed from the raw read pointer,
--      binary.  Structural, and functional: wr_level runs ahead of wr_full.
--   8  wr_full computed from the level before the push: one cycle late.
--      Functional: overflow on back-to-back pushes, unread words overwritten.
--   9  one-sided reset: the read pointer starts at 0 but is not reset, so that a
--      reset in mid-run takes the write pointer back alone.  Functional: levels,
--      overflow, underflow.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.sync_pkg.chain_length;
use work.gray_pkg.all;

entity async_fifo is
  generic (
    DEPTH_LOG2 : positive := 3;
    WIDTH      : positive := 8;
    STYLE      : string   := "block";
    STAGES     : positive := 2;
    BUG        : natural  := 0
  );
  port (
    wr_clk   : in  std_logic;
    wr_rst_n : in  std_logic;
    wr_en    : in  std_logic;
    wr_data  : in  std_logic_vector(WIDTH - 1 downto 0);
    wr_full  : out std_logic;
    wr_level : out unsigned(DEPTH_LOG2 downto 0);

    rd_clk   : in  std_logic;
    rd_rst_n : in  std_logic;
    rd_en    : in  std_logic;
    rd_data  : out std_logic_vector(WIDTH - 1 downto 0);
    rd_valid : out std_logic;
    rd_empty : out std_logic;
    rd_level : out unsigned(DEPTH_LOG2 downto 0)
  );
begin
  assert STYLE = "block" or STYLE = "distributed"
    report "async_fifo: STYLE is ""block"" or ""distributed""" severity failure;
end entity async_fifo;

architecture rtl of async_fifo is

  constant DEPTH  : positive := 2 ** DEPTH_LOG2;
  constant LENGTH : positive := chain_length(STAGES, missing => BUG = 3);

  subtype pointer_t is unsigned(DEPTH_LOG2 downto 0);
  subtype code_t is std_logic_vector(DEPTH_LOG2 downto 0);

  -- The registers of one side.
  type side_t is record
    pointer : pointer_t;                         -- binary
    code    : code_t;                            -- as it crosses
    at_end  : std_logic;                         -- full, or empty
    level   : pointer_t;
  end record side_t;

  constant WR_RESET : side_t := (at_end => '0', code => (others => '0'), others => (others => '0'));
  constant RD_RESET : side_t := (at_end => '1', code => (others => '0'), others => (others => '0'));

  -- The form in which pointers cross, and back.
  function encode (pointer : pointer_t) return code_t is
  begin
    if BUG = 2 then
      return code_t(pointer);
    elsif BUG = 6 then
      return pointer(DEPTH_LOG2) & to_gray(pointer(DEPTH_LOG2 - 1 downto 0));
    end if;
    return to_gray(pointer);
  end function encode;

  function decode (code : code_t) return pointer_t is
  begin
    if BUG = 2 then
      return pointer_t(code);
    elsif BUG = 6 then
      return code(DEPTH_LOG2) & to_binary(code(DEPTH_LOG2 - 1 downto 0));
    else
      return to_binary(code);
    end if;
  end function decode;

  function bus_part (code : code_t) return std_logic_vector is
  begin
    if BUG = 6 then
      return code(DEPTH_LOG2 - 1 downto 0);      -- the lap flag is no part of it
    end if;
    return code;
  end function bus_part;

  function to_bit (condition : boolean) return std_logic is
  begin
    if condition then
      return '1';
    end if;
    return '0';
  end function to_bit;

  signal wr, wr_next       : side_t;
  signal rd, rd_next       : side_t := RD_RESET;
  signal wr_code, rd_code  : code_t;             -- what crosses
  signal wr_there          : code_t;             -- rd_clk: wr_code, settled
  signal rd_there          : code_t;             -- wr_clk: rd_code, settled
  signal push, pop         : std_logic;
  signal mem_data          : std_logic_vector(WIDTH - 1 downto 0);
  signal side_rst_n        : std_logic;          -- reset of the read side

begin

  -- ---- write side ------------------------------------------------------------
  push <= wr_en and not wr.at_end;

  wr_logic : process (all)
    variable v    : side_t;
    variable used : pointer_t;
  begin
    v := wr;
    if push = '1' then
      v.pointer := wr.pointer + 1;
    end if;
    used    := v.pointer - decode(rd_there);
    v.code  := encode(v.pointer);
    v.level := used;
    if BUG = 7 then
      v.level := v.pointer - rd.pointer;
    end if;
    v.at_end := to_bit(used = DEPTH);
    if BUG = 8 then
      v.at_end := to_bit(wr.level = DEPTH);
    end if;
    wr_next <= v;
  end process wr_logic;

  wr_registers : process (wr_clk, wr_rst_n)
  begin
    if wr_rst_n = '0' then
      wr <= WR_RESET;
    elsif rising_edge(wr_clk) then
      wr <= wr_next;
    end if;
  end process wr_registers;

  wr_full  <= wr.at_end;
  wr_level <= wr.level;

  -- ---- read side -------------------------------------------------------------
  side_rst_n <= wr_rst_n when BUG = 5 else rd_rst_n;

  pop <= rd_en and not rd.at_end;

  rd_logic : process (all)
    variable v : side_t;
  begin
    v         := rd;
    v.pointer := rd.pointer + unsigned'("" & pop);
    v.code    := encode(v.pointer);
    v.level   := decode(wr_there) - v.pointer;
    v.at_end  := to_bit(v.level = 0);
    rd_next   <= v;
  end process rd_logic;

  rd_registers : process (rd_clk, side_rst_n)
  begin
    if side_rst_n = '0' then
      rd.at_end <= '1';
      rd.level  <= (others => '0');
      if BUG /= 9 then
        rd.pointer <= (others => '0');
        rd.code    <= (others => '0');
      end if;
    elsif rising_edge(rd_clk) then
      rd <= rd_next;
    end if;
  end process rd_registers;

  rd_empty <= rd.at_end;
  rd_level <= rd.level;

  -- ---- memory ----------------------------------------------------------------
  memory : if STYLE = "block" generate
    signal popped : std_logic;
  begin
    ram : entity work.fifo_ram(block_ram)
      generic map (ADDR_BITS => DEPTH_LOG2, WIDTH => WIDTH)
      port map (
        wr_clk  => wr_clk,
        wr_en   => push,
        wr_addr => wr.pointer(DEPTH_LOG2 - 1 downto 0),
        wr_data => wr_data,
        rd_clk  => rd_clk,
        rd_en   => pop,
        rd_addr => rd.pointer(DEPTH_LOG2 - 1 downto 0),
        rd_data => mem_data
      );

    valid : process (rd_clk, rd_rst_n)
    begin
      if rd_rst_n = '0' then
        popped <= '0';
      elsif rising_edge(rd_clk) then
        popped <= pop;
      end if;
    end process valid;

    rd_valid <= popped;
    rd_data  <= mem_data;
  else generate
    ram : entity work.fifo_ram(distributed)
      generic map (ADDR_BITS => DEPTH_LOG2, WIDTH => WIDTH)
      port map (
        wr_clk  => wr_clk,
        wr_en   => push,
        wr_addr => wr.pointer(DEPTH_LOG2 - 1 downto 0),
        wr_data => wr_data,
        rd_clk  => rd_clk,
        rd_en   => '0',
        rd_addr => rd.pointer(DEPTH_LOG2 - 1 downto 0),
        rd_data => mem_data
      );

    rd_valid <= not rd.at_end;
    rd_data  <= mem_data when rd.at_end = '0' else (others => '0');
  end generate memory;

  -- ---- what crosses, and its synchronisers -----------------------------------
  crossing : if BUG = 1 generate
    wr_code <= encode(wr.pointer);
    rd_code <= encode(rd.pointer);
  else generate
    wr_code <= wr.code;
    rd_code <= rd.code;
  end generate crossing;

  forth : if BUG = 4 generate
    chains : entity work.sync_bits
      generic map (STAGES => LENGTH)
      port map (clk => wr_clk, rst_n => wr_rst_n, d => wr_code, q => wr_there);
  else generate
    chains : entity work.sync_bits
      generic map (STAGES => LENGTH)
      port map (clk => rd_clk, rst_n => rd_rst_n, d => wr_code, q => wr_there);
  end generate forth;

  back : entity work.sync_bits
    generic map (STAGES => LENGTH)
    port map (clk => wr_clk, rst_n => wr_rst_n, d => rd_code, q => rd_there);

  -- ---- checks, write side ----------------------------------------------------
  wr_check : block
    signal code_p  : code_t;
    signal level_p : pointer_t;
    signal push_p  : std_logic;
  begin
    previous : process (wr_clk, wr_rst_n)
    begin
      if wr_rst_n = '0' then
        code_p  <= (others => '0');
        level_p <= (others => '0');
        push_p  <= '0';
      elsif rising_edge(wr_clk) then
        code_p  <= wr_code;
        level_p <= wr.level;
        push_p  <= push;
      end if;
    end process previous;

    asserts : process (wr_clk)
    begin
      if rising_edge(wr_clk) and wr_rst_n = '1' then
        assert wr.pointer - decode(rd_there) <= DEPTH
          report "async_fifo: overflow" severity error;
        assert (wr.at_end = '1') = (wr.level = DEPTH)
          report "async_fifo: full flag and write level disagree" severity error;
        assert to_integer(wr.level) <= to_integer(level_p) + to_integer(unsigned'("" & push_p))
          report "async_fifo: write level rose without a push" severity error;
        assert distance(bus_part(wr_code), bus_part(code_p)) <= 1
          report "async_fifo: write pointer crossed with more than one bit changed"
          severity error;
      end if;
    end process asserts;
  end block wr_check;

  -- ---- checks, read side -----------------------------------------------------
  rd_check : block
    signal code_p  : code_t;
    signal level_p : pointer_t;
    signal pop_p   : std_logic;
    signal shown_p : std_logic;                  -- "distributed": a word was shown
    signal data_p  : std_logic_vector(WIDTH - 1 downto 0);
  begin
    previous : process (rd_clk, rd_rst_n)
    begin
      if rd_rst_n = '0' then
        code_p  <= (others => '0');
        level_p <= (others => '0');
        pop_p   <= '1';                          -- before the first word, anything
        shown_p <= '0';
        data_p  <= (others => '0');
      elsif rising_edge(rd_clk) then
        code_p  <= rd_code;
        level_p <= rd.level;
        pop_p   <= pop;
        shown_p <= not rd.at_end;
        data_p  <= rd_data;
      end if;
    end process previous;

    asserts : process (rd_clk)
    begin
      if rising_edge(rd_clk) and rd_rst_n = '1' then
        assert decode(wr_there) - rd.pointer <= DEPTH
          report "async_fifo: underflow" severity error;
        assert (rd.at_end = '1') = (rd.level = 0)
          report "async_fifo: empty flag and read level disagree" severity error;
        assert to_integer(rd.level) + to_integer(unsigned'("" & pop_p)) >= to_integer(level_p)
          report "async_fifo: read level fell without a pop" severity error;
        assert distance(bus_part(rd_code), bus_part(code_p)) <= 1
          report "async_fifo: read pointer crossed with more than one bit changed"
          severity error;
        if STYLE = "block" then
          assert pop_p = '1' or rd_data = data_p
            report "async_fifo: word changed without a pop" severity error;
        else
          assert pop_p = '1' or shown_p = '0' or (rd.at_end = '0' and rd_data = data_p)
            report "async_fifo: unread word changed" severity error;
        end if;
      end if;
    end process asserts;
  end block rd_check;

end architecture rtl;
