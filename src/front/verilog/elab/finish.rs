//! The last step in Verilog's terms: supplies, and what direction an inout port has in the end.

use super::*;
use crate::word::{Drive, Role, Source};

impl<'a> Elab<'a> {
    pub(super) fn finish(&mut self) {
        for (i, decl) in self.decls.iter().enumerate() {
            let (sig, span) = (self.m.vars[i].signal, self.m.vars[i].span);
            let scope = self.scope_ref(decl.scope);
            if decl.direction == Some(Direction::Inout) && scope.up.is_none() && scope.module.is_some() {
                let s = &mut self.m.d.signals[sig.index()];
                s.role = if s.drives.is_empty() { Role::Input } else { Role::Output };
            }
            let (net, width) = (decl.net, decl.ty.width);
            if net == NetKind::Supply0 || net == NetKind::Supply1 {
                let n = self.m.d.constant(if net == NetKind::Supply1 { Bits::ones(width) } else { Bits::zero(width) });
                self.m.d.signals[sig.index()].drives.push(Drive { lo: 0, width, source: Source::Node(n), span });
            }
        }
        self.m.finish();
    }
}
