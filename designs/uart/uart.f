// UART; top: uart
uart_tx.sv
uart_rx.sv
uart.sv
