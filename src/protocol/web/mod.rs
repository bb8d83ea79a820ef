//! The web protocol: JSON messages for a page in a browser, and for scripts (`docs/web.md`).
//!
//! * [`Request`]: a message of the client, parsed from a line. [`Message`]: one of the server.
//!   [`Reply`]: a reply of a session.
//! * `board`: the parts of messages. `chess_board`, `draughts_board`: the
//!   position of a game, as the client sees it.
//! * `feed`: what pages that watch sessions send and receive.
//! * `games`: the games that can be played.

mod board;
mod chess_board;
mod draughts_board;
mod feed;
mod games;
mod message;
mod request;

pub use board::{
    BookMove, Bound, Checks, Clocks, Hands, LastMove, Legal, Line, Move, PlayedMove, Position, Result, Score,
    Side,
};
pub use feed::{FeedRequest, ListedSession, ServerLoad, SessionKind, WatchedGame, WatchedSession};
pub use games::{CHECKERS, CHECKERS_TITLE, GameInfo, GameKind, games, title};
pub use message::{Elo, Message, Mode, Mover, ProfileInfo, Reply};
pub use request::{ClockTerms, GameClock, MoveClock, Opponent, ParseError, Request, Seat};

pub(crate) use chess_board::{
    checked_king, checks_of, chess_legal, chess_move, chess_moves, chess_pieces, chess_position,
    chess_reason, hands_of, squares_of_move,
};
pub(crate) use draughts_board::{
    board_square, draughts_legal, draughts_move_words, draughts_moves, draughts_pieces, draughts_position,
    draughts_reason,
};
pub(crate) use games::{named_in_pgn, offered};

/// The longest line of a client in bytes: enough for a game in PGN with comments.
pub const MAX_LINE: usize = 262_144;
