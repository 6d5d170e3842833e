// Right: one reset, released in step with clk_a, clears both registers.
module top (
    input  logic clk_a,
    input  logic rst_a_n,
    input  logic d,
    output logic y = 0
);
    logic x = 0;
    logic clear_n;
    (* ASYNC_REG = "TRUE" *) logic [1:0] release_a = 0;

    always_ff @(posedge clk_a or negedge rst_a_n) begin
        if (!rst_a_n) release_a <= 2'b00;
        else          release_a <= {release_a[0], 1'b1};
    end

    assign clear_n = release_a[1];

    always_ff @(posedge clk_a or negedge clear_n) begin
        if (!clear_n) begin
            x <= 1'b0;
            y <= 1'b0;
        end else begin
            x <= d;
            y <= x;
        end
    end
endmodule
