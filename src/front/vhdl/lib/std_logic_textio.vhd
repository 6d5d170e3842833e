-- IEEE.STD_LOGIC_TEXTIO: empty since VHDL-2008, which moved its procedures to STD_LOGIC_1164.

package std_logic_textio is
end package std_logic_textio;
