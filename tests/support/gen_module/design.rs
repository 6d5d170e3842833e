//! A whole generated design: its text, its stimulus and the smaller designs it can shrink to.

use super::Maker;
use crate::support::expr::Dialect;
use crate::support::expr_batch::{mentions, value};
use crate::support::oracle::Dut;
use crate::support::stmt::{Depth, Item, Module, Part};
use fastrand::Rng;

/// A generated design: a package, sub-modules and a top, with the ports of the top.
#[derive(Clone, Debug)]
pub struct Design {
    pub dialect: Dialect,
    package: Vec<Item>,
    package_name: String,
    modules: Vec<Module>,
    inputs: Vec<(String, u32)>,
    outputs: Vec<(String, u32)>,
    /// Whether state is known from the start or only after the reset.
    initialised: bool,
    /// The reset port is active at this level.
    reset_level: char,
}

impl Design {
    /// A design whose names all start with `prefix`, the same for the same seed.
    pub fn random(seed: u64, prefix: &str, dialect: Dialect) -> Design {
        let mut rng = Rng::with_seed(seed);
        // Icarus hangs in always_comb processes that read what they write, and an always @* there
        // starts with its first event, so initial values do not reach it at once.
        let (initialised, low_reset) = (rng.bool() && !dialect.icarus, rng.bool());
        let mut maker = Maker {
            rng: &mut rng,
            dialect,
            prefix: prefix.into(),
            count: 0,
            initialised,
            low_reset,
            funcs: vec![],
            types: vec![],
            package_name: format!("{prefix}_pkg"),
        };
        let package = maker.package();
        let mut modules = vec![];
        let (inputs, outputs) = maker.module(&format!("{prefix}_top"), 1, &mut modules);
        Design {
            dialect,
            package,
            package_name: maker.package_name,
            modules,
            inputs,
            outputs,
            initialised,
            reset_level: if low_reset { '0' } else { '1' },
        }
    }

    /// The whole source.
    pub fn text(&self) -> String {
        let modules: String = self.modules.iter().map(Module::text).collect();
        let used = mentions(&modules, &self.package_name);
        let package = Module { name: String::new(), header: String::new(), ports: vec![], items: self.package.clone() };
        let text = package.text();
        let inner = text.split_once('\n').map_or("", |(_, rest)| rest).trim_end_matches("endmodule\n");
        let package = if used { format!("package {};\n{inner}endpackage\n", self.package_name) } else { String::new() };
        package + &modules
    }

    /// The design with its stimulus: one idle cycle, two of reset, then inputs at random.
    pub fn dut(&self, stimulus: u64, cycles: usize) -> Dut {
        let top = self.modules.last().map_or(String::new(), |m| m.name.clone());
        let mut rng = Rng::with_seed(stimulus);
        let idle = if self.reset_level == '0' { '1' } else { '0' };
        let vectors = (0..cycles)
            .map(|t| {
                let reset = (1..=2).contains(&t) || (t > 4 && rng.u32(0..14) == 0);
                self.inputs
                    .iter()
                    .map(|(name, w)| match name.as_str() {
                        "rst" | "rst_n" => if reset { self.reset_level } else { idle }.to_string(),
                        _ => value(&mut rng, *w),
                    })
                    .collect()
            })
            .collect();
        Dut {
            top,
            text: self.text(),
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            clocked: true,
            vectors,
            // Before that some state may be unknown, and conditions on it are not to be compared.
            skip: if self.initialised { 0 } else { 6 },
        }
    }

    /// Calls `f` on every expression, target and construct.
    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.modules.iter().for_each(|m| m.walk(f));
    }

    /// Total length, for the shrinker's sense of progress.
    pub fn size(&self) -> usize {
        self.text().split_whitespace().count()
    }

    /// Simpler designs that may show the same failure.
    pub fn smaller(&self, depth: Depth) -> Vec<Design> {
        let mut out = vec![];
        for (i, m) in self.modules.iter().enumerate() {
            for m in m.smaller(depth) {
                if m.valid(self.dialect) {
                    let mut d = self.clone();
                    d.modules[i] = m;
                    out.push(d);
                }
            }
        }
        // One output only, with what it depends on.
        for (name, width) in &self.outputs {
            let mut d = self.clone();
            d.outputs = vec![(name.clone(), *width)];
            if let Some(top) = d.modules.last_mut() {
                *top = top.sliced(name);
                let others = self.outputs.iter().filter(|o| o.0 != *name);
                others.for_each(|(other, _)| top.ports.retain(|p| !p.ends_with(&format!(" {other}"))));
            }
            out.push(d);
        }
        // An output less, a sub-module less.
        if self.outputs.len() > 1 {
            for i in 0..self.outputs.len() {
                let mut d = self.clone();
                let (name, _) = d.outputs.remove(i);
                if let Some(top) = d.modules.last_mut() {
                    top.ports.retain(|p| !p.ends_with(&format!(" {name}")));
                    top.items.retain(|i| !matches!(i, Item::Assign { to, .. } if *to[0].name == *name));
                }
                out.push(d);
            }
        }
        for i in 0..self.modules.len().saturating_sub(1) {
            let mut d = self.clone();
            let gone = d.modules.remove(i).name;
            for m in &mut d.modules {
                m.items.retain(|i| !matches!(i, Item::Instance { head, .. } if head.starts_with(&gone)));
            }
            out.push(d);
        }
        for i in 0..self.package.len() {
            let mut d = self.clone();
            d.package.remove(i);
            out.push(d);
        }
        out
    }
}
