//! Instances: of entities made for the place, and of hand-written ones that fit any generics.

use super::unit::Generic;
use super::{Body, Maker, object, whole};
use crate::support_vhdl::batch::connectable;
use crate::support_vhdl::decl::Decl;
use crate::support_vhdl::expr::{Expr, Kid, Sure};
use crate::support_vhdl::item::{Item, Unit};
use crate::support_vhdl::types::{Kind, Range, Type};
use std::rc::Rc;

/// Entities for any generics, by name: a pipeline made by `for generate`, and a tree that instantiates
/// itself. `PREFIX` stands for that of the design.
pub const TEMPLATES: [(&str, &str); 2] = [
    (
        "pipe",
        "entity PREFIX_pipe is
  generic (width : positive := 3; stages : natural := 1);
  port (
    clk : in std_logic;
    d : in std_logic_vector(width - 1 downto 0);
    q : out std_logic_vector(width - 1 downto 0)
  );
end entity;
architecture rtl of PREFIX_pipe is
  type line_t is array (0 to stages) of std_logic_vector(d'range);
  signal s : line_t := (others => (others => '0'));
begin
  s(0) <= d;
  each : for i in 1 to stages generate
    process (clk)
    begin
      if rising_edge(clk) then
        s(i) <= s(i - 1);
      end if;
    end process;
  end generate;
  q <= s(stages);
end architecture;
",
    ),
    (
        "tree",
        "entity PREFIX_tree is
  generic (size : positive := 1; odd : boolean := true);
  port (x : in std_logic_vector(size - 1 downto 0); y : out std_logic);
end entity;
architecture rtl of PREFIX_tree is
begin
  leaf : if size = 1 generate
    y <= x(x'low) when odd else not x(x'low);
  else generate
    constant half : positive := size / 2;
    signal low, high : std_logic;
  begin
    left : entity work.PREFIX_tree generic map (size - half, odd) port map (x(x'high downto half), high);
    right : entity work.PREFIX_tree
      generic map (size => half, odd => odd)
      port map (x => x(half - 1 downto 0), y => low);
    y <= high xor low;
  end generate;
end architecture;
",
    ),
];

impl Maker<'_> {
    pub(super) fn instance(&mut self, body: &mut Body, levels: u32, units: &mut Vec<Unit>) {
        if self.one_in(3) {
            return self.template(body);
        }
        let own = self.name("sub");
        let name = format!("{}_{own}", self.prefix);
        let face = self.unit(&name, levels, units);
        let unit = units.last().expect("just made").clone();
        let reset = self.reset_name();
        let component = self.one_in(3);
        let positional = self.one_in(4);
        let mut kids = vec![];
        let mut generics = vec![];
        let mut label = match (component, positional) {
            (true, true) => "instance of component, positional",
            (true, false) => "instance of component, named",
            (false, true) => "instance of entity, positional",
            (false, false) => "instance of entity, named",
        };
        let constants = body.scope.constants();
        for (n, g) in &face.generics {
            let value = match g {
                Generic::Number(v) => v.to_string(),
                Generic::Any(ty) => {
                    kids.push(Kid::arg(self.expr(&constants, ty, 2)).given(Sure::Nothing));
                    format!("${}", kids.len() - 1)
                }
            };
            generics.push(if positional { value } else { format!("{n} => {value}") });
        }
        // Each port on its own, because the parts of one must stay together.
        let mut ports = vec![vec![("clk".to_string(), "clk".to_string())], vec![(reset.into(), reset.into())]];
        for (n, ty) in &face.inputs {
            let actual = self.actual(body, ty);
            kids.push(actual);
            ports.push(vec![(n.to_string(), format!("${}", kids.len() - 1))]);
        }
        let mut fresh = vec![];
        for (n, ty) in &face.outputs {
            if self.one_in(8) {
                ports.push(vec![(n.to_string(), "open".into())]);
                continue;
            }
            let s = self.name("s");
            let (formals, ty) = self.formals(n, ty, &s, positional);
            body.unit.decls.push(Decl::signal(&s, &ty, None));
            if formals.len() > 1 {
                label = "instance connected in parts";
            } else if formals[0].0.contains('(') {
                label = "instance with conversion of an output";
            }
            ports.push(formals);
            fresh.push((s, ty));
        }
        let map = |positional: bool, ports: &[Vec<(String, String)>]| {
            let one = |(f, a): &(String, String)| if positional { a.clone() } else { format!("{f} => {a}") };
            ports.iter().flatten().map(one).collect::<Vec<_>>().join(", ")
        };
        if !positional {
            self.rng.shuffle(&mut ports);
        }
        let unit_label = self.name("u");
        let what = if component { name.clone() } else { format!("entity work.{name}") };
        let what = if !component && self.one_in(3) { format!("{what}(rtl)") } else { what };
        let generic_map =
            if generics.is_empty() { String::new() } else { format!(" generic map ({})", generics.join(", ")) };
        let text = format!("{unit_label} : {what}{generic_map} port map ({})", map(positional, &ports));
        if component {
            let list: Vec<String> = unit.ports.iter().map(|(n, d, t)| format!("{n} : {d} {t}")).collect();
            let generics = if unit.generics.is_empty() {
                String::new()
            } else {
                format!("  generic ({});\n", unit.generics.join("; "))
            };
            let text = format!("component {name} is\n{generics}  port ({});\nend component;", list.join("; "));
            body.unit.decls.push(Decl::new("component", &Rc::from(name.as_str()), text, vec![]));
        }
        let call = Expr::new(label, Type::Boolean, text, kids).fixed();
        body.unit.items.push(Item::Instance { label, call });
        fresh.into_iter().for_each(|(n, t)| body.scope.add(n, t));
    }

    /// How an output is connected to the signal `s`, and the type of `s`: whole, in two parts, or converted
    /// to another kind of vector.
    fn formals(&mut self, port: &str, ty: &Type, s: &str, positional: bool) -> (Vec<(String, String)>, Type) {
        let Type::Vector(kind, r) = ty else { return (vec![(port.into(), s.into())], ty.clone()) };
        match self.rng.u32(0..6) {
            0 if !positional && r.len() > 1 => {
                let cut = self.rng.u32(1..r.len());
                let part = |p: Range| (format!("{port}({})", p.text()), format!("{s}({})", p.text()));
                let parts = vec![part(r.part(0, cut)), part(r.part(cut as i64, r.len() - cut))];
                (parts, ty.clone())
            }
            1 if !positional && *kind != Kind::Bits => {
                let other = self.pick(&[Kind::Slv, Kind::Unsigned, Kind::Signed]);
                (vec![(format!("{}({port})", other.mark()), s.into())], Type::Vector(other, *r))
            }
            _ => (vec![(port.into(), s.into())], ty.clone()),
        }
    }

    /// What an input port is connected to: an expression, or a signal of exactly its type.
    fn actual(&mut self, body: &mut Body, ty: &Type) -> Kid {
        let e = self.expr(&body.scope, ty, 2);
        if connectable(&e) {
            return Kid::arg(e).given(Sure::Nothing);
        }
        let s = self.name("s");
        body.unit.decls.push(Decl::signal(&s, ty, None));
        let o = object(&s, ty);
        let item = self.concurrent(&body.scope.clone(), whole(&o));
        body.unit.items.push(item);
        Kid::arg(whole(&o))
    }

    /// An instance of one of the hand-written entities.
    fn template(&mut self, body: &mut Body) {
        // A pipeline has no reset, so it must start with known values.
        let name = if self.initialised { self.pick(&["pipe", "tree"]) } else { "tree" };
        let w = self.rng.u32(1..=9);
        let input = self.actual(body, &Type::vector(Kind::Slv, w));
        let (label, s) = (self.name("u"), self.name("s"));
        let (text, ty, kind) = if name == "pipe" {
            let stages = self.rng.u32(0..=3);
            let map =
                format!("generic map (width => {w}, stages => {stages}) port map (clk => clk, d => $0, q => {s})");
            (map, Type::vector(Kind::Slv, w), "instance of pipeline")
        } else {
            let odd = self.rng.bool();
            (format!("generic map (size => {w}, odd => {odd}) port map ($0, {s})"), Type::Logic, "instance of tree")
        };
        let text = format!("{label} : entity work.{}_{name} {text}", self.prefix);
        body.unit.decls.push(Decl::signal(&s, &ty, None));
        let call = Expr::new(kind, Type::Boolean, text, vec![input]).fixed();
        body.unit.items.push(Item::Instance { label: kind, call });
        body.scope.add(s, ty);
    }
}
