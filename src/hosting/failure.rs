//! Failures of hosted engines.

use std::io;

/// Reason to end a process.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// It cannot be started.
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    /// It has exited, or closed its input or output.
    #[error("it has exited")]
    Exited,
    /// It does not answer a command.
    #[error("it does not answer {0}")]
    Silent(&'static str),
    /// It reports nothing about its search.
    #[error("it sends nothing while it searches")]
    Mute,
    /// It does not read its input.
    #[error("it does not read its input")]
    Unread,
    /// It prints without end.
    #[error("it prints without end")]
    Flood,
    /// It goes on with a search that was stopped.
    #[error("it does not stop when told to")]
    Deaf,
    /// It has made an illegal move.
    #[error("its move {0:?} is illegal")]
    Illegal(String),
    /// It has ended its search by itself without a move, where there are legal ones.
    #[error("it finds no move where there are some")]
    NoMove,
    /// It reports an error about a command that it must understand.
    #[error("it reports an error: {0:?}")]
    Reports(String),
}
