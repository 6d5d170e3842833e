//! Syntax trees into a flat [`Design`]: names, types, widths and processes resolved.
//!
//! Two passes. The first builds the tree of scopes: parameters and types are evaluated, generate
//! constructs chosen, instances entered, every net and variable declared. The second executes
//! processes symbolically and connects ports, with every name of the hierarchy known. `finish`
//! then checks that each bit has exactly one driver.
//!
//! Expressions follow IEEE 1800-2017 clause 11 (context-determined widths and signs); processes
//! follow the usual synthesis reading of clause 9. A value the standard calls `x` becomes a fresh
//! [`crate::word::Op::Undef`]; only patterns compare against `x` and `z` as such.

mod assign;
mod call;
mod clocked;
mod concurrent;
mod expr;
mod finish;
mod gate;
mod generate;
mod guest;
mod hierarchy;
mod loops;
mod memory;
mod operator;
mod pattern;
mod place;
mod ports;
mod process;
mod property;
mod sampled;
mod scope;
mod stmt;
mod system;
mod types;
mod typing;

use super::ast::*;
use crate::front::behave::flow::Flow;
use crate::front::behave::{Machine, Res, Var, VarId, env, error};
use crate::front::guest::{Guests, Header};
use crate::source::{Diagnostic, SourceMap, Span, codes};
use crate::word::{Bits, Design, NodeId};
use env::Env;
pub use hierarchy::instantiated;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, ScopeId};
use smol_str::SmolStr;
use std::path::PathBuf;
use std::rc::Rc;
pub use types::{Ty, TyKind};

/// What the user asks beside the text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Top module; found if there is only one that nobody instantiates.
    pub top: Option<SmolStr>,
    /// Parameters of the top.
    pub params: Vec<(SmolStr, Expr)>,
    /// Modules whose insides are not read: their outputs are free.
    pub blackboxes: Vec<String>,
    /// Instances around the top, if it is a guest in a design of another language.
    pub depth: u32,
}

/// The largest vector and the deepest nesting we take, so that a typing mistake is an error and not
/// an exhausted machine.
const MAX_WIDTH: u64 = 1 << 24;
const MAX_CALL_DEPTH: u32 = 256;
const MAX_INSTANCE_DEPTH: u32 = 128;

/// What a declaration says about a variable beyond what behaviour needs to know.
pub(super) struct Decl {
    pub ty: Rc<Ty>,
    pub net: NetKind,
    /// Direction if it is a port of its module.
    pub direction: Option<Direction>,
    pub scope: ScopeId,
}

/// Work left for the second pass.
enum Todo<'a> {
    Item(ScopeId, &'a Item),
    /// Instance: parent scope, child scope, the child's module and the connections.
    Connect {
        parent: ScopeId,
        child: ScopeId,
        module: &'a Module,
        inst: &'a Instance,
        index: Option<(i64, u32)>,
    },
    /// The same for a unit of another language, which is elaborated then.
    Guest {
        parent: ScopeId,
        child: ScopeId,
        header: Rc<Header>,
        params: &'a [Arg],
        inst: &'a Instance,
        index: Option<(i64, u32)>,
    },
    /// A net declared with a value: `wire x = e`.
    NetInit(ScopeId, VarId, &'a Expr),
}

pub(super) struct Elab<'a> {
    m: Machine,
    modules: FxHashMap<SmolStr, &'a Module>,
    packages: FxHashMap<SmolStr, &'a Module>,
    package_scopes: FxHashMap<SmolStr, ScopeId>,
    binds: Vec<(&'a Item, bool)>,
    scopes: Vec<Scope<'a>>,
    unit_scope: ScopeId,
    /// Scopes below this number stay.
    scope_floor: usize,
    /// By [`VarId`].
    decls: Vec<Decl>,
    todo: Vec<Todo<'a>>,
    opts: &'a Options,
    map: &'a SourceMap,
    /// Units of another language.
    guests: Option<&'a dyn Guests>,
    /// Where names are looked up now.
    scope: ScopeId,
    call_depth: u32,
    /// Block-local static variables already declared, by scope and statement.
    block_vars: FxHashMap<(ScopeId, usize), VarId>,
    /// Scopes of the blocks of the process being executed, the same in each run of it.
    block_scopes: FxHashMap<(ScopeId, usize), ScopeId>,
    /// Type of the result of the function being executed.
    result_ty: Option<Rc<Ty>>,
    /// Ports of a non-ANSI header whose declaration may still be completed.
    non_ansi: FxHashSet<VarId>,
    /// Parameters given to the module being entered.
    given: hierarchy::Overrides,
    /// The clock that sampled values are taken at.
    ticks: Option<sampled::Ticks>,
    /// Some property was given arguments: names may be aliases.
    has_aliases: bool,
    /// Named properties around the one being read.
    property_depth: u32,
    /// Names of concurrent assertions and of registers for sampled values given so far.
    monitor_names: FxHashMap<SmolStr, u32>,
    memory_scan: FxHashMap<usize, Rc<memory::Usage>>,
    /// Results of constant functions, by function, scope and arguments.
    constant_calls: FxHashMap<(usize, ScopeId, Vec<Bits>), Bits>,
}

/// Elaborates the design under `top`. The design is there even if errors were found, as far as it
/// could be built; the caller must not use it then but for reporting.
pub fn elaborate(
    units: &[Unit],
    opts: &Options,
    map: &SourceMap,
    guests: Option<&dyn Guests>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Design> {
    let mut e = Elab::new(units, opts, map, guests);
    let result = e.run(units);
    if let Err(d) = result {
        e.m.report(d);
    }
    let failed = e.m.diags.iter().any(Diagnostic::is_error);
    diags.append(&mut e.m.diags);
    (!failed).then_some(e.m.d)
}

impl Flow for Elab<'_> {
    fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }
}

