-- router: one stage of a packet router, between two clocks
-- -----------------------------------------------------------------------------
-- What it is
--   Packets come in on in_clk, flit by flit, and leave on out_clk by the output
--   that their head flit names.  The format of packets is in router_pkg.
--
-- Clocks
--   in_clk, in_rst_n     input; reset, active low, asynchronous
--   out_clk, out_rst_n   both outputs; reset, active low, asynchronous
--   Both resets must be asserted together before first use.
--
-- Contract, in_clk
--   in_valid, in_data   a flit is offered
--   in_ready            it is taken at this in_clk edge if in_valid
--   in_served           which output was the last to finish a packet, one-hot;
--                       output 0 after reset.  Late, and rapid turns may be missed
-- Contract, out_clk; for each output n = 0, 1
--   out_valid(n)        a flit is offered; it is stable until taken
--   out_data_n          the flit
--   out_last(n)         it ends its packet
--   out_ready(n)        it is taken at this out_clk edge if out_valid(n)
--   Packets leave whole and unmixed, in the order in which they came for this
--   output.
--
-- Generics
--   WIDTH        bits in a flit (>= 3)
--   FIFO         true: each output crosses by a FIFO; false: by a handshake
--   DEPTH_LOG2   log2 of the FIFOs' depth
--   BUG          0 = correct; other values seed a defect, see below
--
-- How it works
--   A flit is first held in a register, and on the way in it is decided where it
--   goes: a head sets the route, payload follows it.  From there it goes into the
--   link of its output.  The output that finished a packet last is one bit in
--   out_clk; it crosses back and is decoded into one-hot form after it has arrived.
--
-- Which asserts guard it
--   in_clk   the route does not change within a packet; in_served is one-hot
--   out_clk  a packet at output n begins with a head for n; its last flit is where
--            its head says it is: no flit was lost, doubled or misrouted; an
--            offered flit is stable until taken
--   and those of the links
--
-- Seeded bugs
--   1  combinational logic before the synchroniser: the last output served is not
--      registered before it crosses.  Structural.
--   2  FIFO: binary pointers cross; handshake: request not held.  Functional: gray
--      or req assert.  Flits are lost (handshake) when out_clk is slow; torn
--      pointers (FIFO) need a crossing model.
--   3  missing synchroniser stage: one flop in the links' synchronisers (in that of
--      req for the handshake).  Structural.
--   4  swapped clocks: the link of output 1 has its two sides' clocks exchanged.
--      Functional: packet asserts.  Structural.
--   5  reset in the wrong domain: the register of the last output served is reset
--      by in_rst_n, which is released anywhere in an out_clk cycle.  Structural.
--   6  reconvergence: in_served is encoded before it crosses, and its two bits pass
--      synchronisers of their own.  Invisible at zero delay; under a crossing model
--      they are both high or both low for a cycle (in_served assert).
--   7  route not held: payload flits are routed by their own top bit.  Functional:
--      route assert, packet asserts.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use work.sync_pkg.all;
use work.router_pkg.all;

entity router is
  generic (
    WIDTH      : positive := 8;
    FIFO       : boolean  := true;
    DEPTH_LOG2 : positive := 1;
    BUG        : natural  := 0
  );
  port (
    in_clk     : in  std_logic;
    in_rst_n   : in  std_logic;
    in_valid   : in  std_logic;
    in_ready   : out std_logic;
    in_data    : in  std_logic_vector(WIDTH - 1 downto 0);
    in_served  : out std_logic_vector(OUTPUTS - 1 downto 0);

    out_clk    : in  std_logic;
    out_rst_n  : in  std_logic;
    out_valid  : out std_logic_vector(OUTPUTS - 1 downto 0);
    out_ready  : in  std_logic_vector(OUTPUTS - 1 downto 0);
    out_last   : out std_logic_vector(OUTPUTS - 1 downto 0);
    out_data_0 : out std_logic_vector(WIDTH - 1 downto 0);
    out_data_1 : out std_logic_vector(WIDTH - 1 downto 0)
  );
begin
  assert WIDTH > LEFT_BITS
    report "router: WIDTH has no room for the head" severity failure;
end entity router;

architecture rtl of router is

  subtype word_t is std_logic_vector(WIDTH downto 0);
  subtype this_flit_t is flit_t(data(WIDTH - 1 downto 0));
  type words_t is array (output_t) of word_t;
  type flits_t is array (output_t) of this_flit_t;

  function link_bug return natural is
  begin
    case BUG is
      when 2      => return 1;
      when 3      => return 2;
      when others => return 0;
    end case;
  end function link_bug;

  -- in_clk: offered to the links
  signal link_valid, link_ready : per_output_t;
  signal link_word              : word_t;

  -- out_clk: offered by the links
  signal got_word : words_t;
  signal got      : flits_t;
  signal taken    : per_output_t;

