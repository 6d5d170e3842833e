//! Hand-written functions on vectors of any length, as design libraries have them: unconstrained
//! parameters, attributes of parameters, aliases, loops, recursion, overloading, default values.

use super::expr::{Expr, Kid, Sure};
use super::make::Gen;
use super::types::{Kind, Type};
use crate::support::expr_batch::mentions;

/// A function: its name and the text of all its overloads, as (declaration, body) pairs.
pub struct Entry {
    pub name: &'static str,
    text: fn() -> Vec<(String, String)>,
}

/// `text` once for each kind, with `KIND` replaced.
fn for_kinds(kinds: &[Kind], head: &str, body: &str) -> Vec<(String, String)> {
    let with = |k: Kind| (head.replace("KIND", k.mark()), body.replace("KIND", k.mark()));
    kinds.iter().map(|k| with(*k)).collect()
}

const THREE: [Kind; 3] = [Kind::Slv, Kind::Unsigned, Kind::Signed];

/// All functions.
pub const ALL: [Entry; 17] = [
    Entry {
        name: "as_logic",
        text: || {
            for_kinds(
                &[Kind::Slv],
                "function as_logic(b : boolean) return std_logic",
                "begin if b then return '1'; else return '0'; end if;",
            )
        },
    },
    Entry {
        name: "reversed",
        text: || {
            for_kinds(
                &THREE,
                "function reversed(x : KIND) return KIND",
                "variable r : KIND(x'range);\nbegin\n  for i in x'range loop r(x'low + x'high - i) := x(i); end loop;\n  \
                 return r;",
            )
        },
    },
    Entry {
        name: "parity",
        text: || {
            for_kinds(
                &THREE,
                "function parity(x : KIND) return std_logic",
                "variable p : std_logic := '0';\nbegin\n  for i in x'reverse_range loop p := p xor x(i); end loop;\n  \
                 return p;",
            )
        },
    },
    Entry {
        name: "count_ones",
        text: || {
            for_kinds(
                &THREE,
                "function count_ones(x : KIND) return natural",
                "variable n : natural := 0;\nbegin\n  for i in x'range loop\n    if x(i) = '1' then n := n + 1; end if;\n  \
                 end loop;\n  return n;",
            )
        },
    },
    Entry {
        name: "leftmost",
        text: || for_kinds(&THREE, "function leftmost(x : KIND) return std_logic", "begin return x(x'left);"),
    },
    Entry {
        name: "choose",
        text: || {
            let mut all = for_kinds(
                &THREE,
                "function choose(c : boolean; a, b : KIND) return KIND",
                "begin if c then return a; end if; return b;",
            );
            for ty in ["integer", "std_logic", "boolean"] {
                all.push((
                    format!("function choose(c : boolean; a, b : {ty}) return {ty}"),
                    "begin\n  case c is\n    when true => return a;\n    when false => return b;\n  end case;".into(),
                ));
            }
            all
        },
    },
    Entry {
        name: "widened",
        text: || {
            for_kinds(
                &[Kind::Unsigned, Kind::Signed],
                "function widened(x : KIND; n : natural := 2) return KIND",
                "begin return resize(x, x'length + n);",
            )
        },
    },
    Entry {
        name: "gray",
        text: || {
            for_kinds(
                &THREE,
                "function gray(x : KIND) return KIND",
                "alias v : KIND(x'length - 1 downto 0) is x;\nbegin return v xor ('0' & v(v'high downto 1));",
            )
        },
    },
    Entry {
        name: "left_of",
        text: || for_kinds(&THREE, "function left_of(x : KIND) return integer", "begin return x'left;"),
    },
    Entry {
        name: "zeros_before",
        text: || {
            for_kinds(
                &THREE,
                "function zeros_before(x : KIND) return natural",
                "variable n : natural := 0;\nbegin\n  for i in x'range loop\n    exit when x(i) = '1';\n    n := n + 1;\n  \
                 end loop;\n  return n;",
            )
        },
    },
    Entry {
        name: "bits_for",
        text: || {
            vec![(
                "function bits_for(n : positive) return natural".into(),
                "variable v : natural := n;\n  variable r : natural := 0;\nbegin\n  while v > 0 loop v := v / 2; r := r + \
                 1; end loop;\n  return r;"
                    .into(),
            )]
        },
    },
    Entry {
        name: "saturated",
        text: || {
            for_kinds(
                &[Kind::Unsigned],
                "function saturated(a, b : KIND) return KIND",
                "variable s : KIND(a'length downto 0);\nbegin\n  s := ('0' & a) + b;\n  if s(s'high) = '1' then return \
                 (a'length - 1 downto 0 => '1'); end if;\n  return s(a'length - 1 downto 0);",
            )
        },
    },
    Entry {
        name: "any_of",
        text: || {
            for_kinds(
                &THREE,
                "function any_of(x : KIND) return std_logic",
                "constant v : KIND(0 to x'length - 1) := x;\n  constant half : natural := x'length / 2;\nbegin\n  if \
                 x'length = 1 then return v(0); end if;\n  return any_of(v(0 to half - 1)) or any_of(v(half to v'high));",
            )
        },
    },
    Entry {
        name: "bump",
        text: || {
            for_kinds(
                &[Kind::Unsigned, Kind::Signed],
                "procedure bump(variable x : inout KIND; by : in integer range 0 to 3 := 1)",
                "begin x := x + by;",
            )
        },
    },
    Entry {
        name: "put",
        text: || {
            for_kinds(
                &THREE,
                "procedure put(signal s : out KIND; value : in KIND)",
                "alias v : KIND(value'length - 1 downto 0) is value;\nbegin\n  for i in v'range loop s(s'low + i) <= v(i); \
                 end loop;",
            )
        },
    },
    Entry {
        name: "mark",
        text: || {
            for_kinds(
                &THREE,
                "procedure mark(variable x : inout KIND; at : in natural)",
                "begin\n  for i in x'range loop\n    next when i /= x'low + at;\n    x(i) := '1';\n  end loop;",
            )
        },
    },
    Entry {
        name: "spin",
        text: || {
            for_kinds(
                &THREE,
                "procedure spin(variable x : inout KIND)",
                "constant old : KIND(1 to x'length) := x;\nbegin\n  x := old(2 to old'right) & old(1);",
            )
        },
    },
];

