//! Sequential equivalence by SAT: Yosys makes one circuit of both designs, in which clocks are data
//! like any other, and ABC proves by induction that its output stays 0.

use super::{Pair, run};

/// What came of a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Equal,
    /// An output differs after this many steps.
    Differs(String),
    /// Nothing within the time; why.
    Open(String),
}

/// Registers without a value to start from start at 0 on both sides, and what GHDL leaves open is 0.
const YOSYS: &str = "read_verilog -DSYNTHESIS miter.v gold.v gate.v; hierarchy -top miter; proc; flatten; opt_clean; \
                     memory; opt_clean; clk2fflogic; setundef -zero -init -undriven; techmap; setundef -zero; \
                     dffunmap; aigmap; opt_clean; write_aiger -zinit miter.aig";

/// No names are matched: `scorr` finds which signals of the two are always equal, and assumes and proves
/// this of all of them together. A difference is best looked for step by step, and what is left over goes to
/// the other engines.
const ABC: [&str; 2] = [
    "read_aiger miter.aig; scorr; write_aiger rest.aig; bmc3 -F 300 -T 10; print_status",
    "read_aiger rest.aig; dprove; print_status",
];

/// Proves two designs equal from reset on, whatever the inputs and clocks do.
pub fn prove(pair: &Pair, seconds: u32) -> Verdict {
    let dir = pair.dir.path();
    std::fs::write(dir.join("miter.v"), pair.miter()).expect("written");
    if let Err(e) = run(dir, 4 * seconds, "yosys", &["-q", "-p", YOSYS]) {
        return Verdict::Open(e);
    }
    let mut open = String::new();
    for script in ABC {
        let said = match run(dir, seconds, "berkeley-abc", &["-c", script]) {
            Ok(said) => said,
            Err(e) => return Verdict::Open(e),
        };
        let status = said.lines().rev().find_map(|l| l.trim().strip_prefix("Status = "));
        match status.and_then(|s| s.split_whitespace().next()) {
            Some("1") => return Verdict::Equal,
            Some("0") => {
                let place = said.lines().find(|l| l.contains("was asserted"));
                return Verdict::Differs(place.unwrap_or("an output differs").to_string());
            }
            _ => open = said,
        }
    }
    Verdict::Open(open)
}
