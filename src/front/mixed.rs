//! Designs in SystemVerilog, VHDL or both: one way in for every command.
//!
//! Files are told apart by their names. Each language is read by its own front end; what an instance
//! names and its own language does not have is looked for in the other one, under that one's rules
//! of spelling: VHDL does not tell upper from lower case, an extended identifier does.

use super::guest::{Direction, Guests, Header, Order, Port, Value};
use super::verilog::{self, ast};
use super::vhdl;
use crate::project::filelist::{SourceList, is_vhdl};
use crate::source::{Diagnostic, SourceMap, codes};
use crate::word::Design;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::path::PathBuf;

pub use super::verilog::Elaborated;

/// Everything a run needs to know.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The SystemVerilog side; its top, parameters and black boxes hold for both.
    pub verilog: verilog::Request,
    /// VHDL files, each with its library if that is not `work`.
    pub vhdl: Vec<(Option<SmolStr>, PathBuf)>,
}

impl Request {
    /// What a command line or a file list asks for.
    pub fn new(list: SourceList, cache_dir: Option<PathBuf>) -> Request {
        let (vhdl, files): (Vec<PathBuf>, Vec<PathBuf>) = list.files.into_iter().partition(|f| is_vhdl(f));
        let named = list.libraries.into_iter().map(|(l, f)| (Some(l.into()), f));
        Request {
            vhdl: vhdl.into_iter().map(|f| (None, f)).chain(named).collect(),
            verilog: verilog::Request {
                files,
                libfiles: list.libfiles,
                libdirs: list.libdirs,
                libexts: list.libexts,
                read: verilog::read::ReadOptions { incdirs: list.incdirs, defines: list.defines, cache_dir },
                top: list.top,
                params: list.params,
                blackboxes: list.blackboxes,
            },
        }
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        let v = &self.verilog;
        self.vhdl.is_empty() && v.files.is_empty() && v.libfiles.is_empty() && v.libdirs.is_empty()
    }
}

/// The syntax trees of both languages.
#[derive(Default)]
pub struct Units {
    pub verilog: Vec<ast::Unit>,
    pub vhdl: vhdl::read::Library,
}

/// Reads and elaborates.
pub fn elaborate(request: &Request, sources: SourceMap) -> Elaborated {
    let mut out = Elaborated { sources, diagnostics: Vec::new(), design: None };
    verilog::read::on_big_stack(|| {
        let units = read(request, &mut out);
        elaborate_units(&units, request, &mut out);
    });
    out
}

/// The first half: files into syntax trees.
pub fn read(request: &Request, out: &mut Elaborated) -> Units {
    let mut units = Units::default();
    let loaded = vhdl::read::load(&request.vhdl, &mut out.sources, &mut out.diagnostics);
    // Components and entities may stand for modules of a library.
    units.verilog = verilog::read_request(&request.verilog, &loaded.wanted(), out);
    if request.vhdl.is_empty() {
        return units;
    }
    let mut stubs = Vec::new();
    for (library, name) in loaded.missing() {
        if let Some(m) = modules(&units.verilog).find(|m| answers_to(m, &name)) {
            stubs.push(vhdl::read::Stub { library, text: stub(m, &name) });
        }
    }
    let cache = request.verilog.read.cache_dir.as_deref();
    units.vhdl = loaded.analyse(&stubs, cache, &mut out.sources, &mut out.diagnostics);
    units
}

/// The second half: syntax trees into a design. Deep trees need a deep stack, see
/// [`verilog::read::on_big_stack`].
pub fn elaborate_units(units: &Units, request: &Request, out: &mut Elaborated) {
    if out.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let world = World { units, map: &out.sources, blackboxes: &request.verilog.blackboxes };
    let top = match world.top(request.verilog.top.as_deref()) {
        Ok(t) => t,
        Err(d) => return out.diagnostics.push(*d),
    };
    let params = &request.verilog.params;
    match top {
        Top::Vhdl(name) => {
            let options = vhdl::elab::Options {
                top: name,
                generics: params.clone(),
                blackboxes: request.verilog.blackboxes.clone(),
                ..Default::default()
            };
            let guests = Modules(&world);
            out.design =
                vhdl::elab::elaborate(&units.vhdl, &options, &out.sources, Some(&guests), &mut out.diagnostics);
        }
        Top::Verilog(name) => {
            let mut expressions = Vec::new();
            for (name, text) in params {
                match verilog::read::parse_expression(text, &mut out.sources) {
                    Ok(e) => expressions.push((name.as_str().into(), e)),
                    Err(d) => out.diagnostics.extend(d),
                }
            }
            if out.diagnostics.iter().any(Diagnostic::is_error) {
                return;
            }
            let options = verilog::elab::Options {
                top: name.map(Into::into),
                params: expressions,
                blackboxes: request.verilog.blackboxes.clone(),
                depth: 0,
            };
            let world = World { units, map: &out.sources, blackboxes: &request.verilog.blackboxes };
            let guests = Entities(&world);
            out.design =
                verilog::elab::elaborate(&units.verilog, &options, &out.sources, Some(&guests), &mut out.diagnostics);
        }
    }
}

