//! An engine as the configuration describes it.

use std::str::FromStr;
use std::time::Duration;

/// The protocol of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineProtocol {
    /// UCI: any process can search for anybody.
    #[default]
    Uci,
    /// The protocol of xboard: a process remembers its game, so each session has one of its own as long as there are enough.
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

/// An engine, and how to host it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Its name in the configuration.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    pub protocol: EngineProtocol,
    /// Most processes at one time.
    pub processes: usize,
    /// Options that each process is given at its start.
    pub options: Vec<(String, String)>,
    /// Whether sessions may see what others have left in the table of a process.
    pub share_table: bool,
    /// Most memory of a process, in MiB.
    pub memory: usize,
    /// How long it may take to answer what takes no thought. To stop it has a quarter of that, for its first variation half.
    pub patience: Duration,
}
