//! Failures of matches and their engines.

use super::EngineSpec;
use super::openings::OpeningsError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Reason why a match was not played to its end.
#[derive(Debug, Error)]
pub enum MatchError {
    /// There are no openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// An engine cannot be started, or does not play the game.
    #[error("{engine}: {reason}")]
    Engine {
        /// The engine.
        engine: EngineSpec,
        /// The failure.
        reason: EngineError,
    },
    /// With fixed nodes the same openings give the same games again.
    #[error(
        "with --nodes there are {} different games of {openings} openings: play no more, or make openings with \
         `farboard openings` and name them with --openings", 2 * .openings
    )]
    TooFewOpenings {
        /// Openings that there are.
        openings: usize,
    },
    /// CPU time cannot be made equal, as the games before the match have failed.
    #[error("--cpu-equal: the CPU time of {0} for a move cannot be measured")]
    Unmeasured(EngineSpec),
    /// The CPU time of an engine does not depend on its nodes.
    #[error("--cpu-equal: the CPU time of {0} does not follow its nodes; use --seconds with --cpu-time")]
    Unequal(EngineSpec),
    /// An argument that means nothing in this game.
    #[error("{0}")]
    Argument(&'static str),
    /// Games cannot be written to this file.
    #[error("{}: {error}", .path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

/// Failure of an engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// It cannot be started or reached.
    #[error("{engine} cannot be started: {error}")]
    Start {
        /// The command or address.
        engine: String,
        /// The cause.
        error: io::Error,
    },
    /// Its pipe or connection has ended.
    #[error("it has exited")]
    Exited,
    /// It has not answered in time.
    #[error("it does not answer")]
    Silent,
    /// It has made a move that is illegal, or a claim that is wrong.
    #[error("illegal: {0}")]
    Illegal(String),
    /// It reports an error.
    #[error("it reports an error: {0}")]
    Reports(String),
    /// The time control cannot be expressed in its protocol.
    #[error("{0}")]
    TimeControl(&'static str),
    /// It does not play this game or variant.
    #[error("it does not play {0}")]
    Variant(&'static str),
    /// It has no such option.
    #[error("it has no option {name:?}{}", .known.as_ref().map_or(String::new(), |known| format!(", only {known}")))]
    NoOption {
        /// The option.
        name: String,
        /// The names of its options; `None` if it has none.
        known: Option<String>,
    },
    /// One of its options does not have this value.
    #[error("{0}")]
    OptionValue(String),
    /// Its protocol has no words for the game.
    #[error("this game is played by xboard's protocol only")]
    Protocol,
    /// There is no memory for its table.
    #[error("no memory for its table: {0}")]
    Memory(io::Error),
}

impl EngineError {
    /// Returns the error for an option that an engine with only these options lacks.
    pub(super) fn no_option(name: &str, known: &[&str]) -> EngineError {
        let known = (!known.is_empty()).then(|| known.join(", "));
        EngineError::NoOption { name: name.to_owned(), known }
    }

    /// Returns true if the match is impossible, rather than lost by the engine: such a match shows
    /// nothing about strength.
    pub(super) fn ends_match(&self) -> bool {
        match self {
            EngineError::Start { .. }
            | EngineError::TimeControl(_)
            | EngineError::Variant(_)
            | EngineError::NoOption { .. }
            | EngineError::OptionValue(_)
            | EngineError::Protocol
            | EngineError::Memory(_) => true,
            EngineError::Exited | EngineError::Silent | EngineError::Illegal(_) | EngineError::Reports(_) => {
                false
            }
        }
    }
}
