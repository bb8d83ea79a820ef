//! Windows. GUIs send no signals there: they close the pipe.

use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::os::windows::io::AsHandle;

/// Does nothing: the program has no console whose keys could interrupt it.
pub(crate) fn ignore_interrupts() -> io::Result<()> {
    Ok(())
}

/// Opens standard input without a buffer.
pub(crate) fn input() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Opens standard output without a buffer.
pub(crate) fn output() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Returns at once. Without termination signals reads may block.
pub(crate) fn wait_for_input(_file: &File) {}

/// Returns false, since it is not known.
pub(crate) fn has_input(_file: &File) -> bool {
    false
}

/// Writes nothing: a write may block.
pub(crate) fn write_now(_file: &File, _bytes: &[u8]) -> io::Result<usize> {
    Ok(0)
}

/// Sends nothing: a send may block.
pub(crate) fn send_now(_stream: &TcpStream, _bytes: &[u8]) -> io::Result<usize> {
    Ok(0)
}

/// Does nothing.
pub(crate) fn on_termination(_action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}
