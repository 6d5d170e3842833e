// Written by entail: assertion `assert_line_7` fails in step 2.
// The property is at design.sv:7:28.
// Run it: iverilog -g2012 -s entail_bench -o bench.vvp DESIGN.sv BENCH.sv && vvp bench.vvp
// In steps marked `joint`, data must change with the clock: not before it, not after it.
// A failing assertion of the design is reported by the simulator.
`timescale 1ns/1ns
module entail_bench;
  reg clk = 1'b0;
  reg rst;
  wire late;
  joint dut (
    .clk(clk),
    .rst(rst),
    .late(late)
  );
  initial begin
    // Step 0.
    clk = 1'b0; rst = 1'b0;
    #5;
    clk = 1'b1;
    #5;
    // Step 1.
    clk = 1'b0;
    #5;
    rst = 1'b1;
    #0; // joint
    clk = 1'b1;
    #5;
    // Step 2.
    clk = 1'b0; rst = 1'b0;
    #5;
    clk = 1'b1;
    #5;
    clk = 1'b0;
    $display("entail: end of the trace");
    $finish;
  end
endmodule
