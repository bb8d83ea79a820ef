//! Differences between systems: unbuffered standard streams, waiting for input, writes that do not
//! block, signals. The rest of the shim does not depend on the system.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub(super) use system::{
    has_input, ignore_interrupts, input, on_termination, output, send_now, wait_for_input, write_now,
};
