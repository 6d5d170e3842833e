//! Named entities: numbers for them, and what the analysis knows beyond their declarations.

use super::ast::Ent;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use vhdl_lang::ast::Designator;
use vhdl_lang::{AnyEntKind, Design, EntRef, Overloaded, Related, Type};

/// Dense numbers for the analysis' identifiers.
#[derive(Default)]
pub struct Interner {
    numbers: FxHashMap<usize, Ent>,
    next: u32,
}

impl Interner {
    pub fn intern(&mut self, raw: usize) -> Ent {
        *self.numbers.entry(raw).or_insert_with(|| {
            self.next += 1;
            Ent(self.next - 1)
        })
    }

    /// A number that no name refers to.
    pub fn fresh(&mut self) -> Ent {
        self.next += 1;
        Ent(self.next - 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Library,
    Package,
    Entity,
    Component,
    Type,
    EnumLiteral,
    /// A function or procedure.
    Subprogram,
    Object,
    Element,
    Other,
}

/// How an entity came to be from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    None,
    /// An operator or attribute that came with a type.
    ImplicitOf(Ent),
    /// A copy made by instantiating a generic package or subprogram.
    InstanceOf(Ent),
    /// A body and its declaration.
    DeclaredBy(Ent),
    /// An alias and what it stands for.
    AliasOf(Ent),
}

#[derive(Clone, Debug)]
pub struct Info {
    pub name: SmolStr,
    pub kind: Kind,
    pub parent: Option<Ent>,
    pub relation: Relation,
}

#[derive(Default)]
pub struct Entities {
    infos: FxHashMap<Ent, Info>,
}

impl Entities {
    pub fn get(&self, e: Ent) -> Option<&Info> {
        self.infos.get(&e)
    }

    pub fn relation(&self, e: Ent) -> Relation {
        self.infos.get(&e).map_or(Relation::None, |i| i.relation)
    }

    /// The entity of the declaration, through aliases and bodies.
    pub fn declaration(&self, mut e: Ent) -> Ent {
        while let Relation::AliasOf(to) | Relation::DeclaredBy(to) = self.relation(e) {
            e = to;
        }
        e
    }

    /// The same and then through instances: what was written in the source text.
    pub fn origin(&self, mut e: Ent) -> Ent {
        while let Relation::AliasOf(to) | Relation::DeclaredBy(to) | Relation::InstanceOf(to) = self.relation(e) {
            e = to;
        }
        e
    }

    /// Library and package in which an entity is declared immediately, if it is in a package.
    pub fn package(&self, e: Ent) -> Option<(SmolStr, SmolStr)> {
        let package = self.infos.get(&self.infos.get(&e)?.parent?)?;
        if package.kind != Kind::Package {
            return None;
        }
        let library = self.infos.get(&package.parent?)?;
        (library.kind == Kind::Library).then(|| (library.name.clone(), package.name.clone()))
    }

    /// The library an entity lives in.
    pub fn library(&self, mut e: Ent) -> SmolStr {
        loop {
            match self.infos.get(&e) {
                Some(i) if i.kind == Kind::Library => return i.name.clone(),
                Some(Info { parent: Some(p), .. }) => e = *p,
                _ => return SmolStr::default(),
            }
        }
    }

    /// Adds an entity and all it hangs on.
    pub fn add(&mut self, ent: EntRef<'_>, ids: &mut Interner) -> Ent {
        let id = ids.intern(ent.id().to_raw());
        if self.infos.contains_key(&id) {
            return id;
        }
        let name = match &ent.designator {
            Designator::Identifier(s) => s.name_utf8().to_ascii_lowercase().into(),
            Designator::OperatorSymbol(op) => super::lower::op_name(super::lower::operator(*op)).into(),
            Designator::Character(c) => format!("'{}'", char::from(*c)).into(),
            Designator::Anonymous(_) => SmolStr::default(),
        };
        let kind = match ent.kind() {
            AnyEntKind::Library => Kind::Library,
            AnyEntKind::Design(
                Design::Package(..) | Design::PackageBody(..) | Design::UninstPackage(..) | Design::PackageInstance(..),
            ) => Kind::Package,
            AnyEntKind::Design(Design::Entity(..)) => Kind::Entity,
            AnyEntKind::Component(_) => Kind::Component,
            AnyEntKind::Type(_) => Kind::Type,
            AnyEntKind::Overloaded(o) => match o {
                Overloaded::EnumLiteral(_) => Kind::EnumLiteral,
                Overloaded::Alias(of)
                    if matches!(of.inner().kind(), AnyEntKind::Overloaded(Overloaded::EnumLiteral(_))) =>
                {
                    Kind::EnumLiteral
                }
                _ => Kind::Subprogram,
            },
            AnyEntKind::Object(_) | AnyEntKind::ObjectAlias { .. } | AnyEntKind::DeferredConstant(_) => Kind::Object,
            AnyEntKind::LoopParameter(_) => Kind::Object,
            AnyEntKind::ElementDeclaration(_) => Kind::Element,
            _ => Kind::Other,
        };
        // Entered before what it hangs on: relations can be circular.
        self.infos.insert(id, Info { name, kind, parent: None, relation: Relation::None });
        let parent = ent.parent.map(|p| self.add(p, ids));
        let relation = match (ent.kind(), ent.related) {
            (AnyEntKind::Overloaded(Overloaded::Alias(of)), _) => Relation::AliasOf(self.add(of.inner(), ids)),
            (AnyEntKind::Type(Type::Alias(of)), _) => Relation::AliasOf(self.add(of.inner(), ids)),
            (_, Related::ImplicitOf(of)) => Relation::ImplicitOf(self.add(of, ids)),
            (_, Related::InstanceOf(of)) => Relation::InstanceOf(self.add(of, ids)),
            (_, Related::DeclaredBy(of)) => Relation::DeclaredBy(self.add(of, ids)),
            _ => Relation::None,
        };
        if let Some(info) = self.infos.get_mut(&id) {
            info.parent = parent;
            info.relation = relation;
        }
        for i in &ent.implicits {
            self.add(i, ids);
        }
        id
    }
}
