// Written by entail: assertion `assert_line_12` fails in step 5.
// The property is at design.sv:12:34.
// Run it: iverilog -g2012 -s entail_bench -o bench.vvp a.sv BENCH.sv && vvp bench.vvp
// A failing assertion of the design is reported by the simulator.
`timescale 1ns/1ns
// With Verilator: verilator --binary --assert -Wno-fatal -Wno-BLKANDNBLK -Wno-ENUMVALUE --top-module entail_bench ...
`ifdef VERILATOR
`define ENTAIL_SET(signal, value) signal = value
`else
`define ENTAIL_SET(signal, value) $deposit(signal, value)
`endif
module entail_bench;
  reg clk = 1'b0;
  reg rst;
  reg en;
  reg [7:0] inc;
  wire [7:0] count;
  counter #(.W(8)) dut (
    .clk(clk),
    .rst(rst),
    .en(en),
    .inc(inc),
    .count(count)
  );
  initial begin
    // State that the design gives no initial value.
    `ENTAIL_SET(dut.count, 8'h11);
    `ENTAIL_SET(dut.u.key, 4'h3);
    // Step 0.
    clk = 1'b0; rst = 1'b1; en = 1'b1; inc = 8'h0;
    #5;
    clk = 1'b1;
    #5;
    // Step 1.
    clk = 1'b0; rst = 1'b0; inc = 8'h63;
    #5;
    clk = 1'b1;
    #5;
    // Step 2.
    clk = 1'b0; inc = 8'h78;
    #5;
    clk = 1'b1;
    #5;
    // Step 3.
    clk = 1'b0; en = 1'b0; inc = 8'h0;
    #5;
    clk = 1'b1;
    #5;
    // Step 4.
    clk = 1'b0;
    #5;
    clk = 1'b1;
    #5;
    // Step 5.
    clk = 1'b0;
    #5;
    clk = 1'b1;
    #5;
    clk = 1'b0;
    $display("entail: end of the trace");
    $finish;
  end
endmodule
