//! Files that went wrong on their way.

use fastrand::Rng;

const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "2",
    "255",
    "65536",
    "1000000",
    "16777216",
    "2147483648",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999999",
];

/// The text with a few mistakes.
pub fn damage(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.usize(1..=3) {
        if out.is_empty() {
            return out;
        }
        match rng.u8(0..10) {
            0 => out.truncate(rng.usize(..out.len())),
            1 => {
                let at = rng.usize(..out.len());
                out[at] ^= 1 << rng.u8(0..8);
            }
            2 => {
                let at = rng.usize(..out.len());
                out[at] = rng.u8(..);
            }
            3 => {
                let at = rng.usize(..out.len());
                out.remove(at);
            }
            4 | 5 => lines(&mut out, rng),
            6 => words(&mut out, rng, |rng, _| NUMBERS[rng.usize(..NUMBERS.len())].as_bytes().to_vec()),
            7 => words(&mut out, rng, |rng, text| {
                // A word from elsewhere: other numbers, other operators.
                let all: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).collect();
                all[rng.usize(..all.len())].to_vec()
            }),
            8 => {
                let count = rng.usize(1..30);
                let at = rng.usize(..out.len());
                let more: Vec<u8> = (0..count).map(|_| rng.u8(..)).collect();
                out.splice(at..at, more);
            }
            // The header, where there is one, counts everything.
            _ => {
                let end = out.iter().position(|b| *b == b'\n').unwrap_or(out.len());
                let mut head = out[..end].to_vec();
                words(&mut head, rng, |rng, _| NUMBERS[rng.usize(..NUMBERS.len())].as_bytes().to_vec());
                out.splice(..end, head);
            }
        }
    }
    out
}

/// A line is lost, doubled or moved.
fn lines(out: &mut Vec<u8>, rng: &mut Rng) {
    let mut list: Vec<Vec<u8>> = out.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.usize(..list.len()), rng.usize(..list.len()));
    match rng.u8(0..3) {
        0 => {
            list.remove(a);
        }
        1 => list.insert(b, list[a].clone()),
        _ => list.swap(a, b),
    }
    *out = list.join(&b'\n');
}

/// A word is replaced.
fn words(out: &mut Vec<u8>, rng: &mut Rng, by: impl Fn(&mut Rng, &[u8]) -> Vec<u8>) {
    let mut starts: Vec<usize> = Vec::new();
    for i in 0..out.len() {
        if !out[i].is_ascii_whitespace() && (i == 0 || out[i - 1].is_ascii_whitespace()) {
            starts.push(i);
        }
    }
    if starts.is_empty() {
        return;
    }
    let from = starts[rng.usize(..starts.len())];
    let to = (from..out.len()).find(|i| out[*i].is_ascii_whitespace()).unwrap_or(out.len());
    let new = by(rng, out);
    out.splice(from..to, new);
}
