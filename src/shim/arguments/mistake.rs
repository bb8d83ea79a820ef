//! A command line that starts no relay: help, version, and mistakes in words that a GUI shows.

use super::by_name;
use crate::shim::client_protocol::ClientProtocol;
use crate::shim::gui_message;
use clap::ValueEnum;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Handles a command line that starts no relay: prints help and version; explains mistakes as usual in a
/// terminal, and in a form that a GUI shows. `words` is the command line with the program's name.
pub fn explain(error: &clap::Error, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let for_person = io::stdout().is_terminal();
    // xboard also takes standard error for output of the engine.
    if !error.use_stderr() || for_person || io::stderr().is_terminal() {
        // If this cannot be written, nobody reads it.
        let _ = error.print();
    }
    if error.use_stderr() && !for_person {
        gui_message::print(meant(words), &mistake(error));
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// What is spoken to a client whose command line cannot be understood as a whole, if that says it.
fn meant(words: impl IntoIterator<Item = OsString>) -> Option<ClientProtocol> {
    let words = by_name(words.into_iter().collect());
    let word = |place: usize| words.get(place).map(|word| word.to_string_lossy().into_owned());
    let named = (0..words.len()).find_map(|place| match word(place)?.as_str() {
        "--protocol" => word(place + 1),
        word => word.strip_prefix("--protocol=").map(str::to_owned),
    });
    named.and_then(|name| ClientProtocol::from_str(&name, false).ok())
}

/// The mistake in a command line, without tips and usage.
fn mistake(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let what = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    format!("Cannot understand the command line of farboard-connect: {what}")
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;

    #[test]
    fn mistakes_are_named_in_a_few_words() {
        let said = |words: &[&str]| {
            let words = ["farboard-connect"].iter().chain(words).map(OsString::from);
            gui_message::words(&mistake(&Arguments::read(words).expect_err("a mistake")))
        };
        for (words, expected) in [
            (&["--nonsense", "host"][..], "unexpected argument '--nonsense' found"),
            (&["--port", "0", "host"], "invalid value '0' for '--port <PORT>': 0 is not in 1..=65535"),
            (
                &["host:port"],
                "invalid value 'host:port' for '<HOST[:PORT]>': the port must be a number from 1 to 65535",
            ),
        ] {
            let expected = format!("Cannot understand the command line of farboard-connect: {expected}");
            assert_eq!(said(words), expected);
        }
    }

    #[test]
    fn mistakes_are_told_in_the_protocol_that_is_meant() {
        let of = |words: &[&str]| meant(words.iter().map(OsString::from));
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
