//! A module full of random expressions, one per output, each in one of the places where the language
//! gives an expression a context: assignments, conditions, case labels, ports, parameters.

use super::expr::{Dialect, Expr, Func};
use super::gen_expr::{Gen, Scope, corner, vector, width};
use super::oracle::Dut;
use super::types::Type;
use fastrand::Rng;
use std::fmt::Write;
use std::rc::Rc;

/// Where an expression stands.
#[derive(Clone, Debug)]
pub enum Place {
    Assign,
    Comb,
    /// Initial value of a net of this type.
    Net(Type),
    /// Input port of this type of a small module.
    Port(Type),
    If,
    /// Selector, three labels on two arms, three values.
    Case,
    /// `op=` on a value just assigned.
    Compound(&'static str),
    /// A parameter, with a type or with the type of its value.
    Param(Option<Type>),
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
    by_name: bool,
}

/// Variables, functions and types shared by the items.
pub struct Batch {
    pub dialect: Dialect,
    pub items: Vec<Item>,
    inputs: Vec<(Rc<str>, Type)>,
    derived: Vec<(Rc<str>, Type, Rc<str>)>,
    bodies: Vec<Body>,
    types: Vec<Rc<Type>>,
    tight: bool,
}

impl Batch {
    /// A batch of `count` items, the same for the same seed.
    pub fn random(seed: u64, count: usize, dialect: Dialect) -> Batch {
        let mut rng = Rng::with_seed(seed);
        let rng = &mut rng;
        let mut b = Batch {
            dialect,
            items: vec![],
            inputs: vec![],
            derived: vec![],
            bodies: vec![],
            types: vec![],
            tight: rng.bool(),
        };
        let mut scope = Scope::default();
        for k in 0..12 {
            let w = width(rng);
            let ty = if k < 10 { vector(rng, w) } else { Type::vector(rng.u32(1..=4), false) };
            let name: Rc<str> = format!("{}", (b'a' + k) as char).into();
            scope.var(name.clone(), ty.clone());
            b.inputs.push((name, ty));
        }
        for (k, ty) in shapes(rng).into_iter().enumerate() {
            let (name, from): (Rc<str>, Rc<str>) = (format!("v{k}").into(), format!("i{k}").into());
            scope.var(name.clone(), ty.clone());
            b.inputs.push((from.clone(), Type::vector(ty.width(), false)));
            b.derived.push((name, ty, from));
        }
        for w in 1..=40 {
            for signed in [false, true] {
                let name = format!("{}{w}_t", if signed { "s" } else { "u" }).into();
                b.types.push(Rc::new(Type::Named { name, base: Rc::new(Type::vector(w, signed)) }));
            }
        }
        scope.casts = b.types.clone();
        for k in 0..3 {
            b.function(rng, k, &mut scope);
        }
        for _ in 0..count {
            let item = b.item(rng, &scope);
            b.items.push(item);
        }
        b
    }

    fn function(&mut self, rng: &mut Rng, k: usize, scope: &mut Scope) {
        let mut own = Scope { vars: vec![], funcs: scope.funcs.clone(), casts: scope.casts.clone() };
        let mut args = vec![];
        for n in 0..rng.u32(1..=3) {
            let w = width(rng);
            // A two-state argument would turn x into 0.
            let ty = if rng.u32(0..4) == 0 && !self.dialect.wild {
                Type::ATOMS[rng.usize(0..8)].clone()
            } else {
                vector(rng, w)
            };
            let name: Rc<str> = format!("p{n}").into();
            own.var(name.clone(), ty.clone());
            args.push((name, Rc::new(ty)));
        }
        let w = width(rng);
        let ret = Rc::new(vector(rng, w));
        // Icarus 11 cannot read named arguments of functions.
        let named_call = !self.dialect.icarus && rng.bool();
        let sig = Rc::new(Func { name: format!("f{k}").into(), args, ret, named_call });
        let value = Gen { rng, scope: &own, dialect: self.dialect }.expr(2);
        self.bodies.push(Body { sig: sig.clone(), value, by_name: rng.bool() });
        scope.funcs.push(sig);
    }

