//! What differs between systems: unbuffered standard streams, waiting for input, signals. The only folder of
//! the shim that knows the system.
//!
//! Where no signals terminate a program politely, a GUI closes the pipe instead, and the functions for
//! signals do nothing.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{Watch, input, on_termination, output, survive_interrupts};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{Watch, input, on_termination, output, survive_interrupts};