begin

  -- ---- input side ------------------------------------------------------------
  input_side : block
    type registers_t is record
      full  : std_logic;                         -- a flit is held
      flit  : this_flit_t;
      route : output_t;                          -- where it goes
      left  : left_t;                            -- flits its packet still lacks
    end record registers_t;

    constant RESET : registers_t := (
      full => '0', flit => (last => '0', data => (others => '0')), route => 0, left => 0);

    signal r, r_next : registers_t;
    signal take      : std_logic;
  begin
    in_ready <= not r.full or link_ready(r.route);
    take     <= in_valid and in_ready;

    steer : process (all)
      variable v : registers_t;
    begin
      v := r;
      if link_ready(r.route) then
        v.full := '0';
      end if;
      if take then
        if r.left = 0 then                       -- it is a head
          v.route := destination(in_data);
          v.left  := payload(in_data);
        else
          v.left := r.left - 1;
          if BUG = 7 then
            v.route := destination(in_data);
          end if;
        end if;
        v.full := '1';
        v.flit := (last => '0', data => in_data);
        if v.left = 0 then
          v.flit.last := '1';
        end if;
      end if;
      r_next <= v;
    end process steer;

    registers : process (in_clk, in_rst_n)
    begin
      if in_rst_n = '0' then
        r <= RESET;
      elsif rising_edge(in_clk) then
        r <= r_next;
      end if;
    end process registers;

    link_word  <= to_word(r.flit);
    link_valid <= one_hot(r.route) when r.full = '1' else (others => '0');

    check : process (in_clk, in_rst_n)
      variable within  : boolean;                -- the flit held is payload
      variable route_p : output_t;
    begin
      if in_rst_n = '0' then
        within  := false;
        route_p := 0;
      elsif rising_edge(in_clk) then
        assert not within or r.route = route_p
          report "router: route changed within a packet" severity error;
        if take = '1' then
          within := r.left /= 0;
        end if;
        route_p := r.route;
      end if;
    end process check;
  end block input_side;

  -- ---- links -----------------------------------------------------------------
  each_output : for n in output_t generate
    swapped : if BUG = 4 and n = 1 generate
      link : entity work.router_link
        generic map (FIFO => FIFO, DEPTH_LOG2 => DEPTH_LOG2, BUG => link_bug)
        port map (
          src_clk   => out_clk,
          src_rst_n => out_rst_n,
          src_valid => link_valid(n),
          src_ready => link_ready(n),
          src_word  => link_word,
          dst_clk   => in_clk,
          dst_rst_n => in_rst_n,
          dst_valid => out_valid(n),
          dst_ready => out_ready(n),
          dst_word  => got_word(n)
        );
    else generate
      link : entity work.router_link
        generic map (FIFO => FIFO, DEPTH_LOG2 => DEPTH_LOG2, BUG => link_bug)
        port map (
          src_clk   => in_clk,
          src_rst_n => in_rst_n,
          src_valid => link_valid(n),
          src_ready => link_ready(n),
          src_word  => link_word,
          dst_clk   => out_clk,
          dst_rst_n => out_rst_n,
          dst_valid => out_valid(n),
          dst_ready => out_ready(n),
          dst_word  => got_word(n)
        );
    end generate swapped;

    got(n)      <= to_flit(got_word(n));
    out_last(n) <= got(n).last;
    taken(n)    <= out_valid(n) and out_ready(n);

    check : process (out_clk, out_rst_n)
      variable left    : left_t;                 -- flits the packet still lacks
      variable waiting : boolean;                -- a flit was offered and not taken
      variable flit_p  : this_flit_t;
    begin
      if out_rst_n = '0' then
        left    := 0;
        waiting := false;
        flit_p  := (last => '0', data => (others => '0'));
      elsif rising_edge(out_clk) then
        assert not waiting or (out_valid(n) = '1' and got(n) = flit_p)
          report "router: offered flit changed or withdrawn" severity error;
        waiting := out_valid(n) = '1' and out_ready(n) = '0';
        flit_p  := got(n);

        if taken(n) = '1' then
          if left = 0 then
            assert destination(got(n).data) = n
              report "router: head at the wrong output" severity error;
            left := payload(got(n).data);
          else
            left := left - 1;
          end if;
          assert (got(n).last = '1') = (left = 0)
            report "router: packet longer or shorter than its head says" severity error;
        end if;
      end if;
    end process check;
  end generate each_output;

  (out_data_1, out_data_0) <= std_logic_vector'(got(1).data & got(0).data);

  -- ---- the last output served: out_clk to in_clk -----------------------------
  served_status : block
    signal finished            : per_output_t;
    signal served, served_next : std_logic;      -- out_clk
    signal served_rst_n        : std_logic;
  begin
    finished     <= taken and out_last;
    served_next  <= finished(1) or (served and not finished(0));
    served_rst_n <= in_rst_n when BUG = 5 else out_rst_n;

    remember : process (out_clk, served_rst_n)
    begin
      if served_rst_n = '0' then
        served <= '0';
      elsif rising_edge(out_clk) then
        served <= served_next;
      end if;
    end process remember;

    back : if BUG = 6 generate
      signal served_not : std_logic;
    begin
      encode : process (out_clk, out_rst_n)
      begin
        if out_rst_n = '0' then
          served_not <= '1';
        elsif rising_edge(out_clk) then
          served_not <= not served_next;
        end if;
      end process encode;

      chain_1 : component sync_bit
        port map (clk => in_clk, rst_n => in_rst_n, d => served, q => in_served(1));
      chain_0 : component sync_bit
        generic map (RESET => '1')
        port map (clk => in_clk, rst_n => in_rst_n, d => served_not, q => in_served(0));
    else generate
      signal crossing, arrived : std_logic;
    begin
      crossing <= served_next when BUG = 1 else served;

      chain : component sync_bit
        port map (clk => in_clk, rst_n => in_rst_n, d => crossing, q => arrived);

      with destination("" & arrived) select in_served <=
        (0 => '1', others => '0') when 0,
        (1 => '1', others => '0') when 1;
    end generate back;

    check : process (in_clk)
    begin
      if rising_edge(in_clk) and in_rst_n = '1' then
        assert (xor in_served) = '1'
          report "router: served status is not one-hot" severity error;
      end if;
    end process check;
  end block served_status;

end architecture rtl;
