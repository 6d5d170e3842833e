// bus with an interface, a master and two slaves; top: bus_top
bus_if.sv
bus_master.sv
bus_regs.sv
bus_ram.sv
bus_decoder.sv
bus_top.sv
