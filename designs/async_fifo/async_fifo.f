// dual-clock FIFO with Gray pointers; top: async_fifo
async_fifo.sv
