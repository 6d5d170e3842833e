//! The SystemVerilog front end: what small sources mean, and what wrong ones are told.
//!
//! Expected designs are read off the source by hand; behaviour at large is compared with other
//! simulators in `random_sv.rs` and `cosim.rs`.

use entail::front::verilog::{Elaborated, Request, elaborate_text, elaborate_texts};
use entail::net::{LowerOptions, lower};
use entail::source::{Format, render};

fn all(text: &str) -> Elaborated {
    let mut e = elaborate_text(text, None);
    if let Some(d) = &e.design {
        lower(d, &LowerOptions::default(), &mut e.diagnostics);
    }
    e
}

/// The concise diagnostics of a source, one per line.
fn findings(text: &str) -> String {
    let e = all(text);
    render(&e.diagnostics, &e.sources, Format::Concise, false)
}

/// Demands exactly these diagnostics, each as `line:column code words-of-the-message`.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let got = findings(text);
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines.len(), expect.len(), "diagnostics:\n{got}");
    for (line, want) in lines.iter().zip(expect) {
        let mut parts = want.splitn(3, ' ');
        let (at, code, words) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        assert!(
            line.contains(&format!(":{at}: ")) && line.contains(&format!("[{code}]")) && line.contains(words),
            "{line}\nwanted {want}"
        );
    }
}

/// Demands that the word-level text has a line with these words.
#[track_caller]
fn has(text: &str, wanted: &[&str]) {
    let e = elaborate_text(text, None);
    let Some(d) = e.design else { panic!("{}", render(&e.diagnostics, &e.sources, Format::Concise, false)) };
    let printed = d.to_string();
    for w in wanted {
        assert!(printed.contains(w), "no `{w}` in\n{printed}");
    }
}

#[test]
fn an_asynchronous_reset_is_a_control_only_of_what_it_resets() {
    has(
        "module m(input clk, rst_n, d, output logic a, b);
           always_ff @(posedge clk or negedge rst_n)
             if (!rst_n) a <= 1'b0; else begin a <= d; b <= d; end
         endmodule",
        &[
            "register 0 a at posedge clk next and(rst_n, d) async not(rst_n) -> 1'h0",
            // b keeps its value while the reset is active: a synchronous hold.
            "register 1 b at posedge clk next mux(rst_n, d, b) init",
        ],
    );
}

#[test]
fn set_and_reset_keep_their_priority() {
    has(
        "module m(input clk, r, s, d, output logic q);
           always @(posedge clk or posedge r or posedge s)
             if (r) q <= 0; else if (s) q <= 1; else q <= d;
         endmodule",
        &["async r -> 1'h0 async s -> 1'h1"],
    );
}

#[test]
fn precedence_and_width_follow_the_standard() {
    // + binds tighter than <<, comparison than &, and ?: is last; the sum is 9 bits wide because
    // the target is.
    has(
        "module m(input [7:0] a, b, input c, output [8:0] y, output z, output [7:0] w);
           assign y = a + b;
           assign z = a[0] & b == 8'd3;
           assign w = c ? a : b + 8'd1;
         endmodule",
        &[
            "output y : 9 = add(zext(a,9), zext(b,9))",
            "output z : 1 = and(slice(a,0), eq(",
            "output w : 8 = mux(c, a, add(",
        ],
    );
}

#[test]
fn mixed_signs_make_the_whole_expression_unsigned() {
    has(
        "module m(input signed [3:0] a, input signed [3:0] b, input [3:0] c, output signed [7:0] y, z);
           assign y = a + b;
           assign z = a + c;
         endmodule",
        &["output y : 8 = add(sext(a,8), sext(b,8))", "output z : 8 = add(zext(a,8), zext(c,8))"],
    );
}

#[test]
fn each_x_literal_is_a_different_free_value() {
    let e = elaborate_text("module m(output a, b); assign a = 1'bx; assign b = 1'bx; endmodule", None);
    let text = e.design.map(|d| d.to_string()).unwrap_or_default();
    assert!(text.contains("output a : 1 = undef1:1") && text.contains("output b : 1 = undef2:1"), "{text}");
}

#[test]
fn a_large_array_used_word_by_word_stays_a_memory() {
    let e = elaborate_text(
        "module m(input clk, we, input [7:0] a, input [31:0] d, output [31:0] q);
           logic [31:0] mem [0:255];
           always_ff @(posedge clk) if (we) mem[a] <= d;
           assign q = mem[a];
         endmodule",
        None,
    );
    let d = e.design.expect("legal");
    assert_eq!(d.memories.len(), 1);
    assert_eq!((d.memories[0].size, d.memories[0].width, d.memories[0].writes.len()), (256, 32, 1));
}

#[test]
fn latches_loops_and_missing_drivers_are_reported_where_they_are() {
    check(
        "module m(input en, d, output logic q);\n always_comb if (en) q = d;\nendmodule",
        &["2:22 W0505 always_comb infers a latch for `q`"],
    );
    check("module m(input en, d, output logic q);\n always_latch if (en) q = d;\nendmodule", &[]);
    check("module m(input a, output y);\n wire w;\n assign y = a & w;\nendmodule", &["2:7 W0504 `w` has no driver"]);
    check(
        "module m(input a, output y);\n wire p, q;\n assign p = q & a;\n assign q = ~p;\n assign y = p;\nendmodule",
        &["3:9 E0502 combinational loop"],
    );
    check(
        "module m(input a, b, output y);\n assign y = a;\n assign y = b;\nendmodule",
        &["2:9 E0501 `y` has 2 drivers"],
    );
}

