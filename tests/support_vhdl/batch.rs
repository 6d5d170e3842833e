//! An entity full of random expressions, one per output, each in one of the places where VHDL has
//! expressions: concurrent and sequential assignments of all kinds, selectors, ports, generics,
//! constants.

use super::choices::{self, choices, selector};
use super::expr::{Expr, Sure, level};
use super::library;
use super::make::Gen;
use super::oracle::Case;
use super::scope::{Func, Param, Scope};
use super::types::{Kind, Type};
use super::zoo;
use crate::support::expr_batch::{mentions, value};
use crate::support::gen_expr::width;
use crate::support::oracle::Dut;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// Where an expression stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    Assign,
    /// Value, condition, value, condition, value.
    When,
    /// Selector, then a value for each choice; the last one is for `others` unless all is covered.
    Select(Selection),
    /// A variable of a process.
    Variable,
    /// Condition, value, condition, value, value.
    If,
    Case(Selection),
    /// A conditional assignment in a process: value, condition, value.
    SequentialWhen,
    /// Actual of an input port.
    Port,
    Constant,
    /// Actual of a generic.
    Generic,
}

/// The choices of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    pub matching: bool,
    pub choices: Vec<String>,
    pub complete: bool,
}

/// One output and what drives it.
#[derive(Clone, Debug)]
pub struct Item {
    pub out: Type,
    pub place: Place,
    pub exprs: Vec<Expr>,
}

/// A function and the expression it returns.
struct Body {
    sig: Rc<Func>,
    value: Expr,
}

/// Objects, functions and types shared by the items.
pub struct Batch {
    pub items: Vec<Item>,
    inputs: Vec<(Rc<str>, Type)>,
    /// Signals of types a top port should not have, made from inputs.
    derived: Vec<(Rc<str>, Type, Rc<str>)>,
    bodies: Vec<Body>,
    types: Vec<Type>,
}

impl Batch {
    /// A batch of `count` items, the same for the same seed.
    pub fn random(seed: u64, count: usize, plain: bool) -> Batch {
        let mut rng = Rng::with_seed(seed);
        let rng = &mut rng;
        let mut b = Batch { items: vec![], inputs: vec![], derived: vec![], bodies: vec![], types: zoo::types(rng) };
        let mut scope = Scope { types: b.types.clone(), plain, ..Scope::default() };
        for k in 0..14u8 {
            let w = width(rng);
            let ty = if k < 12 { zoo::vector(rng, w) } else { Type::Logic };
            let name: Rc<str> = format!("{}", (b'a' + k) as char).into();
            scope.add(name.clone(), ty.clone());
            b.inputs.push((name, ty));
        }
        let w = width(rng);
        let mut shapes = vec![
            Type::Bit,
            Type::Boolean,
            Type::vector(Kind::Bits, rng.u32(1..=12)),
            Type::Vector(Kind::Bits, super::make::range(rng, w)),
            Type::int(0, rng.i64(1..=40)),
            Type::int(-rng.i64(1..=30), rng.i64(0..=30)),
            Type::int(-rng.i64(30..=60), -rng.i64(1..=30)),
            Type::int(-(1 << 20), 1 << 20),
        ];
        shapes.extend(b.types.iter().cloned());
        shapes.extend(b.types[..2].iter().cloned());
        for (k, ty) in shapes.into_iter().enumerate() {
            let (name, from): (Rc<str>, Rc<str>) = (format!("x{k}").into(), format!("i{k}").into());
            scope.add(name.clone(), ty.clone());
            b.inputs.push((from.clone(), Type::vector(Kind::Slv, ty.seed_width())));
            b.derived.push((name, ty, from));
        }
        for k in 0..4 {
            b.function(rng, k, &mut scope);
        }
        for _ in 0..count {
            let item = b.item(rng, &scope);
            b.items.push(item);
        }
        b
    }