    fn item(&self, rng: &mut Rng, scope: &Scope) -> Item {
        let w = width(rng);
        let out = vector(rng, w);
        let depth = rng.u32(1..=4);
        let inner = |rng: &mut Rng| {
            let w = width(rng);
            Type::vector(w, rng.bool())
        };
        let constant = Scope { casts: scope.casts.clone(), ..Scope::default() };
        // An x in a condition of a statement takes the else branch, a free value either one.
        let places = if self.dialect.wild { 8 } else { 14 };
        let (place, n) = match rng.u32(0..places) {
            0..=3 => (Place::Assign, 1),
            4 | 5 => (Place::Comb, 1),
            6 => (Place::Net(inner(rng)), 1),
            7 => (Place::Port(inner(rng)), 1),
            8 | 9 => (Place::If, 3),
            10 | 11 => (Place::Case, 7),
            12 => {
                let ops = ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "<<<", ">>>"];
                // Icarus 11 cuts the right operand to the width of the target and takes its sign for
                // the operator's.
                let n = if self.dialect.icarus { 6 } else { ops.len() };
                (Place::Compound(ops[rng.usize(0..n)]), 2)
            }
            // Icarus 11 gives a one-bit parameter the sign of its value.
            _ => (Place::Param(Some(inner(rng)).filter(|t| rng.bool() && (!self.dialect.icarus || t.width() > 1))), 2),
        };
        // Two always_comb that call one function wake each other for ever in Icarus 11.
        let silent = Scope { funcs: vec![], ..scope.clone() };
        let concurrent = matches!(place, Place::Assign | Place::Net(_) | Place::Port(_) | Place::Param(_));
        let scope = if self.dialect.icarus && !concurrent { &silent } else { scope };
        let mut g = Gen { rng, scope, dialect: self.dialect };
        let exprs = match &place {
            Place::Assign | Place::Comb => vec![g.source(depth, out.width())],
            Place::Compound(op) => {
                let first = g.expr(depth);
                // The operand is checked as the right side of the binary operator it stands for.
                let second = loop {
                    let e = g.expr(depth.min(2));
                    let whole = Expr::Binary(op, first.clone().boxed(), Expr::Paren(e.clone().boxed()).boxed());
                    if whole.valid(self.dialect) && (!self.dialect.icarus || fits(&e, &out)) {
                        break e;
                    }
                };
                vec![first, second]
            }
            Place::Param(_) => {
                let leaf = g.leaf();
                let mut g = Gen { rng, scope: &constant, dialect: self.dialect };
                // Icarus 11 gives an untyped parameter more bits than its value has.
                let value = loop {
                    let e = g.expr(depth.min(3));
                    let mut set = false;
                    // Verilator 5.006 does not evaluate `inside` for a parameter.
                    e.walk(&mut |e| set |= matches!(e, Expr::Inside(..)));
                    if (!self.dialect.icarus || e.closed()) && !set {
                        break e;
                    }
                };
                vec![value, leaf]
            }
            // Icarus 11 does not extend a port connection in its context.
            Place::Port(t) => loop {
                let e = g.expr(depth);
                if !self.dialect.icarus || fits(&e, t) {
                    break vec![e];
                }
            },
            Place::If => loop {
                let exprs: Vec<Expr> = (0..n).map(|k| g.expr(if k == 0 { depth } else { depth.min(2) })).collect();
                if exprs[0].condition(self.dialect) {
                    break exprs;
                }
            },
            Place::Case => loop {
                let exprs: Vec<Expr> = (0..n).map(|k| g.expr(if k == 0 { depth } else { depth.min(2) })).collect();
                if !self.dialect.verilator || verilator_can_case(&exprs[..4]) {
                    break exprs;
                }
            },
            _ => (0..n).map(|k| g.expr(if k == 0 { depth } else { depth.min(2) })).collect(),
        };
        let item = Item { out, place, exprs };
        if item.valid(self.dialect) { item } else { self.item(rng, scope) }
    }

