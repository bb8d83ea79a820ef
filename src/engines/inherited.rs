//! Descriptors that this process has inherited, and that an engine is not to get.
//!
//! Ours are closed when another program begins. Those that the starter of the server has left open are not, and nobody here owns
//! them, so that telling the system of them is a place with `unsafe`.

#![allow(unsafe_code)]

use rustix::io::{FdFlags, fcntl_getfd, fcntl_setfd};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// Has the system close all descriptors but the standard ones when this process becomes another program. To be called where no
/// other thread closes any.
///
/// # Errors
/// The system does not tell which there are.
pub(super) fn keep_from_next_program() -> io::Result<()> {
    // The second is the name on other systems.
    let open = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"))?;
    for entry in open {
        let number = entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok());
        let Some(number) = number.filter(|&number| number > 2) else { continue };
        // SAFETY: it is open, since it is in the list, and nobody closes it in this loop: that by which the list is read is
        // closed behind it. It is borrowed for its flag alone.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        fcntl_setfd(descriptor, fcntl_getfd(descriptor)? | FdFlags::CLOEXEC)?;
    }
    Ok(())
}
