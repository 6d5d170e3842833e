//! Library units into a flat [`Design`].
//!
//! Instances are entered from the top; declarations are elaborated in order, concurrent statements
//! as they come. Sequential code is executed symbolically through [`crate::front::behave`]. A clock
//! edge is a free bit while a process runs; afterwards what depends on it is a register, and what
//! holds without it is found by setting it to zero.

mod affine;
mod aggregate;
mod attribute;
mod call;
mod concurrent;
mod cover;
mod decl;
mod expr;
mod guest;
mod instance;
mod int;
mod literal;
mod memory;
mod name;
mod native;
mod ports;
mod predefined;
mod process;
mod scope;
mod stmt;
mod textio;
mod top;
mod types;
mod window;

use super::ast::*;
use super::read::Library;
use crate::front::behave::flow::Flow;
use crate::front::behave::place::{Root, Step};
use crate::front::behave::{Machine, Res, Var, VarId, error};
use crate::front::guest::{Guests, Value};
use crate::source::{Diagnostic, SourceMap, Span, codes};
use crate::word::{Bits, Design, NodeId, Role};
pub use concurrent::instantiated;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, ScopeId, Symbol};
use smol_str::SmolStr;
use std::rc::Rc;
use types::{Ty, TyKind};

/// What the user asks beside the text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Top entity, perhaps with its library (`lib.entity`) or architecture (`entity(arch)`).
    pub top: Option<String>,
    /// Generics of the top, as written.
    pub generics: Vec<(String, String)>,
    /// Entities and components whose insides are not read: their outputs are free.
    pub blackboxes: Vec<String>,
    /// Generics of the top, if it is a guest in a design of another language.
    pub given: Vec<(SmolStr, Value)>,
    /// Inputs of such a top that are left open.
    pub open: Vec<SmolStr>,
    /// Instances around it.
    pub depth: u32,
}

/// The largest object in bits, so that a typing mistake is an error and not an exhausted machine.
const MAX_WIDTH: u32 = 1 << 26;
const MAX_CALL_DEPTH: u32 = 256;
const MAX_INSTANCE_DEPTH: u32 = 128;

/// A value and its type; every part of the type has a size.
#[derive(Clone)]
pub(super) struct Val {
    pub ty: Rc<Ty>,
    pub node: NodeId,
}

/// An object and the selects into it.
#[derive(Clone)]
pub(super) struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    pub ty: Rc<Ty>,
}

/// A clock edge met in the process being executed.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub clock: NodeId,
    pub edge: crate::word::Edge,
    /// The free bit that stands for the edge.
    pub node: NodeId,
    pub span: Span,
}

pub(super) struct Elab<'a> {
    m: Machine,
    lib: &'a Library,
    opts: &'a Options,
    map: &'a SourceMap,
    /// Units of another language.
    guests: Option<&'a dyn Guests>,
    scopes: Vec<Scope<'a>>,
    scope: ScopeId,
    /// Declarations of packages by the entities they make, with the package's unit.
    index: FxHashMap<Ent, (usize, &'a Decl)>,
    /// Bodies of subprograms by the entity of their declaration.
    bodies: FxHashMap<Ent, &'a Body>,
    /// Operators that packages declare for types of other packages, by name, number of operands and type.
    homographs: FxHashMap<(SmolStr, usize, Ent), Vec<(SmolStr, Ent)>>,
    packages: FxHashMap<Ent, usize>,
    package_scopes: FxHashMap<usize, ScopeId>,
    /// Library units that instantiate a generic package.
    instances: FxHashMap<Ent, usize>,
    entities: FxHashMap<(SmolStr, SmolStr), usize>,
    architectures: FxHashMap<(SmolStr, SmolStr), Vec<usize>>,
    configurations: FxHashMap<(SmolStr, SmolStr), usize>,
    lazy_depth: u32,
    call_depth: u32,
    instance_depth: u32,
    /// Edges met in the process being executed.
    events: Vec<Event>,
    /// What asynchronous controls of the running process look at.
    controls: Vec<NodeId>,
    /// Loops around, innermost last, by the label they have.
    loop_labels: Vec<Option<Ent>>,
    /// Type of the result of the function being executed.
    result_ty: Option<Rc<Ty>>,
    /// What it returned so far, and under which condition.
    returns: Vec<(NodeId, Val)>,
    /// Variables declared now live as long as their process.
    persistent: bool,
    /// `-` in literals is a wildcard and other metavalues match nothing.
    wild: bool,
    /// What integers are sums of, to see that two bounds differ by a constant.
    sums: FxHashMap<affine::Atom, affine::Affine>,
    /// Where slices that move start, by the number their dimension has.
    bases: Vec<Val>,
    /// How the objects of the architectures around are used, innermost last.
    usages: Vec<Rc<memory::Usage>>,
    /// The same by architecture.
    usage_of: FxHashMap<usize, Rc<memory::Usage>>,
    /// Text files and lines that functions read while constants are evaluated.
    texts: textio::Texts,
    /// Predefined types.
    std: Standard,
    /// The component's port of the port being connected.
    twin: Option<Ent>,
    /// Inout ports of the top.
    inouts: Vec<VarId>,
    /// Names of asserts given so far.
    assert_names: FxHashMap<SmolStr, u32>,
}

/// Types of package STANDARD that operators need.
#[derive(Default)]
struct Standard {
    boolean: Option<Rc<Ty>>,
    string: Option<Rc<Ty>>,
    /// `std_logic_vector`, for what has no type in VHDL.
    vector: Option<Rc<Ty>>,
}

