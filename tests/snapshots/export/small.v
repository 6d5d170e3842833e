// Written by entail. `entail_free`, if there is one, holds values the design leaves open.
// Simulators get processes that settle data before clocks and let controls hold; others do not.
`ifdef SYNTHESIS
`define ENTAIL_PLAIN
`endif
`ifdef FORMAL
`define ENTAIL_PLAIN
`endif
`ifdef VERILATOR
`define ENTAIL_PLAIN
`endif
module top (
  (* src = "rtl/top.sv:1.1-1.5" *) input clk,
  (* src = "rtl/top.sv:1.9-1.13" *) input clk2,
  (* src = "rtl/top.sv:1.17-1.21" *) input rst,
  (* src = "rtl/top.sv:2.2-2.6" *) input set,
  (* src = "rtl/top.sv:2.10-2.14" *) input [4:3] data,
  (* src = "rtl/top.sv:2.18-2.22" *) output reg [1:0] \u.count  = 2'b00,
  (* src = "rtl/top.sv:3.3-3.7" *) output reg [0:1] held,
  (* src = "rtl/top.sv:3.19-3.23" *) output [4:3] word,
  input [2:0] entail_free
);
  // Values the design leaves open; they may change at any time:
  // entail_free[0]: rtl/top.sv:3.11-3.15
  // entail_free[1]: bit 0 of u.mem read beyond its end, port 0
  // entail_free[2]: bit 1 of u.mem read beyond its end, port 0
  (* src = "rtl/top.sv:1.17-1.21" *) reg [1:0] \u.mem  [0:2];
  wire [1:0] \u.mem$word0 ;
  wire \u.mem$read0[0] ; assign \u.mem$read0[0]  = ({1'b0, {data[4], data[3]}} < 3'd3) ? \u.mem$word0 [0] : entail_free[1];
  wire \u.mem$read0[1] ; assign \u.mem$read0[1]  = ({1'b0, {data[4], data[3]}} < 3'd3) ? \u.mem$word0 [1] : entail_free[2];
  wire n13; assign n13 = \u.count [0] ^ \u.count [1];
  wire n14; assign n14 = data[3] ^ \u.count [0];
  wire n15; assign n15 = data[4] ^ \u.count [1];
  wire n17; assign n17 = set & entail_free[0];
  wire n18; assign n18 = ~\u.count [0] & ~\u.count [1];
  (* src = "rtl/top.sv:3.11-3.15" *) always @(posedge clk or negedge rst) if (~rst) \u.count  <= {1'b0, 1'b0}; else \u.count  <= {n13, ~\u.count [0]};
`ifndef ENTAIL_PLAIN
  initial #0 if (~rst) \u.count  <= {1'b0, 1'b0}; else ;
`endif
  (* src = "rtl/top.sv:4.4-4.8" *) always @* if (set) held = {n15, n14};
`ifndef ENTAIL_PLAIN
  initial #0 if (set) held = {n15, n14};
`endif
  assign \u.mem$word0  = \u.mem [{data[4], data[3]}];
  initial begin
    \u.mem [1] = 2'b10;
  end
  (* src = "rtl/top.sv:1.17-1.21" *) always @(posedge clk) begin
    if (n17 && ({1'b0, {\u.count [1], \u.count [0]}} < 3'd3)) begin
      if (1'b1) \u.mem [{\u.count [1], \u.count [0]}] <= {data[4], data[3]};
    end
  end
  assign word = {\u.mem$read0[1] , \u.mem$read0[0] };
  (* src = "rtl/top.sv:3.11-3.15" *) wire open; assign open = entail_free[0];
`ifdef FORMAL
  (* src = "rtl/top.sv:1.17-1.21" *) always @(posedge clk) if (set) less: assert (n18);
  (* src = "rtl/top.sv:1.17-1.21" *) always @(posedge clk) if (set) enough: assume (n18);
  (* src = "rtl/top.sv:1.17-1.21" *) always @* if (set) seen: cover (n18);
`endif
endmodule
