//! What the engine says to the GUI.

use super::GameResult;
use super::feature::Feature;
use super::move_text::clean_move;
use super::plain::{LONGEST_LINE, echo, message, plain};
use super::thinking::{Stat01, ThinkingLine};
use std::fmt;

/// A reply: one line.
///
/// GUIs of this protocol look for words anywhere in a line: xboard unplugs an engine whose line contains
/// `not found`, and ends the game at one that contains `Draw`. So no reply holds free text but where a
/// GUI does not look into it; what a reply is made of is cleaned when it is printed.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `feature …`
    Feature(Vec<Feature>),
    /// `feature done=0` or `done=1`: more features will come, or none.
    FeaturesDone(bool),
    /// Answer to `ping`.
    Pong(i64),
    /// `move MOVE`: the engine makes this move.
    Move(String),
    /// `RESULT {REASON}`: the game has ended by rule.
    Result(GameResult, &'static str),
    /// `offer draw`: offers one, or accepts the opponent's offer.
    OfferDraw,
    /// `resign`
    Resign,
    /// `Hint: MOVE`
    Hint(String),
    /// `Illegal move (REASON): MOVE`
    IllegalMove(Option<IllegalReason>, String),
    /// `Error (REASON): LINE`
    Error(ErrorReason, String),
    /// A message for the user.
    Telluser(String),
    /// A message for the user about something that went wrong.
    Tellusererror(String),
    /// A thinking line.
    Thinking(ThinkingLine),
    /// Answer to `.`
    Stat01(Stat01),
    /// A line of the answer to `bk`.
    Book(String),
    /// The end of the answer to `bk`.
    BookEnd,
    /// `# …`: for whoever reads the GUI's log. Only after `accepted debug`.
    Comment(String),
}

/// Why a move is illegal, in words that xboard does not take for something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReason {
    /// The king is in check and would remain so.
    InCheck,
    /// The king would be in check.
    IntoCheck,
    /// It is the other side's turn.
    WrongTurn,
    /// More than one piece could do it.
    Ambiguous,
}

/// Why a line was not obeyed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorReason {
    /// There is no such command.
    UnknownCommand,
    /// The command makes no sense now.
    NotLegalNow,
    /// There is such a command, and this is wrong with what follows it.
    Argument(String),
}

impl Reply {
    /// The complete line, ending with LF, at most 4095 bytes of ASCII without other control
    /// characters than the tab in front of a principal variation.
    pub fn line(&self) -> String {
        let mut line = self.to_string();
        line.truncate(LONGEST_LINE);
        line.push('\n');
        line
    }

    /// For a thinking line, its depth and which of several lines it is: a newer one of the same key
    /// makes an older one that has not been sent superfluous.
    pub fn thinking_key(&self) -> Option<(u32, u32)> {
        match self {
            Reply::Thinking(line) => Some((line.depth, line.line)),
            _ => None,
        }
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
            Reply::Result(result, reason) => write!(f, "{} {{{reason}}}", result.code()),
            Reply::OfferDraw => f.write_str("offer draw"),
            Reply::Resign => f.write_str("resign"),
            Reply::Hint(mv) => write!(f, "Hint: {}", clean_move(mv)),
            Reply::IllegalMove(None, mv) => write!(f, "Illegal move: {}", clean_move(mv)),
            Reply::IllegalMove(Some(why), mv) => write!(f, "Illegal move ({why}): {}", clean_move(mv)),
            Reply::Error(reason, line) => write!(f, "Error ({reason}): {}", echo(line)),
            Reply::Telluser(text) => write!(f, "telluser {}", message(text)),
            Reply::Tellusererror(text) => write!(f, "tellusererror {}", message(text)),
            Reply::Thinking(line) => write!(f, "{line}"),
            Reply::Stat01(status) => write!(f, "{status}"),
            Reply::Book(text) => write!(f, " {}", plain(text, 200)),
            Reply::BookEnd => Ok(()),
            Reply::Comment(text) => write!(f, "# {}", plain(text, LONGEST_LINE - 100)),
        }
    }
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalReason::InCheck => "in check",
            IllegalReason::IntoCheck => "moving into check",
            IllegalReason::WrongTurn => "wrong turn",
            IllegalReason::Ambiguous => "ambiguous move",
        })
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