impl Flow for Elab<'_> {
    fn machine(&mut self) -> &mut Machine {
        &mut self.m
    }
}

/// Elaborates the design under the top entity.
pub fn elaborate(
    lib: &Library,
    opts: &Options,
    map: &SourceMap,
    guests: Option<&dyn Guests>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Design> {
    let mut e = Elab {
        m: Machine::default(),
        lib,
        opts,
        map,
        guests,
        scopes: Vec::new(),
        scope: ScopeId(0),
        index: FxHashMap::default(),
        bodies: FxHashMap::default(),
        homographs: FxHashMap::default(),
        packages: FxHashMap::default(),
        package_scopes: FxHashMap::default(),
        instances: FxHashMap::default(),
        entities: FxHashMap::default(),
        architectures: FxHashMap::default(),
        configurations: FxHashMap::default(),
        lazy_depth: 0,
        call_depth: 0,
        instance_depth: opts.depth,
        events: Vec::new(),
        controls: Vec::new(),
        loop_labels: Vec::new(),
        result_ty: None,
        returns: Vec::new(),
        persistent: false,
        wild: false,
        sums: FxHashMap::default(),
        bases: Vec::new(),
        usages: Vec::new(),
        texts: textio::Texts::default(),
        usage_of: FxHashMap::default(),
        std: Standard::default(),
        twin: None,
        inouts: Vec::new(),
        assert_names: FxHashMap::default(),
    };
    e.m.beyond = Some(FxHashMap::default());
    if let Err(d) = e.run() {
        e.m.report(d);
    }
    let failed = e.m.diags.iter().any(Diagnostic::is_error);
    diags.append(&mut e.m.diags);
    (!failed).then_some(e.m.d)
}

impl<'a> Elab<'a> {
    fn run(&mut self) -> Res<()> {
        self.index_units();
        self.find_standard()?;
        self.enter_top()?;
        if !self.m.diags.iter().any(Diagnostic::is_error) {
            for v in std::mem::take(&mut self.inouts) {
                let s = self.m.var(v).signal;
                let s = &mut self.m.d.signals[s.index()];
                s.role = if s.drives.is_empty() { Role::Input } else { Role::Output };
            }
            self.m.finish();
        }
        Ok(())
    }

    /// Types that are needed whatever the design uses.
    fn find_standard(&mut self) -> Res<()> {
        let root = self.new_scope(None, SmolStr::default());
        self.scope = root;
        let types = [("standard", "boolean"), ("standard", "string"), ("std_logic_1164", "std_logic_vector")];
        for (package, name) in types {
            let found = self.index.iter().find_map(|(e, (u, d))| {
                let unit = &self.lib.units[*u];
                let is = matches!(unit.library.as_str(), "std" | "ieee") && unit.name.name == package;
                matches!(&d.kind, DeclKind::Type(n, _) if is && n.name == name && n.ent == *e).then_some(*e)
            });
            let Some(ent) = found else {
                return Err(Box::new(Diagnostic::error(
                    codes::E0405,
                    format!("type `{name}` of package `{package}` is missing"),
                )));
            };
            if let Symbol::Type(t) = self.lookup(ent, Span::NONE)? {
                match name {
                    "boolean" => self.std.boolean = Some(t),
                    "string" => self.std.string = Some(t),
                    _ => self.std.vector = Some(t),
                }
            }
        }
        Ok(())
    }

    fn boolean(&self) -> Rc<Ty> {
        self.std.boolean.clone().expect("set before anything else")
    }

    fn truth(&self, node: NodeId) -> Val {
        Val { ty: self.boolean(), node }
    }

    fn unsupported<T>(&self, what: &str, span: Span) -> Res<T> {
        error(codes::E0405, format!("{what} is not supported"), span, "reached from the top")
    }

    /// An assertion made by the tool: a range or an index must hold.
    fn oblige(&mut self, cond: NodeId, what: &str, span: Span) -> Res<()> {
        match self.m.d.as_bool(cond) {
            Some(true) => return Ok(()),
            Some(false) if self.m.env.path.is_none() && self.m.proc.is_none() => {
                return error(codes::E0310, what, span, "always wrong");
            }
            _ => {}
        }
        let (path, left) = (self.m.path(), self.m.left());
        let live = self.m.d.not(left);
        let enable = self.m.d.and(path, live);
        // What is looked at twice is asked once.
        let asked = self.m.proc.iter().flat_map(|p| p.asserts.iter().rev().take(8));
        if asked.into_iter().any(|a| a.span == span && a.enable == enable && a.condition == cond) {
            return Ok(());
        }
        let name = self.assert_name("range", span);
        if let Some(p) = &mut self.m.proc
            && !p.initial
        {
            p.asserts.push(crate::word::Assert {
                kind: crate::word::AssertKind::Assert,
                name,
                enable,
                condition: cond,
                trigger: enable,
                clock: None,
                span,
            });
        }
        Ok(())
    }

    /// A name for an assertion without a label, from its line.
    fn assert_name(&mut self, what: &str, span: Span) -> SmolStr {
        let line = self.map.location(span).map_or(0, |l| l.line);
        let path = self.scope_ref(self.scope).path.clone();
        let base = scope::join(&path, &format!("{what}_l{line}"));
        // A loop makes many of one line: the next number is remembered.
        let n = self.assert_names.entry(base.clone()).or_insert(0);
        *n += 1;
        if *n == 1 { base } else { format!("{base}_{n}").into() }
    }
}
