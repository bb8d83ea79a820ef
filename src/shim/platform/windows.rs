//! Windows.

use std::fs::File;
use std::io;
use std::os::windows::io::AsHandle;

/// GUIs send no signals, and the program has no console whose keys could interrupt it.
pub fn survive_interrupts() -> io::Result<()> {
    Ok(())
}

/// Standard input without a buffer.
pub fn input() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Standard output without a buffer.
pub fn output() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Without termination signals, readiness never matters: reads may block.
pub struct Watch;

impl Watch {
    /// Watches `file`.
    pub fn new(_file: &File) -> io::Result<Self> {
        Ok(Self)
    }

    /// Returns at once: the read blocks.
    pub fn wait(&self) {}

    /// Unknown, so false.
    pub fn is_ready_now(&self) -> bool {
        false
    }
}

/// GUIs close the pipe instead of sending a signal.
pub fn on_termination(_action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}
