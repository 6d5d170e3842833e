-- fifo_ram: the memory of async_fifo, in two forms
-- -----------------------------------------------------------------------------
-- What it is
--   2**ADDR_BITS words, one write port, one read port.
--     block_ram     registered read, as in a block RAM: rd_data shows the word
--                   that rd_addr named at the last rd_clk edge with rd_en high
--     distributed   combinational read, as from lookup tables: rd_data follows
--                   rd_addr; rd_clk and rd_en are not used
--
-- Clocks
--   wr_clk, rd_clk   unrelated; there is no reset
--
-- Contract
--   The user does not read a word while it is written: nothing here synchronises.
--
-- Generics
--   ADDR_BITS, WIDTH
-- -----------------------------------------------------------------------------
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity fifo_ram is
  generic (
    ADDR_BITS : positive;
    WIDTH     : positive
  );
  port (
    wr_clk  : in  std_logic;
    wr_en   : in  std_logic;
    wr_addr : in  unsigned(ADDR_BITS - 1 downto 0);
    wr_data : in  std_logic_vector(WIDTH - 1 downto 0);

    rd_clk  : in  std_logic;
    rd_en   : in  std_logic;
    rd_addr : in  unsigned(ADDR_BITS - 1 downto 0);
    rd_data : out std_logic_vector(WIDTH - 1 downto 0)
  );
end entity fifo_ram;

architecture block_ram of fifo_ram is
  type words_t is array (0 to 2 ** ADDR_BITS - 1) of std_logic_vector(WIDTH - 1 downto 0);
  signal words : words_t                              := (others => (others => '0'));
  signal shown : std_logic_vector(WIDTH - 1 downto 0) := (others => '0');

  attribute ram_style : string;
  attribute ram_style of words : signal is "block";
begin

  write_port : process (wr_clk)
  begin
    if rising_edge(wr_clk) then
      if wr_en = '1' then
        words(to_integer(wr_addr)) <= wr_data;
      end if;
    end if;
  end process write_port;

  read_port : process (rd_clk)
  begin
    if rising_edge(rd_clk) then
      if rd_en = '1' then
        shown <= words(to_integer(rd_addr));
      end if;
    end if;
  end process read_port;

  rd_data <= shown;

end architecture block_ram;

architecture distributed of fifo_ram is
  type words_t is array (natural range <>) of std_logic_vector(WIDTH - 1 downto 0);
  signal words : words_t(0 to 2 ** ADDR_BITS - 1);

  attribute ram_style : string;
  attribute ram_style of words : signal is "distributed";
begin

  write_port : process
  begin
    wait until rising_edge(wr_clk);
    if wr_en = '1' then
      words(to_integer(wr_addr)) <= wr_data;
    end if;
  end process write_port;

  rd_data <= words(to_integer(rd_addr));

end architecture distributed;
