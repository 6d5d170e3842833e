//! Random edits of certificates.

use fastrand::Rng;
use serde_json::Value;

const WORDS: [&str; 14] = [
    "sat",
    "bdd",
    "add",
    "mul",
    "sub",
    "xor",
    "input w",
    "input u",
    "input x",
    "const",
    "interleave",
    "narrow",
    "Algebra",
    "",
];

fn count(v: &Value) -> usize {
    1 + match v {
        Value::Array(a) => a.iter().map(count).sum(),
        Value::Object(o) => o.values().map(count).sum(),
        _ => 0,
    }
}

fn nth(v: &mut Value, n: usize) -> &mut Value {
    if n == 0 {
        return v;
    }
    let mut n = n - 1;
    match v {
        Value::Array(a) => {
            for x in a {
                let k = count(x);
                if n < k {
                    return nth(x, n);
                }
                n -= k;
            }
        }
        Value::Object(o) => {
            for x in o.values_mut() {
                let k = count(x);
                if n < k {
                    return nth(x, n);
                }
                n -= k;
            }
        }
        _ => {}
    }
    unreachable!("a node beyond the tree")
}

fn shape(v: &Value) -> u8 {
    match v {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(a) => 4 + a.len().min(8) as u8,
        Value::Object(_) => 20,
    }
}

/// One edit; what it did.
pub fn edit(root: &mut Value, rng: &mut Rng) -> String {
    let key = match rng.u8(..20) {
        0..=10 => "steps",
        11..=13 => "circuit",
        14 | 15 => "gates",
        16 => "leaves",
        17 => "vectors",
        18 => "identities",
        _ => "goal",
    };
    let part = &mut root[key];
    let total = count(part);
    // A copy of something of the same kind, for replacing.
    let n = rng.usize(..total);
    let kind = shape(nth(part, n));
    let other = (0..20).map(|_| rng.usize(..total)).find(|k| *k != n && shape(nth(part, *k)) == kind);
    let other = other.map(|k| nth(part, k).clone());
    let numbers = literals(part);
    let v = nth(part, n);
    let before = shorten(v);
    let copy = rng.u8(..4) == 0;
    match v {
        _ if copy && other.is_some() => *v = other.unwrap_or_default(),
        Value::Null => *v = if rng.bool() { rng.u32(..10).into() } else { Value::Bool(rng.bool()) },
        Value::Bool(b) => *v = if rng.u8(..6) == 0 { Value::Null } else { Value::Bool(!*b) },
        Value::Number(x) => {
            let x = x.as_u64().unwrap_or(0);
            *v = match rng.u8(..14) {
                0..=2 => x.wrapping_add(1).into(),
                3..=5 => x.saturating_sub(1).into(),
                6 | 7 => (x ^ 1).into(),
                8 | 9 => rng.u64(..40).into(),
                10 | 11 => numbers[rng.usize(..numbers.len())].into(),
                12 => [1 << 20, u64::from(u32::MAX), 1 << 31, u64::MAX, 4096, 64][rng.usize(..6)].into(),
                _ => (-1).into(),
            }
        }
        Value::String(_) => *v = WORDS[rng.usize(..WORDS.len())].into(),
        Value::Array(a) if a.is_empty() => a.push(rng.u32(..10).into()),
        Value::Array(a) => {
            let (i, j) = (rng.usize(..a.len()), rng.usize(..a.len()));
            match rng.u8(..6) {
                0 | 1 => _ = a.remove(i),
                2 => a.insert(i, a[j].clone()),
                3 | 4 => a.swap(i, j),
                _ => a.truncate(i),
            }
        }
        Value::Object(o) => {
            if let Some(k) = o.keys().nth(rng.usize(..o.len().max(1))).cloned() {
                _ = o.remove(&k);
            }
        }
    }
    let now = n.min(count(&root[key]) - 1);
    format!("{key}[{n}]: {before} became {}", shorten(nth(&mut root[key], now)))
}

