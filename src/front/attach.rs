//! Properties of the library, attached to a design by name.
//!
//! A property is a small SystemVerilog module (`rules/properties`), elaborated by itself and absorbed like
//! an instance: `gray_one_bit(clk=wclk, rst=!wrst_n, value=wptr)`. Its parameter `W` is the width of what
//! `value` or `data` is connected to; others are given as `#(DEPTH=8)`. A port that is left open is free.

use crate::front::mixed::Elaborated;
use crate::front::verilog::{self, Request, read};
use crate::source::{Diagnostic, Span, codes};
use crate::word::{Design, Drive, MONITOR, NodeId, Role, SignalId, Source};

macro_rules! library {
    ($($name:literal),*) => {
        /// Names and texts of the library.
        pub const LIBRARY: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../rules/properties/", $name, ".sv")))),*];
    };
}
library!(
    "fifo_data_order",
    "fifo_overflow",
    "fifo_status",
    "fifo_underflow",
    "gray_one_bit",
    "handshake_stable",
    "pulse_not_lost"
);

/// What the command line says.
struct Order {
    name: String,
    params: Vec<(String, String)>,
    ports: Vec<(String, String)>,
}

fn wrong(spec: &str, what: impl std::fmt::Display) -> Box<Diagnostic> {
    let names: Vec<&str> = LIBRARY.iter().map(|l| l.0).collect();
    Box::new(
        Diagnostic::error(codes::E0902, format!("--attach '{spec}': {what}"))
            .help(format!("write NAME #(PARAM=VALUE) (PORT=NET, …) with one of {}", names.join(", "))),
    )
}

fn parse(spec: &str) -> Result<Order, Box<Diagnostic>> {
    let pairs = |text: &str| -> Result<Vec<(String, String)>, Box<Diagnostic>> {
        let mut list = Vec::new();
        for item in text.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            let (a, b) = item.split_once('=').ok_or_else(|| wrong(spec, format_args!("`{item}` has no `=`")))?;
            list.push((a.trim().to_string(), b.trim().to_string()));
        }
        Ok(list)
    };
    let text = spec.trim();
    let open = text.rfind('(').filter(|_| text.ends_with(')'));
    let open = open.ok_or_else(|| wrong(spec, "the ports are missing"))?;
    let ports = pairs(&text[open + 1..text.len() - 1])?;
    let head = text[..open].trim();
    let (name, params) = match head.split_once('#') {
        None => (head, Vec::new()),
        Some((name, p)) => {
            let inner = p.trim().strip_prefix('(').and_then(|p| p.strip_suffix(')'));
            (name.trim(), pairs(inner.ok_or_else(|| wrong(spec, "parameters stand in `#( )`"))?)?)
        }
    };
    Ok(Order { name: name.to_string(), params, ports })
}

/// The value a port is connected to: a net, a part of one, its complement, or 0 or 1.
fn operand(d: &mut Design, spec: &str, text: &str) -> Result<NodeId, Box<Diagnostic>> {
    if let Some(rest) = text.strip_prefix(['!', '~']) {
        let n = operand(d, spec, rest.trim())?;
        return Ok(d.not(n));
    }
    if matches!(text, "0" | "1") {
        return Ok(d.uint((text == "1") as u64, 1));
    }
    if let Some(s) = d.signal_named(text) {
        return Ok(d.signal(s));
    }
    let part = || -> Option<(SignalId, u32, u32)> {
        let (base, index) = text.strip_suffix(']')?.rsplit_once('[')?;
        let s = d.signal_named(base)?;
        let (left, right) = index.split_once(':').unwrap_or((index, index));
        let (left, right): (i64, i64) = (left.trim().parse().ok()?, right.trim().parse().ok()?);
        let signal = &d.signals[s.index()];
        let (high, low) = signal.range.unwrap_or((signal.width as i64 - 1, 0));
        let place = |i: i64| u32::try_from(if high >= low { i - low } else { low - i }).ok();
        let (a, b) = (place(left)?, place(right)?);
        (a.max(b) < signal.width).then_some((s, a.min(b), a.abs_diff(b) + 1))
    };
    match part() {
        Some((s, lo, width)) => {
            let n = d.signal(s);
            Ok(d.slice(n, lo, width))
        }
        None => Err(wrong(spec, format_args!("`{text}` is no net of the design"))),
    }
}

/// Attaches a property to a design.
pub fn attach(e: &mut Elaborated, spec: &str) -> Result<(), Box<Diagnostic>> {
    let order = parse(spec)?;
    let Some((name, text)) = LIBRARY.iter().find(|l| l.0 == order.name) else {
        return Err(wrong(spec, format_args!("there is no property `{}`", order.name)));
    };
    let Some(design) = &mut e.design else { return Ok(()) };
    let mut connections = Vec::new();
    for (port, value) in &order.ports {
        connections.push((port.as_str(), operand(design, spec, value)?));
    }
    let mut params = order.params.clone();
    let word = connections.iter().find(|c| matches!(c.0, "value" | "data"));
    if let (Some((_, n)), false) = (word, params.iter().any(|p| p.0 == "W")) {
        params.push(("W".into(), design.width(*n).to_string()));
    }
    let request = Request { top: Some(name.to_string()), params, ..Request::default() };
    let shown = format!("rules/properties/{name}.sv");
    let mut own = Elaborated { sources: std::mem::take(&mut e.sources), diagnostics: Vec::new(), design: None };
    read::on_big_stack(|| {
        let texts = [(shown.as_str(), *text)];
        let units = read::read_texts(&texts, &request.read, &mut own.sources, &mut own.diagnostics);
        verilog::elaborate_units(units, &request, &mut own);
    });
    e.sources = own.sources;
    // A port that is open on purpose is no finding.
    let errors: Vec<Diagnostic> = own.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    if let Some(first) = errors.into_iter().next() {
        return Err(Box::new(first));
    }
    let (Some(checker), Some(design)) = (own.design, &mut e.design) else {
        return Err(wrong(spec, "the property cannot be elaborated"));
    };
    let path = (1..).map(|i| if i == 1 { name.to_string() } else { format!("{name}_{i}") });
    let taken = |p: &String| design.signals.iter().any(|s| s.name.starts_with(&format!("{p}.")));
    let path = path.into_iter().find(|p| !taken(p)).unwrap_or_default();
    let ports: Vec<(u32, String, u32)> = checker
        .inputs()
        .map(|s| (s.0, checker.signals[s.index()].name.to_string(), checker.signals[s.index()].width))
        .collect();
    for (port, _) in &connections {
        if !ports.iter().any(|p| p.1 == *port) {
            let all: Vec<&str> = ports.iter().map(|p| p.1.as_str()).collect();
            return Err(wrong(spec, format_args!("there is no port `{port}`; the ports are {}", all.join(", "))));
        }
    }
    let base = design.absorb(checker, &path);
    for s in &mut design.signals[base as usize..] {
        s.attrs.push((MONITOR.into(), "1".into()));
    }
    for (number, port, width) in ports {
        let Some((_, n)) = connections.iter().find(|c| c.0 == port) else { continue };
        if design.width(*n) != width {
            let text = format!("port `{port}` has {width} bits, and {} are connected", design.width(*n));
            return Err(wrong(spec, text));
        }
        let s = &mut design.signals[(base + number) as usize];
        s.role = Role::Internal;
        s.drives = vec![Drive { lo: 0, width, source: Source::Node(*n), span: Span::NONE }];
    }
    Ok(())
}
