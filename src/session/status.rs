//! The status of a session, for administrators.

use super::LagSeen;
use crate::chess::Variant;
use crate::pool::SearchId;
use crate::protocol::xboard::variant_name;
use std::time::Duration;

/// What a session is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// It has heard nothing yet.
    Silent,
    /// Idle: it is somebody else's turn to act.
    Idle,
    /// Thinking about its move.
    Thinking,
    /// Thinking on the opponent's time.
    Pondering,
    /// Analysing.
    Analysing,
    /// Looking for a hint.
    Hinting,
    /// Paused.
    Paused,
    /// A position is being set up.
    Editing,
}

impl Activity {
    /// The word for it.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status<'a> {
    /// What it is doing.
    pub activity: Activity,
    /// The variant on the board, in the protocol's word.
    pub variant: &'static str,
    /// The opponent's name; empty if it is not known.
    pub opponent: &'a str,
    /// Moves the engine has made, in all games.
    pub moves: u64,
    /// The running search.
    pub search: Option<SearchId>,
    /// The depth of its newest variation, in plies.
    pub depth: Option<u8>,
    /// Its nodes per second since it was requested, waiting included; `None` before its first report.
    pub speed: Option<u64>,
    /// Nodes of all its searches, as far as reported.
    pub nodes: u64,
    /// The engine's clock in milliseconds; `None` if no clock is set.
    pub clock: Option<i64>,
    /// The longest delay of a move after its time was up.
    pub overrun: Duration,
    /// The lag of recent moves: their cost besides thinking.
    pub lag: LagSeen,
    /// The number of interrupts from the client.
    pub interrupts: u64,
}

impl Status<'_> {
    /// The status before the first input.
    pub(super) fn silent() -> Status<'static> {
        Status {
            activity: Activity::Silent,
            variant: variant_name(Variant::NORMAL),
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
