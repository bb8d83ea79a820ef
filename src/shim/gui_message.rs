//! Messages to a GUI that there is no engine.
//!
//! A GTK xboard whose engine exits in silence spins on the dead pipe. One line opens a dialog with
//! the reason; a second one, recognized by its last words, makes xboard unplug the engine.

use super::client_protocol::ClientProtocol;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Contains `not found`, one of the strings at which xboard unplugs an engine.
const UNPLUG_LINE: &str = "farboard-connect: server not found";
/// Maximum length of the reason in bytes. GUIs accept much longer lines, but dialogs do not show
/// them well.
const MAX_REASON: usize = 1000;
/// Time limit for the client's first line. GUIs send it right after they have started an engine.
pub(super) const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the two lines. If the engine is to `resign`, that goes first: in a match nothing else
/// ends the game. Anything between the two lines would make xboard open a second dialog.
pub fn lines(reason: &str, resign: bool) -> String {
    let resign = if resign { "resign\n" } else { "" };
    format!("{resign}tellusererror {}\n{UNPLUG_LINE}\n", shortened(reason))
}

/// Returns a reason as one line of bounded length.
pub fn shortened(reason: &str) -> String {
    let mut reason = one_line(reason);
    reason.truncate(reason.floor_char_boundary(MAX_REASON));
    reason
}

/// Returns true if this line, without its ending, is the second of the two. No server sends it.
pub fn is_last(line: &[u8]) -> bool {
    line == UNPLUG_LINE.as_bytes()
}

/// Returns the line for a user at a terminal.
pub fn terminal_line(reason: &str) -> String {
    format!("farboard-connect: {}\n", one_line(reason))
}

/// Prints the reason on standard output in the client's protocol, and returns the exit code. An
/// unknown protocol is detected by the client's first line; nothing else may read the input then. A
/// terminal gets one line on standard error.
pub fn print(protocol: Option<ClientProtocol>, reason: &str) -> ExitCode {
    if io::stdout().is_terminal() {
        eprint!("{}", terminal_line(reason));
        return ExitCode::FAILURE;
    }
    let protocol = protocol.unwrap_or_else(detect_protocol);
    print_text(&protocol.error_lines(reason, false));
    ExitCode::FAILURE
}

/// Prints a text on standard output. Returns the exit code: a closed output has no reader.
pub(super) fn print_text(text: &str) -> ExitCode {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Returns the protocol of the first line on standard input; xboard's if none comes in time.
fn detect_protocol() -> ClientProtocol {
    let (sender, detected) = mpsc::channel();
    let read = move || {
        let mut begun = Vec::new();
        for byte in io::stdin().lock().bytes().map_while(Result::ok) {
            begun.push(byte);
            if let Some(protocol) = ClientProtocol::of_beginning(&begun) {
                // Fails if it was too late.
                let _ = sender.send(protocol);
                return;
            }
        }
    };
    // Without the thread nothing is known, as if nothing had come.
    let _ = thread::Builder::new().name("first line".to_owned()).spawn(read);
    detected.recv_timeout(FIRST_LINE_TIMEOUT).unwrap_or_default()
}

/// Returns an error as one line for a dialog, without the system's error number.
pub fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    one_line(text.split(" (os error").next().unwrap_or_default())
}

/// Joins the words of a text: file names and servers' messages can contain anything.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_two_lines_makes_xboard_unplug_the_engine() {
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
    fn a_terminal_gets_one_line() {
        assert_eq!(terminal_line("no\n\x1b[2J  server"), "farboard-connect: no [2J server\n");
    }

    #[test]
    fn reasons_are_one_line_without_error_numbers() {
        let refused = io::Error::from_raw_os_error(111);
        assert!(!reason(&refused).contains("os error"), "{refused}");
        assert_eq!(reason(&io::Error::other("first\nsecond")), "first second");
    }
}