    fn function(&mut self, rng: &mut Rng, k: usize, scope: &mut Scope) {
        let mut own = Scope { objects: vec![], timed: true, ..scope.clone() };
        let mut g = Gen { rng, scope };
        let params: Vec<Param> =
            (0..g.rng.u32(1..=3)).map(|n| Param { name: format!("p{n}").into(), ty: g.some_type() }).collect();
        let ret = g.some_type();
        params.iter().for_each(|p| own.add(p.name.clone(), p.ty.clone()));
        let value = Gen { rng, scope: &own }.expr(&ret, 2);
        // Overloads if the parameters tell them apart.
        let profile = |f: &[Param]| f.iter().map(|p| p.ty.base()).collect::<Vec<_>>();
        let fresh = self.bodies.iter().all(|b| profile(&b.sig.params) != profile(&params));
        let name = if fresh && !self.bodies.is_empty() { "mix".into() } else { format!("mix{k}") };
        let sig = Rc::new(Func { name: name.into(), params, ret });
        self.bodies.push(Body { sig: sig.clone(), value });
        scope.funcs.push(sig);
    }

    fn item(&self, rng: &mut Rng, scope: &Scope) -> Item {
        let constants = scope.constants();
        let mut g = Gen { rng, scope };
        let out = g.some_type();
        let depth = g.rng.u32(1..=4);
        let selection = |g: &mut Gen, matching: bool| {
            let matching = matching && g.one_in(3);
            let ty = selector(g, matching);
            let mut exprs = vec![choices::value(g, &ty, depth)];
            // The choices must belong to the subtype of the selector.
            let (choices, complete) = choices(g, &exprs[0].ty, matching);
            exprs.extend((0..choices.len() + !complete as usize).map(|_| g.expr(&out, depth.min(2))));
            (Selection { matching, choices, complete }, exprs)
        };
        let condition = |g: &mut Gen| {
            let ty = if g.one_in(4) { g.pick(&[Type::Logic, Type::Bit]) } else { Type::Boolean };
            g.expr(&ty, depth.min(3))
        };
        let (place, exprs) = match g.rng.u32(0..22) {
            0..=6 => (Place::Assign, vec![g.expr(&out, depth)]),
            7 | 8 => {
                let (a, c) = (g.expr(&out, depth.min(2)), condition(&mut g));
                let (b, d) = (g.expr(&out, depth.min(2)), condition(&mut g));
                (Place::When, vec![a, c, b, d, g.expr(&out, 1)])
            }
            9 | 10 => {
                // GHDL 2.0 cannot parse `select?`.
                let (s, exprs) = selection(&mut g, false);
                (Place::Select(s), exprs)
            }
            11 | 12 => (Place::Variable, vec![g.expr(&out, depth)]),
            13 | 14 => {
                let (c, a) = (condition(&mut g), g.expr(&out, depth.min(2)));
                let (d, b) = (condition(&mut g), g.expr(&out, depth.min(2)));
                (Place::If, vec![c, a, d, b, g.expr(&out, 1)])
            }
            15 | 16 => {
                let (s, exprs) = selection(&mut g, true);
                (Place::Case(s), exprs)
            }
            // GHDL 2.0 cannot parse a selected assignment in a process.
            17 => {
                let (a, c) = (g.expr(&out, depth.min(2)), condition(&mut g));
                (Place::SequentialWhen, vec![a, c, g.expr(&out, depth.min(2))])
            }
            18 | 19 => {
                let e = g.expr(&out, depth);
                (if connectable(&e) { Place::Port } else { Place::Assign }, vec![e])
            }
            n => {
                let e = Gen { rng: g.rng, scope: &constants }.expr(&out, depth.min(3));
                (if n == 20 { Place::Constant } else { Place::Generic }, vec![e])
            }
        };
        Item { out, place, exprs }
    }

