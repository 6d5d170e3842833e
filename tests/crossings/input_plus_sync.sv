// en is used as it is by ca alone, and goes to cb through a two-stage synchroniser: it belongs to ca
module input_plus_sync(input logic ca, cb, en, output logic qa, output logic qb);
  logic s1;
  always_ff @(posedge ca) qa <= en;
  always_ff @(posedge cb) {qb, s1} <= {s1, en};
endmodule