#[test]
fn bits_that_depend_on_each_other_in_a_line_are_no_loop() {
    check("module m(input a, output [3:0] v);\n assign v[0] = a;\n assign v[3:1] = v[2:0];\nendmodule", &[]);
}

#[test]
fn a_case_that_names_every_value_infers_no_latch() {
    check(
        "module m(input [1:0] s, output logic y);\n always_comb case (s) 2'd0: y = 0; 2'd1: y = 1; 2'd2: y = 1; 2'd3: y = 0; endcase\nendmodule",
        &[],
    );
    check(
        "module m(input s, a, b, output logic y);\n always_comb begin if (s) y = a; if (!s) y = b; end\nendmodule",
        &[],
    );
}

#[test]
fn what_hardware_cannot_have_is_an_error_only_where_it_is_reached() {
    let bad = "module bad(output logic q);\n initial #5 q = 1;\nendmodule\n";
    let top = "module top(input a, output y);\n assign y = a;\nendmodule\n";
    let text = format!("{bad}{top}");
    let request = |t: &str| Request { top: Some(t.into()), ..Request::default() };
    assert!(elaborate_texts(&[("t.sv", &text)], &request("top")).design.is_some());
    let e = elaborate_texts(&[("t.sv", &text)], &request("bad"));
    assert!(e.design.is_none());
    assert_eq!(e.diagnostics[0].code.as_str(), "E0401");
    check("module m; class c; endclass endmodule", &[]);
    check(
        "module m(input clk, output logic q);\n always @(posedge clk) fork q <= 1; join\nendmodule",
        &["2:24 E0402 fork"],
    );
    check(
        "module m(input clk, output logic q);\n always @(posedge clk) force q = 1;\nendmodule",
        &["2:24 E0404 force"],
    );
}

#[test]
fn names_that_do_not_exist_come_with_the_nearest_that_do() {
    let e = all("module m(input valid, output y);\n assign y = vaild;\nendmodule");
    assert_eq!(e.diagnostics[0].code.as_str(), "E0204");
    assert_eq!(e.diagnostics[0].help.as_deref(), Some("did you mean `valid`?"));
    check("module m(input a);\n sub u(.a(a));\nendmodule", &["2:2 E0202 unknown module `sub`"]);
    check("module s(input a); endmodule module m(input a);\n s u(.b(a));\nendmodule", &["2:7 E0205 no port `b`"]);
    check(
        "module s #(parameter W=1)(input a); endmodule module m(input a);\n s #(.V(2)) u(.a(a));\nendmodule",
        &["2:7 E0206 no parameter `V`"],
    );
    check("module m import p::*; (input a); endmodule", &["1:17 E0208 unknown package `p`"]);
}

#[test]
fn several_syntax_errors_are_found_in_one_run() {
    let text = findings("module a(input x;\nendmodule\nmodule b; assign = 3; endmodule\nmodule c; endmodule");
    assert_eq!(text.matches("E0106").count(), 2, "{text}");
}

#[test]
fn a_process_must_tell_its_clock() {
    check(
        "module m(input a, b, d, output logic q);\n always_ff @(posedge a or posedge b) q <= d;\nendmodule",
        &["2:2 E0408 several edges"],
    );
    check(
        "module m(input a, d, output logic q);\n always @(posedge a or negedge a) q <= d;\nendmodule",
        &["2:32 E0409 twice"],
    );
}

#[test]
fn loops_and_recursion_that_do_not_end_are_errors() {
    check(
        "module m(output logic [3:0] y);\n always_comb begin y = 0; for (int i = 0; i < 4; i = i) y = y; end\nendmodule",
        &["2:27 E0302 does not end"],
    );
    check(
        "module m(output [3:0] y);\n function automatic [3:0] f(input [3:0] n); return f(n); endfunction\n assign y = f(1);\nendmodule",
        &["2:52 E0312 calls itself"],
    );
}

#[test]
fn a_bind_reaches_the_instances_of_its_target() {
    has(
        "module chk(input a); always_comb assert (a); endmodule
         module sub(input x); endmodule
         bind sub chk c(.a(x));
         module top(input p, q); sub u0(.x(p)); sub u1(.x(q)); endmodule",
        &["u0.c", "u1.c"],
    );
}

#[test]
fn full_case_is_believed_and_said() {
    let body = |label: &str| {
        format!(
            "module m(input logic [1:0] s, input logic a, output logic y);
  always @* begin
    (* full_case *)
    case (s)
      2'd0: y = a;
      2'd1: y = ~a;
      2'd2: y = 0;
      {label}
    endcase
  end
endmodule
"
        )
    };
    check(&body(""), &["4:11 W0511 `full_case`, but some values have no label"]);
    check(&body("2'd3: y = 1;"), &[]);
    check(&body("default: y = 1;"), &[]);
}

#[test]
fn static_variables_start_with_anything_where_their_value_is_not_constant() {
    check(
        "module m(input logic c, input logic [3:0] a, output int y);
  always @(posedge c) begin
    static int n = a;
    n = n + 1;
    y <= n;
  end
endmodule
",
        &["3:20 W0510 the initial value of `n` is not constant"],
    );
    check(
        "module m(input logic c);
  always @(posedge c) begin
    static string s = \"t\";
  end
endmodule
",
        &["3:19 E0413 the string variable `s` cannot become hardware"],
    );
}
