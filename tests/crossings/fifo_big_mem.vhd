library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity fifo_big_mem is
  generic (W : positive := 8; A : positive := 9);
  port (wclk, rclk, we, re : in std_logic; d : in std_logic_vector(W-1 downto 0);
        q : out std_logic_vector(W-1 downto 0); full, empty : out std_logic);
end entity;
architecture a of fifo_big_mem is
  type mem_t is array (0 to 2**A-1) of std_logic_vector(W-1 downto 0);
  signal mem : mem_t;
  signal wb, wg, rb, rg, wg1, wg2, rg1, rg2 : unsigned(A downto 0) := (others => '0');
  signal f, e : std_logic;
begin
  f <= '1' when wg = (rg2 xor shift_left(to_unsigned(3, A+1), A-1)) else '0';
  e <= '1' when rg = wg2 else '0';
  full <= f; empty <= e;
  process (wclk) variable n : unsigned(A downto 0); begin
    if rising_edge(wclk) then
      rg1 <= rg; rg2 <= rg1;
      if we = '1' and f = '0' then
        mem(to_integer(wb(A-1 downto 0))) <= d;
        n := wb + 1; wb <= n; wg <= n xor shift_right(n, 1);
      end if;
    end if;
  end process;
  process (rclk) variable n : unsigned(A downto 0); begin
    if rising_edge(rclk) then
      wg1 <= wg; wg2 <= wg1;
      if re = '1' and e = '0' then
        q <= mem(to_integer(rb(A-1 downto 0)));
        n := rb + 1; rb <= n; rg <= n xor shift_right(n, 1);
      end if;
    end if;
  end process;
end architecture;
