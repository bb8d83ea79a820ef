//! The status of a session, for administrators.

use crate::chess::Variant;
use crate::pool::SearchId;
use crate::protocol::xboard::variant_name;
#[cfg(feature = "server")]
use serde::{Deserialize, Serialize};

/// The activity of a session.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
pub enum Activity {
    /// Without input so far.
    #[default]
    Silent,
    /// Waiting for the client.
    Idle,
    /// Thinking about the engine's move.
    Thinking,
    /// Thinking on the opponent's time.
    Pondering,
    /// Analysing.
    Analysing,
    /// Searching for a hint.
    Hinting,
    /// Paused.
    Paused,
    /// Setting up a position.
    Editing,
}

impl Activity {
    /// The word in lists of sessions.
    pub fn word(self) -> &'static str {
        match self {
            Activity::Silent => "silent",
            Activity::Idle => "idle",
            Activity::Thinking => "thinking",
            Activity::Pondering => "pondering",
            Activity::Analysing => "analysing",
            Activity::Hinting => "hinting",
            Activity::Paused => "paused",
            Activity::Editing => "editing",
        }
    }
}

/// The status of a session, as administrators see it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(Serialize, Deserialize))]
pub struct Status {
    /// The current activity.
    #[cfg_attr(feature = "server", serde(rename = "doing"))]
    pub activity: Activity,
    /// The variant on the board, as named in the protocol.
    pub variant: String,
    /// The opponent's name; empty if unknown.
    pub opponent: String,
    /// Moves of the engine in all games.
    pub moves: u64,
    /// The running search.
    #[cfg_attr(feature = "server", serde(skip))]
    pub search: Option<SearchId>,
    /// The depth of the newest variation, in plies.
    pub depth: Option<u8>,
    /// Nodes per second since the search was requested, waiting included; `None` before its first
    /// report.
    pub speed: Option<u64>,
    /// Nodes of all searches, as far as reported.
    pub nodes: u64,
    /// The engine's clock in milliseconds; `None` if no clock is set.
    pub clock: Option<i64>,
    /// The longest delay of a move after its deadline, in microseconds.
    pub overrun: u64,
    /// The average lag of recent moves in milliseconds: their cost on the clock besides thinking.
    pub lag_mean: u64,
    /// The worst lag of recent moves in milliseconds.
    pub lag_worst: u64,
    /// The number of interrupts from the client.
    pub interrupts: u64,
}

impl Status {
    /// The status before the first input.
    pub(crate) fn silent() -> Status {
        Status { variant: variant_name(Variant::NORMAL).to_owned(), ..Status::default() }
    }
}