fn modules(units: &[ast::Unit]) -> impl Iterator<Item = &ast::Module> {
    units.iter().flat_map(|u| &u.modules).filter(|m| m.kind == ast::ModuleKind::Module)
}

/// Whether a module is what a VHDL name stands for.
fn answers_to(m: &ast::Module, name: &str) -> bool {
    match name.strip_prefix('\\').and_then(|n| n.strip_suffix('\\')) {
        Some(exact) => m.name.name == exact,
        None => m.name.name.eq_ignore_ascii_case(name),
    }
}

/// A module as VHDL would declare it, as far as its text tells: enough for names to be resolved.
fn stub(m: &ast::Module, name: &str) -> String {
    use std::fmt::Write;
    let h = header(m);
    let mut out = format!("library ieee;\nuse ieee.std_logic_1164.all;\nentity {name} is\n");
    let parameter = |n: &SmolStr| {
        let body = m.items.iter().filter_map(|i| match &i.kind {
            ast::ItemKind::Param(l) => Some(l),
            _ => None,
        });
        m.params.iter().chain(body.flatten()).find(|p| p.name.name == *n).map(|p| &p.kind)
    };
    let generics: Vec<String> = h
        .generics
        .iter()
        .map(|g| {
            let (mark, value) = match parameter(g) {
                Some(ast::ParamKind::Value {
                    default: Some(ast::Expr { kind: ast::ExprKind::Str(_), .. }), ..
                }) => ("string", "\"\""),
                Some(ast::ParamKind::Value {
                    default: Some(ast::Expr { kind: ast::ExprKind::Real(_), .. }), ..
                }) => ("real", "0.0"),
                Some(ast::ParamKind::Value { ty, .. }) if !ty.dims.is_empty() => ("std_logic_vector", "\"0\""),
                _ => ("integer", "0"),
            };
            format!("{g} : {mark} := {value}")
        })
        .collect();
    if !generics.is_empty() {
        let _ = writeln!(out, "  generic ({});", generics.join("; "));
    }
    let scalar = |n: &SmolStr| {
        let plain = |t: &ast::DataType, dims: &[ast::Dim]| {
            let bit = !matches!(t.kind, ast::TypeKind::Named { .. });
            bit && t.dims.is_empty() && dims.is_empty()
        };
        match &m.ports {
            ast::PortList::Ansi(l) => {
                l.iter().find(|p| p.decl.name.name == *n).is_none_or(|p| plain(&p.ty, &p.decl.dims))
            }
            ast::PortList::Names(_) => m.items.iter().all(|i| match &i.kind {
                ast::ItemKind::PortDecl { ty, names, .. } => {
                    names.iter().find(|d| d.name.name == *n).is_none_or(|d| plain(ty, &d.dims))
                }
                _ => true,
            }),
        }
    };
    let ports: Vec<String> = h
        .ports
        .iter()
        .map(|p| {
            let mode = match p.direction {
                Direction::In => "in",
                Direction::Out => "out",
                Direction::Inout => "inout",
            };
            let mark = if scalar(&p.name) { "std_logic" } else { "std_logic_vector" };
            // An open input is reported when the instance is elaborated.
            let default = match (p.direction, mark) {
                (Direction::In, "std_logic") => " := '0'",
                (Direction::In, _) => " := \"0\"",
                _ => "",
            };
            format!("{} : {mode} {mark}{default}", p.name)
        })
        .collect();
    if !ports.is_empty() {
        let _ = writeln!(out, "  port ({});", ports.join("; "));
    }
    out.push_str("end;\n");
    out
}

/// In which language the top is; its name unless that language is to find it.
enum Top {
    Verilog(Option<String>),
    Vhdl(Option<String>),
}

struct World<'a> {
    units: &'a Units,
    map: &'a SourceMap,
    blackboxes: &'a [String],
}

