-- div: sequential restoring divider
-- -----------------------------------------------------------------------------
-- What it is
--   Unsigned division, one quotient bit a cycle: WIDTH cycles a division.
--
-- Clock
--   clk, rst   reset active high, synchronous
--
-- Contract
--   start, dividend, divisor   begin a division at this clk edge; ignored while
--                              busy.  The operands need not be held.
--   busy                       a division is under way
--   done                       high one cycle: quotient and remainder are valid
--                              (they then stay until the next start)
--   quotient, remainder
--   by_zero                    the divisor was zero; then the quotient is all ones
--                              and the remainder is the dividend
--
-- Generics
--   WIDTH   bits of dividend, divisor, quotient and remainder (>= 2)
--   BUG     0 = correct; other values seed a defect, see below
--
-- How it works, and why it is right
--   See div_pkg for a step.  After k steps: (the top k dividend bits) =
--   (k quotient bits)*divisor + part, and part < divisor.  A step doubles both
--   sides and adds a dividend bit, and then at most one subtraction restores
--   part < divisor.
--
-- Which asserts guard it
--   at done      dividend = quotient*divisor + remainder, remainder < divisor
--   while busy   part < divisor: the loop invariant
--
-- Seeded bugs (all functional)
--   1  no restore: a negative trial result is kept.  Both asserts.
--   2  one cycle too few.  Done assert.
--   3  divisor not captured: the input is used throughout.  Done assert if the
--      caller changes it.
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.div_pkg.all;

entity div is
  generic (
    WIDTH : positive range 2 to 64 := 8;
    BUG   : natural                := 0
  );
  port (
    clk       : in  std_logic;
    rst       : in  std_logic;
    start     : in  std_logic;
    dividend  : in  unsigned(WIDTH - 1 downto 0);
    divisor   : in  unsigned(WIDTH - 1 downto 0);
    busy      : out std_logic;
    done      : out std_logic;
    quotient  : out unsigned(WIDTH - 1 downto 0);
    remainder : out unsigned(WIDTH - 1 downto 0);
    by_zero   : out std_logic
  );
end entity div;

architecture rtl of div is

  type state_t is (IDLE, RUNNING);
  subtype steps_t is integer range 0 to WIDTH;
  subtype operand_t is unsigned(WIDTH - 1 downto 0);

  function steps_needed return steps_t is
  begin
    if BUG = 2 then
      return WIDTH - 1;
    end if;
    return WIDTH;
  end function steps_needed;

  -- the operands of the division under way, or of the last one
  signal numerator, denominator : operand_t;
  signal state                  : state_t;

begin

  divide : process (clk)
    variable steps_left : steps_t;
    variable part, quo  : operand_t;
    variable denom      : operand_t;
  begin
    if rising_edge(clk) then
      if rst = '1' then
        state       <= IDLE;
        done        <= '0';
        by_zero     <= '0';
        steps_left  := 0;
        part        := (others => '0');
        quo         := (others => '0');
        numerator   <= (others => '0');
        denominator <= (others => '0');
      else
        done <= '0';
        case state is
          when IDLE =>
            if start = '1' then
              state       <= RUNNING;
              steps_left  := steps_needed;
              part        := (others => '0');
              quo         := dividend;
              numerator   <= dividend;
              denominator <= divisor;
              by_zero     <= '1' when divisor = 0 else '0';
            end if;

          when RUNNING =>
            denom := denominator;
            if BUG = 3 then
              denom := divisor;
            end if;
            restoring_step(part, quo, denom, restore => BUG /= 1);
            steps_left := steps_left - 1;
            if steps_left = 0 then
              state <= IDLE;
              done  <= '1';
            end if;
        end case;
      end if;

      quotient  <= quo;
      remainder <= part;
    end if;
  end process divide;

  busy <= '1' when state = RUNNING else '0';

  -- ---- checks ----------------------------------------------------------------
  check : process (clk)
    variable product : unsigned(2 * WIDTH - 1 downto 0);
  begin
    if rising_edge(clk) and rst = '0' then
      product := quotient * denominator;
      if done = '1' then
        if denominator = 0 then
          assert by_zero = '1' and quotient = (operand_t'range => '1') and remainder = numerator
            report "div: wrong result of a division by zero" severity error;
        else
          assert by_zero = '0' and product + remainder = numerator and remainder < denominator
            report "div: wrong quotient or remainder" severity error;
        end if;
      end if;
      if busy = '1' and denominator /= 0 then
        assert remainder < denominator
          report "div: partial remainder not below the divisor" severity error;
      end if;
    end if;
  end process check;

end architecture rtl;
