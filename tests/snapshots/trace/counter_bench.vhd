-- Written by entail: assertion `assert_line_12` fails in step 5.
-- The property is at design.sv:12:34.
-- Run it: ghdl -c --std=08 a.sv BENCH.vhd -r entail_bench --assert-level=error
-- The design gives these no initial value. Where the failure needs them, give them one there:
--   count := "00010001"
--   u.key := "0011"
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity entail_bench is
end entity;
architecture replay of entail_bench is
  function to_port(v : std_logic_vector) return std_ulogic is
  begin
    return v(v'left);
  end function;
  function to_port(v : std_logic_vector) return std_logic_vector is
  begin
    return v;
  end function;
  function to_port(v : std_logic_vector) return unsigned is
  begin
    return unsigned(v);
  end function;
  function to_port(v : std_logic_vector) return signed is
  begin
    return signed(v);
  end function;
  function to_port(v : std_logic_vector) return bit is
  begin
    return to_bit(v(v'left));
  end function;
  function to_port(v : std_logic_vector) return bit_vector is
  begin
    return to_bitvector(v);
  end function;
  function to_port(v : std_logic_vector) return boolean is
  begin
    return v(v'left) = '1';
  end function;
  function to_port(v : std_logic_vector) return integer is
  begin
    return to_integer(unsigned(v));
  end function;
  signal clk : std_logic_vector(0 downto 0) := "0";
  signal rst : std_logic_vector(0 downto 0) := "1";
  signal en : std_logic_vector(0 downto 0) := "1";
  signal inc : std_logic_vector(7 downto 0) := x"00";
begin
  entail_dut : entity work.counter
    generic map (W => 8)
    port map (
      clk => to_port(clk),
      rst => to_port(rst),
      en => to_port(en),
      inc => to_port(inc),
      count => open
    );
  process
  begin
    -- Step 0.
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    -- Step 1.
    clk <= "0"; rst <= "0"; inc <= x"63";
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    -- Step 2.
    clk <= "0"; inc <= x"78";
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    -- Step 3.
    clk <= "0"; en <= "0"; inc <= x"00";
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    -- Step 4.
    clk <= "0";
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    -- Step 5.
    clk <= "0";
    wait for 5 ns;
    clk <= "1";
    wait for 5 ns;
    clk <= "0";
    report "entail: end of the trace" severity note;
    wait;
  end process;
end architecture;
