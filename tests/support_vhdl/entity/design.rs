//! A whole generated design: its text, its stimulus and the smaller designs it can shrink to.

use super::Maker;
use super::hierarchy::TEMPLATES;
use super::package::{Package, note_decl};
use super::unit::Generic;
use crate::support::expr_batch::{mentions, value};
use crate::support::oracle::Dut;
use crate::support_vhdl::item::{Item, Unit};
use crate::support_vhdl::oracle::Case;
use crate::support_vhdl::scope::Scope;
use crate::support_vhdl::stmt::{Depth, Part};
use crate::support_vhdl::zoo;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A generated design: a package, entities and a top, with the ports of the top.
#[derive(Clone, Debug)]
pub struct Design {
    prefix: String,
    /// Shared, because the shrinker makes thousands of copies that differ in one unit.
    package: Rc<Package>,
    units: Vec<Rc<Unit>>,
    generics: Vec<(String, String)>,
    /// Ports of the top but for `clk`: name, bits, type.
    inputs: Vec<(String, u32, String)>,
    outputs: Vec<(String, u32, String)>,
    initialised: bool,
    reset_level: char,
}

impl Design {
    /// A design whose names of units all start with `prefix`, the same for the same seed.
    pub fn random(seed: u64, prefix: &str, plain: bool) -> Design {
        let mut rng = Rng::with_seed(seed);
        let (initialised, low_reset, second_clock) = (rng.bool(), rng.bool(), rng.u32(0..4) == 0);
        let types = zoo::types(&mut rng);
        let mut maker = Maker {
            rng: &mut rng,
            prefix: prefix.into(),
            count: 0,
            initialised,
            low_reset,
            second_clock,
            package: Scope { types, plain, ..Scope::default() },
            procedures: vec![],
        };
        let package = maker.package();
        let mut units = vec![];
        let face = maker.unit(&format!("{prefix}_top"), 1, &mut units);
        let reset = maker.reset_name();
        let mut inputs = vec![(reset.to_string(), 1, "std_logic".to_string())];
        if second_clock {
            inputs.push(("clk2".into(), 1, "std_logic".into()));
        }
        let port = |(n, t): &(Rc<str>, crate::support_vhdl::types::Type)| (n.to_string(), t.width(), t.mark());
        inputs.extend(face.inputs.iter().map(port));
        let outputs = face.outputs.iter().map(port).collect();
        let number = |g: &Generic| match g {
            Generic::Number(v) => v.to_string(),
            Generic::Any(_) => unreachable!("a top has numbers only"),
        };
        let generics = face.generics.iter().map(|(n, g)| (n.to_string(), number(g))).collect();
        let reset_level = if low_reset { '0' } else { '1' };
        let (prefix, package) = (prefix.into(), Rc::new(package));
        let units = units.into_iter().map(Rc::new).collect();
        Design { prefix, package, units, generics, inputs, outputs, initialised, reset_level }
    }

    /// The whole source.
    pub fn text(&self) -> String {
        let mut code = String::new();
        let ieee = "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n";
        let uses = format!("{ieee}use work.{}.all;\n", self.package.name);
        let top = self.units.len() - 1;
        for (k, u) in self.units.iter().enumerate() {
            // Units that nobody instantiates any more have gone.
            let later = || self.units[k + 1..].iter().any(|o| mentions(&o.text(), &u.name));
            if k == top || later() {
                code += &format!("{uses}{}", u.text());
            }
        }
        for (name, text) in TEMPLATES {
            if mentions(&code, &format!("{}_{name}", self.prefix)) {
                code = format!("{ieee}{}{code}", text.replace("PREFIX", &self.prefix));
            }
        }
        let mut seen = BTreeMap::new();
        self.package.note(&mut seen);
        for u in &self.units {
            u.decls.iter().for_each(|d| note_decl(d, &mut seen));
            u.walk(&mut |p| {
                if let Part::Expr(e) = p {
                    zoo::note(e, &mut seen);
                }
            });
            u.items.iter().for_each(|i| note_item(i, &mut seen));
        }
        format!("{ieee}{}{code}", self.package.text(&code, &seen))
    }

