#!/usr/bin/env python3
"""Writes a SystemVerilog design of about N registers in many clock domains: blocks of logic that hand words to each
other by toggle handshakes, gray counters and plain synchronisers. Usage: big_crossings.py REGISTERS [CLOCKS]"""
import sys

REGISTERS = int(sys.argv[1])
CLOCKS = int(sys.argv[2]) if len(sys.argv) > 2 else 8
BLOCK = 120  # registers of a block, roughly

print("""module block #(parameter int SEED = 1) (
  input logic a, b, input logic [15:0] d, output logic [15:0] q);
  logic [15:0] s0 = SEED, s1 = 0, s2 = 0, held = 0, got = 0;
  logic req = 0, ack = 0;
  (* ASYNC_REG = "TRUE" *) logic [1:0] req_b = 0, ack_a = 0;
  logic [3:0] bin = 0, gray = 0;
  (* ASYNC_REG = "TRUE" *) logic [3:0] gray_1 = 0, gray_2 = 0;
  logic [7:0] seen = 0;
  always_ff @(posedge a) begin
    s0 <= d ^ {s0[14:0], s0[15]};
    s1 <= s0 + s1;
    s2 <= s1 & s0 | s2;
    ack_a <= {ack_a[0], ack};
    if (req == ack_a[1]) begin held <= s2; req <= !req; end
    if (s1[0]) begin bin <= bin + 1; gray <= (bin + 4'd1) ^ ((bin + 4'd1) >> 1); end
  end
  always_ff @(posedge b) begin
    req_b <= {req_b[0], req};
    gray_1 <= gray; gray_2 <= gray_1;
    if (req_b[1] != ack) begin got <= held; ack <= req_b[1]; end
    seen <= seen + {4'd0, gray_2};
  end
  assign q = got + {seen, seen};
endmodule""")
blocks = max(1, REGISTERS // BLOCK)
print(f"module top(input logic [{CLOCKS - 1}:0] clk, input logic [15:0] d, output logic [15:0] q);")
print(f"  logic [15:0] w [{blocks + 1}];")
print("  logic [15:0] start = 0;\n  always_ff @(posedge clk[0]) start <= d;\n  assign w[0] = start;")
for i in range(blocks):
    a, b = i % CLOCKS, (i + 1) % CLOCKS
    print(f"  block #(.SEED({i + 1})) b{i} (.a(clk[{a}]), .b(clk[{b}]), .d(w[{i}]), .q(w[{i + 1}]));")
print(f"  assign q = w[{blocks}];\nendmodule")