    /// The design for some of the items (numbered as in the batch), with only what they use.
    pub fn case(&self, top: &str, items: &[(usize, Item)], stimulus: u64, cycles: usize) -> Case {
        let (mut head, mut body, mut others) = (String::new(), String::new(), String::new());
        let (mut outputs, mut marks, mut seen) = (vec![], vec![], BTreeMap::new());
        for (k, item) in items {
            item.write(*k, self, top, &mut head, &mut body, &mut others);
            item.exprs.iter().for_each(|e| zoo::note(e, &mut seen));
            outputs.push((format!("y{k}"), item.out.width()));
            marks.push(item.port_mark());
        }
        let (mut heads, mut bodies) = (String::new(), String::new());
        let code = format!("{head}{body}{others}");
        for f in self.bodies.iter().rev() {
            if mentions(&code, &f.sig.name) || mentions(&bodies, &f.sig.name) {
                let text = f.head();
                heads = format!("  {text};\n{heads}");
                bodies = format!("  {text} is\n  begin\n    return {};\n  end function;\n{bodies}", f.value.source());
                zoo::note(&f.value, &mut seen);
                f.sig.params.iter().map(|p| &p.ty).chain([&f.sig.ret]).for_each(|t| zoo::note_type(t, &mut seen));
            }
        }
        for (name, ty, from) in self.derived.iter().filter(|d| mentions(&code, &d.0)) {
            let _ = writeln!(head, "  signal {name} : {};", ty.mark());
            body = ty.unpack(name, from) + &body;
        }
        let code = format!("{head}{body}{others}");
        let types = zoo::declarations(&self.types, &seen, &format!("{code}{heads}{bodies}"));
        let library = library::used(&format!("{code}{bodies}"));
        let uses = format!(
            "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n{}",
            format_args!("use work.{top}_pkg.all;\n")
        );
        let plain_uses = uses.replace(&format!("use work.{top}_pkg.all;\n"), "");
        let package = format!(
            "{plain_uses}package {top}_pkg is\n{types}{}{heads}end package;\npackage body {top}_pkg is\n{}{bodies}end \
             package body;\n",
            library.0, library.1
        );
        let others = others.replace("$USES\n", &uses);
        let inputs: Vec<&(Rc<str>, Type)> = self.inputs.iter().filter(|i| mentions(&code, &i.0)).collect();
        let mut ports: Vec<String> = inputs.iter().map(|(n, t)| format!("    {n} : in {}", t.mark())).collect();
        ports.extend(outputs.iter().zip(&marks).map(|((n, _), m)| format!("    {n} : out {m}")));
        let text = format!(
            "{package}{others}{uses}entity {top} is\n  port (\n{}\n  );\nend entity;\narchitecture rtl of {top} \
             is\n{head}begin\n{body}end architecture;\n",
            ports.join(";\n")
        );
        marks.splice(0..0, inputs.iter().map(|i| i.1.mark()));
        let inputs: Vec<(String, u32)> = inputs.iter().map(|(n, t)| (n.to_string(), t.width())).collect();
        // An input's values depend on its name only, so they stay when other items come and go.
        let columns: Vec<Vec<String>> = inputs
            .iter()
            .map(|(name, w)| {
                let salt = name.bytes().fold(0u64, |h, b| h * 31 + b as u64);
                let mut rng = Rng::with_seed(stimulus ^ salt << 32);
                (0..cycles).map(|_| value(&mut rng, *w)).collect()
            })
            .collect();
        let vectors = (0..cycles).map(|t| columns.iter().map(|c| c[t].clone()).collect()).collect();
        let dut = Dut { top: top.into(), text, inputs, outputs, clocked: false, vectors, skip: 0 };
        Case { dut, generics: vec![], marks }
    }

    /// A sensitivity list: all signals in a text.
    fn mentioned(&self, text: &str) -> String {
        let names = self.inputs.iter().map(|i| &i.0).chain(self.derived.iter().map(|d| &d.0));
        let list: Vec<&str> = names.filter(|n| mentions(text, n)).map(|n| &**n).collect();
        list.join(", ")
    }

    /// Calls `f` on every expression.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        self.items.iter().flat_map(|i| &i.exprs).for_each(|e| e.walk(f));
        self.bodies.iter().for_each(|b| b.value.walk(f));
    }
}

