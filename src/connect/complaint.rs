//! How the shim tells a GUI that there is no engine.
//!
//! A GTK xboard whose engine exits in silence says nothing and spins on the dead pipe. One line
//! opens a dialog with the reason; a second one, recognized by its last words, makes xboard unplug
//! the engine. Together they give one popup and a GUI that still works.

use std::io::{self, Write};
use std::process::ExitCode;

/// Contains `not found`, one of the strings at which xboard lets go of an engine.
const LET_GO: &str = "farboard-connect: server not found";

/// Both lines, for a reason without newlines.
fn lines(reason: &str) -> String {
    format!("tellusererror {reason}\n{LET_GO}\n")
}

/// Prints both lines where the GUI reads, and returns the exit code for them.
pub fn print(reason: &str) -> ExitCode {
    let mut output = io::stdout().lock();
    // A closed output means that nobody is there to be told.
    let _ = output.write_all(lines(reason).as_bytes()).and_then(|()| output.flush());
    ExitCode::FAILURE
}

/// An error in words for a dialog: one line, without the number the system has for it.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_of_which_the_second_makes_xboard_let_go() {
        let text = lines("Cannot reach host:99: Connection refused");
        assert_eq!(
            text,
            "tellusererror Cannot reach host:99: Connection refused\nfarboard-connect: server not found\n"
        );
    }

    #[test]
    fn reasons_are_words_on_one_line() {
        let refused = io::Error::from_raw_os_error(111);
        assert!(!reason(&refused).contains("os error"), "{refused}");
        assert_eq!(reason(&io::Error::other("first\nsecond")), "first second");
    }
}
