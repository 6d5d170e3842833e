//! Random SystemVerilog through entail and through Icarus Verilog and Verilator: every output bit that
//! a simulator knows must come out the same.
//!
//! `ENTAIL_RANDOM_EXPRS` and `ENTAIL_RANDOM_MODULES` set how many, `ENTAIL_SEED` repeats a run,
//! `ENTAIL_RANDOM_STATS=1` prints what was generated. A failure is shrunk and saved in `tests/failures`.

mod support;

use support::{
    Stats, campaign, expr::Dialect, expr_batch::Batch, gen_module::Design, oracle, seed, setting, stmt::Part,
};

#[test]
fn expressions_agree_with_the_simulators() {
    oracle::demand_tools();
    let seed = seed();
    campaign::expressions(seed, setting("ENTAIL_RANDOM_EXPRS", 3000) as usize).demand_success(seed);
}

#[test]
fn modules_agree_with_the_simulators() {
    oracle::demand_tools();
    let seed = seed();
    campaign::modules(seed, setting("ENTAIL_RANDOM_MODULES", 300) as usize).demand_success(seed);
}

/// The judges are only worth something where they agree; a fixed seed, because their bugs are not ours.
#[test]
fn the_simulators_agree_with_each_other() {
    oracle::demand_tools();
    let found = campaign::contradictions(setting("ENTAIL_CROSS_SEED", 1), setting("ENTAIL_RANDOM_CROSS", 300) as usize);
    assert!(found.is_empty(), "Icarus and Verilator contradict each other:\n{}", found.join("\n"));
}

/// A generator that quietly stops making a construct would leave it untested.
#[test]
fn the_generators_make_every_construct() {
    let stats = Stats::default();
    for seed in 0..60 {
        let icarus = seed % 3 == 0;
        let dialect = Dialect { icarus, verilator: !icarus, wild: seed % 6 == 0 };
        Batch::random(seed, 100, dialect).walk(&mut |e| stats.count(e.label()));
        let dialect = Dialect { icarus, verilator: true, wild: false };
        Design::random(seed, "m", dialect).walk(&mut |part| match part {
            Part::Expr(e) => e.walk(&mut |e| stats.count(e.label())),
            Part::Target(_) => {}
            Part::Label(l) => stats.count(l),
        });
    }
    let all = stats.all();
    let operators = "+ - * / % ** << >> <<< >>> < <= > >= == != === !== ==? !=? & | ^ ~^ ^~ && || -> <-> inside";
    let unary = "+ - ~ ! & | ^ ~& ~| ~^";
    let others = [
        "?:",
        "concatenation",
        "replication",
        "concatenation [l:r]",
        "cast size",
        "cast int",
        "cast byte",
        "cast typedef",
        "cast enum",
        "cast signed'",
        "cast unsigned'",
        "$signed",
        "$unsigned",
        "$countones",
        "$onehot",
        "$onehot0",
        "$clog2",
        "$bits",
        "stream <<",
        "stream >>",
        "function call",
        "extra parentheses",
        "literal fill",
        "literal unsized plain signed",
        "literal sized hexadecimal signed",
        "literal sized octal unsigned",
        "literal unsized binary unsigned",
        "reference [variable]",
        "reference [l:r]",
        "reference [+:]",
        "reference [-:]",
        "reference .field",
        "reference [variable] [+:]",
        "statement =",
        "statement <=",
        "statement {} =",
        "statement {} <=",
        "statement +=",
        "statement ++ after",
        "statement -- before",
        "statement if",
        "statement case Plain",
        "statement unique case Plain",
        "statement priority case Wild",
        "statement case Inside",
        "statement break",
        "statement continue",
        "statement call",
        "statement return",
        "loop for",
        "loop for down",
        "loop for step",
        "loop repeat",
        "loop while",
        "loop do while",
        "loop foreach",
        "pattern by name",
        "pattern by position",
        "pattern default",
        "generate for",
        "generate if",
        "generate case",
        "instance by name",
        "instance by position",
        "instance by .*",
        "function",
        "void function",
        "task",
        "process always_comb",
        "process always @*",
        "process always_latch",
        "process with asynchronous reset, active low",
        "process with asynchronous reset, active high",
        "process with synchronous reset",
        "process without reset",
        "initial block",
        "net with value",
        "item assign {}",
    ];
    let expected = operators.split(' ').map(|o| format!("binary {o}"));
    let expected = expected.chain(unary.split(' ').map(|o| format!("unary {o}")));
    let missing: Vec<String> =
        expected.chain(others.into_iter().map(String::from)).filter(|l| !all.contains_key(l)).collect();
    assert!(missing.is_empty(), "never generated: {}", missing.join(", "));
}