    /// The design with its stimulus: one idle cycle, two of reset, then inputs at random.
    pub fn case(&self, stimulus: u64, cycles: usize) -> Case {
        let mut rng = Rng::with_seed(stimulus);
        let idle = if self.reset_level == '0' { '1' } else { '0' };
        let mut vectors: Vec<Vec<String>> = vec![];
        for t in 0..cycles {
            let reset = (1..=2).contains(&t) || (t > 4 && rng.u32(0..14) == 0);
            // The second clock moves only while all other inputs stand still, so that nothing races.
            let second = self.inputs.iter().position(|i| i.0 == "clk2").filter(|_| t > 4 && rng.u32(0..3) > 0);
            let mut row: Vec<String> = self
                .inputs
                .iter()
                .map(|(name, w, _)| match name.as_str() {
                    "rst" | "rst_n" => if reset { self.reset_level } else { idle }.to_string(),
                    _ => value(&mut rng, *w),
                })
                .collect();
            if let Some(last) = vectors.last()
                && let Some(c) = self.inputs.iter().position(|i| i.0 == "clk2")
            {
                row[c] = last[c].clone();
                if second.is_some() {
                    row = last.clone();
                    row[c] = if last[c] == "0" { "1" } else { "0" }.into();
                }
            }
            vectors.push(row);
        }
        let ports = |list: &[(String, u32, String)]| list.iter().map(|p| (p.0.clone(), p.1)).collect::<Vec<_>>();
        let dut = Dut {
            top: self.units.last().map_or(String::new(), |u| u.name.clone()),
            text: self.text(),
            inputs: ports(&self.inputs),
            outputs: ports(&self.outputs),
            clocked: true,
            vectors,
            // Before that some state may be unknown.
            skip: if self.initialised { 0 } else { 6 },
        };
        let marks = self.inputs.iter().chain(&self.outputs).map(|p| p.2.clone()).collect();
        Case { dut, generics: self.generics.clone(), marks }
    }

    /// Calls `f` on every expression and construct.
    pub fn walk(&self, f: &mut dyn FnMut(Part)) {
        self.package.walk(f);
        self.units.iter().for_each(|u| u.walk(f));
        if self.inputs.iter().any(|i| i.0 == "clk2") {
            f(Part::Label("two clocks".into()));
        }
        self.generics.iter().for_each(|_| f(Part::Label("generic of the top".into())));
    }

    /// Number of constructs, for the shrinker's sense of progress.
    pub fn size(&self) -> usize {
        let mut n = 0;
        self.walk(&mut |part| {
            n += match part {
                Part::Expr(e) => e.size(),
                Part::Label(_) => 1,
            }
        });
        n
    }

    /// The design without what its text does not show because nothing uses it.
    fn pruned(&self) -> Design {
        let text = self.text();
        let mut d = self.clone();
        d.units.retain(|u| mentions(&text, &u.name));
        d.units.iter_mut().for_each(|u| Rc::make_mut(u).prune(&text));
        Rc::make_mut(&mut d.package).prune(&text);
        d
    }

    /// Simpler designs that may show the same failure.
    pub fn smaller(&self, depth: Depth) -> Vec<Design> {
        self.pruned().variants(depth)
    }

    fn variants(&self, depth: Depth) -> Vec<Design> {
        let mut out = vec![];
        for (i, u) in self.units.iter().enumerate() {
            for u in u.smaller(depth) {
                let mut d = self.clone();
                d.units[i] = Rc::new(u);
                out.push(d);
            }
        }
        // One output only, or one less.
        for (k, (name, ..)) in self.outputs.iter().enumerate() {
            if self.outputs.len() > 1 {
                let one = self.outputs.iter().filter(|o| o.0 != *name).map(|o| o.0.clone()).collect::<Vec<_>>();
                out.push(self.without(&one));
                out.push(self.without(&[self.outputs[k].0.clone()]));
            }
        }
        // A process that got simpler may be plain enough for its neighbours to go in one step.
        if let Some(top) = self.units.last() {
            for n in [top.items.len() / 2, top.items.len() / 4] {
                for start in (0..top.items.len()).step_by(n.max(1)) {
                    let mut d = self.clone();
                    let end = (start + n).min(top.items.len());
                    if n > 1
                        && let Some(top) = d.units.last_mut().map(Rc::make_mut)
                    {
                        top.items.drain(start..end);
                        out.push(d);
                    }
                }
            }
        }
        out
    }

    /// The design without some outputs and what drives only them.
    fn without(&self, names: &[String]) -> Design {
        let mut d = self.clone();
        d.outputs.retain(|o| !names.contains(&o.0));
        if let Some(top) = d.units.last_mut().map(Rc::make_mut) {
            top.ports.retain(|p| !names.iter().any(|n| **n == *p.0));
            let drives = |i: &Item| match i {
                Item::Assign { to, .. } | Item::Select { to, .. } => names.contains(&to.text()),
                _ => false,
            };
            top.items.retain(|i| !drives(i));
        }
        d
    }
}

/// Notes the types of declarations inside an item.
fn note_item(item: &Item, seen: &mut BTreeMap<String, crate::support_vhdl::types::Type>) {
    match item {
        Item::Process { decls, .. } => decls.iter().for_each(|d| note_decl(d, seen)),
        Item::Nest { branches, .. } => {
            for (_, decls, items) in branches {
                decls.iter().for_each(|d| note_decl(d, seen));
                items.iter().for_each(|i| note_item(i, seen));
            }
        }
        _ => {}
    }
}
