//! Tests of files that are wrong: they are refused with a place, soon, and at little cost.

use super::damage::damage;
use super::{memory, random_system, seen, value};
use crate::number;
use crate::support_export::random::{ALL, design, memory_design};
use crate::support_export::sources;
use entail::interop::aiger::AigerOptions;
use entail::interop::{aiger, btor2};
use entail::model::System;
use fastrand::Rng;

/// So much a damaged file may cost beyond itself.
const MOST: usize = 64 << 20;

/// A file is read or refused, soon and without much memory; what is read can be run.
fn survives(bytes: &[u8], read: &dyn Fn(&[u8]) -> Result<System, String>, rng: &mut Rng, context: &str) -> bool {
    let start = std::time::Instant::now();
    let (sys, most) = memory::most(|| read(bytes));
    let text = || String::from_utf8_lossy(bytes).into_owned();
    assert!(most < MOST + 64 * bytes.len(), "{context}: {most} bytes for\n{}", text());
    assert!(start.elapsed().as_secs() < 10, "{context}: {:?} for\n{}", start.elapsed(), text());
    let sys = match sys {
        Ok(sys) => sys,
        Err(e) => {
            let place = e.starts_with("line ") || e.starts_with("byte ") || e.starts_with("variable ");
            assert!(place, "{context}: no place in `{e}`");
            return false;
        }
    };
    let mut state: Vec<bool> = sys.states.iter().map(|s| s.init.unwrap_or_else(|| rng.bool())).collect();
    for _ in 0..2 {
        let inputs: Vec<bool> = sys.inputs.iter().map(|_| rng.bool()).collect();
        let values = sys.evaluate(&state, &inputs);
        seen(&sys, &values);
        state = sys.states.iter().map(|s| value(&values, s.next)).collect();
    }
    true
}

/// Small, so that a mistake that asks for much is seen to be refused, not paid for.
fn read_small(bytes: &[u8]) -> Result<System, String> {
    let limits = btor2::Limits { array_bits: 1 << 14, leaves: 1 << 16, bits: 1 << 20, gates: 1 << 18 };
    btor2::read_within(bytes, limits)
}

#[test]
fn damaged_files_are_read_or_refused() {
    let (seed, count) = (number("ENTAIL_SEED", 1), number("ENTAIL_DAMAGED", 12_000));
    println!("seed {seed}");
    let mut kept = [[0u64; 2]; 3];
    for n in 0..count {
        let mut rng = Rng::with_seed(seed.wrapping_mul(5_000_011).wrapping_add(n));
        let kind = (n % 3) as usize;
        let map = sources();
        let good = match kind {
            0 | 1 => aiger::write_system(&random_system(&mut rng), &map, AigerOptions { ascii: kind == 0 }),
            _ if n % 2 == 0 => btor2::write(&design(n % 50, ALL[n as usize / 6 % 5], false), &map)
                .expect("can be written")
                .into_bytes(),
            _ if n % 5 == 0 => btor2::write(&memory_design(n, false), &map).expect("can be written").into_bytes(),
            _ => btor2::write_system(&random_system(&mut rng), &map).into_bytes(),
        };
        let bad = damage(&good, &mut rng);
        let context = format!("seed {seed}, file {n}");
        let read: &dyn Fn(&[u8]) -> Result<System, String> = if kind < 2 { &aiger::read } else { &read_small };
        kept[kind][survives(&bad, read, &mut rng, &context) as usize] += 1;
    }
    println!("refused, read: {kept:?}");
    assert!(kept.iter().flatten().all(|k| *k > count / 100), "the damage is too much or too little: {kept:?}");
}

#[test]
fn a_header_alone_is_not_believed() {
    for text in [
        "aig 4000000000 4000000000 0 0 0\n",
        "aig 16000000 16000000 0 0 0\n",
        "aag 2000000000 0 0 0 0\n",
        "aag 0 0 0 0 0 4000000000\n",
        "aag 0 0 0 0 0 0 0 1 0\n4000000000\n",
        "aig 1000000 0 1000000 0 0\n",
    ] {
        let (read, most) = memory::most(|| aiger::read(text.as_bytes()));
        assert!(read.is_err() && most < 1 << 20, "{text}: {most} bytes");
    }
}

