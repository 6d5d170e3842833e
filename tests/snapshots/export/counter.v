// Written by entail. `entail_free`, if there is one, holds values the design leaves open.
module top (
  (* src = "rtl/top.sv:1.1-1.5" *) input clk,
  (* src = "rtl/top.sv:1.9-1.13" *) input clk2,
  (* src = "rtl/top.sv:1.17-1.21" *) input rst,
  (* src = "rtl/top.sv:2.2-2.6" *) input set,
  (* src = "rtl/top.sv:2.10-2.14" *) output reg [5:3] \u.count  = 3'b000
);
  wire n8; assign n8 = set ^ \u.count [3];
  wire n9; assign n9 = \u.count [3] & \u.count [4];
  wire n10; assign n10 = \u.count [3] ^ \u.count [4];
  wire n11; assign n11 = set ? n10 : \u.count [4];
  wire n12; assign n12 = \u.count [5] ^ n9;
  wire n13; assign n13 = set ? n12 : \u.count [5];
  wire n14; assign n14 = ~\u.count [4] & \u.count [5];
  wire n15; assign n15 = \u.count [3] & n14;
  (* src = "rtl/top.sv:3.11-3.15" *) always @(posedge clk) \u.count  <= {n13, n11, n8};
`ifdef FORMAL
  (* src = "rtl/top.sv:2.2-2.6" *) always @(posedge clk) if (1'b1) never_five: assert (~n15);
  (* src = "rtl/top.sv:2.2-2.6" *) always @(posedge clk) if (1'b1) nothing: assert (1'b1);
`endif
endmodule
