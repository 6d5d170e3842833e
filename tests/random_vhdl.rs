//! Random VHDL through entail and through GHDL: every output bit that GHDL knows must come out the same.
//!
//! `ENTAIL_RANDOM_VHDL_EXPRS` and `ENTAIL_RANDOM_VHDL_ENTITIES` set how many, `ENTAIL_SEED` repeats a
//! run, `ENTAIL_RANDOM_STATS=1` prints what was generated (2 and 3 also what GHDL refuses, made small or
//! whole). A failure is shrunk and saved in `tests/failures`. `ENTAIL_VHDL_SUBJECT` puts somebody else in
//! the place of entail, which tests the generators and GHDL: `synth` and `synth-verilog` are GHDL's own
//! synthesis, `fresh` is GHDL's simulation of every vector from the start.

mod support;
mod support_vhdl;

use std::collections::BTreeSet;
use support::{seed, setting};
use support_vhdl::{batch::Batch, campaign, entity::Design, oracle, stmt::Part};

#[test]
fn expressions_agree_with_ghdl() {
    oracle::demand_tools();
    let seed = seed();
    campaign::expressions(seed, setting("ENTAIL_RANDOM_VHDL_EXPRS", 2000) as usize).demand_success(seed);
}

#[test]
fn entities_agree_with_ghdl() {
    oracle::demand_tools();
    let seed = seed();
    campaign::entities(seed, setting("ENTAIL_RANDOM_VHDL_ENTITIES", 200) as usize).demand_success(seed);
}

/// Every label that a number of seeds generate.
fn generated() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for seed in 0..200 {
        let batch = Batch::random(seed, 100, false);
        batch.walk(&mut |e| {
            all.insert(e.label.clone());
        });
        all.extend(batch.items.iter().map(|i| i.label()));
        Design::random(seed, "d", false).walk(&mut |part| match part {
            Part::Expr(e) => e.walk(&mut |e| {
                all.insert(e.label.clone());
            }),
            Part::Label(l) => {
                all.insert(l);
            }
        });
    }
    all
}

/// `first` followed by each word of `rest`.
fn each(first: &str, rest: &str) -> Vec<String> {
    rest.split(' ').map(|word| format!("{first} {word}")).collect()
}

/// A generator that quietly stops making a construct would leave it untested.
#[test]
fn the_generators_make_every_construct() {
    let mut expected: Vec<String> = vec![];
    let logical = "and or xor nand nor xnor";
    for op in logical.split(' ') {
        let all = "std_logic bit boolean std_logic_vector unsigned signed bit_vector";
        expected.extend(each(&format!("binary {op}"), all));
        expected.extend(each(&format!("unary {op}"), "std_logic_vector unsigned signed bit_vector"));
        for vector in ["std_logic_vector", "unsigned", "signed"] {
            expected.push(format!("binary {op} std_logic {vector}"));
            expected.push(format!("binary {op} {vector} std_logic"));
        }
        expected.extend([format!("binary {op} bit bit_vector"), format!("binary {op} bit_vector bit")]);
        if !matches!(op, "nand" | "nor") {
            expected.push(format!("binary {op} std_logic chained"));
        }
    }
    for op in "= /= < <= > >=".split(' ') {
        let all = "std_logic bit boolean integer enumeration std_logic_vector unsigned signed bit_vector";
        expected.extend(each(&format!("binary {op}"), all));
        expected.push(format!("binary {op} own integer"));
        for vector in ["std_logic_vector", "unsigned", "signed", "bit_vector"] {
            expected.push(format!("binary {op} {vector} unequal"));
        }
        for kind in ["unsigned", "signed"] {
            expected.extend([format!("binary {op} {kind} integer"), format!("binary {op} integer {kind}")]);
        }
    }
    for op in "= /=".split(' ') {
        expected.extend(each(&format!("binary {op}"), "record array"));
        expected.push(format!("binary {op} 2-D array"));
    }
    for op in "?= ?/= ?< ?<= ?> ?>=".split(' ') {
        expected.extend(each(&format!("binary {op}"), "std_logic unsigned signed"));
        expected.extend([format!("binary {op} unsigned integer"), format!("binary {op} integer signed")]);
    }
    for op in "?= ?/=".split(' ') {
        expected.extend(each(&format!("binary {op}"), "std_logic_vector bit bit_vector"));
    }
    for op in "+ - * / rem mod".split(' ') {
        expected.extend(each(&format!("binary {op}"), "integer unsigned signed"));
        expected.push(format!("binary {op} own integer"));
        for kind in ["unsigned", "signed"] {
            expected.extend([format!("binary {op} {kind} integer"), format!("binary {op} integer {kind}")]);
        }
    }
    for op in ["+", "-"] {
        for kind in ["unsigned", "signed"] {
            expected.extend([format!("binary {op} {kind} std_logic"), format!("binary {op} std_logic {kind}")]);
        }
    }
    for op in "sll srl rol ror".split(' ') {
        expected.extend(each(&format!("binary {op}"), "std_logic_vector unsigned signed bit_vector"));
    }
    for op in "sla sra".split(' ') {
        expected.extend(each(&format!("binary {op}"), "unsigned signed bit_vector"));
    }
    for f in
        "shift_left shift_right rotate_left rotate_right resize to_integer to_01 std_match find_leftmost".split(' ')
    {
        expected.extend(each(f, "unsigned signed"));
    }
    for f in ["minimum", "maximum"] {
        let all = "integer std_logic bit boolean enumeration unsigned signed std_logic_vector bit_vector";
        expected.extend(each(f, all));
        expected.push(format!("{f} unsigned integer"));
    }
    for kind in "std_logic_vector unsigned signed bit_vector".split(' ') {
        for mix in ["array array", "array element", "element array", "element element"] {
            expected.push(format!("binary & {kind} {mix}"));
        }
        expected.extend(each("aggregate others", kind));
        for form in ["positional", "positional and others", "ranges", "named and others"] {
            expected.push(format!("aggregate {form} {kind}"));
        }
    }
    expected.extend(each("unary not", "std_logic bit boolean std_logic_vector unsigned signed bit_vector"));
    expected.extend(each("unary abs", "integer signed"));
    expected.extend(each("unary -", "integer signed"));
    expected.extend(each("unary ??", "std_logic bit"));
    expected.extend(each("std_match", "std_logic std_logic_vector"));
    expected.extend(each("attribute", "'length 'left 'right 'high 'low 'pos 'val 'succ 'pred 'leftof 'rightof"));
    let scalars = "integer enumeration boolean bit std_logic std_logic_vector unsigned signed bit_vector";
    expected.extend(each("statement case on", scalars));
    expected.extend(OTHERS.iter().map(|l| l.to_string()));
    let all = generated();
    let missing: Vec<String> = expected.into_iter().filter(|l| !all.contains(l)).collect();
    assert!(missing.is_empty(), "never generated: {}", missing.join(", "));
}

