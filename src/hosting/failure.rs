//! What goes wrong with an engine.

use std::fmt;
use std::io;

/// Why a process of an engine is ended.
#[derive(Debug)]
pub(super) enum Failure {
    /// It cannot be started.
    Start(io::Error),
    /// It has ended, or closed its input or output.
    Died,
    /// It does not answer what it must answer: the word.
    Silent(&'static str),
    /// It says nothing about its search.
    Mute,
    /// It does not read what it is told.
    Unread,
    /// It prints without end.
    Flood,
    /// It searches on when told to stop.
    Deaf,
    /// It has made a move that is illegal.
    Illegal(String),
    /// It has ended its search by itself and named no move, where there are some.
    NoMove,
    /// It refuses what it must understand: its words.
    Complains(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Start(error) => write!(f, "it cannot be started: {error}"),
            Failure::Died => f.write_str("it has ended"),
            Failure::Silent(word) => write!(f, "it does not answer {word}"),
            Failure::Mute => f.write_str("it says nothing while it searches"),
            Failure::Unread => f.write_str("it does not read what it is told"),
            Failure::Flood => f.write_str("it prints without end"),
            Failure::Deaf => f.write_str("it does not stop when told to"),
            Failure::Illegal(mv) => write!(f, "its move {mv:?} is illegal"),
            Failure::NoMove => f.write_str("it finds no move where there are some"),
            Failure::Complains(line) => write!(f, "it complains: {line:?}"),
        }
    }
}
