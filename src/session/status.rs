//! What a session is doing, for whoever looks after the server.

use super::LagSeen;
use crate::chess::Variant;
use crate::pool::SearchId;
use crate::protocol::xboard::variant_name;
use std::time::Duration;

/// What a session is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// It has heard nothing yet.
    Silent,
    /// Nothing: somebody else is to act.
    Idle,
    /// It thinks about its move.
    Thinking,
    /// It thinks on the opponent's time.
    Pondering,
    /// It analyses.
    Analysing,
    /// It looks for a hint.
    Hinting,
    /// It was told to pause.
    Paused,
    /// A position is being set up.
    Editing,
}

impl Doing {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Doing::Silent => "silent",
            Doing::Idle => "idle",
            Doing::Thinking => "thinking",
            Doing::Pondering => "pondering",
            Doing::Analysing => "analysing",
            Doing::Hinting => "hinting",
            Doing::Paused => "paused",
            Doing::Editing => "editing",
        }
    }
}

/// How a session stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status<'a> {
    /// What it is doing.
    pub doing: Doing,
    /// The variant on the board, as the protocol calls it.
    pub variant: &'static str,
    /// The opponent's name, if it was told.
    pub opponent: &'a str,
    /// Moves we have made, in all games.
    pub moves: u64,
    /// The search that runs.
    pub search: Option<SearchId>,
    /// The depth of its newest variation.
    pub depth: Option<u8>,
    /// Its nodes per second since it was asked for, waiting included; `None` before it has said anything.
    pub speed: Option<u64>,
    /// Nodes of all its searches, as far as they have said.
    pub nodes: u64,
    /// What our clock shows, in milliseconds; `None` if nobody has set one.
    pub clock: Option<i64>,
    /// The longest that a move of ours was sent after its time was up.
    pub overrun: Duration,
    /// What recent moves have cost besides thinking.
    pub lag: LagSeen,
    /// How often the client signalled.
    pub interrupts: u64,
}

impl Status<'_> {
    /// Nothing was said yet.
    pub(super) fn silent() -> Status<'static> {
        Status {
            doing: Doing::Silent,
            variant: variant_name(Variant::Normal),
            opponent: "",
            moves: 0,
            search: None,
            depth: None,
            speed: None,
            nodes: 0,
            clock: None,
            overrun: Duration::ZERO,
            lag: LagSeen::default(),
            interrupts: 0,
        }
    }
}
