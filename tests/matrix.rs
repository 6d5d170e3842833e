//! The dependency matrix of hand-made systems.

use entail::model::matrix::Entry;
use entail::model::{Goal, Matrix, Origin, Question, Role, Symbol, System, order};
use entail::net::Lit;

fn tick(sys: &mut System, name: &str, port: u32) -> Lit {
    sys.input(Symbol::new(name), Role::Tick { port, bit: 0, falling: false })
}

/// Two domains: a counter of two bits with an enable, and a synchroniser of its low bit.
fn two_domains() -> System {
    let mut sys = System::default();
    let (w, r) = (tick(&mut sys, "wclk", 0), tick(&mut sys, "rclk", 1));
    let enable = sys.input(Symbol::new("enable"), Role::Port(2, 0));
    let data = sys.input(Symbol::new("data"), Role::Port(3, 0));
    let mut state = |name: &str| sys.state(Symbol::new(name), Some(false), Origin::Model);
    let (c0, c1, held, s0, s1) = (state("c0"), state("c1"), state("held"), state("s0"), state("s1"));
    let aig = &mut sys.aig;
    let (up0, carry) = (aig.xor(c0, enable), aig.and(c0, enable));
    let up1 = aig.xor(c1, carry);
    let keep = aig.mux(enable, data, held);
    let next = [(c0, w, up0), (c1, w, up1), (held, w, keep), (s0, r, c0), (s1, r, s0)];
    for (s, clock, value) in next {
        let n = sys.aig.mux(clock, value, s);
        sys.set_next(s, n);
    }
    let bad = sys.aig.and(s1, held);
    sys.goals.push(Goal { symbol: Symbol::new("g"), question: Question::Never(bad), trigger: None });
    sys
}

#[test]
fn clocks_make_groups() {
    let sys = two_domains();
    let m = Matrix::new(&sys);
    let expected = "\
5 state bits, 4 groups
    0 c0
    1 c1
    2 held
    3 s0
    4 s1
-----  none
++W--  wclk
r--+w  rclk
++W+w  wclk+rclk
- copied, r read, w written, W written or copied, + read and written
";
    assert_eq!(m.print(&[0, 1, 2, 3, 4]), expected);
    assert!(m.groups[0].is_idle() && !m.groups[1].is_idle());
}

#[test]
fn reads_before_writes_cost_nothing() {
    let m = Matrix::new(&two_domains());
    // In the group of `rclk`, s1 is only written and c0 only read.
    assert_eq!(m.cost(&[0, 1, 2, 3, 4]), 0);
    assert_eq!(m.cost(&[4, 3, 2, 1, 0]), 1);
}

#[test]
fn only_what_may_copy_stands_for_copying() {
    use Entry::*;
    assert!(Copy.subsumed_by(MayWrite) && Copy.subsumed_by(Read) && MustWrite.subsumed_by(MayWrite));
    assert!(!Copy.subsumed_by(MustWrite) && !MayWrite.subsumed_by(MustWrite) && !Read.subsumed_by(MayWrite));
    for e in [Copy, Read, MustWrite, MayWrite, ReadWrite] {
        assert!(e.subsumed_by(ReadWrite) && e.subsumed_by(e));
    }
}

#[test]
fn subsumed_groups_are_merged() {
    let sys = two_domains();
    let mut m = Matrix::new(&sys);
    m.merge(&sys);
    // No tick fits into `wclk`, and nothing that copies s1 into what must write it.
    let expected = "\
++W--  none | wclk
++W+w  rclk | wclk+rclk
";
    let text = m.print(&[0, 1, 2, 3, 4]);
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_clock_that_is_never_alone_leaves_no_group() {
    let mut sys = two_domains();
    let (w, r) = (sys.inputs[0].lit, sys.inputs[1].lit);
    let both = sys.aig.equal(w, r);
    sys.constraints.push((Symbol::new("together"), both));
    let names: Vec<String> = Matrix::new(&sys).groups.into_iter().map(|g| g.name).collect();
    assert_eq!(names, ["none", "wclk+rclk"]);
}

#[test]
fn a_constraint_reads() {
    let mut sys = two_domains();
    let s1 = sys.states[4].lit;
    sys.constraints.push((Symbol::new("c"), !s1));
    let m = Matrix::new(&sys);
    assert_eq!(m.groups[1].row[4], Entry::Read);
    assert_eq!(m.groups[2].row[4], Entry::ReadWrite);
}

#[test]
fn inputs_that_stop_states_are_found() {
    let sys = two_domains();
    assert_eq!(Matrix::stoppers(&sys, 2), [0, 1, 2]);
    assert_eq!(Matrix::stoppers(&sys, 3), [0, 2]);
}

#[test]
fn the_order_has_each_bit_once() {
    let sys = two_domains();
    let o = order::order(&sys, &sys.goals[0], &Matrix::new(&sys));
    let mut states = order::states(&o);
    states.sort_unstable();
    assert_eq!(states, [0, 1, 2, 3, 4]);
    assert_eq!(o.len(), 9);
}
