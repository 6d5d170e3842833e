// Each pulse on one side is one pulse on the other: none comes from nowhere, and none is sent while the one
// before is still on its way. That each arrives is liveness: ask for it with
// --ltl 'G (pulse_not_lost.pending -> F !pulse_not_lost.pending)'.
// src_clk, dst_clk, rst (1 resets both sides), sent: a pulse is taken at src_clk, seen: one comes out at dst_clk.
module pulse_not_lost (input logic src_clk, dst_clk, rst, sent, seen);
    logic [1:0] out_count, in_count;
    always_ff @(posedge src_clk or posedge rst) if (rst) out_count <= '0; else if (sent) out_count <= out_count + 1'b1;
    always_ff @(posedge dst_clk or posedge rst) if (rst) in_count <= '0; else if (seen) in_count <= in_count + 1'b1;
    wire pending = out_count != in_count;
    always_ff @(posedge src_clk) if (!rst) not_overtaken: assert (!(sent && pending));
    always_ff @(posedge dst_clk) if (!rst) not_invented: assert (!(seen && !pending));
endmodule
