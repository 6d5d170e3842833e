//! E11xx: specifications and proofs by trajectory evaluation.

super::family! { PROOF:

E1101 "file of a proof cannot be read" r#"
A specification is a YAML file. It is not YAML, or a key stands in it twice.

    vectors: {a: 8}
    vectors: {b: 8}

Fix: correct the file at the place shown.
"#

E1102 "specification is not complete or not right" r#"
A specification names the design, symbolic vectors, and assertions: what is given, and what
follows then. A key is missing, unknown, or has a value of another kind.

    assertions:
      adds: {given: [a is a], than: [sum is a + b]}     # `then`

Fix: see `entail explain E1102` and the examples in proofs/.
"#

E1103 "sentence cannot be read" r#"
A sentence says what a node is: NODE is VALUE, then when GUARD, then at TIME or from TIME to
TIME. Names, slices and values are those of SystemVerilog; times are whole numbers.

    u_core.acc[7:0] is a + 1 when en from 2 to 4

Fix: write the parts in this order.
"#

E1104 "node is not found" r#"
A sentence speaks of a node that the design does not have, or of bits beyond its range. Names
are hierarchical, with dots, below the top.

    u_adder.sum[8] is carry          # sum has eight bits, 7 to 0

Fix: correct the name or the slice; `entail export --to json` lists all names.
"#

E1105 "formula has no single value" r#"
A value of a specification may not depend on `x`, on state or on an undriven signal.

    sum is 8'bxxxx0000

Fix: give every bit a value, or leave the bits out of the sentence.
"#

E1106 "rule of a proof cannot be applied" r#"
A step of a proof names theorems and a rule. The rule's conditions are checked one by one, and
one of them does not hold here.

    product: {compose: [rows, tree]}     # tree starts from signals that rows does not speak of

Fix: see the reason given; prove what is missing, or strengthen what is given.
"#
}
