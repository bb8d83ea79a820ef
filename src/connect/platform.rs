//! What differs between systems: standard streams without buffers, waiting for input, signals.
//!
//! Where there are no signals to terminate a program politely, a GUI closes the pipe instead, and
//! the parts that serve signals do nothing.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use system::{Watch, input, on_termination, output};

/// From now on SIGINT does nothing. xboard sends it to wake engines that look at their input only
/// when interrupted; the shim looks all the time, and the server sees the command that follows.
///
/// # Errors
///
/// If the system refuses the handler.
pub fn survive_interrupts() -> io::Result<()> {
    // A handler, not "ignore": a program may have inherited either, a handler replaces both.
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false))).map(drop)
}

#[cfg(unix)]
mod system {
    use super::{File, io};
    use std::os::fd::AsFd;
    use std::thread;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Standard input without a buffer, so that nothing is held back from [`Watch`].
    pub fn input() -> io::Result<File> {
        io::stdin().as_fd().try_clone_to_owned().map(File::from)
    }

    /// Standard output without a buffer.
    pub fn output() -> io::Result<File> {
        io::stdout().as_fd().try_clone_to_owned().map(File::from)
    }

    /// Tells whether a file has something to read, or its end to report.
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
                // A signal: the file is as it was. For other failures the read has the reason.
                Err(error) => error != Errno::INTR,
            }
        }
    }

    /// Calls `action` once, in a thread of its own, when the process is asked to terminate.
    pub fn on_termination(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            if signals.forever().next().is_some() {
                action();
            }
        })?;
        Ok(())
    }
}

#[cfg(windows)]
mod system {
    use super::{File, io};
    use std::os::windows::io::AsHandle;

    /// Standard input without a buffer.
    pub fn input() -> io::Result<File> {
        io::stdin().as_handle().try_clone_to_owned().map(File::from)
    }

    /// Standard output without a buffer.
    pub fn output() -> io::Result<File> {
        io::stdout().as_handle().try_clone_to_owned().map(File::from)
    }

    /// Without termination signals nobody asks whether there is input: reads may as well block.
    pub struct Watch;

    impl Watch {
        /// Watches `file`.
        pub fn new(_file: &File) -> io::Result<Self> {
            Ok(Self)
        }

        /// Returns at once: the read waits.
        pub fn wait(&self) {}

        /// Unknown, hence no.
        pub fn is_ready_now(&self) -> bool {
            false
        }
    }

    /// GUIs close the pipe instead of sending a signal.
    pub fn on_termination(_action: impl FnOnce() + Send + 'static) -> io::Result<()> {
        Ok(())
    }
}
