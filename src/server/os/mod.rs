//! The operating system: priorities, CPU time, random numbers, panics and the service manager.

mod notify;
pub(super) mod panic_guard;
pub(super) mod process;
pub(super) mod random;
pub(super) mod usage;

pub use notify::Notifier;
pub use panic_guard::log_panics;
pub use process::{end_with_parent, raise_loop_priority};
