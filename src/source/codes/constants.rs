//! E03xx: types, and values that must be known while the design is built.

super::family! { CONSTANTS:

E0301 "expression is not constant" r#"
A width, an array bound, a parameter, a generate condition or a replication count must be
known while the design is elaborated, but this one depends on a signal.

    input  logic [3:0] n,
    output logic [n-1:0] mask              // hardware cannot change its width

Fix: use a parameter. To select a varying part of a vector, use an indexed part-select with a
constant width: `data[n +: 4]`.
"#

E0302 "loop does not end" r#"
A loop ran more often than the limit while it was being unrolled. Each turn of a loop becomes
hardware, so the number of turns must be finite and small.

    for (int i = 7; i >= 0; i = i + 1)     // counts up: never below 0
      y[i] = a[7 - i];

Fix: check the step and the condition. An `int unsigned` or a `logic` vector is never below
zero, so `i >= 0` is always true for it. The limit can be raised in the project file.
"#

E0304 "assignment pattern does not fit" r#"
An assignment pattern `'{…}` has too many or too few elements, or names a member that the
type does not have. Members left out would have no value.

    typedef struct packed { logic valid; logic [7:0] data; } beat_t;
    beat_t b = '{valid: 1'b1};             // `data` is missing

Fix: give every member a value, or add `default: '0`.
"#

W0305 "constant index out of range" r#"
A constant index or part-select lies outside the declared range. Such a bit reads as `x` and
a write to it vanishes, so the logic behind it is not what was meant.

    logic [7:0] data;
    assign msb = data[8];                  // bits are 7 down to 0

Fix: correct the index. If it comes from a parameter, guard it with `generate if`.
"#

E0306 "illegal cast" r#"
A value cannot be cast to this type: the type has no fixed number of bits, the width is not a
positive constant, or an enum has no label with this value.

    assign y = 0'(a);                      // a width of zero

Fix: cast to a packed type or to a positive constant width, such as `8'(a)`. To go from an
unpacked array to a vector, use a streaming concatenation.
"#

E0308 "wrong number or kind of arguments" r#"
A call of a function, task or system function has too many or too few arguments, or one of
them is not of the kind expected, such as an expression where an output needs a variable.

    function automatic logic [7:0] sat(input logic [8:0] x, input logic signed_mode); …
    assign y = sat(sum);                   // `signed_mode` is missing

Fix: compare the call with the declaration, which is the second place shown.
"#

E0309 "malformed literal" r#"
A number is not well formed: a digit does not belong to its base, the size is zero, or there
are no digits at all.

    assign sel = 4'b0120;                  // `2` is not a binary digit

Fix: correct the digit or the base (`'b`, `'o`, `'d`, `'h`). Underscores between digits are
allowed; spaces inside the digits are not.
"#

E0310 "type mismatch" r#"
Two types meet that have no defined conversion: an enum is assigned a plain number, an
unpacked array or struct is assigned one of another shape, or an operator is applied to a
whole unpacked value.

    typedef enum logic [1:0] {IDLE, RUN, DONE} state_t;
    state_t s;
    assign s = 2'd1;                       // needs a cast

Fix: use the enum's label (`RUN`), or cast on purpose: `state_t'(2'd1)`.
"#

E0311 "too large" r#"
A vector or array is larger than the limit. Every bit becomes state or logic that must be
analysed, and sizes like this are most often a parameter gone wrong, such as `2**ADDR` with
an address in bytes instead of words, or a width of `-1` that wrapped around.

    logic [7:0] memory [0:2**32-1];

Fix: check the parameters shown. A large memory can usually be verified with a smaller depth;
override the parameter with `-P NAME=VALUE`, or raise the limit in the project file.
"#

E0312 "function recursion does not end" r#"
A function calls itself more deeply than the limit while it is being evaluated or turned into
logic. A recursive function is hardware only if its depth is known during elaboration.

    function automatic int log2(int n);
      return 1 + log2(n / 2);              // nothing stops it at 1
    endfunction

Fix: return before the call when the argument is small: `if (n <= 1) return 0;`.
"#

E0313 "assertion failed during elaboration" r#"
The design itself checks its parameters with `$fatal` or `$error` outside of any process, and
that check has failed. Its author says this configuration must not be built.

    if (DEPTH & (DEPTH - 1))
      $fatal(1, "DEPTH must be a power of two");

Fix: choose parameter values that the message allows; the instance path shows who set them.
"#

E0314 "choices of a case are missing" r#"
A VHDL case statement, selected assignment or case generate must have a choice for each value of
its expression. What should happen for the values left out is not said.

    case state is                 -- of (idle, busy, done)
      when idle => ...
      when busy => ...
    end case;

Fix: add the missing choices, or `when others =>`.
"#
}
