//! 64 independent patterns side by side, two-valued or three-valued.

use super::Fill;

/// A value in each of 64 lanes. The operations are exact: a result is unknown only if both values
/// are possible for it, given independent operands.
pub trait Lanes: Copy + PartialEq + std::fmt::Debug {
    /// 0 in all lanes.
    const FALSE: Self;
    /// Unknown in all lanes; 0 if there is no unknown.
    const UNKNOWN: Self;
    /// Known values.
    fn known(values: u64) -> Self;
    /// Complemented in the lanes of `mask`.
    fn flip(self, mask: u64) -> Self;
    /// And.
    fn and(self, o: Self) -> Self;
    /// Exclusive or.
    fn xor(self, o: Self) -> Self;
    /// `self ? t : e`.
    fn mux(self, t: Self, e: Self) -> Self;
    /// The value in one lane, `None` if unknown.
    fn get(self, lane: u32) -> Option<bool>;
    /// With the value of one lane changed.
    fn with(self, lane: u32, v: Option<bool>) -> Self;
    /// A value the design leaves open; `which` tells one such value from another.
    fn open(fill: Fill, which: u64) -> Self;
    /// Or.
    fn or(self, o: Self) -> Self {
        self.flip(!0).and(o.flip(!0)).flip(!0)
    }
}

impl Lanes for u64 {
    const FALSE: u64 = 0;
    const UNKNOWN: u64 = 0;
    fn known(values: u64) -> u64 {
        values
    }
    #[inline]
    fn flip(self, mask: u64) -> u64 {
        self ^ mask
    }
    #[inline]
    fn and(self, o: u64) -> u64 {
        self & o
    }
    #[inline]
    fn xor(self, o: u64) -> u64 {
        self ^ o
    }
    #[inline]
    fn mux(self, t: u64, e: u64) -> u64 {
        ((t ^ e) & self) ^ e
    }
    fn get(self, lane: u32) -> Option<bool> {
        Some(self >> lane & 1 == 1)
    }
    fn with(self, lane: u32, v: Option<bool>) -> u64 {
        (self & !(1 << lane)) | ((v == Some(true)) as u64) << lane
    }
    fn open(fill: Fill, which: u64) -> u64 {
        match fill {
            Fill::Zero => 0,
            Fill::Random(seed) => mix(seed ^ mix(which)),
        }
    }
}

/// Three-valued lanes: which of the two values are possible. At least one always is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ternary {
    /// Lanes that can be 0.
    pub zero: u64,
    /// Lanes that can be 1.
    pub one: u64,
}

impl Ternary {
    /// Lanes in which the value is known.
    pub fn known_lanes(self) -> u64 {
        self.zero ^ self.one
    }
}

impl Lanes for Ternary {
    const FALSE: Ternary = Ternary { zero: !0, one: 0 };
    const UNKNOWN: Ternary = Ternary { zero: !0, one: !0 };
    fn known(values: u64) -> Ternary {
        Ternary { zero: !values, one: values }
    }
    #[inline]
    fn flip(self, mask: u64) -> Ternary {
        let swap = (self.zero ^ self.one) & mask;
        Ternary { zero: self.zero ^ swap, one: self.one ^ swap }
    }
    #[inline]
    fn and(self, o: Ternary) -> Ternary {
        Ternary { zero: self.zero | o.zero, one: self.one & o.one }
    }
    #[inline]
    fn xor(self, o: Ternary) -> Ternary {
        Ternary { zero: self.zero & o.zero | self.one & o.one, one: self.zero & o.one | self.one & o.zero }
    }
    #[inline]
    fn mux(self, t: Ternary, e: Ternary) -> Ternary {
        Ternary { zero: self.one & t.zero | self.zero & e.zero, one: self.one & t.one | self.zero & e.one }
    }
    fn get(self, lane: u32) -> Option<bool> {
        match (self.zero >> lane & 1, self.one >> lane & 1) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
    fn with(self, lane: u32, v: Option<bool>) -> Ternary {
        let m = 1 << lane;
        Ternary {
            zero: (self.zero & !m) | ((v != Some(true)) as u64) << lane,
            one: (self.one & !m) | ((v != Some(false)) as u64) << lane,
        }
    }
    fn open(_: Fill, _: u64) -> Ternary {
        Ternary::UNKNOWN
    }
}

/// A hash that spreads its argument over all bits (the finaliser of splitmix64).
pub(super) fn mix(v: u64) -> u64 {
    let v = v.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let v = (v ^ v >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let v = (v ^ v >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    v ^ v >> 31
}