fn shorten(v: &Value) -> String {
    let text = v.to_string();
    text.chars().take(120).collect()
}

fn literals(v: &Value) -> Vec<u64> {
    fn go(v: &Value, to: &mut Vec<u64>) {
        match v {
            Value::Number(n) => to.extend(n.as_u64()),
            Value::Array(a) => a.iter().for_each(|x| go(x, to)),
            Value::Object(o) => o.values().for_each(|x| go(x, to)),
            _ => {}
        }
    }
    let mut list = vec![0];
    go(v, &mut list);
    list
}

fn array<'v>(v: &'v mut Value, path: &str) -> Option<&'v mut Vec<Value>> {
    v.pointer_mut(path).and_then(Value::as_array_mut)
}

/// An edit that keeps the form: of what steps say or rest on.
pub fn aimed(root: &mut Value, rng: &mut Rng) -> String {
    let gates = root["gates"].as_array().map_or(1, Vec::len) as u64;
    let Some(steps) = root["steps"].as_array_mut().filter(|s| !s.is_empty()) else { return "nothing".into() };
    let n = rng.usize(..steps.len());
    let other = steps[rng.usize(..steps.len())].clone();
    let step = &mut steps[n];
    let part = if rng.bool() { "consequent" } else { "antecedent" };
    let what = match rng.u8(..9) {
        0 | 1 => {
            if let Some(list) = array(step, &format!("/statement/{part}")).filter(|l| !l.is_empty()) {
                list.remove(rng.usize(..list.len()));
            }
            "drop a claim"
        }
        2 => {
            let from = other["statement"][part].as_array().cloned().unwrap_or_default();
            if let (Some(list), false) = (array(step, &format!("/statement/{part}")), from.is_empty()) {
                list.push(from[rng.usize(..from.len())].clone());
            }
            "add a claim of another step"
        }
        3 | 4 => {
            if let Some(list) = array(step, &format!("/statement/{part}")).filter(|l| !l.is_empty()) {
                let i = rng.usize(..list.len());
                if let Some(l) = list[i].get_mut(rng.usize(1..3)) {
                    *l = rng.u64(..2 * gates).into();
                }
            }
            "another formula in a claim"
        }
        5 => {
            if let Some(c) = step.pointer_mut("/statement/constraint") {
                *c = rng.u64(..2 * gates).into();
            }
            "another constraint"
        }
        6 => {
            if let (Some(a), Some(b)) = (step.get_mut("rule"), other.get("rule")) {
                *a = b.clone();
            }
            "the rule of another step"
        }
        7 => {
            if let (Some(a), Some(b)) = (step.get_mut("statement"), other.get("statement")) {
                *a = b.clone();
            }
            "the statement of another step"
        }
        _ => {
            if let Some(list) = array(step, "/rule/Follows/1").filter(|l| !l.is_empty()) {
                let i = rng.usize(..list.len());
                if let Some(k) = list[i].get_mut(0) {
                    *k = rng.usize(..=n).into();
                }
            }
            "another premise"
        }
    };
    format!("step {n}: {what}")
}

/// Some bytes of a text.
pub fn bytes(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut b = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..4) {
        let i = rng.usize(..b.len());
        match rng.u8(..12) {
            0 => _ = b.remove(i),
            1 => b.insert(i, b"0123456789,[]{}\"-.e"[rng.usize(..19)]),
            2 => b[i] = rng.u8(..),
            3 => b.truncate(i.max(1)),
            _ => {
                // A digit that becomes another mostly leaves the form as it is.
                let digits: Vec<usize> =
                    (0..200).map(|_| rng.usize(..b.len())).filter(|i| b[*i].is_ascii_digit()).collect();
                if let Some(i) = digits.first() {
                    b[*i] = b'0' + rng.u8(..10);
                }
            }
        }
    }
    b
}
