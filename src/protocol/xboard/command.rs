//! The commands of a GUI.

use super::argument::{ArgumentError, Level, Rating, RootMoves};
use super::holding::Holding;
use crate::chess::Outcome;
use std::time::Duration;

/// A command from the GUI, protocol 1 and 2, and the additions of ChessBase's programs.
///
/// [`Command::parse`] reads it from a line, `Display` writes it; parsing what was written gives the
/// same command. Texts contain no control characters and have no blanks around.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// An empty line, as typed by a user.
    Empty,
    /// `xboard`: the first line of every session.
    Xboard,
    /// `protover N`: the GUI speaks this version; from 2 on it expects the engine's features.
    Protover(u32),
    /// `accepted FEATURE`.
    Accepted(String),
    /// `rejected FEATURE`.
    Rejected(String),
    /// `new`: the start position, engine plays Black.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `random`.
    Random,
    /// `force`: the engine plays neither side.
    Force,
    /// `go`: the engine plays the side to move, now.
    Go,
    /// `playother`: the engine plays the side not to move.
    Playother,
    /// `white`: White is to move, the engine plays Black.
    White,
    /// `black`: Black is to move, the engine plays White.
    Black,
    /// `level MPS BASE INC`.
    Level(Level),
    /// `st TIME`: the exact time for each move.
    St(Duration),
    /// `sd DEPTH` in plies; 0 for no limit.
    Sd(u32),
    /// `depth`: the number follows on a line of its own (protocol 1, before `sd`).
    Depth,
    /// A number on a line of its own: what follows [`Command::Depth`].
    Number(u64),
    /// `nps RATE`: nodes count as time.
    Nps(i64),
    /// `time N`: the engine's clock in centiseconds. May be negative.
    Time(i64),
    /// `otim N`: the opponent's clock in centiseconds. May be negative.
    Otim(i64),
    /// `usermove MOVE`; possibly not a move.
    Usermove(String),
    /// A line that looks like a move.
    Move(String),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(i64),
    /// `draw`: the opponent offers one.
    Draw,
    /// `result RESULT {COMMENT}`: the game is over, perhaps unfinished.
    Result(Option<Outcome>, String),
    /// `setboard FEN`.
    Setboard(String),
    /// `edit`: [`super::EditCommand`] reads the following lines, up to `.`.
    Edit,
    /// `hint`.
    Hint,
    /// `bk`: show the book.
    Bk,
    /// `undo`: one ply back.
    Undo,
    /// `remove`: two plies back.
    Remove,
    /// `hard`: think on the opponent's time.
    Hard,
    /// `easy`: do not think on the opponent's time.
    Easy,
    /// `post`: show thinking.
    Post,
    /// `nopost`: do not show thinking.
    Nopost,
    /// `analyze`.
    Analyze,
    /// `.`: show the progress of the analysis.
    Status,
    /// `exit`: leave analyze mode.
    Exit,
    /// `name X`: the opponent's name.
    Name(String),
    /// `rating OWN OPPONENT`.
    Rating(Rating),
    /// `ics HOST`, or `ics -` for none.
    Ics(String),
    /// `computer`: the opponent is a computer.
    Computer,
    /// `pause`.
    Pause,
    /// `resume`.
    Resume,
    /// `memory N` in MiB.
    Memory(u32),
    /// `cores N`.
    Cores(u32),
    /// `egtpath TYPE PATH`.
    Egtpath(String, String),
    /// `option NAME=VALUE`, or `option NAME` for buttons.
    Option(String, Option<String>),
    /// `exclude MOVE` or `exclude all`.
    Exclude(RootMoves),
    /// `include MOVE` or `include all`.
    Include(RootMoves),
    /// `setscore SCORE DEPTH` in centipawns and plies.
    Setscore(i32, u32),
    /// `lift SQUARE`.
    Lift(String),
    /// `put SQUARE`.
    Put(String),
    /// `hover SQUARE`.
    Hover(String),
    /// `partner NAME`, or `partner` for no partner any more.
    Partner(Option<String>),
    /// `ptell TEXT`.
    Ptell(String),
    /// `holding [WHITE] [BLACK]`, and perhaps the piece just gained; `None` if that is malformed.
    Holding(Option<Holding>),
    /// `fritz`: the first line of ChessBase's programs.
    Fritz,
    /// `reset`: forget what was learnt (ChessBase).
    Reset,
    /// `ponder MOVE`: play it and ponder (ChessBase).
    Ponder(String),
    /// `strength`: ask the user; `strength TEXT`: the answer ([`super::Reply::Askuser`] with this
    /// tag).
    Strength(String),
    /// `d` or `board`: show the board now and after each move; `board off`: stop that. Not sent by
    /// GUIs.
    Board(bool),
    /// `help`, with or without arguments. Not sent by GUIs.
    Help,
    /// Anything else.
    Unknown(String),
}

/// A known command with invalid arguments.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem}: {line}")]
pub struct CommandError {
    /// The line as it came, without control characters.
    pub line: String,
    /// The error in its arguments.
    pub problem: ArgumentError,
}
