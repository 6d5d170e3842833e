//! Functions and procedures with statements in them.

use super::{Class, Context, Maker, Procedure, declare, object, whole};
use crate::support_vhdl::decl::Decl;
use crate::support_vhdl::expr::Expr;
use crate::support_vhdl::scope::{Func, Object, Param, Scope};
use crate::support_vhdl::stmt::Stmt;
use crate::support_vhdl::types::Type;
use std::rc::Rc;

impl Maker<'_> {
    /// What a subprogram may use: parameters and what the package has.
    fn inside(&self, outer: &Scope, params: &[Object]) -> Scope {
        let mut scope = outer.constants();
        scope.timed = true;
        scope.objects.extend(params.iter().cloned());
        scope
    }

    /// Local variables, each assigned at once, added to the context.
    pub(super) fn locals(&mut self, cx: &mut Context, decls: &mut Vec<Decl>, body: &mut Vec<Stmt>, most: u32) {
        for _ in 0..self.rng.u32(0..=most) {
            let (name, ty) = (self.name("v"), self.object_type());
            let from = self.expr(&cx.scope, &ty, 2);
            body.push(Stmt::Assign { to: whole(&object(&name, &ty)), op: ":=", from });
            declare(decls, "variable", &name, &ty, None);
            cx.scope.add(name.clone(), ty.clone());
            cx.targets.push((object(&name, &ty), ":="));
        }
        if self.one_in(4) && !cx.targets.is_empty() {
            let (stmts, counter) = self.counted(cx);
            declare(decls, "variable", &counter.name, &counter.ty, None);
            body.extend(stmts);
        }
    }

    /// A function with parameters of fixed types; `label` says where it is declared.
    pub(super) fn function(&mut self, outer: &Scope, label: &'static str) -> (Decl, Rc<Func>) {
        let params: Vec<Param> =
            (0..self.rng.u32(1..=3)).map(|_| Param { name: self.name("p"), ty: self.object_type() }).collect();
        let ret = self.object_type();
        let objects: Vec<Object> = params.iter().map(|p| object(&p.name, &p.ty)).collect();
        let scope = self.inside(outer, &objects);
        let result = self.name("r");
        let mut decls = vec![];
        let mut body = vec![];
        let start = self.expr(&scope, &ret, 2);
        let with_value = self.rng.bool();
        declare(&mut decls, "variable", &result, &ret, with_value.then_some(&start));
        if !with_value {
            body.push(Stmt::Assign { to: whole(&object(&result, &ret)), op: ":=", from: start });
        }
        let mut cx = Context { scope, targets: vec![(object(&result, &ret), ":=")], procedures: vec![], loops: vec![] };
        cx.scope.add(result.clone(), ret.clone());
        self.locals(&mut cx, &mut decls, &mut body, 1);
        body.extend(self.stmts(&cx, 2));
        if self.one_in(3) {
            // Leaves early.
            let (condition, value) = (self.condition(&cx.scope), self.expr(&cx.scope, &ret, 2));
            body.push(Stmt::If { arms: vec![(condition, vec![Stmt::Return(value)])], other: vec![] });
            body.extend(self.stmts(&cx, 1));
        }
        let last = if self.rng.bool() { whole(&object(&result, &ret)) } else { self.expr(&cx.scope, &ret, 1) };
        body.push(Stmt::Return(last));
        let name = self.name("f");
        let list: Vec<String> = params.iter().map(|p| format!("{} : {}", p.name, p.ty.mark())).collect();
        let mut types: Vec<Type> = params.iter().map(|p| p.ty.clone()).collect();
        types.push(ret.clone());
        let head = format!("function {name}({}) return {}", list.join("; "), ret.name());
        let mut decl = Decl::new(label, &name, head, types);
        decl.body = Some((decls, body));
        (decl, Rc::new(Func { name, params, ret }))
    }

    /// A procedure with one output; `ty` and `class` say which.
    pub(super) fn procedure(
        &mut self,
        outer: &Scope,
        label: &'static str,
        class: Class,
        ty: Type,
    ) -> (Decl, Rc<Procedure>) {
        let mut params: Vec<(Rc<str>, Class, Type)> =
            (0..self.rng.u32(1..=2)).map(|_| (self.name("p"), Class::In, self.object_type())).collect();
        let out = self.name("o");
        let at = self.rng.usize(0..=params.len());
        let inputs: Vec<Object> = params.iter().map(|p| object(&p.0, &p.2)).collect();
        params.insert(at, (out.clone(), class, ty.clone()));
        let scope = self.inside(outer, &inputs);
        let op = if class == Class::OutSignal { "<=" } else { ":=" };
        let mut cx = Context { scope, targets: vec![], procedures: vec![], loops: vec![] };
        let (mut decls, mut body) = (vec![], vec![]);
        self.locals(&mut cx, &mut decls, &mut body, 1);
        if class == Class::InoutVariable {
            cx.scope.add(out.clone(), ty.clone());
        } else {
            // All of it, so that nothing depends on what was there before.
            let from = self.expr(&cx.scope, &ty, 2);
            body.push(Stmt::Assign { to: whole(&object(&out, &ty)), op, from });
        }
        cx.targets.push((object(&out, &ty), op));
        body.extend(self.stmts(&cx, 2));
        if self.one_in(4) {
            let arms = vec![(self.condition(&cx.scope), vec![Stmt::Raw("statement return", "return;".into())])];
            body.push(Stmt::If { arms, other: vec![] });
            body.extend(self.stmts(&cx, 0));
        }
        let name = self.name("q");
        let list: Vec<String> = params
            .iter()
            .map(|(n, class, t)| {
                let class = match class {
                    Class::In => "",
                    Class::OutSignal => "signal ",
                    _ => "variable ",
                };
                let mode = match params.iter().find(|p| p.0 == *n).map(|p| p.1) {
                    Some(Class::In) => "in",
                    Some(Class::InoutVariable) => "inout",
                    _ => "out",
                };
                format!("{class}{n} : {mode} {}", t.mark())
            })
            .collect();
        let types = params.iter().map(|p| p.2.clone()).collect();
        let mut decl = Decl::new(label, &name, format!("procedure {name}({})", list.join("; ")), types);
        decl.body = Some((decls, body));
        (decl, Rc::new(Procedure { name, params }))
    }

    /// Every variable a reset sets, as statements.
    pub(super) fn resets(&mut self, targets: &[(Object, &'static str)]) -> Vec<Stmt> {
        targets
            .iter()
            .map(|(o, op)| {
                let from: Expr = self.constant(&o.ty);
                Stmt::Assign { to: whole(o), op, from }
            })
            .collect()
    }
}
