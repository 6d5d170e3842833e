//! An interpreter of the part of SMV that is written, from the language's definition: modules with parameters,
//! boolean variables, definitions, initial and next values, invariants, fairness and properties.

use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Expr {
    Constant(bool),
    Name(String),
    Not(Box<Expr>),
    Two(String, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `G F`.
    Again(Box<Expr>),
}

#[derive(Default, Debug)]
struct Module {
    parameters: Vec<String>,
    bits: Vec<String>,
    instances: Vec<(String, String, Vec<Expr>)>,
    defines: Vec<(String, Expr)>,
    init: HashMap<String, Expr>,
    next: HashMap<String, Expr>,
    invariants: Vec<Expr>,
    fairness: Vec<Expr>,
    /// Keyword, name, formula.
    specs: Vec<(String, String, Expr)>,
}

/// A file.
#[derive(Debug)]
pub struct Smv {
    modules: HashMap<String, Module>,
}

struct Tokens {
    list: Vec<String>,
    at: usize,
}

impl Tokens {
    fn of(text: &str) -> Tokens {
        let mut list = Vec::new();
        for line in text.lines() {
            let chars: Vec<char> = line.split("--").next().unwrap_or("").chars().collect();
            let mut i = 0;
            while i < chars.len() {
                let word = |c: char| c.is_ascii_alphanumeric() || "_$#.".contains(c);
                let from = i;
                if word(chars[i]) {
                    while i < chars.len() && word(chars[i]) {
                        i += 1;
                    }
                } else {
                    i += match chars[i..] {
                        [':', '=', ..] => 2,
                        ['<', '-', '>', ..] => 3,
                        _ => 1,
                    };
                }
                let token: String = chars[from..i].iter().collect();
                if !token.trim().is_empty() {
                    list.push(token);
                }
            }
        }
        Tokens { list, at: 0 }
    }

    fn peek(&self) -> &str {
        self.list.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.list.get(self.at - 1).cloned().unwrap_or_else(|| panic!("the file ends too early"))
    }

    fn accept(&mut self, token: &str) -> bool {
        let is = self.peek() == token;
        self.at += is as usize;
        is
    }

    fn expect(&mut self, token: &str) {
        let got = self.next();
        assert_eq!(got, token, "token {} of {:?}", self.at, &self.list[self.at.saturating_sub(8)..self.at]);
    }

    /// Lowest: `? :`, then `<->`, then `|` and `xor`, then `&`, then `!` and `G F`.
    fn expr(&mut self) -> Expr {
        let c = self.level(0);
        if !self.accept("?") {
            return c;
        }
        let t = self.expr();
        self.expect(":");
        Expr::Choice(Box::new(c), Box::new(t), Box::new(self.expr()))
    }

    fn level(&mut self, n: usize) -> Expr {
        const LEVELS: [&[&str]; 3] = [&["<->"], &["|", "xor"], &["&"]];
        let Some(words) = LEVELS.get(n) else { return self.unary() };
        let mut left = self.level(n + 1);
        while words.contains(&self.peek()) {
            let op = self.next();
            left = Expr::Two(op, Box::new(left), Box::new(self.level(n + 1)));
        }
        left
    }

    fn unary(&mut self) -> Expr {
        match self.next().as_str() {
            "!" => Expr::Not(Box::new(self.unary())),
            "G" => {
                self.expect("F");
                Expr::Again(Box::new(self.unary()))
            }
            "(" => {
                let e = self.expr();
                self.expect(")");
                e
            }
            "TRUE" => Expr::Constant(true),
            "FALSE" => Expr::Constant(false),
            name => {
                assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "`{name}` is no name");
                Expr::Name(name.to_string())
            }
        }
    }

    fn list(&mut self) -> Vec<Expr> {
        let mut all = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                all.push(self.expr());
                if self.peek() != ")" {
                    self.expect(",");
                }
            }
        }
        all
    }
}

const SECTIONS: [&str; 9] = ["MODULE", "VAR", "DEFINE", "ASSIGN", "INVAR", "FAIRNESS", "INVARSPEC", "LTLSPEC", ""];