    /// The module for some of the items (numbered as in the batch), with only what they use.
    pub fn dut(&self, top: &str, items: &[(usize, Item)], stimulus: u64, cycles: usize) -> Dut {
        let mut body = String::new();
        let mut others = String::new();
        let mut outputs = vec![];
        let mut ports = vec![];
        for (k, item) in items {
            item.write(*k, top, self.tight, &mut body, &mut others);
            outputs.push((format!("y{k}"), item.out.width()));
            ports.push(format!("output {}", item.out.decl(&format!("y{k}"))));
        }
        let mut functions = String::new();
        for f in self.bodies.iter().rev() {
            if mentions(&body, &f.sig.name) || mentions(&functions, &f.sig.name) {
                functions = f.text(self.tight) + &functions;
            }
        }
        let mut head = String::new();
        for t in &self.types {
            if let (Type::Named { name, .. }, Some(text)) = (&**t, t.typedef())
                && (mentions(&body, name) || mentions(&functions, name))
            {
                head += &text;
            }
        }
        let mut used = String::new();
        for (name, ty, from) in self.derived.iter().filter(|d| mentions(&body, &d.0)) {
            head += &ty.typedef().unwrap_or_default();
            let _ = writeln!(head, "{};", ty.decl(name));
            match ty {
                Type::Array { range: (l, r), elem } => {
                    for i in *l.min(r)..=*l.max(r) {
                        let lo = (i - l.min(r)) * elem.width() as i64;
                        let _ = writeln!(head, "assign {name}[{i}] = {from}[{} : {lo}];", lo + elem.width() as i64 - 1);
                    }
                }
                _ => head += &format!("assign {name} = {from};\n"),
            }
            used += &format!(" {from} ");
        }
        let inputs: Vec<&(Rc<str>, Type)> =
            self.inputs.iter().filter(|i| mentions(&body, &i.0) || mentions(&used, &i.0)).collect();
        let all: Vec<String> = inputs.iter().map(|(n, t)| format!("input {}", t.decl(n))).chain(ports).collect();
        let text = format!("{others}module {top}({});\n{head}{functions}{body}endmodule\n", all.join(", "));
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
        Dut { top: top.into(), text, inputs, outputs, clocked: false, vectors, skip: 0 }
    }

    /// Calls `f` on every expression.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        self.items.iter().flat_map(|i| &i.exprs).for_each(|e| e.walk(f));
        self.bodies.iter().for_each(|b| b.value.walk(f));
    }
}

/// Whether an assignment to this type is free of context: no operator to widen, no sign to extend.
/// A cast from a signed value counts as signed, because Icarus 11 looks through it.
pub fn fits(e: &Expr, target: &Type) -> bool {
    let cast = matches!(e, Expr::Cast(..));
    e.closed() && ((!e.ty().signed && !cast) || e.ty().width >= target.width())
}

/// Two things keep Verilator 5.006 from judging a case statement. It guards a select at a variable
/// index with an `x` that it refuses to see in a label ("4-state numbers in this context"). And IEEE
/// 1800 12.5.1 makes all labels unsigned if one is; Verilator extends each by its own sign.
fn verilator_can_case(selector_and_labels: &[Expr]) -> bool {
    let mut selects = false;
    for e in &selector_and_labels[1..] {
        e.walk(&mut |e| {
            selects |= matches!(e, Expr::Ref(_)) && e.children().iter().any(|i| !matches!(i, Expr::Lit(_)));
        });
    }
    let first = selector_and_labels[0].ty();
    let same_sign = selector_and_labels.iter().all(|e| e.ty().signed == first.signed);
    let same_width = selector_and_labels.iter().all(|e| e.ty().width == first.width);
    !selects && (same_sign || same_width)
}

