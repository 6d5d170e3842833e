// Ten events in one clock are ten in the other, when they have arrived.
`timescale 1ns / 1ps
module events_tb;
    logic src_clk = 0, dst_clk = 0, rst_n = 0, event_i = 0;
    logic [3:0] count;
    always #5 src_clk = ~src_clk;
    always #3.5 dst_clk = ~dst_clk;

    event_count dut (
        .src_clk(src_clk), .src_rst_n(rst_n), .event_i(event_i),
        .dst_clk(dst_clk), .dst_rst_n(rst_n), .count_o(count)
    );

    initial begin
        #20 rst_n = 1;
        @(negedge src_clk) event_i = 1;
        repeat (10) @(negedge src_clk);
        event_i = 0;
        #50;
        if (count == 10) $display("PASS: %0d events", count);
        else $display("FAIL: %0d events", count);
        $finish;
    end
endmodule