/// Whether a port can be connected to the expression. What looks like a conversion is taken for one, and
/// an integer signal must have the same bounds as the port (IEEE 1076 6.5.6.3).
pub fn connectable(e: &Expr) -> bool {
    let name = |e: &Expr| e.label.starts_with("name") && e.children().next().is_none();
    // A conversion of a signal is one, and means the same.
    let converted = e.label.starts_with("conversion") && e.children().all(name);
    let plain = e.level < level::PRIMARY || name(e) || converted || e.sure < Sure::Type;
    plain && !matches!(e.ty, Type::Integer(..))
}

impl Body {
    fn head(&self) -> String {
        let params: Vec<String> = self.sig.params.iter().map(|p| format!("{} : {}", p.name, p.ty.mark())).collect();
        format!("function {}({}) return {}", self.sig.name, params.join("; "), self.sig.ret.name())
    }
}

impl Selection {
    /// `choice => …` for each arm, with the text of the arm made by `arm`.
    fn arms(&self, values: &[Expr], arm: impl Fn(&str, &str) -> String) -> Vec<String> {
        let others = (!self.complete).then(|| "others".to_string());
        let all = self.choices.iter().chain(&others);
        all.zip(values).map(|(c, v)| arm(c, &v.source())).collect()
    }

    fn mark(&self) -> &'static str {
        if self.matching { "?" } else { "" }
    }
}

impl Item {
    /// Whether the output port can have the type itself.
    fn direct(&self) -> bool {
        matches!(self.out, Type::Logic | Type::Vector(Kind::Slv | Kind::Unsigned | Kind::Signed, _))
    }

    fn port_mark(&self) -> String {
        if self.direct() { self.out.mark() } else { Type::vector(Kind::Slv, self.out.width()).mark() }
    }

    /// Writes the drivers of output `k`, and entities of its own if it needs one.
    fn write(&self, k: usize, batch: &Batch, top: &str, head: &mut String, body: &mut String, others: &mut String) {
        let mark = self.out.mark();
        let y = if self.direct() { format!("y{k}") } else { format!("w{k}") };
        if !self.direct() {
            let _ = writeln!(head, "  signal {y} : {mark};");
            let _ = writeln!(body, "  y{k} <= {};", self.out.pack(&y));
        }
        let e = &self.exprs;
        let process = |declarations: &str, text: String| {
            // GHDL 2.0 fails on `all` if there is a conditional assignment to a variable.
            let all = !k.is_multiple_of(3) && self.place != Place::SequentialWhen;
            let list = if all { "all".into() } else { batch.mentioned(&text) };
            if list.is_empty() {
                return format!("  process\n{declarations}  begin\n{text}    wait;\n  end process;\n");
            }
            format!("  process ({list})\n{declarations}  begin\n{text}  end process;\n")
        };
        let variable = format!("    variable v : {mark};\n");
        *body += &match &self.place {
            Place::Assign => format!("  {y} <= {};\n", e[0].source()),
            Place::When => format!(
                "  {y} <= {} when {} else\n    {} when {} else\n    {};\n",
                e[0].source(),
                e[1].condition(),
                e[2].source(),
                e[3].condition(),
                e[4].source()
            ),
            Place::Select(s) => {
                let arms = s.arms(&e[1..], |c, v| format!("    {v} when {c}"));
                format!("  with {} select\n  {y} <=\n{};\n", e[0].condition(), arms.join(",\n"))
            }
            Place::Variable => process(&variable, format!("    v := {};\n    {y} <= v;\n", e[0].source())),
            Place::If => process(
                "",
                format!(
                    "    if {} then\n      {y} <= {};\n    elsif {} then\n      {y} <= {};\n    else\n      {y} <= {};\n    \
                     end if;\n",
                    e[0].condition(),
                    e[1].source(),
                    e[2].condition(),
                    e[3].source(),
                    e[4].source()
                ),
            ),
            Place::Case(s) => {
                let arms = s.arms(&e[1..], |c, v| format!("      when {c} => {y} <= {v};\n"));
                let m = s.mark();
                process("", format!("    case{m} {} is\n{}    end case{m};\n", e[0].condition(), arms.concat()))
            }
            Place::SequentialWhen => {
                let text = format!("{} when {} else {}", e[0].source(), e[1].condition(), e[2].source());
                process(&variable, format!("    v := {text};\n    {y} <= v;\n"))
            }
            Place::Port => {
                let name = format!("{top}_port{k}");
                let _ = write!(
                    others,
                    "$USES\nentity {name} is\n  port (i : in {mark}; o : out {mark});\nend entity;\narchitecture rtl of \
                     {name} is\nbegin\n  o <= i;\nend architecture;\n"
                );
                format!("  u{k} : entity work.{name} port map (i => {}, o => {y});\n", e[0].source())
            }
            Place::Constant => {
                let _ = writeln!(head, "  constant k{k} : {mark} := {};", e[0].source());
                format!("  {y} <= k{k};\n")
            }
            Place::Generic => {
                let name = format!("{top}_generic{k}");
                let _ = write!(
                    others,
                    "$USES\nentity {name} is\n  generic (g : {mark});\n  port (o : out {mark});\nend \
                     entity;\narchitecture rtl of {name} is\nbegin\n  o <= g;\nend architecture;\n"
                );
                format!("  u{k} : entity work.{name} generic map (g => {}) port map (o => {y});\n", e[0].source())
            }
        };
    }