/// The functions that a text uses: declarations for a package and bodies for its body. One of them may
/// use others only if they come before it.
pub fn used(text: &str) -> (String, String) {
    let (mut heads, mut bodies) = (String::new(), String::new());
    for entry in ALL.iter().filter(|e| mentions(text, e.name)) {
        for (head, body) in (entry.text)() {
            heads += &format!("  {head};\n");
            let body = body.replace('\n', "\n  ");
            let word = head.split(' ').next().unwrap_or("");
            bodies += &format!("  {head} is\n    {body}\n  end {word};\n");
        }
    }
    (heads, bodies)
}

/// A call that gives the type, if there is one.
pub fn call(g: &mut Gen, ty: &Type, depth: u32) -> Option<Expr> {
    let d = depth.min(2);
    let one = |g: &mut Gen, name: &str, arg: Type, ret: Type| {
        let e = argument(g, name, &arg, d);
        Some(Expr::new(format!("function {name}"), ret, format!("{name}($0)"), vec![Kid::arg(e)]))
    };
    match ty {
        Type::Logic => {
            let name = g.pick(&["parity", "leftmost", "any_of", "choose"]);
            if name == "choose" {
                return Some(choose(g, ty, d));
            }
            let arg = any_vector(g);
            one(g, name, arg, Type::Logic)
        }
        Type::Boolean => Some(choose(g, ty, d)),
        Type::Vector(Kind::Bits, _) => None,
        Type::Vector(k, r) => {
            let w = r.len();
            match g.rng.u32(0..6) {
                0 => Some(choose(g, ty, d)),
                1 if w > 1 => one(g, "gray", Type::vector(*k, w), ty.clone()),
                2 if k.numeric() && w > 2 => {
                    if g.rng.bool() {
                        return one(g, "widened", Type::vector(*k, w - 2), ty.clone());
                    }
                    let n = g.rng.u32(0..w);
                    let e = g.expr(&Type::vector(*k, w - n), d);
                    Some(Expr::new(
                        "function widened",
                        ty.clone(),
                        format!("widened(n => {n}, x => $0)"),
                        vec![Kid::arg(e)],
                    ))
                }
                3 if *k == Kind::Unsigned => {
                    let (a, b) = (g.expr(ty, d), g.expr(ty, d));
                    let kids = vec![Kid::arg(a), Kid::arg(b).given(Sure::Length)];
                    Some(Expr::new("function saturated", ty.clone(), "saturated($0, $1)", kids))
                }
                _ => one(g, "reversed", Type::vector(*k, w), ty.clone()),
            }
        }
        Type::Integer(None, low, high) => integer_call(g, *low, *high, d),
        _ => None,
    }
}