/// Constructs that come in one form.
const OTHERS: [&str; 128] = [
    "binary ** integer",
    "binary & array: array array",
    "binary & array: array element",
    "binary & array: element array",
    "binary & array: element element",
    "aggregate choices and others unsigned",
    "aggregate positional array",
    "aggregate named array",
    "aggregate range and others array",
    "aggregate others array",
    "aggregate positional 2-D array",
    "aggregate others 2-D array",
    "aggregate positional record",
    "aggregate named record",
    "aggregate others record",
    "aggregate choices record",
    "literal \"\"",
    "literal ''",
    "literal empty",
    "literal X\"\"",
    "literal O\"\"",
    "literal B\"\" with _",
    "literal sized UX\"\"",
    "literal sized X\"\"",
    "literal sized SB\"\"",
    "literal sized D\"\"",
    "literal based integer",
    "literal integer with _",
    "literal integer with exponent",
    "literal with -",
    "name (constant)",
    "name (variable)",
    "name (variable, 2-D)",
    "name (enumeration)",
    "name ('high)",
    "name slice",
    "name slice, variable",
    "name slice by attributes",
    "name slice of array",
    "name .field .field",
    "name (variable) .field",
    "constant name (variable)",
    "parentheses",
    "qualified expression",
    "conversion signed to unsigned",
    "conversion std_logic_vector to signed",
    "conversion unsigned to std_logic_vector",
    "conversion to own integer",
    "to_unsigned",
    "to_signed",
    "to_bit",
    "to_bitvector",
    "to_stdulogic",
    "to_stdlogicvector",
    "to_x01 std_logic_vector",
    "resize like unsigned",
    "resize to 'length signed",
    "attribute 'length(n)",
    "attribute 'high of type",
    "function call",
    "function call, named",
    "function reversed",
    "function widened",
    "function left_of",
    "function any_of",
    "function bits_for",
    "function in package",
    "function in architecture",
    "function in process",
    "procedure in package",
    "procedure in architecture",
    "procedure in process",
    "procedure call, signal",
    "procedure call, variable",
    "procedure call, named",
    "procedure put",
    "procedure bump",
    "procedure mark",
    "procedure spin",
    "place assignment",
    "place when else",
    "place with select",
    "place variable",
    "place if",
    "place case",
    "place case?",
    "place sequential when else",
    "place port",
    "place constant",
    "place generic",
    "statement := whole",
    "statement := part",
    "statement := aggregate",
    "statement := when",
    "statement <= whole",
    "statement <= part",
    "statement <= aggregate",
    "statement <= when",
    "statement if",
    "statement if elsif",
    "statement case?",
    "statement counter",
    "statement exit",
    "statement exit outer loop",
    "statement next",
    "statement return",
    "loop for to",
    "loop for downto",
    "loop for 'range",
    "loop for 'reverse_range",
    "loop while",
    "loop without scheme",
    "concurrent when else",
    "concurrent with select",
    "process (all)",
    "process with sensitivity list",
    "process rising_edge, asynchronous reset",
    "process rising_edge, synchronous reset",
    "process rising_edge, no reset",
    "process rising_edge, asynchronous reset, second clock",
    "process falling_edge, synchronous reset",
    "process clk'event, asynchronous reset",
    "process wait until rising_edge, no reset",
    "variable with value",
    "signal with value",
    "memory type",
    "type in architecture",
    "alias",
];

/// The same for units and what joins them.
#[test]
fn the_generators_make_every_kind_of_unit() {
    let all = generated();
    let expected = [
        "constant",
        "constant in package",
        "deferred constant",
        "generic of the top",
        "two clocks",
        "block",
        "component",
        "generate for",
        "generate if",
        "generate if elsif",
        "generate case",
        "instance of component, named",
        "instance of component, positional",
        "instance of entity, named",
        "instance of entity, positional",
        "instance of pipeline",
        "instance of tree",
    ];
    let missing: Vec<&str> = expected.into_iter().filter(|l| !all.contains(*l)).collect();
    assert!(missing.is_empty(), "never generated: {}", missing.join(", "));
}
