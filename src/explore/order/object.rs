//! What nodes touch, and when two that touch the same conflict.

use super::Why;
use crate::explore::trace::Id;

// What a node does to an object, as bits.
pub(super) const WAITS: u32 = 1;
pub(super) const DUE: u32 = 2;
pub(super) const PENDS: u32 = 4;
pub(super) const CANCELS: u32 = 8;
// Wakes a process that waited for it, too: the event, when it comes, will find it gone.
pub(super) const RELEASES: u32 = 16;
pub(super) const WAKES: u32 = 1;
pub(super) const CONTROLS: u32 = 4;
pub(super) const STEPS: u32 = 8;
pub(super) const REQUESTS: u32 = 1;
pub(super) const UPDATES: u32 = 2;
pub(super) const GOES_ON: u32 = 1;
pub(super) const HALTS: u32 = 2;

/// What a node can touch, but for memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Object {
    Event(Id),
    Process(Id),
    /// The wait of a process that began at this place.
    Waiting(u32, Id),
    Channel(Id),
    Output,
    /// The end of the simulation, which everything comes before or after.
    End,
    /// A date that somebody compared with: its number among them.
    Date(u32),
}

/// Does the order of two nodes matter that do this to one object?
pub(super) fn conflict(o: Object, a: u32, b: u32) -> bool {
    let both = |x: u32, y: u32| (a & x != 0 && b & y != 0) || (a & y != 0 && b & x != 0);
    match o {
        Object::Event(_) => both(WAITS | RELEASES | PENDS | CANCELS, DUE) || both(CANCELS, PENDS),
        Object::Process(_) => both(CONTROLS, WAKES | CONTROLS | STEPS),
        // Two of the events it waits for: the last one wakes it.
        Object::Waiting(..) => true,
        Object::Channel(_) => both(REQUESTS, UPDATES),
        Object::Output => true,
        Object::End => both(GOES_ON, HALTS),
        Object::Date(_) => both(GOES_ON, HALTS),
    }
}

/// Who touched an object before.
pub(super) struct Past {
    pub node: u32,
    pub does: u32,
}

/// What two nodes conflict about.
pub(super) fn why(object: Object) -> Why {
    match object {
        Object::Event(e) => Why::Event(e),
        Object::Process(p) => Why::Process(p),
        Object::Waiting(..) => Why::Waiting,
        Object::Channel(c) => Why::Channel(c),
        Object::Output => Why::Output,
        Object::End => Why::End,
        Object::Date(_) => Why::Date,
    }
}
