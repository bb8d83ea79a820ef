//! A server that somebody has started for a while, and that is not to be left over when they are gone.

use std::io;

/// From now on this process is asked to end, as by SIGTERM, when the one that has started it ends, however that happens.
///
/// # Errors
/// The system cannot do that: only Linux can.
#[cfg(target_os = "linux")]
pub fn end_with_parent() -> io::Result<()> {
    let parent = rustix::process::getppid();
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    if rustix::process::getppid() != parent {
        return Err(io::Error::other("the process that has started the server has ended already"));
    }
    Ok(())
}

/// Fails: only Linux can do that.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot tell when the parent process ends"))
}
