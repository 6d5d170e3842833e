-- handshake: four-phase request/acknowledge transfer of a word
-- -----------------------------------------------------------------------------
-- What it is
--   Carries WIDTH-bit words between unrelated clocks, one at a time, with
--   valid/ready on both sides.  Slow, small, and right for any clock ratio.
--
-- Clocks
--   src_clk, src_rst_n   source clock; reset, active low, asynchronous
--   dst_clk, dst_rst_n   destination clock; reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract
--   src_valid, src_data   a word is offered
--   src_ready             it is taken at this src_clk edge if src_valid
--   dst_valid, dst_data   a word is offered; stable until taken
--   dst_ready             it is taken at this dst_clk edge if dst_valid
--
-- Generics
--   WIDTH    bits in a word
--   STAGES   flops in each synchroniser (>= 2)
--   BUG      0 = correct; other values seed a defect, see below
--
-- How it works
--   source       IDLE     -- take a word into `held` --> REQUEST (req = 1)
--                REQUEST  -- ack seen ----------------> FINISH  (req = 0)
--                FINISH   -- ack seen low ------------> IDLE
--   destination  EMPTY    -- req seen: copy the word -> OFFER
--                OFFER    -- taken -------------------> TAKEN   (ack = 1)
--                TAKEN    -- req seen low ------------> EMPTY   (ack = 0)
--   Only req and ack pass synchronisers.  The word does not need one: `held` was
--   written before req rose and cannot change before ack has come back, so it is
--   stable at the one dst_clk edge that samples it.  It carries its parity, so
--   that the destination can tell a torn word.
--
-- Which asserts guard it
--   src_clk  req falls only once ack has been seen; the crossing word does not
--            change while req is high
--   dst_clk  dst_valid and dst_data stay until taken; the parity is right; ack
--            rises only after a word was taken
--
-- Seeded bugs
--   1  missing flop: single-stage synchroniser on req.  Structural.
--   2  data not held: src_data itself crosses, and the source may change it once
--      it was accepted.  Functional: wrong data; word assert.
--   3  request not held: req is high for one src_clk cycle only.  Functional:
--      words lost when dst_clk is slow; req assert.
--   4  combinational logic before the synchroniser: req is decoded from the next
--      state, by gates.  Structural; it is also a cycle early, ahead of the word,
--      and a fast dst_clk samples the word before.
--   5  ack not synchronised: the source state machine sees it raw.  Structural.
--   6  swapped clocks: the synchroniser of req runs on src_clk, and the
--      destination sees its output raw.  Structural.
--   7  reset in the wrong domain: the destination state machine is reset by
--      src_rst_n, which is released anywhere in a dst_clk cycle.  Structural.
--   8  reconvergence: the bits of the word pass synchronisers of their own, and
--      are believed to arrive with req.  Invisible at zero delay; under a
--      crossing model words are torn (parity assert).
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;

entity handshake is
  generic (
    WIDTH  : positive := 8;
    STAGES : positive := 2;
    BUG    : natural  := 0
  );
  port (
    src_clk   : in  std_logic;
    src_rst_n : in  std_logic;
    src_valid : in  std_logic;
    src_ready : out std_logic;
    src_data  : in  std_logic_vector(WIDTH - 1 downto 0);

    dst_clk   : in  std_logic;
    dst_rst_n : in  std_logic;
    dst_valid : out std_logic;
    dst_ready : in  std_logic;
    dst_data  : out std_logic_vector(WIDTH - 1 downto 0)
  );
end entity handshake;

architecture rtl of handshake is

  -- a word and, as its top bit, its parity
  subtype word_t is std_logic_vector(WIDTH downto 0);

  type src_state_t is (IDLE, REQUEST, FINISH);
  type dst_state_t is (EMPTY, OFFER, TAKEN);

  function with_parity (data : std_logic_vector) return word_t is
  begin
    return (xor data) & data;
  end function with_parity;

  signal src_state, src_next : src_state_t;
  signal dst_state           : dst_state_t;

  signal req_q, req, req_dst : std_logic;        -- registered; crossing; settled
  signal ack, ack_sync       : std_logic;
  signal ack_src             : std_logic;        -- as the source sees it
  signal held, word          : word_t;           -- registered; crossing
  signal word_dst            : word_t;           -- as the destination samples it
  signal got                 : word_t;           -- sampled

  signal state_rst_n : std_logic;