impl Smv {
    pub fn parse(text: &str) -> Smv {
        let mut t = Tokens::of(text);
        let mut modules: HashMap<String, Module> = HashMap::new();
        let mut m = Module::default();
        let mut name = String::new();
        while t.at < t.list.len() {
            let section = t.next();
            match section.as_str() {
                "MODULE" => {
                    if !name.is_empty() {
                        assert!(modules.insert(name, std::mem::take(&mut m)).is_none(), "a module twice");
                    }
                    name = t.next();
                    for p in t.list() {
                        let Expr::Name(p) = p else { panic!("a parameter is a name") };
                        m.parameters.push(p);
                    }
                }
                "INVAR" => m.invariants.push(t.expr()),
                "FAIRNESS" => m.fairness.push(t.expr()),
                "INVARSPEC" | "LTLSPEC" => {
                    t.expect("NAME");
                    let goal = t.next();
                    t.expect(":=");
                    m.specs.push((section.clone(), goal, t.expr()));
                }
                "VAR" | "DEFINE" | "ASSIGN" => {
                    assert!(!SECTIONS.contains(&t.peek()), "an empty {section}");
                    while !SECTIONS.contains(&t.peek()) {
                        m.entry(&section, &mut t);
                        t.expect(";");
                    }
                    continue;
                }
                other => panic!("`{other}` begins nothing"),
            }
            if section != "MODULE" {
                t.expect(";");
            }
        }
        modules.insert(name, m);
        for (name, m) in &modules {
            let mut all: Vec<&String> = m.parameters.iter().chain(&m.bits).collect();
            all.extend(m.instances.iter().map(|i| &i.0).chain(m.defines.iter().map(|d| &d.0)));
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count, "a name of {name} is given twice");
        }
        Smv { modules }
    }

    fn main(&self) -> &Module {
        &self.modules["main"]
    }

    /// All variables: those of `main` first, each with its path.
    pub fn bits(&self) -> Vec<String> {
        let mut all = Vec::new();
        self.collect("", "main", &mut all);
        all
    }

    fn collect(&self, path: &str, module: &str, all: &mut Vec<String>) {
        let m = &self.modules[module];
        all.extend(m.bits.iter().map(|b| format!("{path}{b}")));
        for (name, module, _) in &m.instances {
            self.collect(&format!("{path}{name}."), module, all);
        }
    }

    /// Evaluates with these values of all variables.
    pub fn at<'s>(&'s self, bits: &'s HashMap<String, bool>) -> Step<'s> {
        Step { smv: self, bits, known: HashMap::new() }
    }

    pub fn fairness_count(&self) -> usize {
        self.main().fairness.len()
    }

    pub fn spec_names(&self) -> Vec<&str> {
        self.main().specs.iter().map(|s| s.1.as_str()).collect()
    }
}

impl Module {
    fn entry(&mut self, section: &str, t: &mut Tokens) {
        let name = t.next();
        match section {
            "VAR" => {
                t.expect(":");
                match t.next().as_str() {
                    "boolean" => self.bits.push(name),
                    module => {
                        let given = t.list();
                        self.instances.push((name, module.to_string(), given));
                    }
                }
            }
            "DEFINE" => {
                t.expect(":=");
                self.defines.push((name, t.expr()));
            }
            _ => {
                t.expect("(");
                let target = t.next();
                t.expect(")");
                t.expect(":=");
                let value = t.expr();
                let table = if name == "init" { &mut self.init } else { &mut self.next };
                assert!(name == "init" || name == "next", "{name}");
                assert!(table.insert(target, value).is_none(), "two values");
            }
        }
    }
}

/// The module a path leads to, with the places where its parameters come from.
struct Scope<'s> {
    path: String,
    module: &'s Module,
    /// The scope above, and what it gives.
    outer: Option<(Box<Scope<'s>>, &'s [Expr])>,
}

/// One step.
pub struct Step<'s> {
    smv: &'s Smv,
    bits: &'s HashMap<String, bool>,
    known: HashMap<String, bool>,
}

