-- sync_pkg: what the synchronisers have in common
-- -----------------------------------------------------------------------------
-- What it is
--   The attribute that marks synchroniser flops, the component by which a single
--   bit is synchronised, and two small helpers.  Used by every design here with
--   two clocks.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;

package sync_pkg is

  -- "TRUE" on a register tells a tool that it may go metastable: it must stay a
  -- flop, next to the flop that it feeds.
  attribute ASYNC_REG : string;

  -- The length of a synchroniser: one flop short of any use if `missing`.
  function chain_length (wanted : positive; missing : boolean) return positive;

  -- Flips a register when `enable` is high.
  procedure flip_if (signal bit_reg : inout std_logic; constant enable : in std_logic);

  component sync_bit is
    generic (
      STAGES : positive  := 2;
      RESET  : std_logic := '0'
    );
    port (
      clk   : in  std_logic;
      rst_n : in  std_logic;
      d     : in  std_logic;
      q     : out std_logic
    );
  end component sync_bit;

end package sync_pkg;

package body sync_pkg is

  function chain_length (wanted : positive; missing : boolean) return positive is
  begin
    if missing then
      return 1;
    end if;
    return wanted;
  end function chain_length;

  procedure flip_if (signal bit_reg : inout std_logic; constant enable : in std_logic) is
  begin
    if enable = '1' then
      bit_reg <= not bit_reg;
    end if;
  end procedure flip_if;

end package body sync_pkg;