/// A random value in binary.
pub fn value(rng: &mut Rng, width: u32) -> String {
    let bits = corner(rng, width);
    (0..width).rev().map(|i| if i < 128 && bits >> i & 1 == 1 { '1' } else { '0' }).collect()
}

/// Whether an identifier occurs in a text as a word.
pub fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '\'';
    text.match_indices(name).any(|(at, _)| {
        // A quote before is the base of a number; a quote after is a cast and counts as a use.
        !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(|c| word(c) && c != '\'')
    })
}

/// The composite types of a batch: structures, a union, packed and unpacked arrays, integer types.
fn shapes(rng: &mut Rng) -> Vec<Type> {
    let mut shapes = vec![];
    for (k, union) in [false, true].into_iter().enumerate() {
        let fields: Vec<(Rc<str>, Type)> = if union {
            let n = rng.u32(2..=4);
            let rows = Type::Packed { range: (n as i64 - 1, 0), elem: Rc::new(Type::vector(4, false)) };
            vec![("whole".into(), Type::vector(4 * n, rng.bool())), ("rows".into(), rows)]
        } else {
            (0..3)
                .map(|f| {
                    let w = rng.u32(1..=9);
                    (format!("m{f}").into(), Type::vector(w, rng.bool()))
                })
                .collect()
        };
        shapes.push(Type::Struct { name: format!("shape{k}_t").into(), fields, union });
    }
    let elem = |rng: &mut Rng| Rc::new(Type::vector(rng.u32(2..=6), false));
    let n = rng.i64(2..=5);
    shapes.push(Type::Packed { range: if rng.bool() { (n - 1, 0) } else { (0, n - 1) }, elem: elem(rng) });
    shapes.push(Type::Packed { range: (n, 1), elem: elem(rng) });
    shapes.push(Type::Array { range: (0, (1 << rng.u32(1..=3)) - 1), elem: Rc::new(vector_of(rng)) });
    shapes.push(Type::ATOMS[rng.usize(0..8)].clone());
    shapes.push(Type::ATOMS[rng.usize(0..8)].clone());
    shapes.push(Type::Vector { keyword: "bit", range: Some((rng.i64(0..=12), 0)), signed: rng.bool() });
    shapes
}

fn vector_of(rng: &mut Rng) -> Type {
    let w = rng.u32(1..=12);
    Type::vector(w, rng.bool())
}

impl Body {
    fn text(&self, tight: bool) -> String {
        let args: Vec<String> = self.sig.args.iter().map(|(n, t)| format!("input {}", t.decl(n))).collect();
        let value = self.value.text(tight);
        let result = if self.by_name { format!("{} = {value}", self.sig.name) } else { format!("return {value}") };
        format!(
            "function automatic {} ({});\n  {result};\nendfunction\n",
            self.sig.ret.decl(&self.sig.name),
            args.join(", ")
        )
    }
}

impl Item {
    /// Writes the drivers of output `k`, and modules of its own if it needs one.
    fn write(&self, k: usize, top: &str, tight: bool, body: &mut String, others: &mut String) {
        let e: Vec<String> = self.exprs.iter().map(|e| e.text(tight)).collect();
        let _ = match &self.place {
            Place::Assign => writeln!(body, "assign y{k} = {};", e[0]),
            Place::Comb => writeln!(body, "always_comb y{k} = {};", e[0]),
            Place::Net(t) => writeln!(body, "wire {} = {};\nassign y{k} = w{k};", t.decl(&format!("w{k}")), e[0]),
            Place::Port(t) => {
                let name = format!("{top}_port{k}");
                let (i, o) = (t.decl("i"), self.out.decl("o"));
                let _ = writeln!(others, "module {name}(input {i}, output {o});\nassign o = i;\nendmodule");
                writeln!(body, "{name} u{k}(.i({}), .o(y{k}));", e[0])
            }
            Place::If => writeln!(body, "always_comb if ({}) y{k} = {}; else y{k} = {};", e[0], e[1], e[2]),
            Place::Case => writeln!(
                body,
                "always_comb case ({})\n  {}: y{k} = {};\n  {}, {}: y{k} = {};\n  default: y{k} = {};\nendcase",
                e[0], e[1], e[4], e[2], e[3], e[5], e[6]
            ),
            Place::Compound(op) => writeln!(body, "always_comb begin y{k} = {}; y{k} {op}= {}; end", e[0], e[1]),
            Place::Param(t) => {
                let ty = t.as_ref().map_or(String::new(), |t| t.prefix() + " ");
                writeln!(body, "localparam {ty}P{k} = {};\nassign y{k} = P{k} + {};", e[0], e[1])
            }
        };
    }

