// Info: a dual-clock FIFO of four words; its pointers cross in gray code through synchronisers.
module top (
    input  logic       clk_a,
    input  logic       clk_b,
    input  logic       push,
    input  logic       pop,
    input  logic [1:0] d,
    output logic [1:0] q = 0
);
    logic [1:0] mem [0:3];
    logic       push_a = 0, pop_b = 0;
    logic [1:0] d_a = 0;
    logic [2:0] wbin = 0, wgray = 0, rbin = 0, rgray = 0;
    logic [2:0] wnext, rnext;
    logic       put, get;
    (* ASYNC_REG = "TRUE" *) logic [2:0] wgray_first = 0;    // in clk_b
    (* ASYNC_REG = "TRUE" *) logic [2:0] wgray_second = 0;
    (* ASYNC_REG = "TRUE" *) logic [2:0] rgray_first = 0;    // in clk_a
    (* ASYNC_REG = "TRUE" *) logic [2:0] rgray_second = 0;

    // Full: the writer is a lap ahead, so the two top bits differ.  Empty: the pointers are equal.
    assign put   = push_a && wgray != (rgray_second ^ 3'b110);
    assign get   = pop_b && rgray != wgray_second;
    assign wnext = wbin + {2'd0, put};
    assign rnext = rbin + {2'd0, get};
    always_ff @(posedge clk_a) begin
        push_a       <= push;
        d_a          <= d;
        rgray_first  <= rgray;
        rgray_second <= rgray_first;
        wbin         <= wnext;
        wgray        <= wnext ^ (wnext >> 1);
        if (put) mem[wbin[1:0]] <= d_a;
    end
    always_ff @(posedge clk_b) begin
        pop_b        <= pop;
        wgray_first  <= wgray;
        wgray_second <= wgray_first;
        rbin         <= rnext;
        rgray        <= rnext ^ (rnext >> 1);
        if (get) q <= mem[rbin[1:0]];
    end
endmodule
