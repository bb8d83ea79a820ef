//! Unix-like systems.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Ignores SIGINT. xboard sends it to wake engines that look at their input only when interrupted; the shim
/// always reads, and the server sees the following command.
///
/// # Errors
///
/// The system refuses the handler.
pub fn survive_interrupts() -> io::Result<()> {
    // A handler instead of "ignore": the program may have inherited either, and a handler replaces both.
    signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Standard input without a buffer, so that nothing is hidden from [`Watch`].
pub fn input() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Standard output without a buffer.
pub fn output() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Tells whether a file is readable or at its end.
pub struct Watch {
    file: File,
}

impl Watch {
    /// Watches `file`.
    pub fn new(file: &File) -> io::Result<Self> {
        Ok(Self { file: file.try_clone()? })
    }

    /// Waits until a read would not block.
    pub fn wait(&self) {
        while !self.is_ready(None) {}
    }

    /// Whether a read would not block now.
    pub fn is_ready_now(&self) -> bool {
        self.is_ready(Some(&Timespec::default()))
    }

    fn is_ready(&self, limit: Option<&Timespec>) -> bool {
        match poll(&mut [PollFd::new(&self.file, PollFlags::IN)], limit) {
            Ok(ready) => ready > 0,
            // After a signal the file is unchanged. For other failures the read has the reason.
            Err(error) => error != Errno::INTR,
        }
    }
}

/// Calls `action` once, on its own thread, when the process is asked to terminate.
pub fn on_termination(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.forever().next().is_some() {
            action();
        }
    })?;
    Ok(())
}
