//! Gate primitives.

use super::scope::ScopeId;
use super::*;

impl<'a> Elab<'a> {
    /// Gate primitives: outputs first, inputs after.
    pub(super) fn gate(&mut self, s: ScopeId, gate: &str, inst: &'a Instance) -> Res<()> {
        let span = inst.name.span;
        let mut terms: Vec<&'a Expr> = Vec::new();
        for c in &inst.ports {
            match c {
                Connection::Positional(Some(e)) => terms.push(e),
                _ => return error(codes::E0207, "a gate's terminals are given by position", span, "terminal"),
            }
        }
        let many_outputs = matches!(gate, "not" | "buf");
        let known = ["and", "or", "xor", "nand", "nor", "xnor", "not", "buf", "bufif0", "bufif1", "notif0", "notif1"];
        if !known.contains(&gate) || terms.len() < 2 {
            return error(
                codes::E0405,
                format!("gate primitive `{gate}` is not supported"),
                span,
                "switch-level primitive",
            );
        }
        let (outs, ins) = if many_outputs { terms.split_at(terms.len() - 1) } else { terms.split_at(1) };
        for out in outs {
            self.comb(s, AlwaysKind::Plain, span, |e| {
                let mut values = Vec::new();
                for i in ins {
                    let v = e.eval_self(i)?;
                    values.push(v);
                }
                let p = e.place(out)?;
                let w = p.ty.width;
                for v in &mut values {
                    *v = e.m.d.zext(*v, w);
                }
                let op = match gate {
                    "and" | "nand" => BinaryOp::And,
                    "or" | "nor" => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                let mut r = values[0];
                if gate.starts_with("bufif") || gate.starts_with("notif") {
                    let Some(en) = values.get(1).copied() else {
                        return error(codes::E0308, format!("`{gate}` needs an enable"), span, "terminal missing");
                    };
                    let en = e.m.d.truth(en);
                    let data = if gate.starts_with("notif") { e.m.d.not(r) } else { r };
                    let z = e.m.d.high_z(w);
                    r = if gate.ends_with('1') { e.m.d.mux(en, data, z) } else { e.m.d.mux(en, z, data) };
                } else {
                    for v in &values[1..] {
                        r = e.arith(op, r, *v, false);
                    }
                    if matches!(gate, "nand" | "nor" | "xnor" | "not") {
                        r = e.m.d.not(r);
                    }
                }
                e.write(&p, r, false, span)
            })?;
        }
        Ok(())
    }
}
