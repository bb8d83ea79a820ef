//! The web protocol: JSON messages for a page in a browser, and for scripts (`docs/web.md`).
//!
//! * [`Request`]: a message of the client, parsed from a line. [`Message`]: a message of the server.
//!   [`Reply`]: what a session sends.
//! * `board`: what both contain: moves, positions, scores. `chess_board`, `draughts_board`: the
//!   position of a game, as the client sees it.
//! * `games`: the games that can be played.

mod board;
mod chess_board;
mod draughts_board;
mod games;
mod message;
mod request;

pub use board::{
    Bound, Checks, Clocks, Hands, LastMove, Legal, Line, Move, PlayedMove, Position, Result, Score, Side,
};
pub use games::{CHECKERS, GameInfo, GameKind, games, title};
pub use message::{Elo, Message, Mode, Mover, ProfileInfo, Reply};
pub use request::{ClockTerms, GameClock, MoveClock, Opponent, ParseError, Request, Seat};

pub(crate) use chess_board::{chess_move, chess_moves, chess_position};
pub(crate) use draughts_board::{draughts_move_words, draughts_moves, draughts_position};
pub(crate) use games::{named_in_pgn, offered};

/// The longest line of a client in bytes: enough for a game in PGN with comments.
pub const MAX_LINE: usize = 262_144;
