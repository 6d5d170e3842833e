//! A trace as data for reports.

use super::{Ending, Kind, STEP, Trace};
use crate::report::record::{Signal, Wave};

/// Most signals and moments of a waveform in a report: it is to be looked at. The whole trace is in its files.
const SIGNALS: usize = 200;
const MOMENTS: usize = 4_000;

/// The last moments of a trace, those signals first that matter.
pub fn wave(trace: &Trace) -> Wave {
    let mut order: Vec<usize> = trace.matters.clone();
    order.extend((0..trace.signals.len()).filter(|i| !trace.matters.contains(i)));
    // A mask of undecided bits is shown in the values of its signal.
    order.retain(|i| !trace.signals.iter().any(|s| s.unstable == Some(*i)));
    order.truncate(SIGNALS);
    let first = trace.moments.len().saturating_sub(MOMENTS);
    let moments: Vec<usize> = (first..trace.moments.len()).collect();
    let signals = order.iter().map(|&i| {
        let s = &trace.signals[i];
        let mut values: Vec<(u32, String)> = Vec::new();
        for (k, m) in moments.iter().enumerate() {
            let v = digits(&trace.binary(*m, i));
            if values.last().is_none_or(|l| l.1 != v) {
                values.push((k as u32, v));
            }
        }
        let kind = match s.kind {
            Kind::Clock => "clock",
            Kind::Reset | Kind::Input => "input",
            Kind::State => "state",
            Kind::Wire | Kind::Output => "logic",
        };
        let matters = trace.matters.contains(&i);
        Signal { name: s.label(), kind: kind.into(), width: s.width, matters, values }
    });
    Wave {
        title: trace.headline(),
        times: moments.iter().map(|m| trace.moments[*m].time).collect(),
        step: STEP,
        steps: trace.steps.len() as u64,
        back_to: if let Ending::Repeats(from) = trace.ending { Some(from as u64) } else { None },
        signals: signals.collect(),
    }
}

/// One bit as it is, more of them in hexadecimal.
fn digits(binary: &str) -> String {
    if binary.len() == 1 {
        return binary.to_string();
    }
    let padded = format!("{}{binary}", "0".repeat((4 - binary.len() % 4) % 4));
    let digit = |four: &[u8]| match four.contains(&b'x') {
        true => 'x',
        false => {
            let n = four.iter().fold(0, |n, b| n * 2 + u32::from(*b == b'1'));
            char::from_digit(n, 16).unwrap_or('x')
        }
    };
    padded.as_bytes().chunks(4).map(digit).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_of_any_width() {
        for (bits, hex) in [("0", "0"), ("x", "x"), ("10", "2"), ("10001", "11"), ("1x1101", "xd"), ("11111111", "ff")]
        {
            assert_eq!(super::digits(bits), hex);
        }
    }
}