begin

  -- ---- source domain ---------------------------------------------------------
  src_ready <= '1' when src_state = IDLE else '0';

  next_state : process (all)
  begin
    src_next <= src_state;
    case src_state is
      when IDLE =>
        if src_valid then
          src_next <= REQUEST;
        end if;
      when REQUEST =>
        if ack_src = '1' or BUG = 3 then
          src_next <= FINISH;
        end if;
      when FINISH =>
        if not ack_src then
          src_next <= IDLE;
        end if;
    end case;
  end process next_state;

  source : process (src_clk, src_rst_n)
  begin
    if src_rst_n = '0' then
      src_state <= IDLE;
      req_q     <= '0';
      held      <= (others => '0');
    elsif rising_edge(src_clk) then
      src_state <= src_next;
      req_q     <= '1' when src_next = REQUEST else '0';
      if src_valid and src_ready then
        held <= with_parity(src_data);
      end if;
    end if;
  end process source;

  -- ---- what crosses ----------------------------------------------------------
  req_wire : if BUG = 4 generate
    req <= '1' when src_next = REQUEST else '0';
  else generate
    req <= req_q;
  end generate req_wire;

  word_wire : if BUG = 2 generate
    word <= with_parity(src_data);
  else generate
    word <= held;
  end generate word_wire;

  -- ---- synchronisers ---------------------------------------------------------
  state_rst_n <= src_rst_n when BUG = 7 else dst_rst_n;

  req_path : if BUG = 6 generate
    req_chain : entity work.sync_bit
      generic map (STAGES => STAGES)
      port map (clk => src_clk, rst_n => src_rst_n, d => req, q => req_dst);
  else generate
    req_chain : entity work.sync_bit
      generic map (STAGES => chain_length(STAGES, missing => BUG = 1))
      port map (clk => dst_clk, rst_n => dst_rst_n, d => req, q => req_dst);
  end generate req_path;

  ack_chain : entity work.sync_bit
    generic map (STAGES => STAGES)
    port map (clk => src_clk, rst_n => src_rst_n, d => ack, q => ack_sync);

  ack_src <= ack when BUG = 5 else ack_sync;

  word_path : if BUG = 8 generate
    word_chains : entity work.sync_bits
      generic map (STAGES => STAGES)
      port map (clk => dst_clk, rst_n => dst_rst_n, d => word, q => word_dst);
  else generate
    word_dst <= word;
  end generate word_path;

  -- ---- destination domain ----------------------------------------------------
  destination : process (dst_clk, state_rst_n)
  begin
    if state_rst_n = '0' then
      dst_state <= EMPTY;
      ack       <= '0';
      got       <= (others => '0');
    elsif rising_edge(dst_clk) then
      case dst_state is
        when EMPTY =>
          if req_dst then
            got       <= word_dst;
            dst_state <= OFFER;
          end if;
        when OFFER =>
          if dst_ready then
            ack       <= '1';
            dst_state <= TAKEN;
          end if;
        when TAKEN =>
          if not req_dst then
            ack       <= '0';
            dst_state <= EMPTY;
          end if;
      end case;
    end if;
  end process destination;

  dst_valid <= '1' when dst_state = OFFER else '0';
  dst_data  <= got(WIDTH - 1 downto 0);

  -- ---- checks ----------------------------------------------------------------
  src_check : block
    signal req_p, ack_p : std_logic;
    signal word_p       : word_t;
  begin
    process (src_clk, src_rst_n)
    begin
      if src_rst_n = '0' then
        req_p  <= '0';
        ack_p  <= '0';
        word_p <= (others => '0');
      elsif rising_edge(src_clk) then
        req_p  <= req_q;
        ack_p  <= ack_src;
        word_p <= word;
        assert not (req_p = '1' and req_q = '0' and ack_p = '0')
          report "handshake: request dropped before acknowledge" severity error;
        assert not (req_p = '1' and req_q = '1' and word /= word_p)
          report "handshake: word changed during a request" severity error;
      end if;
    end process;
  end block src_check;

  dst_check : block
    signal state_p        : dst_state_t;
    signal ready_p, ack_p : std_logic;
    signal got_p          : word_t;
  begin
    process (dst_clk, dst_rst_n)
    begin
      if dst_rst_n = '0' then
        state_p <= EMPTY;
        ready_p <= '0';
        ack_p   <= '0';
        got_p   <= (others => '0');
      elsif rising_edge(dst_clk) then
        state_p <= dst_state;
        ready_p <= dst_ready;
        ack_p   <= ack;
        got_p   <= got;
        assert not (state_p = OFFER and ready_p = '0') or (dst_state = OFFER and got = got_p)
          report "handshake: offered word changed or withdrawn" severity error;
        assert ack = '0' or ack_p = '1' or (state_p = OFFER and ready_p = '1')
          report "handshake: acknowledge without a taken word" severity error;
        assert dst_state /= OFFER or (xor got) = '0'
          report "handshake: torn word, parity is wrong" severity error;
      end if;
    end process;
  end block dst_check;

end architecture rtl;
