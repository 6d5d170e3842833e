//! Identities as people write them in SystemVerilog: some true, some nearly so.

use super::*;
use crate::front::verilog::elaborate_text;
use std::time::Instant;

/// A module body with outputs `x` and `y` as the two sides.
fn sides(ports: &str, width: u32, body: &str) -> (Design, NodeId, NodeId) {
    let text = format!("module m({ports}, output logic [{}:0] x, y);\n{body}\nendmodule\n", width - 1);
    let e = elaborate_text(&text, Some("m"));
    let found: Vec<String> = e.diagnostics.iter().map(|d| format!("{d:?}")).collect();
    let mut d = e.design.unwrap_or_else(|| panic!("not elaborated: {found:?}\n{text}"));
    let outputs: Vec<SignalId> = d.outputs().collect();
    let nodes: Vec<NodeId> = outputs.iter().map(|s| d.signal(*s)).collect();
    (d, nodes[0], nodes[1])
}

/// Proved, and confirmed by the second check.
fn holds(ports: &str, width: u32, body: &str) -> Identity {
    let (d, x, y) = sides(ports, width, body);
    let limits = Limits::default();
    let start = Instant::now();
    let identity = prove_equal(&d, x, y, &limits).unwrap_or_else(|e| panic!("{e}\n{body}\n{d}"));
    let proved = start.elapsed();
    let points = recheck(&d, x, y, &limits).unwrap_or_else(|e| panic!("second check: {e}\n{body}\n{d}"));
    println!("{width} bits: {identity:?} in {proved:?}, {points} points in {:?}", start.elapsed() - proved);
    identity
}

/// Refused with a point at which the sides differ (which the prover itself has confirmed).
fn fails(ports: &str, width: u32, body: &str) {
    let (d, x, y) = sides(ports, width, body);
    match prove_equal(&d, x, y, &Limits::default()) {
        Err(e @ Refusal::Different(_)) => println!("{e}"),
        other => panic!("{other:?}\n{body}\n{d}"),
    }
    assert!(recheck(&d, x, y, &Limits::default()).is_err());
}

/// Unsigned radix-4 Booth: the sum of `rows` rows of digits of `b` times `a`; `digit` is the digit's body.
fn booth(n: u32, rows: u32, digit: &str) -> (String, String) {
    let (top, product) = (n - 1, 2 * n);
    let body = format!(
        "
        function automatic logic signed [2:0] digit(input logic [{n}+2:0] p, input int i);
            logic h, m, l;
            h = p[2*i+2]; m = p[2*i+1]; l = p[2*i];
            {digit}
        endfunction
        logic [{n}+2:0] padded;
        assign padded = {{2'b00, b, 1'b0}};
        always_comb begin
            x = '0;
            for (int i = 0; i < {rows}; i++)
                x = x + (({product}'(signed'(digit(padded, i))) * {product}'(a)) << (2*i));
        end
        assign y = {product}'(a) * {product}'(b);"
    );
    (format!("input logic [{top}:0] a, b"), body)
}

const SUM: &str = "return 3'(m) + 3'(l) - (3'(h) << 1);";
const CASE: &str = "case ({h, m, l})
    3'b001, 3'b010: return 3'sd1;
    3'b011: return 3'sd2;
    3'b100: return -3'sd2;
    3'b101, 3'b110: return -3'sd1;
    default: return 3'sd0;
endcase";

#[test]
fn booth_sums_are_products() {
    for n in [8, 16, 32, 64] {
        for digit in [SUM, CASE] {
            let (ports, body) = booth(n, n / 2 + 1, digit);
            let identity = holds(&ports, 2 * n, &body);
            assert_eq!(identity, Identity { monomials: (n * n) as usize, degree: 2 });
        }
    }
}

#[test]
fn booth_sums_that_are_nearly_products_are_told_apart() {
    // The top digit is missing: right for signed operands only.
    let (ports, body) = booth(16, 8, CASE);
    fails(&ports, 32, &body);
    let wrong = [
        CASE.replace("3'b011: return 3'sd2", "3'b011: return 3'sd1"),
        CASE.replace("3'b100: return -3'sd2", "3'b100: return -3'sd1"),
        CASE.replace("3'b101, 3'b110", "3'b101, 3'b111"),
        SUM.replace("<< 1", "<< 2"),
    ];
    for digit in wrong {
        let (ports, body) = booth(16, 9, &digit);
        fails(&ports, 32, &body);
    }
    let (ports, body) = booth(16, 9, CASE);
    for (from, to) in [("<< (2*i)", "<< (2*i+1)"), ("32'(signed'(digit", "32'(unsigned'(digit"), ("1'b0}", "1'b1}")] {
        assert!(body.contains(from), "{from}");
        fails(&ports, 32, &body.replace(from, to));
    }
}

#[test]
fn booth_rows_of_wires_are_products() {
    // Rows as hardware makes them: select, complement by the sign, add the sign.
    let body = "
        logic [34:0] p;
        assign p = {2'b00, b, 1'b0};
        always_comb begin
            x = '0;
            for (int i = 0; i < 17; i++) begin
                logic one, two, neg;
                logic [32:0] mag;
                one = p[2*i] ^ p[2*i+1];
                two = (p[2*i+2] & ~p[2*i+1] & ~p[2*i]) | (~p[2*i+2] & p[2*i+1] & p[2*i]);
                neg = p[2*i+2];
                mag = ({33{one}} & {1'b0, a}) | ({33{two}} & {a, 1'b0});
                x = x + ((64'(signed'({neg, {33{neg}} ^ mag})) + 64'(neg)) << (2*i));
            end
        end
        assign y = 64'(a) * 64'(b);";
    holds("input logic [31:0] a, b", 64, body);
    fails("input logic [31:0] a, b", 64, &body.replace(" + 64'(neg)", ""));
    // And rows that are chosen among multiples.
    let chosen = "
        logic [34:0] p;
        assign p = {2'b00, b, 1'b0};
        always_comb begin
            x = '0;
            for (int i = 0; i < 17; i++) begin
                logic signed [34:0] row;
                case (p[2*i +: 3])
                    3'd1, 3'd2: row = 35'(a);
                    3'd3: row = 35'(a) << 1;
                    3'd4: row = -(35'(a) << 1);
                    3'd5, 3'd6: row = -35'(a);
                    default: row = '0;
                endcase
                x = x + (64'(row) << (2*i));
            end
        end
        assign y = 64'(a) * 64'(b);";
    holds("input logic [31:0] a, b", 64, chosen);
    fails("input logic [31:0] a, b", 64, &chosen.replace("logic signed [34:0]", "logic [34:0]"));
}

#[test]
fn signed_products() {
    let ports = "input logic signed [15:0] a, b";
    holds(ports, 32, "assign x = a * b; assign y = 32'(a) * 32'(b);");
    // Baugh and Wooley's sum of the parts of signed operands.
    let body = "
        assign x = a * b;
        assign y = 32'({1'b0, a[14:0]}) * 32'({1'b0, b[14:0]}) + (32'(a[15] & b[15]) << 30)
            - (32'(a[15] ? b[14:0] : 15'd0) << 15) - (32'(b[15] ? a[14:0] : 15'd0) << 15);";
    holds(ports, 32, body);
    fails(ports, 32, &body.replace("<< 30", "<< 31"));
    fails(ports, 32, "assign x = a * b; assign y = 32'(unsigned'(a)) * 32'(unsigned'(b));");
}