impl<'s> Step<'s> {
    /// The scope of the last part of a path, and that part.
    fn scope(&self, from: Option<Scope<'s>>, path: &str) -> (Scope<'s>, String) {
        let mut scope = from.unwrap_or(Scope { path: String::new(), module: self.smv.main(), outer: None });
        let mut parts = path.split('.').peekable();
        loop {
            let part = parts.next().expect("a part");
            if parts.peek().is_none() {
                return (scope, part.to_string());
            }
            let (name, module, given) =
                scope.module.instances.iter().find(|i| i.0 == part).unwrap_or_else(|| panic!("no instance {part}"));
            let module = &self.smv.modules[module];
            assert_eq!(module.parameters.len(), given.len(), "parameters of {name}");
            let path = format!("{}{name}.", scope.path);
            scope = Scope { path, module, outer: Some((Box::new(scope), given)) };
        }
    }

    fn name(&mut self, from: &Scope<'s>, name: &str) -> bool {
        let whole = format!("{}{name}", from.path);
        if let Some(v) = self.known.get(&whole) {
            return *v;
        }
        let copy = Scope { path: from.path.clone(), module: from.module, outer: from.outer.as_ref().map(copy) };
        let (scope, last) = self.scope(Some(copy), name);
        let own = format!("{}{last}", scope.path);
        let v = if let Some(v) = self.bits.get(&own) {
            *v
        } else if let Some((_, e)) = scope.module.defines.iter().find(|d| d.0 == last) {
            self.value(&scope, e)
        } else if let Some(i) = scope.module.parameters.iter().position(|p| *p == last) {
            let (outer, given) = scope.outer.as_ref().expect("main has no parameters");
            self.value(outer, &given[i])
        } else {
            panic!("`{own}` is nothing")
        };
        self.known.insert(whole, v);
        v
    }

    fn value(&mut self, scope: &Scope<'s>, e: &Expr) -> bool {
        match e {
            Expr::Constant(v) => *v,
            Expr::Name(n) => self.name(scope, n),
            Expr::Not(a) => !self.value(scope, a),
            Expr::Two(op, a, b) => {
                let (a, b) = (self.value(scope, a), self.value(scope, b));
                match op.as_str() {
                    "&" => a && b,
                    "|" => a || b,
                    "xor" => a != b,
                    _ => a == b,
                }
            }
            Expr::Choice(s, t, e) => {
                let arm = if self.value(scope, s) { t } else { e };
                self.value(scope, arm)
            }
            Expr::Again(_) => panic!("a formula has no value in a step"),
        }
    }

    /// The next value of a variable; `None` if anything.
    pub fn next(&mut self, bit: &str) -> Option<bool> {
        let (scope, last) = self.scope(None, bit);
        let e = scope.module.next.get(&last)?;
        Some(self.value(&scope, e))
    }

    /// Its initial value; `None` if anything.
    pub fn init(&mut self, bit: &str) -> Option<bool> {
        let (scope, last) = self.scope(None, bit);
        let e = scope.module.init.get(&last)?;
        Some(self.value(&scope, e))
    }

    /// A name as `main` sees it.
    pub fn see(&mut self, name: &str) -> bool {
        let (scope, _) = self.scope(None, "x");
        self.name(&scope, name)
    }

    /// Outputs are the last definitions; then invariants, fairness, and properties: what must not be, or what
    /// must not happen again and again.
    pub fn rest(&mut self, outputs: usize) -> Vec<bool> {
        let m = self.smv.main();
        let (scope, _) = self.scope(None, "x");
        let mut all = Vec::new();
        for (_, e) in &m.defines[m.defines.len() - outputs..] {
            all.push(self.value(&scope, e));
        }
        for e in m.invariants.iter().chain(&m.fairness) {
            all.push(self.value(&scope, e));
        }
        for (word, _, e) in &m.specs {
            match (word.as_str(), e) {
                ("INVARSPEC", e) => all.push(!self.value(&scope, e)),
                (_, Expr::Not(e)) => {
                    let mut open = vec![&**e];
                    while let Some(e) = open.pop() {
                        match e {
                            Expr::Two(_, a, b) => open.extend([&**b, &**a]),
                            Expr::Again(e) => all.push(self.value(&scope, e)),
                            _ => {}
                        }
                    }
                }
                _ => panic!("a formula of another form"),
            }
        }
        all
    }
}

fn copy<'s>(outer: &(Box<Scope<'s>>, &'s [Expr])) -> (Box<Scope<'s>>, &'s [Expr]) {
    let s = &outer.0;
    (Box::new(Scope { path: s.path.clone(), module: s.module, outer: s.outer.as_ref().map(copy) }), outer.1)
}