impl World<'_> {
    fn top(&self, name: Option<&str>) -> Result<Top, Box<Diagnostic>> {
        let owned = name.map(str::to_string);
        let entities = self.units.vhdl.entities_read();
        if entities.is_empty() {
            return Ok(Top::Verilog(owned));
        }
        let all: Vec<&ast::Module> = modules(&self.units.verilog).collect();
        if all.is_empty() {
            return Ok(Top::Vhdl(owned));
        }
        if let Some(name) = name {
            let module = all.iter().find(|m| m.name.name == name);
            // `lib.entity(arch)` names an entity, and so does what no module is called.
            let plain = name.split('(').next().unwrap_or("").trim().to_ascii_lowercase();
            let plain = plain.rsplit('.').next().unwrap_or("").to_string();
            let entity = entities.iter().find(|(n, _)| *n == plain);
            return match (module, entity) {
                (Some(m), Some((_, span))) => Err(Box::new(
                    Diagnostic::error(codes::E0201, format!("`{name}` is a module and an entity"))
                        .at(m.name.span, "the module")
                        .also(*span, "the entity")
                        .help("rename one, or name the entity as work.NAME"),
                )),
                (Some(_), None) => Ok(Top::Verilog(owned)),
                _ => Ok(Top::Vhdl(owned)),
            };
        }
        // The only unit that nobody instantiates, in either language.
        let mut used: FxHashSet<String> = self.units.vhdl.instantiated().into_iter().collect();
        for u in &self.units.verilog {
            let lists = u.modules.iter().map(|m| &m.items).chain([&u.items]);
            lists.for_each(|l| verilog::elab::instantiated(l, &mut |n| _ = used.insert(n.to_ascii_lowercase())));
        }
        let free = |n: &str| !used.contains(&n.to_ascii_lowercase());
        let tops: Vec<_> = all
            .iter()
            .filter(|m| free(&m.name.name))
            .map(|m| (m.name.name.to_string(), m.name.span, true))
            .chain(entities.iter().filter(|(n, _)| free(n)).map(|(n, s)| (n.to_string(), *s, false)))
            .collect();
        match tops.as_slice() {
            [(name, _, true)] => Ok(Top::Verilog(Some(name.clone()))),
            [(name, _, false)] => Ok(Top::Vhdl(Some(name.clone()))),
            [] => Err(Box::new(
                Diagnostic::error(codes::E0201, "no top: each module and entity is used by another")
                    .help("name one with --top"),
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|(n, _, _)| n.as_str()).collect();
                let mut d =
                    Diagnostic::error(codes::E0201, format!("several units could be the top: {}", names.join(", ")));
                for (_, span, _) in many.iter().take(4) {
                    d = d.also(*span, "instantiated by none");
                }
                Err(Box::new(d.help("choose one with --top NAME")))
            }
        }
    }
}

/// VHDL entities as guests of SystemVerilog.
struct Entities<'a>(&'a World<'a>);

impl Guests for Entities<'_> {
    fn find(&self, name: &str) -> Vec<Header> {
        self.0.units.vhdl.headers(&name.to_ascii_lowercase())
    }

    fn build(&self, order: &Order, diags: &mut Vec<Diagnostic>) -> Option<Design> {
        let options = vhdl::elab::Options {
            top: Some(order.key.clone()),
            given: order.values.clone(),
            open: order.open.clone(),
            depth: order.depth,
            blackboxes: self.0.blackboxes.to_vec(),
            ..Default::default()
        };
        vhdl::elab::elaborate(&self.0.units.vhdl, &options, self.0.map, Some(&Modules(self.0)), diags)
    }
}

/// SystemVerilog modules as guests of VHDL.
struct Modules<'a>(&'a World<'a>);

impl Guests for Modules<'_> {
    fn find(&self, name: &str) -> Vec<Header> {
        modules(&self.0.units.verilog).filter(|m| answers_to(m, name)).map(header).collect()
    }

    fn build(&self, order: &Order, diags: &mut Vec<Diagnostic>) -> Option<Design> {
        let expression = |v: &Value| ast::Expr {
            span: crate::source::Span::NONE,
            kind: match v {
                Value::Bits { bits, signed } => {
                    ast::ExprKind::Number { bits: bits.clone(), signed: *signed, sized: true }
                }
                Value::Text(t) => ast::ExprKind::Str(t.clone()),
                Value::Real(r) => ast::ExprKind::Real(*r),
            },
        };
        let options = verilog::elab::Options {
            top: Some(order.key.as_str().into()),
            params: order.values.iter().map(|(n, v)| (n.clone(), expression(v))).collect(),
            blackboxes: self.0.blackboxes.to_vec(),
            depth: order.depth,
        };
        verilog::elab::elaborate(&self.0.units.verilog, &options, self.0.map, Some(&Entities(self.0)), diags)
    }
}

/// What a module shows to VHDL.
fn header(m: &ast::Module) -> Header {
    let direction = |d: Option<ast::Direction>| match d {
        Some(ast::Direction::Input) => Direction::In,
        Some(ast::Direction::Output) => Direction::Out,
        _ => Direction::Inout,
    };
    let ports = match &m.ports {
        ast::PortList::Ansi(list) => list
            .iter()
            .map(|p| Port { name: p.decl.name.name.clone(), direction: direction(p.direction), span: p.decl.name.span })
            .collect(),
        ast::PortList::Names(names) => names
            .iter()
            .map(|n| {
                let declared = m.items.iter().find_map(|i| match &i.kind {
                    ast::ItemKind::PortDecl { direction, names, .. } => {
                        names.iter().any(|d| d.name.name == n.name).then_some(*direction)
                    }
                    _ => None,
                });
                Port { name: n.name.clone(), direction: direction(declared), span: n.span }
            })
            .collect(),
    };
    let body = m.items.iter().filter_map(|i| match &i.kind {
        ast::ItemKind::Param(l) if !m.has_param_header => Some(l),
        _ => None,
    });
    let generics = m.params.iter().chain(body.flatten()).filter(|p| !p.local).map(|p| p.name.name.clone()).collect();
    Header { name: m.name.name.clone(), key: m.name.name.to_string(), span: m.name.span, generics, ports }
}
