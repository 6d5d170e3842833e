//! Text files, as far as constants need them: functions that fill a memory from a file.
//!
//! A file is opened where a subprogram declares it and read while a constant is evaluated. What writes, or
//! reads while hardware runs, is simulation: the first is passed over, the second an error, since the
//! values would be missing.

use super::types::Logic;
use super::*;

#[derive(Default)]
pub(super) struct Texts {
    files: Vec<std::collections::VecDeque<Vec<u8>>>,
    lines: Vec<std::collections::VecDeque<u8>>,
}

impl<'a> Elab<'a> {
    pub(super) fn declare_files(&mut self, names: &'a [Ident], file: Option<&'a Expr>) -> Res<()> {
        for n in names {
            let symbol = match file {
                Some(e) if self.call_depth > 0 && self.m.proc.is_none() => {
                    let content = self.file_content(e)?;
                    self.texts.files.push(content);
                    Symbol::File(self.texts.files.len() - 1)
                }
                _ => Symbol::Unsupported("a file that is not read by a function for a constant"),
            };
            self.define(n.ent, symbol);
        }
        Ok(())
    }

    /// The lines of the file that an expression names.
    fn file_content(&mut self, e: &'a Expr) -> Res<std::collections::VecDeque<Vec<u8>>> {
        let want = self.std.string.clone();
        let v = self.constantly(|x| x.eval(e, want.as_ref()))?;
        let Some(b) = self.m.d.as_const(v.node) else {
            return error(codes::E0301, "the name of the file is not constant", e.span, "depends on a signal");
        };
        let bytes = (0..b.width() / 8).rev().map(|i| b.slice(i * 8, 8).to_u64().unwrap_or(0) as u8);
        let name: String = bytes.map(char::from).collect();
        match std::fs::read(&name) {
            Ok(content) => {
                self.map.note(crate::source::Other::Read(name.into(), blake3::hash(&content)));
                let mut lines: std::collections::VecDeque<Vec<u8>> =
                    content.split(|c| *c == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l).to_vec()).collect();
                // What follows the last line end is no line.
                if lines.back().is_some_and(Vec::is_empty) {
                    lines.pop_back();
                }
                Ok(lines)
            }
            Err(why) => error(codes::E0101, format!("cannot read file `{name}`: {why}"), e.span, "opened here"),
        }
    }

    /// Whether a subtype is `std.textio.line`.
    pub(super) fn is_line(&self, s: &Subtype) -> bool {
        let Some(e) = s.mark.ent() else { return false };
        let home = self.lib.entities.package(self.lib.entities.declaration(e));
        s.mark.last() == "line" && home.is_some_and(|(l, p)| l == "std" && p == "textio")
    }

    pub(super) fn new_line(&mut self) -> Symbol<'a> {
        self.texts.lines.push(std::collections::VecDeque::new());
        Symbol::Line(self.texts.lines.len() - 1)
    }

    fn argument(&mut self, args: &'a [Arg], n: usize, span: Span) -> Res<(Symbol<'a>, &'a Name)> {
        match args.get(n).and_then(|a| a.actual.as_ref()) {
            Some(Expr { kind: ExprKind::Name(name), .. }) if name.ent().is_some() => {
                let e = name.ent().expect("just seen");
                Ok((self.lookup(e, name.span)?, name))
            }
            _ => self.unsupported("this argument of a procedure on files", span),
        }
    }

    pub(super) fn endfile(&mut self, args: &'a [Arg], span: Span) -> Res<Val> {
        match self.argument(args, 0, span)?.0 {
            Symbol::File(f) => {
                let n = self.m.d.bool(self.texts.files[f].is_empty());
                Ok(self.truth(n))
            }
            Symbol::Unsupported(what) => self.unsupported(what, span),
            _ => self.unsupported("this file", span),
        }
    }

    /// A procedure of the libraries that has no body here: it reads, or it is simulation only.
    pub(super) fn library_procedure(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<()> {
        match name {
            "readline" => {
                let (file, line) = (self.argument(args, 0, span)?.0, self.argument(args, 1, span)?.0);
                let (Symbol::File(f), Symbol::Line(l)) = (file, line) else {
                    return self.unsupported("reading a file while hardware runs", span);
                };
                let Some(text) = self.texts.files[f].pop_front() else {
                    return error(codes::E0310, "the file has no more lines", span, "read beyond its end");
                };
                self.texts.lines[l] = text.into();
                Ok(())
            }
            "read" | "bread" | "binary_read" => self.read_line(args, 1, span),
            "hread" | "hex_read" => self.read_line(args, 4, span),
            "oread" | "octal_read" => self.read_line(args, 3, span),
            "sread" | "string_read" | "file_open" => {
                self.unsupported(&format!("procedure `{name}`, which gives values back,"), span)
            }
            _ => {
                self.simulation_only(&format!("procedure `{name}`"), span);
                Ok(())
            }
        }
    }

    /// `read(l, value)` or `read(l, value, good)`; vectors with that many bits a digit.
    fn read_line(&mut self, args: &'a [Arg], step: u32, span: Span) -> Res<()> {
        let Symbol::Line(l) = self.argument(args, 0, span)?.0 else {
            return self.unsupported("reading a line while hardware runs", span);
        };
        let Some(Expr { kind: ExprKind::Name(target), .. }) = args.get(1).and_then(|a| a.actual.as_ref()) else {
            return error(codes::E0506, "cannot assign to an expression", span, "out parameter");
        };
        let place = self.place(target)?;
        let value = self.parse_value(l, &place.ty, step, span)?;
        let good = value.is_some();
        if let Some(b) = value {
            let node = self.m.literal(&b);
            self.assign(&place, node, false, span)?;
        }
        match args.get(2).and_then(|a| a.actual.as_ref()) {
            Some(Expr { kind: ExprKind::Name(n), .. }) => {
                let place = self.place(n)?;
                let node = self.m.d.bool(good);
                self.assign(&place, node, false, span)
            }
            _ if good => Ok(()),
            _ => error(codes::E0310, "the line does not hold such a value", span, "read here"),
        }
    }

    /// Takes a value of a type from a line.
    fn parse_value(&mut self, l: usize, ty: &Rc<Ty>, step: u32, span: Span) -> Res<Option<Bits>> {
        let line = &mut self.texts.lines[l];
        let text = matches!(&ty.kind, TyKind::Enum { def, .. } if def.literals.len() > 9)
            || matches!(&ty.kind, TyKind::Array { elem, .. } if !elem.is_bool_like());
        while !text && line.front().is_some_and(u8::is_ascii_whitespace) {
            line.pop_front();
        }
        let word = |line: &mut std::collections::VecDeque<u8>, ok: &dyn Fn(u8) -> bool| {
            let mut out = Vec::new();
            while line.front().is_some_and(|c| ok(*c)) {
                out.extend(line.pop_front());
            }
            String::from_utf8_lossy(&out).to_lowercase()
        };
        match &ty.kind {
            TyKind::Int { lo, hi, .. } => {
                let digits = word(line, &|c| c.is_ascii_digit() || matches!(c, b'-' | b'+' | b'_'));
                let v: Option<i128> = digits.replace('_', "").parse().ok();
                Ok(v.filter(|v| lo <= v && v <= hi).map(|v| types::int_bits(v, ty.width)))
            }
            TyKind::Real => {
                let digits = word(line, &|c| c.is_ascii_digit() || matches!(c, b'-' | b'+' | b'.' | b'e' | b'E'));
                Ok(digits.parse::<f64>().ok().map(|r| Bits::from_u64(r.to_bits(), 64)))
            }
            TyKind::Enum { def, .. } if def.logic == Logic::Two && def.literals.iter().any(|l| l == "true") => {
                Ok(match word(line, &|c| c.is_ascii_alphabetic()).as_str() {
                    "true" => Some(Bits::from_bool(true)),
                    "false" => Some(Bits::from_bool(false)),
                    _ => None,
                })
            }
            TyKind::Enum { def, .. } => match line.pop_front() {
                Some(c) => Ok(self.character(c, &def.clone(), ty.width, span).ok()),
                None => Ok(None),
            },
            TyKind::Array { dims: Some(dims), elem, .. } if dims.len() == 1 => {
                let (n, elem) = (dims[0].len(), elem.clone());
                let TyKind::Enum { def, .. } = &elem.kind else { return self.unsupported("reading this type", span) };
                let mut parts = Vec::new();
                let digits = if text { n } else { n.div_ceil(step as u64) };
                while (parts.len() as u64) < digits {
                    let Some(c) = self.texts.lines[l].pop_front() else { return Ok(None) };
                    if c == b'_' && !parts.is_empty() && !text {
                        continue;
                    }
                    let bits = match (step, char::from(c).to_digit(1 << step)) {
                        (1, _) => self.character(c, def, elem.width, span).ok(),
                        (_, Some(d)) => Some(Bits::from_u64(d as u64, step)),
                        // `X`, `Z` and the like stand for a whole digit.
                        (_, None) => match self.character(c, def, 1, span) {
                            Ok(b) if b.has_unknown() => Some(Bits::join(vec![&b; step as usize])),
                            _ => None,
                        },
                    };
                    let Some(bits) = bits else { return Ok(None) };
                    parts.push(bits);
                }
                let all = Bits::join(parts.iter().collect());
                // Bits beyond the vector must be zeros.
                let fits = (ty.width..all.width()).all(|i| !all.bit(i) && !all.is_unknown(i));
                Ok(fits.then(|| all.slice(0, ty.width)))
            }
            _ => self.unsupported("reading this type", span),
        }
    }
}
