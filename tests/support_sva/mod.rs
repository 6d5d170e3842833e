//! A second opinion on concurrent assertions: properties as trees, random ones, their text, and what
//! they mean by the definitions of IEEE 1800-2017 annex F.

pub mod make;
pub mod meaning;

/// A boolean over the signals of the test module.
#[derive(Clone, Debug)]
pub enum Bool {
    Const(bool),
    Signal(usize),
    Not(Box<Bool>),
    And(Box<Bool>, Box<Bool>),
    Or(Box<Bool>, Box<Bool>),
    Past(Box<Bool>, usize),
    Rose(Box<Bool>),
    Fell(Box<Bool>),
    Stable(Box<Bool>),
    Changed(Box<Bool>),
}

#[derive(Clone, Debug)]
pub enum Seq {
    Bool(Bool),
    /// `##[m:n]`.
    Delay(Option<Box<Seq>>, usize, usize, Box<Seq>),
    Repeat(Box<Seq>, usize, usize),
    And(Box<Seq>, Box<Seq>),
    Or(Box<Seq>, Box<Seq>),
    Intersect(Box<Seq>, Box<Seq>),
    Within(Box<Seq>, Box<Seq>),
    Throughout(Bool, Box<Seq>),
}

#[derive(Clone, Debug)]
pub enum Prop {
    Seq(Seq),
    Not(Box<Prop>),
    And(Box<Prop>, Box<Prop>),
    Or(Box<Prop>, Box<Prop>),
    Implies(Box<Prop>, Box<Prop>),
    Iff(Box<Prop>, Box<Prop>),
    /// `|->` if true, `|=>` if false.
    Implication(bool, Seq, Box<Prop>),
    /// `#-#` if true, `#=#` if false.
    FollowedBy(bool, Seq, Box<Prop>),
    If(Bool, Box<Prop>, Option<Box<Prop>>),
    Next(usize, Box<Prop>),
}
