//! Unix-like systems.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use rustix::pipe::PIPE_BUF;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs::File;
use std::io::{self, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

/// Ignores SIGINT. xboard sends it to wake engines that read their input only when interrupted; the
/// shim always reads, and the server sees the following command.
pub(crate) fn ignore_interrupts() -> io::Result<()> {
    // A handler instead of "ignore": the program may have inherited either, and a handler replaces
    // both.
    signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false))).map(drop)
}

/// Opens standard input without a buffer, so that [`has_input`] sees everything.
pub(crate) fn input() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Opens standard output without a buffer.
pub(crate) fn output() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Waits until a read of this file would not block.
pub(crate) fn wait_for_input(file: &File) {
    while !is_ready(file, PollFlags::IN, None) {}
}

/// Returns true if a read of this file would not block now.
pub(crate) fn has_input(file: &File) -> bool {
    is_ready(file, PollFlags::IN, Some(&Timespec::default()))
}

fn is_ready(file: &File, direction: PollFlags, limit: Option<&Timespec>) -> bool {
    match poll(&mut [PollFd::new(file, direction)], limit) {
        Ok(ready) => ready > 0,
        // After a signal the file is unchanged. The read or write reports any other failure.
        Err(error) => error != Errno::INTR,
    }
}

/// Writes to a pipe or an ordinary file as much as it takes without blocking.
pub(crate) fn write_now(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    let mut written = 0;
    // A pipe that is ready takes this many bytes.
    for part in bytes.chunks(PIPE_BUF) {
        if !is_ready(file, PollFlags::OUT, Some(&Timespec::default())) {
            break;
        }
        file.write_all(part)?;
        written += part.len();
    }
    Ok(written)
}

/// Sends to a socket as much as it takes without blocking.
pub(crate) fn send_now(stream: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    match send(stream, bytes, SendFlags::DONTWAIT) {
        Err(Errno::AGAIN | Errno::INTR) => Ok(0),
        sent => Ok(sent?),
    }
}

/// Calls `action` once, on its own thread, when the process is asked to terminate.
pub(crate) fn on_termination(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP])?;
    let wait = move || {
        if signals.forever().next().is_some() {
            action();
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}
