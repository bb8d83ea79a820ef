//! The replies of the engine.

use super::option::Declared;
use super::plain::{text, word};
use super::{CurrentMove, Info, Score};
use crate::protocol::drawing::draw;
use crate::protocol::plain::printable;
use crate::protocol::{Line, LineKey, OptionKind, Squares};
use std::fmt;

/// A reply: one line of printable ASCII that ends with LF alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name NAME`
    Name(String),
    /// `id author AUTHOR`
    Author(String),
    /// `option name NAME type …`
    Option(&'static str, OptionKind),
    /// `uciok`
    Uciok,
    /// `readyok`
    Readyok,
    /// `info depth …`: a variation.
    Info(Info),
    /// `info depth … currmove …`
    CurrentMove(CurrentMove),
    /// `info depth 0 score …`: nothing can be searched, since the game is over.
    GameOver(Score),
    /// `info string TEXT`: a remark for people only.
    Remark(String),
    /// `bestmove MOVE [ponder MOVE]`
    Bestmove {
        /// The move to play; `(none)` if there is none.
        best: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
    /// `MOVE: NODES`, of `go perft`.
    PerftMove(String, u64),
    /// `Nodes searched: NODES`, of `go perft`.
    PerftTotal(u64),
    /// A line of the board drawn by `d`, by its number from 0 to
    /// [`DRAWN_LINES`](crate::protocol::DRAWN_LINES).
    Drawing(u8, Squares),
    /// `Fen: FEN`, of `d`.
    Fen(String),
    /// `Key: KEY`, of `d`.
    Key(u64),
    /// `Checkers: SQUARES`, the last line of `d`, which some programs wait for.
    Checkers(String),
    /// `Final evaluation …`, of `eval`: hundredths of a pawn from White's view, `None` in check.
    Evaluation(Option<i32>),
    /// A line of the answer to `help`. It begins with a blank, and no word in it is one that GUIs
    /// look for.
    Help(&'static str),
    /// A line of the answer to an HTTP request ([`crate::protocol::http`]).
    Http(&'static str),
}

impl Reply {
    /// The complete line with its LF.
    pub fn line(&self) -> String {
        format!("{self}\n")
    }

    /// The key of a line that a later one with the same key replaces.
    fn key(&self) -> Option<LineKey> {
        if let Reply::Info(info) = self {
            return Some(LineKey(info.depth, info.line));
        }
        // Variations are numbered from 1.
        matches!(self, Reply::CurrentMove(_)).then_some(LineKey(0, 0))
    }
}

impl From<&Reply> for Line {
    fn from(reply: &Reply) -> Line {
        Line { text: reply.line(), key: reply.key() }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {}", text(name)),
            Reply::Author(author) => write!(f, "id author {}", text(author)),
            Reply::Option(name, kind) => write!(f, "option name {name} type {}", Declared(kind)),
            Reply::Uciok => f.write_str("uciok"),
            Reply::Readyok => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::CurrentMove(CurrentMove { depth, mv, number }) => {
                write!(f, "info depth {depth} currmove {} currmovenumber {number}", word(mv))
            }
            Reply::GameOver(score) => write!(f, "info depth 0 score {score}"),
            Reply::Remark(remark) => write!(f, "info string {}", text(remark)),
            Reply::Bestmove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().map_or("(none)", word))?;
                ponder.iter().try_for_each(|mv| write!(f, " ponder {}", word(mv)))
            }
            Reply::PerftMove(mv, nodes) => write!(f, "{}: {nodes}", word(mv)),
            Reply::PerftTotal(nodes) => write!(f, "Nodes searched: {nodes}"),
            Reply::Drawing(line, squares) => draw(*line, squares, f),
            Reply::Fen(fen) => write!(f, "Fen: {}", text(fen)),
            Reply::Key(key) => write!(f, "Key: {key:016X}"),
            Reply::Checkers(squares) => write!(f, "Checkers: {}", printable(squares, 40)),
            Reply::Evaluation(None) => f.write_str("Final evaluation: none (in check)"),
            Reply::Evaluation(Some(score)) => {
                let (sign, score) = (if *score < 0 { '-' } else { '+' }, score.unsigned_abs());
                write!(f, "Final evaluation: {sign}{}.{:02} (white side)", score / 100, score % 100)
            }
            Reply::Help(text) => write!(f, " {text}"),
            Reply::Http(text) => f.write_str(text),
        }
    }
}
