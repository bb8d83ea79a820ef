//! The replies of the engine.

use super::feature::Feature;
use super::move_text::clean_move;
use super::partner_notice::PartnerNotice;
use super::plain::{MAX_LINE, echo, message, move_echo, without_triggers, word};
use super::thinking::{BookLine, Percent, Stat01, ThinkingLine};
use crate::chess::{Color, Ending, MoveError, Outcome, Variant};
use crate::protocol::drawing::draw;
use crate::protocol::plain::printable;
use crate::protocol::{Line, LineKey, Squares};
use std::fmt;

/// A reply: one line.
///
/// GUIs of this protocol look for words anywhere in a line: xboard unplugs an engine whose line
/// contains `not found`, and ends the game at one that contains `Draw`. So free text stands only
/// where a GUI does not search it; all other parts are cleaned when printed.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `feature …`
    Feature(Vec<Feature>),
    /// `feature done=0` or `done=1`: whether the features are complete.
    FeaturesDone(bool),
    /// Answer to `ping`.
    Pong(i64),
    /// `move MOVE`: the engine's move.
    Move(String),
    /// `NUMBER ... MOVE`: the engine's move, for GUIs as old as xboard 3.6 (protocol 1, section
    /// 13).
    NumberedMove(u32, String),
    /// `setup (PIECES) 8x8+0_fairy FEN`: the pieces and the start position of a variant that the
    /// GUI has no rules for (protocol 2, section 8, `variant`, as amended by xboard 4.9).
    Setup(Variant),
    /// `RESULT {REASON}`: the game has ended by rule.
    Result(Outcome, Ending),
    /// `offer draw`: offers a draw, accepts one, or claims one by the next move or the last one.
    OfferDraw,
    /// `resign`
    Resign,
    /// `Hint: MOVE`
    Hint(String),
    /// `Illegal move (REASON): MOVE`, without a reason that says nothing more. GUIs do not misread
    /// the words of [`MoveError`].
    IllegalMove(MoveError, String),
    /// `Error (REASON): LINE`
    Error(ErrorReason, String),
    /// `Illegal move (REASON): LINE`: an error for GUIs as old as xboard 3.6 (protocol 1, section
    /// 9).
    OldError(ErrorReason, String),
    /// `telluser TEXT`: a message for the user.
    Telluser(String),
    /// `tellusererror TEXT`: an error message for the user.
    Tellusererror(String),
    /// `tellopponent TEXT`: a message for the opponent, here or on a chess server.
    Tellopponent(String),
    /// `tellothers TEXT`: a message for the observers of a game on a chess server.
    Tellothers(String),
    /// `tellall TEXT`: a message for the opponent and the observers.
    Tellall(String),
    /// `tellics TEXT`: a command for the chess server. Only for clients on one.
    Tellics(String),
    /// `tellicsnoalias TEXT`: a command for the chess server without expansion of the account's
    /// aliases.
    Tellicsnoalias(String),
    /// `tellics ptell TEXT`: a message for the partner in bughouse. Only for clients that have
    /// named one.
    Ptell(PartnerNotice),
    /// `askuser REPTAG TEXT`: a question; the answer comes as a line that begins with the tag, a
    /// single word.
    Askuser(&'static str, String),
    /// A thinking line.
    Thinking(ThinkingLine),
    /// `0 0 0 0 (The session goes on after SECONDS seconds)`: a thinking line without score, time
    /// and nodes, which xboard shows as information.
    Resumed(f64),
    /// The moves of the book, in the form of a thinking line.
    BookLine(BookLine),
    /// `++`: the search is failing high.
    FailHigh,
    /// `--`: the search is failing low.
    FailLow,
    /// Answer to `.`
    Stat01(Stat01),
    /// A line of the answer to `bk`.
    Book(BookEntry),
    /// The end of the answer to `bk`.
    BookEnd,
    /// `# …`: a line for the GUI's log. Only after `accepted debug`, except for the umpire of
    /// kriegspiel.
    Comment(String),
    /// A line of the answer to `help`. It begins with one blank: GUIs ignore it, while four would
    /// continue a variation.
    Help(&'static str),
    /// A line of the board drawn for a user at a terminal, by its number from 0 to
    /// [`DRAWN_LINES`](crate::protocol::DRAWN_LINES). It begins with one blank or three, as
    /// [`Reply::Help`].
    Drawing(u8, Squares),
    /// `Fen: FEN` below the drawn board, after a blank.
    Fen(String),
    /// A line of the answer to an HTTP request ([`crate::protocol::http`]).
    Http(&'static str),
}

/// The book's answer for a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookEntry {
    /// There is no book.
    NoBook,
    /// The position is not in the book.
    Unknown,
    /// A move with its frequency in percent; 0 for less than half a percent.
    Move(String, u8),
}

/// The reason that a line was not executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorReason {
    /// The command is unknown.
    UnknownCommand,
    /// The command is not allowed now.
    NotLegalNow,
    /// The command has invalid arguments, for this reason.
    Argument(String),
}

impl Reply {
    /// The complete line with its LF: at most 4000 bytes of ASCII, with no control character but
    /// the tab before a principal variation.
    pub fn line(&self) -> String {
        let mut line = self.to_string();
        line.truncate(MAX_LINE - 1);
        line.push('\n');
        line
    }

