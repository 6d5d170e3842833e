// event_count: counts events of one clock and shows the count in another.
// The count crosses as a Gray code through a two-stage synchroniser: at most one bit is caught changing.
module event_count #(
    parameter int WIDTH = 4
) (
    input  logic             src_clk,
    input  logic             src_rst_n,
    input  logic             event_i,
    input  logic             dst_clk,
    input  logic             dst_rst_n,
    output logic [WIDTH-1:0] count_o
);
    logic [WIDTH-1:0] gray;

    gray_counter #(.WIDTH(WIDTH)) u_count (
        .clk(src_clk), .rst_n(src_rst_n), .step(event_i), .gray(gray)
    );

    logic [WIDTH-1:0] meta, stable;
    always_ff @(posedge dst_clk or negedge dst_rst_n) begin
        if (!dst_rst_n) {stable, meta} <= '0;
        else            {stable, meta} <= {meta, gray};
    end

    always_comb begin
        count_o[WIDTH-1] = stable[WIDTH-1];
        for (int i = WIDTH - 2; i >= 0; i--) count_o[i] = count_o[i+1] ^ stable[i];
    end
endmodule
