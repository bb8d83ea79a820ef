//! Output for people. `println!` and `eprintln!` panic where it cannot be written, as on a terminal
//! that has been closed or a pipe without a reader: that is no error. On a full disk the program
//! ends, as half a file must not pass for a whole one.

use rustix::io::Errno;
use std::fmt::Arguments;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;

/// Prints a line to standard output.
pub fn say(line: Arguments<'_>) {
    print(&format!("{line}\n"));
}

/// Prints text as it is to standard output.
pub fn print(text: &str) {
    write(text.as_bytes());
}

/// Writes bytes to standard output.
pub fn write(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if let Err(error) = output.write_all(bytes).and_then(|()| output.flush())
        && !is_gone(&error)
    {
        report_error(&format!("cannot write to standard output: {error}"));
        std::process::exit(1);
    }
}

/// Prints an error to standard error, in the program's name.
pub fn report_error(error: &str) {
    let _ = writeln!(io::stderr(), "farboard: {error}");
}

/// Returns true if the reader or the terminal has disappeared, rather than a file being incomplete.
fn is_gone(error: &io::Error) -> bool {
    // On a file this error means a broken disk.
    let has_hung_up = error.raw_os_error() == Some(Errno::IO.raw_os_error()) && !is_file();
    error.kind() == ErrorKind::BrokenPipe || has_hung_up
}

fn is_file() -> bool {
    let output = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    output.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}
