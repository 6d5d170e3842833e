// as before, and the synchronised copy comes back to the FSM of ca
module input_plus_sync2(input logic ca, cb, en, output logic [1:0] st);
  logic s1, s2, r1, r2; initial st = 0;
  always_ff @(posedge cb) {s2, s1} <= {s1, en};
  always_ff @(posedge ca) begin
    {r2, r1} <= {r1, s2};
    case (st) 2'd0: if (en) st <= 1; 2'd1: if (r2) st <= 2; 2'd2: if (!en) st <= 3; default: if (!r2) st <= 0; endcase
  end
endmodule
