//! An engine of a match, as the command line names it.

use crate::engines::CheckersManners;
use std::fmt;
use std::str::FromStr;

/// An engine to play with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSpec {
    /// The search of this program, without protocol and session.
    InProcess,
    /// A program that speaks xboard, with its arguments.
    Xboard(Vec<String>),
    /// A program that speaks UCI, with its arguments.
    Uci(Vec<String>),
    /// A server that speaks xboard: host and port.
    Tcp(String),
    /// A program that speaks the Checkers Protocol, with its arguments.
    Checkers(Vec<String>, CheckersManners),
}

/// The manners of a kind of engine; `None` if it speaks another protocol.
fn manners_of_kind(kind: &str) -> Option<CheckersManners> {
    let (seed, rotated) = match kind {
        "checkers" => (false, false),
        "checkers-seed" => (true, false),
        "checkers-rotated" => (false, true),
        "checkers-seed-rotated" => (true, true),
        _ => return None,
    };
    Some(CheckersManners { seed, rotated })
}

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineSpec, String> {
        let words = |command: &str| {
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            if words.is_empty() { Err(format!("{text:?} names no program")) } else { Ok(words) }
        };
        match text.split_once(':') {
            None if text == "farboard" => Ok(EngineSpec::InProcess),
            Some(("xboard", command)) => words(command).map(EngineSpec::Xboard),
            Some(("uci", command)) => words(command).map(EngineSpec::Uci),
            Some(("tcp", address)) if address.contains(':') => Ok(EngineSpec::Tcp(address.to_owned())),
            other => {
                let known = other.and_then(|(kind, command)| Some((manners_of_kind(kind)?, command)));
                let (manners, command) = known.ok_or_else(|| {
                    format!(
                        "{text:?} is none of farboard, xboard:COMMAND, uci:COMMAND, tcp:HOST:PORT and checkers:COMMAND"
                    )
                })?;
                words(command).map(|words| EngineSpec::Checkers(words, manners))
            }
        }
    }
}

impl fmt::Display for EngineSpec {
    /// Writes a name for reports: the program's, without its folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineSpec::InProcess => f.write_str("farboard"),
            EngineSpec::Xboard(words) | EngineSpec::Uci(words) | EngineSpec::Checkers(words, _) => {
                f.write_str(words[0].rsplit('/').next().unwrap_or(&words[0]))
            }
            EngineSpec::Tcp(address) => f.write_str(address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_named_by_how_they_are_reached() {
        let spec = |text: &str| text.parse::<EngineSpec>();
        assert_eq!(spec("farboard"), Ok(EngineSpec::InProcess));
        let command = vec!["/usr/games/sjaakii".to_owned(), "-x".to_owned()];
        assert_eq!(spec("xboard:/usr/games/sjaakii -x"), Ok(EngineSpec::Xboard(command)));
        assert_eq!(spec("uci:stockfish").unwrap().to_string(), "stockfish");
        assert_eq!(spec("xboard:/usr/games/sjaakii").unwrap().to_string(), "sjaakii");
        assert_eq!(spec("tcp:localhost:5250"), Ok(EngineSpec::Tcp("localhost:5250".to_owned())));
        let manners = |text| match spec(text) {
            Ok(EngineSpec::Checkers(_, CheckersManners { seed, rotated })) => (seed, rotated),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(manners("checkers:./chuck"), (false, false));
        assert_eq!(manners("checkers-seed:./chuck"), (true, false));
        assert_eq!(manners("checkers-rotated:./chuck"), (false, true));
        assert_eq!(manners("checkers-seed-rotated:./chuck"), (true, true));
        for wrong in
            ["checkers:", "checkers-late:./chuck", "", "stockfish", "xboard:", "uci: ", "tcp:localhost"]
        {
            assert!(spec(wrong).is_err(), "{wrong}");
        }
    }
}
