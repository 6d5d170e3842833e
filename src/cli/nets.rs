//! Names of a design or of a model file, as formulas on the command line use them.

use crate::model::System;
use crate::model::ltl::Nets;
use crate::net::{Lit, Netlist};
use rustc_hash::FxHashMap;

/// Nets of a design, for formulas.
pub struct DesignNets<'n> {
    pub net: &'n Netlist,
    pub gates: &'n [Lit],
}

impl Nets for DesignNets<'_> {
    fn net(&mut self, name: &str) -> Option<Vec<Lit>> {
        let all = || self.net.nets.iter().chain(&self.net.inputs).chain(&self.net.outputs);
        let at = |l: &Lit| self.gates[l.gate().0 as usize].xor(l.complement());
        if let Some(n) = all().find(|n| n.name == name) {
            return Some(n.bits.iter().map(at).collect());
        }
        let (base, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let n = all().find(|n| n.name == base)?;
        let (left, right) = index.split_once(':').unwrap_or((index, index));
        let (left, right): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
        let (high, low) = n.range.unwrap_or((n.bits.len() as i64 - 1, 0));
        let place = |i: i64| usize::try_from(if high >= low { i - low } else { low - i }).ok();
        let (a, b) = (place(left)?, place(right)?);
        Some(n.bits.get(a.min(b)..=a.max(b))?.iter().map(at).collect())
    }
}

/// Bits and words of a model file, for formulas.
pub struct ModelNames(FxHashMap<String, Vec<Lit>>);

impl ModelNames {
    /// Bits `w[0]`, `w[1]`, … that stand in a row are the word `w` too, the first of them its lowest bit. Where
    /// names meet, inputs come before states and states before outputs.
    pub fn of(sys: &System) -> ModelNames {
        let mut names = ModelNames(FxHashMap::default());
        names.add(sys.inputs.iter().map(|i| (i.symbol.name.as_str(), i.lit)));
        names.add(sys.states.iter().map(|s| (s.symbol.name.as_str(), s.lit)));
        names.add(sys.outputs.iter().map(|(s, l)| (s.name.as_str(), *l)));
        names
    }

    fn add<'s>(&mut self, bits: impl Iterator<Item = (&'s str, Lit)>) {
        let mut rows: Vec<(&str, Vec<i64>, Vec<Lit>)> = Vec::new();
        for (name, lit) in bits {
            self.0.entry(name.to_string()).or_insert_with(|| vec![lit]);
            let Some((word, index)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) else { continue };
            let Ok(index) = index.parse() else { continue };
            match rows.last_mut() {
                Some((w, at, row)) if *w == word => {
                    at.push(index);
                    row.push(lit);
                }
                _ => rows.push((word, vec![index], vec![lit])),
            }
        }
        for (word, at, row) in rows {
            // Indices that jump are no word: parts are missing, or the file has an order of its own.
            let rises = |by: i64| at.windows(2).all(|p| p[1].checked_sub(p[0]) == Some(by));
            if row.len() > 1 && (rises(1) || rises(-1)) {
                self.0.entry(word.to_string()).or_insert(row);
            }
        }
    }
}

impl Nets for ModelNames {
    fn net(&mut self, name: &str) -> Option<Vec<Lit>> {
        self.0.get(name).cloned()
    }
}
