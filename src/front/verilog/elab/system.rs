//! System functions and tasks.

use super::scope::Symbol;
use super::types::range_len;
use super::*;

pub(super) fn arg<'a>(args: &'a [Arg], i: usize, name: &str, span: Span) -> Res<&'a Expr> {
    match args.get(i).and_then(|a| a.value.as_ref()) {
        Some(e) => Ok(e),
        None => error(codes::E0308, format!("`{name}` needs argument {}", i + 1), span, "argument missing"),
    }
}

/// Simulation output and control: nothing that hardware does.
const SILENT: &[&str] = &[
    "$display",
    "$displayb",
    "$displayh",
    "$displayo",
    "$write",
    "$writeb",
    "$writeh",
    "$strobe",
    "$monitor",
    "$fdisplay",
    "$fwrite",
    "$fflush",
    "$info",
    "$warning",
    "$error",
    "$fatal",
    "$finish",
    "$stop",
    "$dumpfile",
    "$dumpvars",
    "$dumpon",
    "$dumpoff",
    "$timeformat",
    "$printtimescale",
    "$fclose",
    "$monitoron",
    "$monitoroff",
    "$asserton",
    "$assertoff",
    "$assertkill",
    "$exit",
];

impl<'a> Elab<'a> {
    pub(super) fn system_type(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<Rc<Ty>> {
        match name {
            "$signed" | "$unsigned" => {
                let t = self.type_of(arg(args, 0, name, span)?)?;
                Ok(Ty::vector(t.width, name == "$signed", t.four_state))
            }
            "$onehot" | "$onehot0" | "$isunknown" => Ok(Rc::new(Ty::bit(false))),
            "$clog2"
            | "$bits"
            | "$size"
            | "$left"
            | "$right"
            | "$high"
            | "$low"
            | "$increment"
            | "$dimensions"
            | "$unpacked_dimensions"
            | "$countones"
            | "$countbits"
            | "$rtoi" => Ok(Ty::vector(32, true, false)),
            "$test$plusargs" | "$value$plusargs" => Ok(Ty::vector(32, true, false)),
            "$time" | "$realtime" | "$stime" | "$random" | "$urandom" | "$urandom_range" => {
                error(codes::E0406, format!("`{name}` cannot become hardware"), span, "simulation only")
            }
            "$past" | "$sampled" => self.integral(arg(args, 0, name, span)?),
            "$rose" | "$fell" | "$stable" | "$changed" => Ok(Rc::new(Ty::bit(false))),
            _ => {
                error(codes::E0406, format!("system function `{name}` is not supported"), span, "unknown to this tool")
            }
        }
    }

    pub(super) fn system_call(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<NodeId> {
        let int = |e: &mut Self, v: i64| Ok(e.m.d.constant(Bits::from_i64(v, 32)));
        match name {
            "$signed" | "$unsigned" => {
                let a = arg(args, 0, name, span)?;
                let t = self.type_of(a)?;
                self.eval(a, t.width, t.signed)
            }
            "$clog2" => {
                let a = arg(args, 0, name, span)?;
                let v = self.const_self(a)?;
                if v.has_unknown() {
                    return error(codes::E0301, "`$clog2` of an unknown value", a.span, "not a number");
                }
                let less = v.sub(&Bits::from_u64(1, v.width()));
                let top =
                    if v.is_zero() { 0 } else { (0..v.width()).rev().find(|i| less.bit(*i)).map_or(0, |i| i + 1) };
                int(self, top as i64)
            }
            "$bits" => {
                let a = arg(args, 0, name, span)?;
                let t = self.type_or_value(a)?;
                int(self, t.width as i64)
            }
            "$size" | "$left" | "$right" | "$high" | "$low" | "$increment" => self.array_query(name, args, span),
            "$dimensions" | "$unpacked_dimensions" => {
                let mut t = self.type_or_value(arg(args, 0, name, span)?)?;
                let mut n = 0;
                loop {
                    let next = match &t.kind {
                        TyKind::Array { packed, elem, .. } if !*packed || name == "$dimensions" => elem.clone(),
                        _ => break,
                    };
                    n += 1;
                    t = next;
                }
                int(self, n)
            }
            "$countones" => {
                let v = self.eval_self(arg(args, 0, name, span)?)?;
                Ok(self.count_ones(v))
            }
            "$onehot" | "$onehot0" => {
                let v = self.eval_self(arg(args, 0, name, span)?)?;
                // At most one bit: v & (v - 1) is zero.
                let w = self.m.d.width(v);
                let one = self.m.d.uint(1, w);
                let less = self.m.d.sub(v, one);
                let both = self.m.d.and(v, less);
                let some = self.m.d.truth(both);
                let at_most = self.m.d.not(some);
                if name == "$onehot0" {
                    return Ok(at_most);
                }
                let any = self.m.d.truth(v);
                Ok(self.m.d.and(at_most, any))
            }
            "$isunknown" => {
                let a = arg(args, 0, name, span)?;
                self.type_of(a)?;
                // No bit of a two-valued model is unknown.
                Ok(self.m.d.bool(false))
            }
            "$past" | "$sampled" | "$rose" | "$fell" | "$stable" | "$changed" => self.sampled_call(name, args, span),
            "$test$plusargs" | "$value$plusargs" => {
                // Hardware has no command line: the argument is never there.
                self.m.warn(
                    Diagnostic::warning(codes::W0415, format!("`{name}` is taken as not given"))
                        .at(span, "simulation only"),
                );
                int(self, 0)
            }
            "$rtoi" => self.rvalue(arg(args, 0, name, span)?, &Ty::vector(32, true, false)),
            _ => {
                self.system_type(name, args, span)?;
                error(codes::E0406, format!("system function `{name}` is not supported"), span, "unknown to this tool")
            }
        }
    }

    fn type_or_value(&mut self, e: &'a Expr) -> Res<Rc<Ty>> {
        match self.type_expr(e)? {
            Some(t) => Ok(t),
            None => self.type_of(e),
        }
    }

    fn array_query(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<NodeId> {
        let a = arg(args, 0, name, span)?;
        let mut t = self.type_or_value(a)?;
        let dim = match args.get(1).and_then(|a| a.value.as_ref()) {
            Some(e) => self.const_int(e)?,
            None => 1,
        };
        for _ in 1..dim {
            t = Self::element(&t, span)?.2;
        }
        let (left, right) = match &t.kind {
            TyKind::Array { left, right, .. } => (*left, *right),
            _ => (t.width as i64 - 1, 0),
        };
        let v = match name {
            "$size" => range_len(left, right) as i64,
            "$left" => left,
            "$right" => right,
            "$high" => left.max(right),
            "$low" => left.min(right),
            _ => {
                if left >= right {
                    1
                } else {
                    -1
                }
            }
        };
        Ok(self.m.d.constant(Bits::from_i64(v, 32)))
    }

    fn count_ones(&mut self, v: NodeId) -> NodeId {
        // A balanced tree of adders, as wide as the count needs, then extended to an int.
        let w = self.m.d.width(v);
        let bits = 33 - w.leading_zeros();
        let mut level: Vec<NodeId> = Vec::new();
        for i in 0..w {
            let b = self.m.d.slice(v, i, 1);
            level.push(self.m.d.zext(b, bits));
        }
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|c| match c {
                    [a, b] => self.m.d.add(*a, *b),
                    c => c[0],
                })
                .collect();
        }
        match level.first() {
            Some(n) => self.m.d.zext(*n, 32),
            None => self.m.d.uint(0, 32),
        }
    }

    pub(super) fn system_task(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<()> {
        if name == "$readmemh" || name == "$readmemb" {
            return self.readmem(name, args, span);
        }
        if name.ends_with("$plusargs") {
            return self.system_call(name, args, span).map(drop);
        }
        if SILENT.contains(&name) {
            self.m.warn(
                Diagnostic::warning(codes::W0415, format!("`{name}` has no effect on hardware and is ignored"))
                    .at(span, "simulation only"),
            );
            return Ok(());
        }
        error(codes::E0406, format!("system task `{name}` is not supported"), span, "unknown to this tool")
    }

    /// `$error` and friends among module items run at elaboration.
    pub(super) fn elab_task(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<()> {
        let text = args
            .iter()
            .filter_map(|a| a.value.as_ref())
            .find_map(|e| match &e.kind {
                ExprKind::Str(s) => Some(s.clone()),
                _ => None,
            })
            .unwrap_or_else(|| "elaboration check failed".into());
        match name {
            "$fatal" | "$error" => error(codes::E0313, text, span, "this elaboration check failed"),
            "$warning" | "$info" => {
                self.m.warn(Diagnostic::warning(codes::W0415, text).at(span, "elaboration message"));
                Ok(())
            }
            _ => error(codes::E0406, format!("`{name}` is not an elaboration task"), span, "not allowed here"),
        }
    }

    /// `$readmemh("file", memory, start, finish)` in an initial block.
    fn readmem(&mut self, name: &str, args: &'a [Arg], span: Span) -> Res<()> {
        let file = arg(args, 0, name, span)?;
        let text = match &file.kind {
            ExprKind::Str(s) => s.clone(),
            _ => {
                let b = self.const_self(file)?;
                (0..b.width() / 8)
                    .rev()
                    .filter_map(|i| b.slice(i * 8, 8).to_u64())
                    .filter(|c| *c != 0)
                    .map(|c| c as u8 as char)
                    .collect()
            }
        };
        let target = arg(args, 1, name, span)?;
        let Some(Symbol::Var(v)) = self.symbol_of(target)? else {
            return error(codes::E0308, format!("`{name}` fills an array"), target.span, "not an array variable");
        };
        let ty = self.ty(v);
        let TyKind::Array { packed: false, left, right, elem } = &ty.kind else {
            return error(
                codes::E0308,
                format!("`{name}` fills an unpacked array"),
                target.span,
                "not an unpacked array",
            );
        };
        let (left, right, width) = (*left, *right, elem.width);
        let low = left.min(right);
        let count = range_len(left, right);
        let start = match args.get(2).and_then(|a| a.value.as_ref()) {
            Some(e) => self.const_int(e)?,
            None => low,
        };
        let base = self.map.get(span.file).and_then(|f| f.path.parent().map(|p| p.join(&text)));
        let mut path = None;
        for p in [Some(PathBuf::from(&text)), base].into_iter().flatten() {
            if p.is_file() {
                path = Some(p);
                break;
            }
            self.map.note(crate::source::Other::Absent(p));
        }
        let Some(path) = path else {
            return error(
                codes::E0101,
                format!("memory image `{text}` not found"),
                file.span,
                "looked in the working folder and beside the source",
            );
        };
        let content = match std::fs::read_to_string(&path) {
            Ok(c) => c,
            Err(e) => return error(codes::E0101, format!("cannot read `{text}`: {e}"), file.span, "memory image"),
        };
        self.map.note(crate::source::Other::Read(path, blake3::hash(content.as_bytes())));
        let words = match parse_image(&content, name == "$readmemh", width) {
            Ok(w) => w,
            Err(why) => return error(codes::E0110, format!("memory image `{text}`: {why}"), file.span, "memory image"),
        };
        let mut values = self.m.vars[v.index()].init.take();
        if values.is_none() && self.m.vars[v.index()].memory.is_none() {
            values = Some(if ty.four_state { Bits::x(ty.width) } else { Bits::zero(ty.width) });
        }
        let mut at = start;
        for w in words {
            match w {
                Word::Address(a) => at = a as i64,
                Word::Value(b) => {
                    if at < low || (at - low) as u64 >= count {
                        return error(
                            codes::E0110,
                            format!("memory image `{text}` has a word for address {at}, outside [{left}:{right}]"),
                            file.span,
                            "memory image",
                        );
                    }
                    match self.m.vars[v.index()].memory {
                        Some(m) => {
                            let addr = (at - low) as u64;
                            self.m.d.memories[m.index()].init.push((addr, b));
                        }
                        None => {
                            let off = if left >= right { at - right } else { right - at } as u32 * width;
                            if let Some(all) = &mut values {
                                for i in 0..width {
                                    if b.is_unknown(i) {
                                        all.set_unknown(off + i, false)
                                    } else {
                                        all.set(off + i, b.bit(i))
                                    }
                                }
                            }
                        }
                    }
                    at += 1;
                }
            }
        }
        self.m.vars[v.index()].init = values;
        Ok(())
    }
}

enum Word {
    Address(u64),
    Value(Bits),
}

/// Words and `@address` marks of a memory image (21.4).
fn parse_image(text: &str, hex: bool, width: u32) -> Result<Vec<Word>, String> {
    let mut plain = String::new();
    let mut rest = text;
    loop {
        let next = ["//", "/*"].iter().filter_map(|m| rest.find(m).map(|i| (i, *m))).min();
        let Some((i, mark)) = next else { break };
        plain.push_str(&rest[..i]);
        plain.push(' ');
        let close = if mark == "//" { "\n" } else { "*/" };
        rest = rest[i + 2..].find(close).map_or("", |j| &rest[i + 2 + j + close.len()..]);
        plain.push('\n');
    }
    plain.push_str(rest);
    let step = if hex { 4 } else { 1 };
    let mut out = Vec::new();
    for w in plain.split_whitespace() {
        if let Some(a) = w.strip_prefix('@') {
            out.push(Word::Address(u64::from_str_radix(a, 16).map_err(|_| format!("bad address `{w}`"))?));
            continue;
        }
        let digits: Vec<char> = w.chars().filter(|c| *c != '_').collect();
        let mut b = Bits::zero((digits.len() as u32 * step).max(width));
        for (k, c) in digits.iter().rev().enumerate() {
            let lo = k as u32 * step;
            match c {
                'x' | 'X' | 'z' | 'Z' => (0..step).for_each(|i| b.set_unknown(lo + i, false)),
                _ => {
                    let d = c.to_digit(1 << step).ok_or_else(|| format!("`{w}` is not a number"))?;
                    (0..step).for_each(|i| b.set(lo + i, d >> i & 1 == 1));
                }
            }
        }
        out.push(Word::Value(b.zext(width)));
    }
    Ok(out)
}