#[test]
fn algebra_of_words() {
    let two = "input logic [15:0] a, b";
    holds(two, 16, "assign x = (a + b) * (a - b); assign y = a * a - b * b;");
    holds("input logic [63:0] a, b", 64, "assign x = (a + b) * (a - b); assign y = a * a - b * b;");
    fails(two, 16, "assign x = (a + b) * (a - b); assign y = a * a + b * b;");
    holds("input logic [7:0] a", 8, "assign x = {a[7:4], 4'b0} + 8'(a[3:0]); assign y = a;");
    fails("input logic [7:0] a", 8, "assign x = {a[7:4], 4'b0} + 8'(a[4:0]); assign y = a;");
    holds(two, 16, "assign x = (a << 3) + (a << 1); assign y = a * 16'd10;");
    fails(two, 16, "assign x = (a << 3) + (a << 2); assign y = a * 16'd10;");
    holds(two, 16, "assign x = ~a + 16'd1; assign y = -a;");
    holds(two, 17, "assign x = 17'(a ^ b) + {a & b, 1'b0}; assign y = 17'(a) + 17'(b);");
    holds(two, 16, "assign x = (a | b) + (a & b); assign y = a + b;");
    // Extension after and before the sum: it wraps around in one of them.
    let bytes = "input logic [7:0] a, b";
    fails(bytes, 16, "logic [7:0] s; assign s = a + b; assign x = 16'(s); assign y = 16'(a) + 16'(b);");
    holds(bytes, 16, "logic [8:0] s; assign s = a + b; assign x = 16'(s); assign y = 16'(a) + 16'(b);");
    fails(bytes, 16, "assign x = 16'(signed'(a)); assign y = 16'(a);");
    holds(bytes, 16, "assign x = 16'(signed'(a)); assign y = 16'(a) - (16'(a[7]) << 8);");
}

#[test]
fn carry_save_and_choices() {
    let three = "input logic [31:0] p, q, r, input logic c";
    let body = "
        logic [31:0] s, m;
        assign s = p ^ q ^ r;
        assign m = (p & q) | (p & r) | (q & r);
        assign x = 34'(s) + 34'({m, 1'b0});
        assign y = 34'(p) + 34'(q) + 34'(r);";
    holds(three, 34, body);
    fails(three, 34, &body.replace("(q & r)", "(q & p)"));
    fails(three, 34, &body.replace("{m, 1'b0}", "m"));
    holds(three, 32, "assign x = (c ? p : q) * r; assign y = c ? p * r : q * r;");
    holds(three, 32, "assign x = p + (c ? q : -q); assign y = c ? p + q : p - q;");
    fails(three, 32, "assign x = p + (c ? q : ~q); assign y = c ? p + q : p - q;");
    holds(three, 32, "assign x = p + (q ^ {32{c}}) + 32'(c); assign y = c ? p - q : p + q;");
    holds("input logic [15:0] a, input logic [3:0] n", 32, "assign x = 32'(a) << n; assign y = 32'(a) * (32'd1 << n);");
    fails("input logic [15:0] a, input logic [3:0] n", 16, "assign x = 16'(32'(a) << n); assign y = a << n[2:0];");
}
