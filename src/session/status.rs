//! The status of a session, for administrators.

use super::LagSeen;
use crate::chess::Variant;
use crate::pool::SearchId;
use crate::protocol::xboard::variant_name;
use std::time::Duration;

/// The activity of a session.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
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

/// The status of a session.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Status<'a> {
    /// The current activity.
    pub activity: Activity,
    /// The variant on the board, as named in the protocol.
    pub variant: &'static str,
    /// The opponent's name; empty if unknown.
    pub opponent: &'a str,
    /// Moves of the engine in all games.
    pub moves: u64,
    /// The running search.
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
    /// The longest delay of a move after its deadline.
    pub overrun: Duration,
    /// The lag of recent moves: their cost besides thinking.
    pub lag: LagSeen,
    /// The number of interrupts from the client.
    pub interrupts: u64,
}

impl Status<'_> {
    /// The status before the first input.
    pub(super) fn silent() -> Status<'static> {
        Status { variant: variant_name(Variant::NORMAL), ..Status::default() }
    }
}
