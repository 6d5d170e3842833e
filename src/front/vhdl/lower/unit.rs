//! Library units.

use super::*;

impl Lower<'_> {
    pub fn entity(&mut self, e: &va::EntityDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&e.ident),
            span: self.span(e.span()),
            uses: uses(&e.context_clause),
            kind: UnitKind::Entity {
                generics: self.interfaces(&e.generic_clause),
                ports: self.interfaces(&e.port_clause),
                decls: self.decls(&e.decl),
                stmts: self.concurrents(&e.statements),
            },
        }
    }

    pub fn architecture(&mut self, a: &va::ArchitectureBody, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&a.ident),
            span: self.span(a.span()),
            uses: uses(&a.context_clause),
            kind: UnitKind::Architecture {
                entity: lower_case(a.entity_name.item.item.name_utf8()),
                decls: self.decls(&a.decl),
                stmts: self.concurrents(&a.statements),
            },
        }
    }

    pub fn package(&mut self, p: &va::PackageDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&p.ident),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::Package { generics: self.interfaces(&p.generic_clause), decls: self.decls(&p.decl) },
        }
    }

    pub fn package_body(&mut self, p: &va::PackageBody, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&p.ident),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::PackageBody { decls: self.decls(&p.decl) },
        }
    }

    pub fn package_instance_unit(&mut self, p: &va::PackageInstantiation, library: SmolStr) -> LibraryUnit {
        let instance = self.package_instance(p);
        LibraryUnit {
            library,
            name: instance.name.clone(),
            span: self.span(p.span()),
            uses: uses(&p.context_clause),
            kind: UnitKind::PackageInstance(instance),
        }
    }

    pub fn configuration(&mut self, c: &va::ConfigurationDeclaration, library: SmolStr) -> LibraryUnit {
        LibraryUnit {
            library,
            name: self.ident(&c.ident),
            span: self.span(c.span()),
            uses: uses(&c.context_clause),
            kind: UnitKind::Configuration {
                entity: self.name(&c.entity_name),
                block: self.block_config(&c.block_config),
            },
        }
    }
}

/// The packages a context clause uses.
pub(super) fn uses(context: &va::ContextClause) -> Vec<SmolStr> {
    let clauses = context.iter().filter_map(|c| match c {
        va::ContextItem::Use(u) => Some(u),
        _ => None,
    });
    clauses.flat_map(used_packages).collect()
}

/// The packages of a use clause, as a whole or for one name.
pub(super) fn used_packages(u: &va::UseClause) -> impl Iterator<Item = SmolStr> {
    u.name_list.iter().filter_map(|n| {
        let (va::Name::SelectedAll(prefix) | va::Name::Selected(prefix, _)) = &n.item else { return None };
        match &prefix.item {
            va::Name::Selected(_, package) => Some(designator(&package.item.item)),
            va::Name::Designator(package) => Some(designator(&package.item)),
            _ => None,
        }
    })
}
