//! Messages for pages that watch sessions.

use super::{Checks, Clocks, Hands, LastMove, Legal, Line, PlayedMove, Result, Score, Side};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A page's message: the sessions on its screen, in place of those before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "watch", rename_all = "lowercase", deny_unknown_fields)]
pub enum FeedRequest {
    /// The list of sessions, and the positions of some.
    Wall {
        /// Numbers of the sessions whose positions are on the screen.
        ids: BTreeSet<u64>,
    },
    /// One session with all moves of its game.
    Game {
        /// Its number.
        id: u64,
    },
    /// Sets the board of an analysis that is shared; what is watched stays the same.
    Play {
        /// The number of the session.
        id: u64,
        /// The key that its owner has given away.
        key: String,
        /// All moves from the start position.
        moves: Vec<String>,
    },
}

/// The load of the server.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ServerLoad {
    /// Games that can be watched.
    pub games: usize,
    /// Analyses that can be watched.
    pub analyses: usize,
    /// Searches that may run at one time.
    pub cores: usize,
    /// Searches that run.
    pub searching: usize,
    /// Searches that wait for a core.
    pub waiting: usize,
}

/// The use that a client makes of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionKind {
    /// The engine plays a side.
    Game,
    /// An analysis.
    Analysis,
}

/// A session in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedSession {
    /// Its number.
    pub id: u64,
    /// The use that its client makes of the engine.
    pub kind: SessionKind,
    /// Name of the game.
    pub variant: String,
    /// Name of the game for people.
    pub title: String,
    /// White's player; empty if unknown.
    pub white: String,
    /// Black's player.
    pub black: String,
}

/// A session on the screen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WatchedSession {
    /// Its entry in the list.
    #[serde(flatten)]
    pub listed: ListedSession,
    /// The position in FEN; in checkers in PDN's FEN.
    pub fen: String,
    /// Pieces by square.
    pub pieces: BTreeMap<String, String>,
    /// Pieces in hand, in games with drops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
    /// Checks still to be given, in three-check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks_left: Option<Checks>,
    /// Plies played.
    pub ply: usize,
    /// The side to move.
    pub turn: Side,
    /// The last move.
    pub last: Option<LastMove>,
    /// The square of a king in check.
    pub check: Option<String>,
    /// The clocks; none in an analysis.
    pub clocks: Option<Clocks>,
    /// The activity of the session; `waiting` if its search waits for a core.
    pub activity: String,
    /// The newest score.
    pub score: Option<Score>,
    /// Depth of the search in plies.
    pub depth: Option<u8>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The result if the game is over.
    pub result: Option<Result>,
}

/// A session whose whole game is watched.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WatchedGame {
    /// The session.
    #[serde(flatten)]
    pub session: WatchedSession,
    /// The start position.
    pub start: String,
    /// All moves.
    pub moves: Vec<PlayedMove>,
    /// The engine's scores of positions before its moves, by the number of plies played.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<usize, Score>,
    /// Legal moves, in an analysis, in which others may have the right to move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Legal>,
    /// The engine's variations, the best one first.
    pub lines: Vec<Line>,
    /// Whether people who have the key may move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guests: bool,
}
