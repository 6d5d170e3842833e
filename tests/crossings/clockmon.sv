// measure gate over, "running" back, counter taken after it has stopped: no memory, no pointers
module clockmon(input logic cu, cd, output logic [7:0] cnt_u);
  logic run = 0; logic [5:0] t = 0;
  logic d1 = 0, d2 = 0, d3 = 0; logic [7:0] cnt = 0;
  logic u1 = 0, u2 = 0, u3 = 0;
  always_ff @(posedge cu) begin
    {u3, u2, u1} <= {u2, u1, d3};
    t <= t + 1'b1;
    if (!u3) run <= 1; else if (t == 0) run <= 0;
    if (u3 && !u2) cnt_u <= cnt;
    else if (t == 0 && run != u3) cnt_u <= '0;
  end
  always_ff @(posedge cd) begin
    {d3, d2, d1} <= {d2, d1, run};
    if (!d3 && d2) cnt <= '0; else if (d3) cnt <= cnt + 1'b1;
  end
endmodule
