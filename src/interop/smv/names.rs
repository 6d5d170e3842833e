//! Identifiers of SMV: letters, digits, `_`, `$` and `#`, and no word of the language.

use super::super::ident::Scope;

/// The names given so far.
#[derive(Default)]
pub(super) struct Names(Scope);

impl Names {
    /// The name, as far as the language allows, if it is free; else with a number behind it. `u.q[3]` is `u_q_3`.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name: String =
            wanted.trim_end_matches(']').chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        if WORDS.binary_search(&name.as_str()).is_ok() {
            name.push('_');
        }
        self.0.fresh(&name)
    }
}

/// Reserved words of NuSMV 2.6 and nuXmv 2.0.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "A", "ABF", "ABG", "AF", "AG", "ASSIGN", "ASYM", "AX", "BU", "COMPASSION", "COMPID", "COMPUTE", "COMPWFF",
    "CONSTANTS", "CONSTARRAY", "CONSTRAINT", "CTLSPEC", "CTLWFF", "DEFINE", "E", "EBF", "EBG", "EF", "EG", "EX", "F",
    "FAIRNESS", "FALSE", "FROZENVAR", "FUN", "G", "H", "IN", "INIT", "INVAR", "INVARSPEC", "ISA", "ITYPE", "IVAR",
    "Integer", "JUSTICE", "LTLSPEC", "LTLWFF", "MAX", "MDEFINE", "MIN", "MIRROR", "MODULE", "NAME", "O", "PARSYNTH",
    "PRED", "PREDICATES", "PSLSPEC", "PSLWFF", "READ", "Real", "S", "SIMPWFF", "SPEC", "T", "TRANS", "TRUE", "U", "V",
    "VALID", "VAR", "WRITE", "Word", "X", "Y", "Z", "abs", "array", "bool", "boolean", "case", "clock", "cos", "count",
    "esac", "exp", "extend", "floor", "forall", "in", "init", "integer", "ln", "max", "min", "mod", "next", "noncontinuous",
    "of", "pi", "pow", "process", "real", "resize", "self", "signed", "sin", "sizeof", "swconst", "tan", "time",
    "toint", "typeof", "union", "unsigned", "until", "uwconst", "word", "word1", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_search() {
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut n = Names::default();
        let got = ["u.q[3]", "u_q_3", "X", "3d", "", "next", "entail:first"].map(|w| n.fresh(w));
        assert_eq!(got, ["u_q_3", "u_q_3$2", "X_", "_3d", "_", "next_", "entail_first"]);
    }
}
