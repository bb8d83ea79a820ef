//! Descriptors that this process has inherited, and that an engine is not to get.
//!
//! Descriptors of the server itself are closed when another program begins. Descriptors that the program which started the server has
//! left open are not. Nothing here owns them, so setting their flag needs `unsafe`.

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
        // SAFETY: the descriptor is open, since it is in the list, and nothing closes it during this loop: the descriptor of the
        // list itself is closed after the loop. It is borrowed to set its flag, and for nothing else.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        fcntl_setfd(descriptor, fcntl_getfd(descriptor)? | FdFlags::CLOEXEC)?;
    }
    Ok(())
}
