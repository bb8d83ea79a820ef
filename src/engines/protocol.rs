//! The protocols of chess engines.

use clap::ValueEnum;
use std::str::FromStr;

/// The protocol that an external chess engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// The Universal Chess Interface
    #[default]
    Uci,
    /// Version 2 of the xboard protocol
    Xboard,
}

impl FromStr for EngineProtocol {
    type Err = String;

    fn from_str(word: &str) -> Result<EngineProtocol, String> {
        match word {
            "uci" => Ok(EngineProtocol::Uci),
            "xboard" => Ok(EngineProtocol::Xboard),
            _ => Err(format!("{word:?} is neither uci nor xboard")),
        }
    }
}