impl<'a> Elab<'a> {
    fn new(units: &'a [Unit], opts: &'a Options, map: &'a SourceMap, guests: Option<&'a dyn Guests>) -> Elab<'a> {
        let mut e = Elab {
            m: Machine::default(),
            modules: FxHashMap::default(),
            packages: FxHashMap::default(),
            package_scopes: FxHashMap::default(),
            binds: Vec::new(),
            scopes: vec![Scope::new(None, "".into())],
            unit_scope: ScopeId(0),
            scope_floor: 1,
            decls: Vec::new(),
            todo: Vec::new(),
            opts,
            map,
            guests,
            scope: ScopeId(0),
            call_depth: 0,
            block_vars: FxHashMap::default(),
            block_scopes: FxHashMap::default(),
            result_ty: None,
            non_ansi: FxHashSet::default(),
            given: hierarchy::Overrides::default(),
            ticks: None,
            has_aliases: false,
            property_depth: 0,
            monitor_names: FxHashMap::default(),
            memory_scan: FxHashMap::default(),
            constant_calls: FxHashMap::default(),
        };
        for m in units.iter().flat_map(|u| &u.modules) {
            let table = if m.kind == ModuleKind::Package { &mut e.packages } else { &mut e.modules };
            if let Some(first) = table.insert(m.name.name.clone(), m) {
                let d = Diagnostic::error(codes::E0203, format!("`{}` is defined twice", m.name.name))
                    .at(m.name.span, "defined again here")
                    .also(first.name.span, "first defined here")
                    .help("list one of the files only, or rename one");
                e.m.diags.push(d);
            }
        }
        e
    }

    fn run(&mut self, units: &'a [Unit]) -> Res<()> {
        for item in units.iter().flat_map(|u| &u.items) {
            if let ItemKind::Bind { .. } = item.kind {
                self.binds.push((item, false));
            }
        }
        for m in units.iter().flat_map(|u| &u.modules).filter(|m| m.kind != ModuleKind::Package) {
            for item in &m.items {
                if let ItemKind::Bind { .. } = item.kind {
                    self.binds.push((item, false));
                }
            }
        }
        self.declare_unit(units);
        let top = self.find_top(units)?;
        self.m.d.name = top.name.name.clone();
        self.enter_top(top)?;
        self.second_pass();
        self.check_binds();
        if !self.m.diags.iter().any(Diagnostic::is_error) {
            self.finish();
        }
        Ok(())
    }

    /// The module asked for, or the only one that is not instantiated by another.
    fn find_top(&mut self, units: &'a [Unit]) -> Res<&'a Module> {
        if let Some(name) = &self.opts.top {
            if let Some(m) = self.modules.get(name) {
                return Ok(m);
            }
            let near = scope::nearest(name, self.modules.keys());
            let mut d = Diagnostic::error(codes::E0201, format!("top module `{name}` not found"));
            if let Some(n) = near {
                d = d.help(format!("did you mean `{n}`?"));
            } else if self.modules.is_empty() {
                d = d.help("no module was read at all: check the file names");
            }
            return Err(Box::new(d));
        }
        let mut used: FxHashSet<&SmolStr> = FxHashSet::default();
        let items = self.modules.values().map(|m| &m.items).chain(units.iter().map(|u| &u.items));
        for list in items {
            hierarchy::instantiated(list, &mut |n| {
                used.insert(n);
            });
        }
        let mut tops: Vec<&'a Module> = self
            .modules
            .values()
            .copied()
            .filter(|m| m.kind == ModuleKind::Module && !used.contains(&m.name.name))
            .collect();
        tops.sort_by(|a, b| a.name.name.cmp(&b.name.name));
        match tops.as_slice() {
            [one] => Ok(one),
            [] => Err(Box::new(
                Diagnostic::error(codes::E0201, "no top module: no module was read, or each is used by another")
                    .help("name one with --top"),
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|m| m.name.name.as_str()).collect();
                let mut d =
                    Diagnostic::error(codes::E0201, format!("several modules could be the top: {}", names.join(", ")));
                for m in many.iter().take(4) {
                    d = d.also(m.name.span, "instantiated by none");
                }
                Err(Box::new(d.help("choose one with --top NAME")))
            }
        }
    }

    fn unsupported<T>(&self, u: &Unsupported, span: Span) -> Res<T> {
        let code = codes::lookup(&u.code).map_or(codes::E0405, |e| e.code);
        let mut d =
            Diagnostic::error(code, format!("{} cannot become hardware", u.what)).at(span, "reached from the top");
        if code == codes::E0405 {
            d.message = format!("{} is not supported", u.what);
        }
        Err(Box::new(d))
    }

    fn ty(&self, v: VarId) -> Rc<Ty> {
        self.decls[v.index()].ty.clone()
    }

    fn undef_or_zero(&mut self, ty: &Ty) -> NodeId {
        self.m.undef_or_zero(ty.width, ty.four_state)
    }

    /// Runs `f` in another scope.
    fn in_scope<T>(&mut self, s: ScopeId, f: impl FnOnce(&mut Self) -> T) -> T {
        let saved = std::mem::replace(&mut self.scope, s);
        let r = f(self);
        self.scope = saved;
        r
    }
}
