//! Inherited descriptors, which an engine must not get.
//!
//! The server's own descriptors are closed when another program begins. Those that the server has
//! inherited are not. Nothing here owns them, so setting their flag needs `unsafe`.

#![allow(unsafe_code)]

use rustix::io::{FdFlags, fcntl_getfd, fcntl_setfd};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// Marks all descriptors but the standard ones to be closed when this process becomes another
/// program. No other thread may close descriptors meanwhile.
///
/// # Errors
/// The system does not list the descriptors.
pub(super) fn keep_from_next_program() -> io::Result<()> {
    // Linux has the first name, other systems the second.
    let open = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"))?;
    for entry in open {
        let number = entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok());
        let Some(number) = number.filter(|&number| number > 2) else { continue };
        // SAFETY: the descriptor is open, since it is in the list, and nothing closes it during
        // this loop: the descriptor of the list itself is closed after the loop. It is borrowed
        // only to set its flag.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        fcntl_setfd(descriptor, fcntl_getfd(descriptor)? | FdFlags::CLOEXEC)?;
    }
    Ok(())
}
