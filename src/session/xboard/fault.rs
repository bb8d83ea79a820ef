//! Defects on demand: what others do when a session panics can be tested. Not there but in tests.

use super::Input;
use std::cell::Cell;

/// Whether a session panics at this input.
pub(crate) type Fatal = fn(&Input<'_>) -> bool;

thread_local! {
    static FATAL: Cell<Fatal> = const { Cell::new(|_| false) };
}

/// From now on all sessions of the calling thread panic at such inputs, with what they want half said.
pub(crate) fn at(fatal: Fatal) {
    FATAL.set(fatal);
}

pub(super) fn strikes(input: &Input<'_>) -> bool {
    FATAL.get()(input)
}
