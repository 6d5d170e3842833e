-- Info: a dual-clock FIFO of four words; its pointers cross in gray code through synchronisers.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity top is
  port (clk_a, clk_b, push, pop : in  std_logic;
        d                       : in  std_logic_vector(1 downto 0);
        q                       : out std_logic_vector(1 downto 0) := "00");
end entity top;

architecture rtl of top is
  type words_t is array (0 to 3) of std_logic_vector(1 downto 0);
  signal mem           : words_t;
  signal push_a, pop_b : std_logic := '0';
  signal d_a           : std_logic_vector(1 downto 0) := "00";
  signal put, get      : boolean;
  signal wbin, wgray, wnext, rbin, rgray, rnext : unsigned(2 downto 0) := "000";
  signal wgray_first, wgray_second, rgray_first, rgray_second : unsigned(2 downto 0) := "000";
  attribute ASYNC_REG : string;
  attribute ASYNC_REG of wgray_first, wgray_second, rgray_first, rgray_second : signal is "TRUE";
begin
  put   <= push_a = '1' and wgray /= (rgray_second xor "110");  -- full: a lap ahead, two top bits differ
  get   <= pop_b = '1' and rgray /= wgray_second;               -- empty: the pointers are equal
  wnext <= wbin + 1 when put else wbin;
  rnext <= rbin + 1 when get else rbin;
  process (clk_a) begin
    if rising_edge(clk_a) then
      push_a <= push;  d_a <= d;
      rgray_first <= rgray;  rgray_second <= rgray_first;
      wbin  <= wnext;
      wgray <= wnext xor shift_right(wnext, 1);
      if put then mem(to_integer(wbin(1 downto 0))) <= d_a; end if;
    end if;
  end process;
  process (clk_b) begin
    if rising_edge(clk_b) then
      pop_b <= pop;
      wgray_first <= wgray;  wgray_second <= wgray_first;
      rbin  <= rnext;
      rgray <= rnext xor shift_right(rnext, 1);
      if get then q <= mem(to_integer(rbin(1 downto 0))); end if;
    end if;
  end process;
end architecture rtl;
