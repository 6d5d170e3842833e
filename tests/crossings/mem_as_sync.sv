// dual-port RAM, no pointers cross at all; the read port has an output register behind it
module mem_as_sync(input logic wclk, we, input logic [8:0] wa, input logic [7:0] wd,
                   input logic rclk, input logic [8:0] ra, output logic [7:0] q);
  logic [7:0] ram [512];
  logic [7:0] r1;
  always_ff @(posedge wclk) if (we) ram[wa] <= wd;
  always_ff @(posedge rclk) r1 <= ram[ra];
  always_ff @(posedge rclk) q  <= r1;
endmodule
