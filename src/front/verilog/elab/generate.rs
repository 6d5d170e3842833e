//! Generate constructs: which blocks exist, and the names of their scopes (clause 27.6).

use super::scope::Symbol;
use super::*;
use crate::front::behave::MAX_ITERATIONS;
use smol_str::format_smolstr;

impl<'a> Elab<'a> {
    pub(super) fn next_generate(&mut self) -> u32 {
        let here = self.scope;
        let s = self.scope_mut(here);
        s.generate_count += 1;
        s.generate_count
    }

    /// A generate block that was chosen, as a scope of its own.
    pub(super) fn gen_scope(&mut self, b: &'a GenBlock, n: u32) -> Res<()> {
        let here = self.scope;
        let name: SmolStr = b.label.as_ref().map_or_else(|| format_smolstr!("genblk{n}"), |l| l.name.clone());
        let s = self.new_scope(here, &name);
        match &b.label {
            Some(l) => self.declare(here, l, Symbol::Scope(s))?,
            None => self.redeclare(here, &name, Symbol::Scope(s)),
        }
        self.in_scope(s, |e| e.declare_items(&b.items));
        Ok(())
    }

    pub(super) fn gen_if(
        &mut self,
        cond: &'a Expr,
        then: &'a GenBlock,
        other: Option<&'a GenBlock>,
        n: u32,
    ) -> Res<()> {
        let c = self.const_self(cond)?;
        let block = if c.is_true() { Some(then) } else { other };
        let Some(b) = block else { return Ok(()) };
        // `else if` without a block of its own belongs to the same construct.
        if let (None, [Item { kind: ItemKind::GenIf { cond, then, other }, .. }]) = (&b.label, b.items.as_slice()) {
            return self.gen_if(cond, then, other.as_ref(), n);
        }
        self.gen_scope(b, n)
    }

    pub(super) fn gen_case(
        &mut self,
        expr: &'a Expr,
        items: &'a [(Vec<Expr>, GenBlock)],
        default: Option<&'a GenBlock>,
    ) -> Res<()> {
        let n = self.next_generate();
        let t = self.type_of(expr)?;
        let v = self.const_self(expr)?;
        for (labels, b) in items {
            for l in labels {
                let lt = self.type_of(l)?;
                let w = t.width.max(lt.width);
                let s = t.signed && lt.signed;
                if self.const_self(l)?.resize(w, s) == v.resize(w, s) {
                    return self.gen_scope(b, n);
                }
            }
        }
        match default {
            Some(b) => self.gen_scope(b, n),
            None => Ok(()),
        }
    }

    pub(super) fn gen_for(
        &mut self,
        genvar: &'a Ident,
        init: &'a Expr,
        cond: &'a Expr,
        step: &'a Stmt,
        body: &'a GenBlock,
        span: Span,
    ) -> Res<()> {
        let n = self.next_generate();
        let here = self.scope;
        let name: SmolStr = body.label.as_ref().map_or_else(|| format_smolstr!("genblk{n}"), |l| l.name.clone());
        let int = types::int_type(IntType::Integer, None);
        let mut value = self.const_bits(init, &int)?;
        let list = scope::Blocks::default();
        self.redeclare(here, &name, Symbol::Array(list.clone()));
        // The loop's own name is visible inside as the blocks made so far.
        let loop_scope = self.new_scope(here, "");
        let mut rounds = 0u32;
        loop {
            self.redeclare(loop_scope, &genvar.name, Symbol::Const(int.clone(), value.clone()));
            if !self.in_scope(loop_scope, |e| e.const_self(cond))?.is_true() {
                break;
            }
            if self.m.stop {
                break;
            }
            rounds += 1;
            if rounds > MAX_ITERATIONS / 8 {
                return error(codes::E0302, "the generate loop does not end", span, "check its condition and step");
            }
            let index = value.to_i64().unwrap_or(0);
            let s = self.new_scope(here, &format!("{name}[{index}]"));
            list.borrow_mut().push((index, s));
            self.redeclare(s, &genvar.name, Symbol::Const(int.clone(), value.clone()));
            self.in_scope(s, |e| e.declare_items(&body.items));
            value = self.in_scope(loop_scope, |e| e.gen_step(genvar, step, &value, &int))?;
        }
        Ok(())
    }

    fn gen_step(&mut self, genvar: &Ident, step: &'a Stmt, value: &Bits, int: &Rc<Ty>) -> Res<Bits> {
        let one = Bits::from_u64(1, 32);
        let bad = || error(codes::E0405, format!("a generate step must assign `{}`", genvar.name), step.span, "step");
        match &step.kind {
            StmtKind::Expr(Expr { kind: ExprKind::IncDec { increment, .. }, .. }) => {
                Ok(if *increment { value.add(&one) } else { value.sub(&one) })
            }
            StmtKind::Assign { lhs: Expr { kind: ExprKind::Ident(n), .. }, op, rhs, .. } if *n == genvar.name => {
                match op {
                    None => self.const_bits(rhs, int),
                    Some(op) => {
                        let r = self.const_bits(rhs, int)?;
                        let (a, b) = (self.m.d.constant(value.clone()), self.m.d.constant(r));
                        let saved = std::mem::replace(&mut self.m.const_mode, true);
                        let r = self.arith(*op, a, b, true);
                        self.m.const_mode = saved;
                        match self.m.d.as_const(r) {
                            Some(b) => Ok(b.clone()),
                            None => bad(),
                        }
                    }
                }
            }
            _ => bad(),
        }
    }
}
