//! Output for people. `println!` and `eprintln!` panic where it cannot be written, as on a terminal that has
//! been closed or a pipe without a reader; there is nobody left to whom that would matter.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints a line to standard output.
pub fn say(line: Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints text as it is to standard output.
pub fn print(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

/// Prints an error to standard error, in the program's name.
pub fn complain(error: &str) {
    let _ = writeln!(io::stderr(), "farboard: {error}");
}
