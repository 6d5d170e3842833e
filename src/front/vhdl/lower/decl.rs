//! Declarations, interfaces and configurations.

use super::unit::used_packages;
use super::*;

impl Lower<'_> {
    pub fn decls(&mut self, list: &[WithTokenSpan<va::Declaration>]) -> Vec<Decl> {
        let mut out = Vec::new();
        for d in list {
            let span = self.span(d.span);
            if let Some(kind) = self.declaration(&d.item) {
                out.push(Decl { kind, span });
            }
        }
        out
    }

    pub(super) fn declaration(&mut self, d: &va::Declaration) -> Option<DeclKind> {
        use va::Declaration as V;
        Some(match d {
            V::Object(o) => DeclKind::Object {
                class: class(o.class),
                names: o.idents.iter().map(|i| self.ident(i)).collect(),
                subtype: self.subtype(&o.subtype_indication),
                init: o.expression.as_ref().map(|e| self.with_conditional(e)),
            },
            V::File(f) => {
                let reads = f.open_info.as_ref().is_none_or(|(_, mode)| match &mode.item {
                    va::Expression::Name(n) => {
                        matches!(&**n, va::Name::Designator(d) if designator(&d.item) == "read_mode")
                    }
                    _ => false,
                });
                let name = f.file_name.as_ref().filter(|_| reads).map(|(_, e)| self.expr(e));
                DeclKind::File(f.idents.iter().map(|i| self.ident(i)).collect(), name)
            }
            V::Type(t) => DeclKind::Type(self.ident(&t.ident), self.type_def(&t.def)),
            V::Component(c) => DeclKind::Component(Component {
                name: self.ident(&c.ident),
                generics: self.interfaces(&c.generic_list),
                ports: self.interfaces(&c.port_list),
            }),
            V::Attribute(va::Attribute::Specification(s)) => {
                let names = match &s.entity_name {
                    va::EntityName::Name(tag) => {
                        let ent = self.ent(&tag.designator.item.reference);
                        Some((designator(&tag.designator.item.item), ent))
                    }
                    va::EntityName::All | va::EntityName::Others => None,
                };
                DeclKind::Attribute(AttributeSpec {
                    attribute: lower_case(s.ident.item.item.name_utf8()),
                    names,
                    value: self.with_conditional(&s.expr),
                })
            }
            V::Attribute(va::Attribute::Declaration(_)) => return None,
            V::Use(u) => DeclKind::Use(used_packages(u).collect()),
            V::Alias(a) => DeclKind::Alias {
                name: Ident {
                    name: designator(&a.designator.tree.item),
                    ent: self.decl(&a.designator.decl),
                    span: self.tokens(a.designator.tree.token, a.designator.tree.token),
                },
                subtype: a.subtype_indication.as_ref().map(|s| self.subtype(s)),
                of: self.name(&a.name),
            },
            V::SubprogramDeclaration(s) => DeclKind::Subprogram(self.spec(&s.specification)),
            V::SubprogramBody(b) => DeclKind::Body(Box::new(Body {
                spec: self.spec(&b.specification),
                decls: self.decls(&b.declarations),
                stmts: self.stmts(&b.statements),
            })),
            V::SubprogramInstantiation(s) => DeclKind::SubprogramInstance {
                name: self.ident(&s.ident),
                of: self.name(&s.subprogram_name),
                generics: self.map(&s.generic_map),
            },
            V::Package(p) => DeclKind::PackageInstance(self.package_instance(p)),
            V::Configuration(c) => DeclKind::Configuration(ConfigSpec {
                labels: labels(&c.spec.instantiation_list),
                component: self.name(&c.spec.component_name),
                binding: Some(self.binding(&c.bind_ind)),
            }),
            V::View(v) => DeclKind::Unsupported(vec![self.ident(&v.ident)], "a mode view"),
        })
    }

    pub fn package_instance(&mut self, p: &va::PackageInstantiation) -> PackageInstance {
        PackageInstance {
            name: self.ident(&p.ident),
            of: self.name(&p.package_name),
            generics: self.map(&p.generic_map),
        }
    }

    pub(super) fn spec(&mut self, s: &va::SubprogramSpecification) -> Spec {
        let (d, header, params, result) = match s {
            va::SubprogramSpecification::Procedure(p) => (&p.designator, &p.header, &p.parameter_list, None),
            va::SubprogramSpecification::Function(f) => {
                (&f.designator, &f.header, &f.parameter_list, Some(self.name(&f.return_type)))
            }
        };
        let name = match &d.tree.item {
            va::SubprogramDesignator::Identifier(s) => lower_case(s.name_utf8()),
            va::SubprogramDesignator::OperatorSymbol(op) => op_name(operator(*op)).into(),
        };
        Spec {
            name: Ident { name, ent: self.decl(&d.decl), span: self.tokens(d.tree.token, d.tree.token) },
            params: self.interfaces(params),
            result,
            generics: header.as_ref().map_or_else(Vec::new, |h| self.interface_items(&h.generic_list.items)),
        }
    }

    pub fn interfaces(&mut self, list: &Option<va::InterfaceList>) -> Vec<Interface> {
        list.as_ref().map_or_else(Vec::new, |l| self.interface_items(&l.items))
    }

    pub(super) fn interface_items(&mut self, items: &[va::InterfaceDeclaration]) -> Vec<Interface> {
        let mut out = Vec::new();
        for i in items {
            match i {
                va::InterfaceDeclaration::Object(o) => {
                    let kind = match &o.mode {
                        va::ModeIndication::Simple(m) => InterfaceKind::Object {
                            class: class(m.class),
                            mode: match m.mode.as_ref().map(|m| m.item) {
                                None | Some(va::Mode::In) => Mode::In,
                                Some(va::Mode::Out) => Mode::Out,
                                Some(va::Mode::Buffer) => Mode::Buffer,
                                Some(va::Mode::InOut | va::Mode::Linkage) => Mode::Inout,
                            },
                            subtype: self.subtype(&m.subtype_indication),
                            default: m.expression.as_ref().map(|e| self.with_conditional(e)),
                        },
                        va::ModeIndication::View(_) => InterfaceKind::Unsupported("a mode view"),
                    };
                    for n in &o.idents {
                        out.push(Interface { name: self.ident(n), kind: kind.clone() });
                    }
                }
                va::InterfaceDeclaration::File(f) => {
                    for n in &f.idents {
                        out.push(Interface {
                            name: self.ident(n),
                            kind: InterfaceKind::Unsupported("a file parameter"),
                        });
                    }
                }
                va::InterfaceDeclaration::Type(t) => {
                    out.push(Interface { name: self.ident(t), kind: InterfaceKind::Type });
                }
                va::InterfaceDeclaration::Subprogram(s) => {
                    let spec = self.spec(&s.specification);
                    let default = match &s.default {
                        Some(va::SubprogramDefault::Name(n)) => Some(self.name(n)),
                        _ => None,
                    };
                    out.push(Interface { name: spec.name, kind: InterfaceKind::Subprogram { default } });
                }
                va::InterfaceDeclaration::Package(p) => {
                    let generics = match &p.generic_map.item {
                        va::InterfacePackageGenericMapAspect::Map(m) => self.args(&m.items),
                        _ => Vec::new(),
                    };
                    let of = self.name(&p.package_name);
                    out.push(Interface { name: self.ident(&p.ident), kind: InterfaceKind::Package { of, generics } });
                }
            }
        }
        out
    }

    // Configurations.

    pub(super) fn binding(&mut self, b: &va::BindingIndication) -> Binding {
        let unit = b.entity_aspect.as_ref().map(|a| match a {
            va::EntityAspect::Entity(n, arch) => {
                Unit::Entity(self.name(n), arch.as_ref().map(|a| lower_case(a.item.name_utf8())))
            }
            va::EntityAspect::Configuration(n) => Unit::Configuration(self.name(n)),
            va::EntityAspect::Open => Unit::Open,
        });
        Binding { unit, generics: self.map(&b.generic_map), ports: self.map(&b.port_map) }
    }

    pub fn block_config(&mut self, b: &va::BlockConfiguration) -> BlockConfig {
        let of = self.name(&b.block_spec);
        let partial = !matches!(of.kind, NameKind::Simple(..));
        let mut out = BlockConfig { of: of.last().into(), partial, blocks: Vec::new(), components: Vec::new() };
        for i in &b.items {
            match i {
                va::ConfigurationItem::Block(b) => out.blocks.push(self.block_config(b)),
                va::ConfigurationItem::Component(c) => {
                    let spec = ConfigSpec {
                        labels: labels(&c.spec.instantiation_list),
                        component: self.name(&c.spec.component_name),
                        binding: c.bind_ind.as_ref().map(|b| self.binding(b)),
                    };
                    let inner = c.block_config.as_ref().map(|b| self.block_config(b));
                    out.components.push((spec, inner));
                }
            }
        }
        out
    }
}

pub(super) fn class(c: va::ObjectClass) -> Class {
    match c {
        va::ObjectClass::Signal => Class::Signal,
        va::ObjectClass::Constant => Class::Constant,
        va::ObjectClass::Variable => Class::Variable,
        va::ObjectClass::SharedVariable => Class::Shared,
    }
}

pub(super) fn labels(l: &va::InstantiationList) -> Labels {
    match l {
        va::InstantiationList::Labels(list) => {
            Labels::Named(list.iter().map(|i| lower_case(i.item.name_utf8())).collect())
        }
        va::InstantiationList::Others => Labels::Others,
        va::InstantiationList::All => Labels::All,
    }
}
