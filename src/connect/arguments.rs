//! The command line of `farboard-connect`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use super::address::Address;
use super::complaint;

/// Plays on a Farboard server: relays standard input and output over TCP.
///
/// Give it to a chess GUI as the engine's command:
///
///   xboard -fcp "farboard-connect chess.example"
#[derive(Clone, Debug, Parser, PartialEq, Eq)]
#[command(name = "farboard-connect", version, verbatim_doc_comment)]
pub struct Arguments {
    /// The server. The port is 5254 unless given; write an IPv6 address in brackets.
    #[arg(value_name = "HOST[:PORT]")]
    pub server: Address,
}

impl Arguments {
    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    ///
    /// Help, version and mistakes, in clap's words.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        Self::try_parse_from(as_meant(words))
    }
}

/// A command line as it was meant: xboard adds an empty word after a command that ends in a quoted one.
pub fn as_meant(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    while words.last().is_some_and(|word| word.is_empty()) {
        words.pop();
    }
    words
}

/// Answers a command line that asks for no relay: help and version as asked for, mistakes so that
/// both a terminal and a GUI show them.
pub fn explain(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell if this cannot be written.
    let _ = error.print();
    if error.use_stderr() {
        complaint::print("Cannot understand the command line of farboard-connect");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::read(words.iter().map(OsString::from))
    }

    #[test]
    fn definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn empty_words_at_the_end_are_xboards() {
        let arguments = read(&["farboard-connect", "host:99", ""]).expect("a host");
        assert_eq!(arguments.server.to_string(), "host:99");
    }

    #[test]
    fn a_server_is_needed() {
        assert!(read(&["farboard-connect"]).is_err());
        assert!(read(&["farboard-connect", "host:port"]).is_err());
        assert!(read(&["farboard-connect", "host", "99"]).is_err());
    }
}
