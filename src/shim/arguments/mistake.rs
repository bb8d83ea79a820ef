//! A command line that starts no relay: help, version, and mistakes as a GUI shows them.

use super::with_protocol_of_name;
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::gui_message;
use clap::ValueEnum;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Prints help and version, and explains mistakes: to a terminal as usual, to a GUI in its protocol. `words` is the
/// command line with the program's name.
pub fn explain(error: &clap::Error, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let is_terminal = io::stdout().is_terminal();
    // xboard also takes standard error for output of the engine.
    if !error.use_stderr() || is_terminal || io::stderr().is_terminal() {
        // A closed output has no reader.
        let _ = error.print();
    }
    if error.use_stderr() && !is_terminal {
        gui_message::print(protocol_in(words), &mistake(error));
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Returns the protocol that a command line chooses which is wrong as a whole.
fn protocol_in(words: impl IntoIterator<Item = OsString>) -> Option<ClientProtocol> {
    let words = with_protocol_of_name(words.into_iter().collect());
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let name = loop {
        match words.next()?.as_ref() {
            "--protocol" => break words.next()?.into_owned(),
            word if word.starts_with("--protocol=") => break word["--protocol=".len()..].to_owned(),
            _ => {}
        }
    };
    ClientProtocol::from_str(&name, false).ok()
}

/// Returns the mistake in a command line, without tips and usage.
fn mistake(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let problem = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    format!("Cannot understand the command line of farboard-connect: {problem}")
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;

    #[test]
    fn mistakes_are_reported_without_tips_and_usage() {
        let reported = |words: &[&str]| {
            let words = ["farboard-connect"].iter().chain(words).map(OsString::from);
            gui_message::shortened(&mistake(&Arguments::read(words).expect_err("a mistake")))
        };
        for (words, expected) in [
            (&["--nonsense", "host"][..], "unexpected argument '--nonsense' found"),
            (&["--port", "0", "host"], "invalid value '0' for '--port <PORT>': 0 is not in 1..=65535"),
            (
                &["host:port"],
                "invalid value 'host:port' for '[HOST[:PORT]]': the port must be a number from 1 to 65535",
            ),
        ] {
            let expected = format!("Cannot understand the command line of farboard-connect: {expected}");
            assert_eq!(reported(words), expected);
        }
    }

    #[test]
    fn mistakes_are_reported_in_the_protocol_of_the_command_line() {
        let of = |words: &[&str]| protocol_in(words.iter().map(OsString::from));
        assert_eq!(of(&["/bin/farboard-checkers", "--nonsense"]), Some(ClientProtocol::Checkers));
        assert_eq!(
            of(&["farboard-connect", "--protocol", "checkers", "--nonsense"]),
            Some(ClientProtocol::Checkers)
        );
        assert_eq!(of(&["farboard-connect", "--protocol=checkers", "a:b"]), Some(ClientProtocol::Checkers));
        assert_eq!(of(&["farboard-connect", "checkers", "--nonsense"]), None);
        assert_eq!(
            of(&["farboard-checkers", "--protocol", "xboard", "--nonsense"]),
            Some(ClientProtocol::Xboard)
        );
        assert_eq!(of(&["farboard-connect", "--protocol=uci", "a:b"]), Some(ClientProtocol::Uci));
        assert_eq!(of(&[]), None);
    }
}
