//! What a server's line means.

use crate::protocol::DrainCause;
use crate::protocol::INTERNAL_ERROR;
use crate::protocol::checkers::Reply;
use std::time::Duration;

/// A line of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer<'a> {
    Ready,
    Alert(&'a str),
    /// The answer to a `GO`: a move, or `none`.
    Bestmove(&'a str),
    Parameters,
    /// Of this name.
    Parameter(&'a str),
    Name,
    Info,
    Other,
}

impl<'a> Answer<'a> {
    pub(super) fn of(line: &'a str) -> Answer<'a> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "READY" => Answer::Ready,
            "ALERT" => Answer::Alert(rest.trim_ascii()),
            "BESTMOVE" => Answer::Bestmove(rest.trim_ascii()),
            "PARAMETERS" => Answer::Parameters,
            "PARAMETER" => Answer::Parameter(rest.split_ascii_whitespace().next().unwrap_or_default()),
            "NAME" => Answer::Name,
            "INFO" => Answer::Info,
            _ => Answer::Other,
        }
    }
}

/// Whether a server says this only before it closes: then another one may go on, and the client need not know.
pub(super) fn is_farewell(alert: &str) -> bool {
    DrainCause::is_stated_by(alert) || alert.contains(INTERNAL_ERROR)
}

/// A line that tells the client why there is no engine any more.
pub fn alert(reason: &str) -> String {
    Reply::Alert(reason.to_owned()).line()
}

/// The totals of a search that the client was shown. Those of a server that took over begin anew.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Totals {
    nodes: u64,
    time: Duration,
}

impl Totals {
    /// Whether this line is no step back.
    pub(super) fn advance(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let value = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        let nodes = value("nodes").and_then(|nodes| nodes.parse().ok()).unwrap_or(u64::MAX);
        let seconds = value("time").and_then(|time| time.parse().ok());
        let time =
            seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(Duration::MAX);
        let advances = nodes >= self.nodes && time >= self.time;
        if advances {
            *self = Totals { nodes, time };
        }
        advances
    }
}
