//! Fault injection: sessions that panic, to test what their surroundings do then. Compiled for
//! tests only.

use super::Input;
use std::cell::Cell;

/// Whether a session panics after this input.
pub(crate) type Fatal = fn(&Input<'_>) -> bool;

thread_local! {
    static FATAL: Cell<Fatal> = const { Cell::new(|_| false) };
}

/// From now on all sessions of the calling thread panic after such inputs, with their effects
/// appended already.
pub(crate) fn at(fatal: Fatal) {
    FATAL.set(fatal);
}

pub(super) fn is_fatal(input: &Input<'_>) -> bool {
    FATAL.get()(input)
}
