//! Errors of making and reading games.

use crate::chess::Variant;
use std::io;
use std::path::PathBuf;

/// An error in making or reading games. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The file cannot be read or written.
    #[error("cannot use {path}", path = .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The file has no games of this format.
    #[error("{path} is not a file of games of this version: make one with farboard generate", path = .0.display())]
    Foreign(PathBuf),
    /// Another process appends games to the file.
    #[error("{path} is in use by another farboard generate: wait for it, or give another file", path = .0.display())]
    InUse(PathBuf),
    /// Bytes of the file have changed, and more than an interrupted write explains.
    #[error(
        "{path} is damaged after {1} bytes: shorten it to that size (truncate --size={1}), which keeps the \
         games before",
        path = .0.display()
    )]
    Damaged(PathBuf, u64),
    /// The game with this number has an illegal move.
    #[error("game {1} of {path} has an illegal move: make the file anew with farboard generate", path = .0.display())]
    Illegal(PathBuf, u64),
    /// The file has games played in another way.
    #[error("{path} has other games ({1}): give another file", path = .0.display())]
    Other(PathBuf, String),
    /// Two files have the same games.
    #[error(
        "{one} and {two} have the same games: give one of them, or make games with another --seed",
        one = .0.display(),
        two = .1.display()
    )]
    Twice(PathBuf, PathBuf),
    /// The files have too few games to train on, or no positions.
    #[error(
        "too few games in {files}: {games}. Make more with farboard generate",
        files = named(.files)
    )]
    TooFew {
        /// The files.
        files: Vec<PathBuf>,
        /// Number of games in all files.
        games: u64,
    },
    /// One engine cannot play games of the variant.
    #[error("{name} {reason}", name = .0.name(), reason = two_engines(*.0))]
    NotAlone(Variant),
    /// There is no memory for the table.
    #[error("no memory for a table: {0}")]
    Memory(io::Error),
}

fn named(files: &[PathBuf]) -> String {
    files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
}

/// Returns why one engine cannot play games of the variant alone, and what to do instead.
fn two_engines(variant: Variant) -> &'static str {
    if variant.has_partner() {
        "is not played on one board, whose hands would stay empty: make games of crazyhouse"
    } else {
        "is not played by one engine, which would see both sides' men: make games of normal"
    }
}
