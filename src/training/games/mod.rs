//! Files of games of the engine against itself: how they were played (`header`), then each game
//! (`record`) with a checksum (`chain`). `writer` appends games, `reader` reads them, `samples`
//! finds the positions to train on, `census` counts.

mod census;
mod chain;
mod error;
mod header;
mod quiet;
mod reader;
mod record;
mod rules;
mod samples;
#[cfg(test)]
pub(super) mod tests;
mod varint;
mod writer;

pub use census::Census;
pub use error::GamesError;
pub use header::Header;
pub use reader::GameReader;
pub use record::Ended;
pub(super) use record::{MAX_PLIES, Recorded, Recorder};
pub use rules::GameRules;
pub use samples::{GameResult, Sample, Samples};
pub(super) use writer::GameWriter;

use std::fmt;

/// The contents of a file, or of the part that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contents {
    /// Number of games.
    pub games: u64,
    /// Number of quiet positions ([`Sample`]).
    pub positions: u64,
    /// Hash of the header and the games.
    pub hash: u64,
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contents { games, positions, hash } = self;
        write!(f, "{games} games with {positions} positions, hash {hash:016x}")
    }
}