    /// The key of a thinking line, its depth and number: a newer line with the same key replaces an
    /// unsent one.
    fn thinking_key(&self) -> Option<LineKey> {
        if let Reply::Thinking(line) = self { Some(LineKey(line.depth, line.line)) } else { None }
    }
}

impl From<&Reply> for Line {
    fn from(reply: &Reply) -> Line {
        Line { text: reply.line(), key: reply.thinking_key() }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Feature(features) => {
                f.write_str("feature")?;
                features.iter().try_for_each(|feature| write!(f, " {feature}"))
            }
            Reply::FeaturesDone(done) => write!(f, "feature done={}", u8::from(*done)),
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Move(mv) => write!(f, "move {}", clean_move(mv)),
            Reply::NumberedMove(number, mv) => write!(f, "{number}. ... {}", clean_move(mv)),
            Reply::Setup(variant) => {
                let rules = variant.rules();
                // If the piece table has a king, all moves of a side without one are illegal for
                // xboard.
                let king = if rules.white_horde { '.' } else { 'K' };
                write!(f, "setup (PNBRQ{king}pnbrqk) 8x8+0_fairy {}", rules.start)
            }
            Reply::Result(outcome, ending) => {
                write!(f, "{} {{{}}}", Outcome::code(Some(*outcome)), end_reason(*outcome, *ending))
            }
            Reply::OfferDraw => f.write_str("offer draw"),
            Reply::Resign => f.write_str("resign"),
            Reply::Hint(mv) => write!(f, "Hint: {}", clean_move(mv)),
            Reply::IllegalMove(MoveError::Syntax | MoveError::Illegal, mv) => {
                write!(f, "Illegal move: {}", move_echo(mv))
            }
            Reply::IllegalMove(why, mv) => write!(f, "Illegal move ({why}): {}", move_echo(mv)),
            Reply::Error(reason, line) => write!(f, "Error ({reason}): {}", echo(line)),
            Reply::OldError(reason, line) => write!(f, "Illegal move ({reason}): {}", echo(line)),
            Reply::Telluser(text) => write!(f, "telluser {}", message(text)),
            Reply::Tellusererror(text) => write!(f, "tellusererror {}", message(text)),
            Reply::Tellopponent(text) => write!(f, "tellopponent {}", message(text)),
            Reply::Tellothers(text) => write!(f, "tellothers {}", message(text)),
            Reply::Tellall(text) => write!(f, "tellall {}", message(text)),
            Reply::Tellics(text) => write!(f, "tellics {}", without_triggers(text)),
            Reply::Tellicsnoalias(text) => write!(f, "tellicsnoalias {}", without_triggers(text)),
            Reply::Ptell(notice) => write!(f, "tellics ptell {notice}"),
            Reply::Askuser(tag, text) => write!(f, "askuser {} {}", word(tag), message(text)),
            Reply::Thinking(line) => write!(f, "{line}"),
            Reply::Resumed(seconds) => write!(f, "0 0 0 0 (The session goes on after {seconds:.1} seconds)"),
            Reply::BookLine(line) => write!(f, "{line}"),
            Reply::FailHigh => f.write_str("++"),
            Reply::FailLow => f.write_str("--"),
            Reply::Stat01(status) => write!(f, "{status}"),
            Reply::Book(entry) => write!(f, " {entry}"),
            Reply::BookEnd => Ok(()),
            Reply::Help(text) => write!(f, " {text}"),
            Reply::Drawing(line, squares) => draw(*line, squares, f),
            Reply::Fen(fen) => write!(f, " Fen: {}", without_triggers(fen)),
            Reply::Http(text) => f.write_str(text),
            Reply::Comment(text) => write!(f, "# {}", printable(text, MAX_LINE - 100)),
        }
    }
}

/// The reason for the end of a game, between braces. It shows which side has won.
const fn end_reason(outcome: Outcome, ending: Ending) -> &'static str {
    match (ending, outcome) {
        (Ending::Checkmate, Outcome::Win(Color::White)) => "White mates",
        (Ending::Checkmate, Outcome::Win(Color::Black)) => "Black mates",
        (Ending::Checkmate, Outcome::Draw) => "Mate",
        (Ending::Stalemate, _) => "Stalemate",
        (Ending::Repetition, _) => "Draw by repetition",
        (Ending::FiftyMoves, _) => "Draw by fifty move rule",
        (Ending::InsufficientMaterial, _) => "Draw by insufficient material",
        (Ending::VariantRule, Outcome::Win(Color::White)) => "White has won by rule",
        (Ending::VariantRule, Outcome::Win(Color::Black)) => "Black has won by rule",
        (Ending::VariantRule, Outcome::Draw) => "Draw by rule",
    }
}

impl fmt::Display for BookEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookEntry::NoBook => f.write_str("There is no book."),
            BookEntry::Unknown => f.write_str("This position is not in the book."),
            BookEntry::Move(mv, percent) => write!(f, "{:8}{:>4}", clean_move(mv), Percent(*percent)),
        }
    }
}

impl fmt::Display for ErrorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorReason::UnknownCommand => f.write_str("unknown command"),
            ErrorReason::NotLegalNow => f.write_str("command not legal now"),
            // python-chess recognises an error by a reason without parentheses.
            ErrorReason::Argument(what) => f.write_str(&echo(what).replace(['(', ')'], "")),
        }
    }
}