    /// Whether the place, too, is one the judges of the dialect get right: Icarus 11 divides wrongly in
    /// more than 64 bits, and here the width can come from outside the expression. Verilator 5.006 gives
    /// the operands of an expression connected to a port the port's sign.
    fn valid(&self, dialect: Dialect) -> bool {
        if let (true, Place::Port(t)) = (dialect.verilator, &self.place)
            && self.exprs.iter().any(|e| t.signed() != e.ty().signed && !e.closed())
        {
            return false;
        }
        let inner = match &self.place {
            Place::Net(t) | Place::Port(t) | Place::Param(Some(t)) => t.width(),
            Place::Case => self.exprs[..4].iter().map(|e| e.ty().width).max().unwrap_or(0),
            _ => 0,
        };
        !dialect.icarus || self.out.width().max(inner) <= 64 || !self.exprs.iter().any(Expr::divides)
    }

    /// Simpler items that may show the same failure.
    pub fn smaller(&self, dialect: Dialect) -> Vec<Item> {
        self.variants(dialect).into_iter().filter(|i| i.valid(dialect)).collect()
    }

    fn variants(&self, dialect: Dialect) -> Vec<Item> {
        let mut out = vec![];
        if !matches!(self.place, Place::Assign) {
            out.extend(self.exprs.iter().map(|e| Item {
                out: self.out.clone(),
                place: Place::Assign,
                exprs: vec![e.clone()],
            }));
        }
        for (i, e) in self.exprs.iter().enumerate() {
            for s in e.smaller().into_iter().filter(|s| s.valid(dialect)) {
                let constant = matches!(self.place, Place::Param(_)) && i == 0;
                let mut names = false;
                s.walk(&mut |e| names |= matches!(e, Expr::Ref(_) | Expr::Call(..)));
                if constant && names {
                    continue;
                }
                let mut item = self.clone();
                item.exprs[i] = s;
                if matches!(item.place, Place::Case) && dialect.verilator && !verilator_can_case(&item.exprs[..4]) {
                    continue;
                }
                if let Place::Compound(op) = item.place {
                    let right = Expr::Paren(item.exprs[1].clone().boxed());
                    if !Expr::Binary(op, item.exprs[0].clone().boxed(), right.boxed()).valid(dialect) {
                        continue;
                    }
                }
                out.push(item);
            }
        }
        let plain = Type::vector(self.out.width(), self.out.signed());
        if plain != self.out {
            out.push(Item { out: plain, ..self.clone() });
        }
        out
    }

    /// Total size, for the shrinker's sense of progress.
    pub fn size(&self) -> usize {
        self.exprs.iter().map(Expr::size).sum::<usize>() + !matches!(self.place, Place::Assign) as usize
    }

    /// A name for the statistics.
    pub fn label(&self) -> String {
        match &self.place {
            Place::Assign => "place assign".into(),
            Place::Comb => "place always_comb".into(),
            Place::Net(_) => "place net initialiser".into(),
            Place::Port(_) => "place port".into(),
            Place::If => "place if".into(),
            Place::Case => "place case".into(),
            Place::Compound(op) => format!("place {op}="),
            Place::Param(t) => format!("place {} parameter", if t.is_some() { "typed" } else { "untyped" }),
        }
    }
}
