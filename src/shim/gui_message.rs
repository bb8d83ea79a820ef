//! How the shim tells a GUI that there is no engine.
//!
//! A GTK xboard whose engine exits in silence says nothing and spins on the dead pipe. One line
//! opens a dialog with the reason; a second one, recognized by its last words, makes xboard unplug
//! the engine. Together they give one popup and a GUI that still works.

use super::client_protocol::ClientProtocol;
use super::first_line;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Contains `not found`, one of the strings at which xboard unplugs an engine.
const UNPLUG_LINE: &str = "farboard-connect: server not found";
/// Maximum length of the reason in bytes. GUIs accept much longer lines, but nobody reads more in a dialog.
const MAX_REASON: usize = 1000;

/// The two lines. Before them, if the engine's move is due, a resignation: in a match nothing else ends the
/// game. Anything between the two lines would make xboard open a second dialog.
pub fn lines(reason: &str, resign: bool) -> String {
    let resign = if resign { "resign\n" } else { "" };
    format!("{resign}tellusererror {}\n{UNPLUG_LINE}\n", shortened(reason))
}

/// A reason on one line of bounded length.
pub fn shortened(reason: &str) -> String {
    let mut reason = one_line(reason);
    reason.truncate(reason.floor_char_boundary(MAX_REASON));
    reason
}

/// Whether this line, without its ending, is the second of them. No server says it.
pub fn is_last(line: &[u8]) -> bool {
    line == UNPLUG_LINE.as_bytes()
}

/// The line that tells a person at a terminal why there is no engine.
pub fn terminal_line(reason: &str) -> String {
    format!("farboard-connect: {}\n", one_line(reason))
}

/// Prints on standard output why there is no engine, as a client of this protocol reads it, and returns the exit code. If the
/// protocol is not known, the client's first line tells; its input must not be read by others. At a terminal it prints one line
/// on standard error.
pub fn print(spoken: Option<ClientProtocol>, reason: &str) -> ExitCode {
    if io::stdout().is_terminal() {
        eprint!("{}", terminal_line(reason));
        return ExitCode::FAILURE;
    }
    let spoken = spoken.unwrap_or_else(first_line::spoken);
    let mut output = io::stdout().lock();
    // If the output is closed, nobody reads it.
    let _ = output.write_all(spoken.complaint(reason, false).as_bytes()).and_then(|()| output.flush());
    ExitCode::FAILURE
}

/// An error for a dialog: one line, without the system's error number.
pub fn reason(error: &io::Error) -> String {
    words(&error.to_string())
}

/// The text of an error for a dialog: one line, without the system's error number.
pub fn words(text: &str) -> String {
    one_line(text.split(" (os error").next().unwrap_or_default())
}

/// File names and servers' last words can contain anything.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_of_which_the_second_makes_xboard_let_go() {
        let text = lines("Cannot reach host:99: Connection refused", false);
        assert_eq!(
            text,
            "tellusererror Cannot reach host:99: Connection refused\nfarboard-connect: server not found\n"
        );
        assert_eq!(lines("a\nmove e2e4\x1b[m", false).lines().count(), 2);
        assert!(lines(&"ü".repeat(9999), false).len() < 1100);
        assert!(is_last(text.lines().last().expect("two lines").as_bytes()) && !is_last(b"pong 1"));
        assert_eq!(lines("gone", true), "resign\ntellusererror gone\nfarboard-connect: server not found\n");
    }

    #[test]
    fn person_gets_one_line() {
        assert_eq!(terminal_line("no\n\x1b[2J  server"), "farboard-connect: no [2J server\n");
    }

    #[test]
    fn reasons_are_words_on_one_line() {
        let refused = io::Error::from_raw_os_error(111);
        assert!(!reason(&refused).contains("os error"), "{refused}");
        assert_eq!(reason(&io::Error::other("first\nsecond")), "first second");
    }
}
