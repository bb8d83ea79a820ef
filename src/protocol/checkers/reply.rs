//! The replies of the engine.

use super::plain::{message, word};
use super::{ParameterType, Value};
use crate::draughts::MoveText;
use crate::protocol::{Line, LineKey};
use std::fmt;
use std::time::Duration;

/// The longest name of an engine in characters (late dialect).
const MAX_NAME: usize = 15;

/// The most moves of a variation: a longer line would exceed the buffer of the seed's GUI.
const MAX_VARIATION: usize = 12;

/// A reply: one line. It ends with LF alone and without a blank before it: the seed's GUI strips
/// exactly one character from the last word.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `READY`: the first line of a session.
    Ready,
    /// `ALERT MESSAGE`: why the last command was not executed.
    Alert(String),
    /// `BESTMOVE MOVE`, with all squares of the move and `x` between them.
    Bestmove(MoveText),
    /// `BESTMOVE none`: the game is over (late dialect).
    NoMove,
    /// `PARAMETERS NAME TYPE …`
    Parameters(Vec<(&'static str, ParameterType)>),
    /// `PARAMETERS NAME …` (late dialect).
    ParameterNames(Vec<&'static str>),
    /// `PARAMETER NAME VALUE`
    Parameter(&'static str, Value),
    /// `PARAMETER NAME TYPE VALUE` (late dialect).
    TypedParameter(&'static str, Value),
    /// `INFO …`: the findings of the search so far.
    Info(Info),
    /// `NAME NAME`: the engine (late dialect).
    Name(String),
    /// `# TEXT`: a line of the answer to `HELP`; GUIs ignore it.
    Help(&'static str),
    /// A line of the answer to an HTTP request ([`crate::protocol::http`]).
    Http(&'static str),
}

/// The findings of a search so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Nodes searched.
    pub nodes: u64,
    /// The score from the point of view of the side to move, in hundredths of a man.
    pub eval: i32,
    /// Time since the search began.
    pub time: Duration,
    /// The additions of the late dialect.
    pub progress: Option<Progress>,
}

/// The progress of a search (late dialect).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Depth in plies.
    pub depth: u8,
    /// The principal variation.
    pub variation: Vec<MoveText>,
}

impl Reply {
    /// The complete line with its LF: ASCII without control characters and without blanks around.
    pub fn line(&self) -> String {
        format!("{self}\n")
    }
}

impl From<&Reply> for Line {
    fn from(reply: &Reply) -> Line {
        // A newer line replaces an unsent one.
        let key = matches!(reply, Reply::Info(_)).then_some(LineKey(0, 0));
        Line { text: reply.line(), key }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ready => f.write_str("READY"),
            Reply::Alert(text) => write!(f, "ALERT {}", message(text)),
            Reply::Bestmove(mv) => write!(f, "BESTMOVE {mv}"),
            Reply::NoMove => f.write_str("BESTMOVE none"),
            Reply::Parameters(all) => {
                f.write_str("PARAMETERS")?;
                all.iter().try_for_each(|(name, kind)| write!(f, " {name} {kind}"))
            }
            Reply::ParameterNames(all) => {
                f.write_str("PARAMETERS")?;
                all.iter().try_for_each(|name| write!(f, " {name}"))
            }
            Reply::Parameter(name, value) => write!(f, "PARAMETER {name} {value}"),
            Reply::TypedParameter(name, value) => {
                write!(f, "PARAMETER {name} {} {value}", value.parameter_type())
            }
            Reply::Info(info) => info.fmt(f),
            Reply::Name(name) => write!(f, "NAME {}", word(name, MAX_NAME)),
            Reply::Help(text) => write!(f, "# {text}"),
            Reply::Http(text) => f.write_str(text),
        }
    }
}

/// In the order of the seed's programs.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "INFO nodes {}", self.nodes)?;
        self.progress.iter().try_for_each(|progress| write!(f, " depth {}", progress.depth))?;
        write!(f, " eval {} time {:.3}", self.eval, self.time.as_secs_f64())?;
        let variation = self.progress.as_ref().map_or(&[][..], |progress| &progress.variation);
        if !variation.is_empty() {
            f.write_str(" pv")?;
        }
        variation.iter().take(MAX_VARIATION).try_for_each(|mv| write!(f, " {mv}"))
    }
}