    /// The expressions that are values of the output.
    fn values(&self) -> Vec<&Expr> {
        match &self.place {
            Place::When => self.exprs.iter().step_by(2).collect(),
            Place::If => vec![&self.exprs[1], &self.exprs[3], &self.exprs[4]],
            Place::SequentialWhen => vec![&self.exprs[0], &self.exprs[2]],
            Place::Select(_) | Place::Case(_) => self.exprs[1..].iter().collect(),
            _ => self.exprs.iter().collect(),
        }
    }

    /// Simpler items that may show the same failure.
    pub fn smaller(&self) -> Vec<Item> {
        let mut out = vec![];
        if self.place != Place::Assign {
            let simple = |e: &Expr, out: Type| Item { out, place: Place::Assign, exprs: vec![e.clone()] };
            out.extend(self.values().into_iter().map(|e| simple(e, self.out.clone())));
            // Conditions and selectors alone.
            let others = self.exprs.iter().filter(|e| !self.out.takes(&e.ty));
            out.extend(others.map(|e| simple(e, e.ty.clone())));
        } else {
            // Any part alone, whatever its type.
            let mut parts = vec![];
            self.exprs[0].children().for_each(|c| c.walk(&mut |e| parts.push(e.clone())));
            let plain = |t: &Type| !matches!(t, Type::Array(_) | Type::Record(_));
            let parts = parts.into_iter().filter(|e| plain(&e.ty) && e.label != "literal empty");
            out.extend(parts.map(|e| Item { out: e.ty.clone(), place: Place::Assign, exprs: vec![e] }));
        }
        for (i, e) in self.exprs.iter().enumerate() {
            for smaller in e.smaller() {
                if self.place == Place::Port && !connectable(&smaller) {
                    continue;
                }
                let mut item = self.clone();
                item.exprs[i] = smaller;
                out.push(item);
            }
        }
        out
    }

    /// Total size, for the shrinker's sense of progress.
    pub fn size(&self) -> usize {
        self.exprs.iter().map(Expr::size).sum::<usize>() + 2 * (self.place != Place::Assign) as usize
    }

    /// A name for the statistics.
    pub fn label(&self) -> String {
        let place = match &self.place {
            Place::Assign => "assignment",
            Place::When => "when else",
            Place::Select(_) => "with select",
            Place::Variable => "variable",
            Place::If => "if",
            Place::Case(s) if s.matching => "case?",
            Place::Case(_) => "case",
            Place::SequentialWhen => "sequential when else",
            Place::Port => "port",
            Place::Constant => "constant",
            Place::Generic => "generic",
        };
        format!("place {place}")
    }
}
