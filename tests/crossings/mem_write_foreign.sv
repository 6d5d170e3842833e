// the write data, address and enable of a memory of wclk come straight from registers of rclk
module mem_write_foreign(input logic wclk, rclk, we, input logic [8:0] wa, input logic [7:0] wd,
                   input logic [8:0] ra, output logic [7:0] q);
  logic [7:0] ram [512]; logic wer; logic [8:0] war; logic [7:0] wdr;
  always_ff @(posedge rclk) begin wer <= we; war <= wa; wdr <= wd; end
  always_ff @(posedge wclk) if (wer) ram[war] <= wdr;
  always_ff @(posedge wclk) q <= ram[ra];
endmodule
