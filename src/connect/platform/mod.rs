//! What differs between systems: standard streams without buffers, waiting for input, signals. The only folder of the shim
//! that knows which system it runs on.
//!
//! Where there are no signals to terminate a program politely, a GUI closes the pipe instead, and
//! the parts that serve signals do nothing.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{Watch, input, on_termination, output, survive_interrupts};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{Watch, input, on_termination, output, survive_interrupts};
