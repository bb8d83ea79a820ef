//! Differences between systems: unbuffered standard streams, waiting for input, signals. The rest
//! of the shim does not depend on the system.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(super) use unix::{has_input, ignore_interrupts, input, on_termination, output, wait_for_input};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{has_input, ignore_interrupts, input, on_termination, output, wait_for_input};
