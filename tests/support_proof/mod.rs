//! Small circuits, what is true of them, and edits of certificates.

pub mod bench;
pub mod edit;
pub mod truth;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does something; `Err` is what a panic in it says, with its place.
pub fn calm<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let old = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match QUIET.get() {
            true => SAID.set(info.to_string()),
            false => old(info),
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    done.map_err(|_| SAID.take())
}