#[test]
fn what_is_wrong_with_a_btor2_file_is_said() {
    let head = "1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 a\n4 input 2 b\n";
    for (more, want) in [
        ("x sort bitvec 1", "line 5: a line begins with its number, not with `x`"),
        ("0 zero 1", "line 5: a line begins with its number, not with `0`"),
        ("5", "line 5: the line ends behind its number"),
        ("5 frob 1 3", "line 5: `frob` is no keyword of BTOR2"),
        ("3 zero 1", "line 5: 3 is defined twice"),
        ("5 add 1 3", "line 5: the line ends where an operand belongs"),
        ("5 add 1 3 3 name more", "line 5: `more` does not belong here"),
        ("5 add 1 3 4", "line 5: `add` of a word of 4 bits and a word of 1 bits"),
        ("5 add 2 3 3", "line 5: the result is a word of 4 bits, the line says a word of 1 bits"),
        ("5 add 1 3 6\n6 zero 1", "line 5: `6` is no value of a line before"),
        ("5 add 1 3 5", "line 5: `5` is no value of a line before"),
        ("5 add 9 3 3", "line 5: `9` is no sort of a line before"),
        ("5 slice 1 3 4 1", "line 5: bits 4 to 1 of 4"),
        ("5 slice 1 3 0 3", "line 5: bits 0 to 3 of 4"),
        ("5 iff 2 3 3", "line 5: `iff` of a word of 4 bits"),
        ("5 ite 1 3 3 3", "line 5: the condition is a word of 4 bits"),
        ("5 const 1 10201", "line 5: `10201` is no binary number"),
        ("5 const 1 10101", "line 5: `10101` does not fit in 4 bits"),
        ("5 constd 1 16", "line 5: `16` does not fit in 4 bits"),
        ("5 constd 1 -9", "line 5: `-9` does not fit in 4 bits"),
        ("5 consth 1 1f", "line 5: `1f` does not fit in 4 bits"),
        ("5 sort bitvec 0", "line 5: a word has at least one bit"),
        ("5 sort bitvec 4000000000", "line 5: a word of 4000000000 bits; the limit is 33554432"),
        ("5 sort bitvec 99999999999", "line 5: `99999999999` where a width below 2^32 belongs"),
        ("5 sort bitvec 10000\n6 input 5\n7 mul 5 6 6", "line 7: `mul` for a word of 10000 bits may take more than"),
        ("5 uext 1 3 4294967295", "line 5: a word beyond 2^32 bits"),
        (
            "5 sort bitvec 20\n6 sort array 5 1\n7 state 6",
            "line 7: an array of words of 4 bits with an index of 20; arrays become bits, and the limit is 65536 of them",
        ),
        ("5 sort array 1 1\n6 sort array 5 1", "line 6: index and words of an array are words, not arrays"),
        ("5 sort array 1 1\n6 state 5\n7 output -6", "line 7: an array has no complement"),
        ("5 sort array 1 1\n6 state 5\n7 read 1 6 4", "line 7: the index is a word of 1 bits, the array wants 4 bits"),
        ("5 bad 3", "line 5: `bad` of a word of 4 bits; a single bit belongs here"),
        ("5 justice 2 4", "line 5: the line ends where an operand belongs"),
        ("5 next 1 3 3", "line 5: `3` is no state of a line before"),
        ("5 state 1\n6 next 1 5 4", "line 6: the next value is a word of 1 bits, the state a word of 4 bits"),
        ("5 state 1\n6 next 1 5 3\n7 next 1 5 3", "line 7: a second `next` of state 5"),
        ("5 state 1\n6 zero 1\n7 init 1 5 6", "line 7: the initial value of state 5 is not defined before the state"),
        ("5 state 1\n6 init 1 5 4", "line 6: the initial value is a word of 1 bits, the state a word of 4 bits"),
    ] {
        let got = btor2::read(format!("{head}{more}\n").as_bytes()).err().unwrap_or_else(|| panic!("{more}"));
        assert!(got.starts_with(want), "{more}:\n{got}\n{want}");
    }
    assert_eq!(btor2::read(b"1 sort bitvec 1\n\xff\n").err().as_deref(), Some("line 2: not text"));
    assert!(btor2::read(b"; only a comment \xff\n\n").is_ok());
}