/// Functions that ask for the bounds of their argument, not only for its length.
const ASKING: [&str; 6] = ["reversed", "parity", "count_ones", "leftmost", "left_of", "zeros_before"];

/// An argument for a function of one vector.
fn argument(g: &mut Gen, name: &str, ty: &Type, depth: u32) -> Expr {
    if ASKING.contains(&name) { g.bounded(ty, depth) } else { g.expr(ty, depth) }
}

fn any_vector(g: &mut Gen) -> Type {
    let kind = g.pick(&THREE);
    let w = g.width(40);
    Type::vector(kind, w)
}

fn choose(g: &mut Gen, ty: &Type, depth: u32) -> Expr {
    let (c, a, b) = (g.expr(&Type::Boolean, depth), g.expr(ty, depth), g.expr(ty, depth));
    let kids = vec![Kid::arg(c), Kid::arg(a), Kid::arg(b).given(Sure::Length)];
    Expr::new("function choose", ty.clone(), "choose($0, $1, $2)", kids)
}

/// No vector has an index above this one: none is declared higher and none is longer.
pub const HIGHEST: i64 = 255;

/// An integer function whose results all lie between the bounds.
fn integer_call(g: &mut Gen, low: i64, high: i64, depth: u32) -> Option<Expr> {
    match g.rng.u32(0..5) {
        0 => Some(choose(g, &Type::int(low, high), depth)),
        1 => {
            let n = g.rng.i64(1..=1000);
            let value = 64 - n.leading_zeros() as i64;
            (low <= value && value <= high)
                .then(|| Expr::leaf("function bits_for", Type::int(value, value), format!("bits_for({n})")))
        }
        2 => {
            // The bounds of the actual are those of the formal. What they are if it is not a name, the
            // standard says for predefined operators and the bodies of the packages for the others.
            if low > 0 || high < HIGHEST {
                return None;
            }
            let arg = any_vector(g);
            let named = if g.rng.bool() { g.name(&arg).filter(|e| !e.moves()) } else { None };
            let e = named.unwrap_or_else(|| argument(g, "left_of", &arg, depth));
            Some(Expr::new("function left_of", Type::int(0, HIGHEST), "left_of($0)", vec![Kid::arg(e)]))
        }
        n => {
            let Type::Vector(kind, r) = any_vector(g) else { return None };
            let most = r.len() as i64;
            if low > 0 || high < 1 {
                return None;
            }
            let w = most.min(high) as u32;
            let name = if n == 3 { "count_ones" } else { "zeros_before" };
            let e = argument(g, name, &Type::vector(kind, w), depth);
            let ret = Type::int(0, w as i64);
            Some(Expr::new(format!("function {name}"), ret, format!("{name}($0)"), vec![Kid::arg(e)]))
        }
    }
}

/// A call of a procedure that changes `target`, a vector variable or signal, if there is one.
pub fn procedure(g: &mut Gen, target: Expr, kind: Kind, width: u32, signal: bool) -> Option<Expr> {
    let target = Kid::arg(target);
    let (name, template, kids) = if signal {
        let e = g.expr(&Type::vector(kind, width), 2);
        // GHDL 2.0 fails if the actual of an unconstrained parameter is a predefined function of arrays.
        let e = if e.text().contains("imum(") { g.literal(&e.ty) } else { e };
        ("put", "put($0, $1)", vec![target, Kid::arg(e)])
    } else {
        match g.rng.u32(0..4) {
            0 if kind.numeric() => ("bump", "bump($0)", vec![target]),
            1 if kind.numeric() => {
                let by = g.expr(&Type::int(0, 3), 1);
                ("bump", "bump(by => $1, x => $0)", vec![target, Kid::arg(by)])
            }
            2 if width > 1 => ("spin", "spin($0)", vec![target]),
            _ => {
                let at = g.expr(&Type::int(0, width as i64 - 1), 1);
                ("mark", "mark($0, $1)", vec![target, Kid::arg(at)])
            }
        }
    };
    Some(Expr::new(format!("procedure {name}"), Type::Boolean, template, kids).fixed())
}
