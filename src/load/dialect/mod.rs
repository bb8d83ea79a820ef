//! What clients say and hear, in the protocol of the plan: a scenario that is the same in both protocols has a dialect, not
//! a copy.
//!
//! * `xboard`, `uci`: the texts of each protocol, and what its lines mean to a client.

mod uci;
mod xboard;

pub use uci::Abilities;

use crate::chess::{Color, Game as Record};
use crate::engines::Account;
use crate::engines::time_control::Clock;
use crate::engines::xboard::Features;
use clap::ValueEnum;

/// What the clients of a plan speak.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Protocol {
    /// Version 2 of the xboard protocol
    #[default]
    Xboard,
    /// The Universal Chess Interface
    Uci,
}

/// A protocol, and what the engine has said of itself in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// xboard's protocol.
    Xboard(Features),
    /// UCI.
    Uci(Abilities),
}

/// A line of an engine, as far as it matters to the clients of a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard<'a> {
    /// The answer to a question, with its number if the protocol has one.
    Answer(Option<u64>),
    /// A thinking line with the nodes so far.
    Thinking(u64),
    /// The nodes so far, as they were asked for.
    Nodes(u64),
    /// What a move has cost; comes before the move.
    Account(Account),
    /// A move, or the end of an analysis.
    Move(&'a str),
    /// The engine has no move.
    NoMove,
    /// The engine resigns.
    Resign,
    /// A claimed result.
    Result(&'a str),
    /// Something was refused or not understood.
    Complaint(&'a str),
    /// Anything else.
    Nothing,
}

impl Heard<'_> {
    /// Whether this is the answer to the question of this number.
    pub fn answers(&self, number: u64) -> bool {
        matches!(self, Heard::Answer(answered) if answered.is_none_or(|answered| answered == number))
    }
}

/// A move that is due.
#[derive(Clone, Copy, Debug)]
pub struct DueMove<'a> {
    /// The game so far.
    pub record: &'a Record,
    /// The opponent's move; `None` if the engine knows all moves.
    pub last: Option<&'a str>,
    /// The engine has not been asked for a move of this game before.
    pub is_first: bool,
    /// Time left for the side on move and for the other one, in milliseconds.
    pub left: [f64; 2],
    /// The time control of both.
    pub clock: Clock,
}

impl DueMove<'_> {
    /// Time left for White and for Black, in milliseconds.
    fn left_by_color(&self) -> [f64; 2] {
        let [own, other] = self.left;
        if self.record.position().turn() == Color::White { [own, other] } else { [other, own] }
    }
}

impl Dialect {
    /// The dialect of an engine that has said nothing yet.
    pub fn of(protocol: Protocol) -> Dialect {
        match protocol {
            Protocol::Xboard => Dialect::Xboard(Features::unknown()),
            Protocol::Uci => Dialect::Uci(Abilities::default()),
        }
    }

    /// The features of an engine that speaks xboard; those of an engine without any in another protocol.
    pub fn features(&self) -> Features {
        match self {
            Dialect::Xboard(features) => *features,
            Dialect::Uci(_) => Features::default(),
        }
    }

    /// Whether the engine can analyse.
    pub fn can_analyze(&self) -> bool {
        match self {
            Dialect::Xboard(features) => features.analyze,
            Dialect::Uci(_) => true,
        }
    }

    /// The first words of a client.
    pub fn greeting(&self) -> &'static str {
        match self {
            Dialect::Xboard(_) => xboard::GREETING,
            Dialect::Uci(_) => uci::GREETING,
        }
    }

    /// Notes what the engine says of itself. Returns whether that was all.
    pub fn learn(&mut self, line: &str) -> bool {
        match self {
            Dialect::Xboard(features) => xboard::learn(features, line),
            Dialect::Uci(abilities) => abilities.learn(line),
        }
    }

    /// Whether an engine that has said nothing of itself may have nothing to say.
    pub fn may_be_silent(&self) -> bool {
        match self {
            Dialect::Xboard(features) => features.done.is_none() && !features.ping,
            Dialect::Uci(_) => false,
        }
    }

    /// A question that the engine answers when it has obeyed all before; `None` if it knows none.
    pub fn question(&self, number: u64) -> Option<String> {
        match self {
            Dialect::Xboard(features) => features.ping.then(|| format!("ping {number}\n")),
            Dialect::Uci(_) => Some("isready\n".to_owned()),
        }
    }

    /// Chooses a profile, and puts a position on the board.
    pub fn prepare(&self, profile: Option<&str>) -> String {
        match self {
            Dialect::Xboard(features) => xboard::prepare(features, profile),
            Dialect::Uci(abilities) => abilities.prepare(profile),
        }
    }

    /// Begins an analysis of a position. With a question, lines before the answer to it are about something else.
    pub fn begin_analysis(&self, record: &Record, question: Option<&str>) -> String {
        let question = question.unwrap_or_default();
        match self {
            Dialect::Xboard(features) => xboard::begin_analysis(features, record, question),
            Dialect::Uci(abilities) => abilities.begin_analysis(record, question),
        }
    }

    /// Asks an analysis for its nodes, which may end it. `None` for one without output in a protocol that would end it.
    pub fn ask_for_nodes(&self, has_output: bool) -> Option<&'static str> {
        match self {
            Dialect::Xboard(_) => Some(".\n"),
            Dialect::Uci(_) => has_output.then_some(uci::STOP),
        }
    }

    /// Ends an analysis that may have ended.
    pub fn end_analysis(&self) -> &'static str {
        match self {
            Dialect::Xboard(_) => "exit\n",
            Dialect::Uci(_) => uci::STOP,
        }
    }

    /// Sets up a game.
    pub fn begin_game(&self, record: &Record, clock: Clock, question: Option<&str>) -> String {
        let question = question.unwrap_or_default();
        match self {
            Dialect::Xboard(features) => xboard::begin_game(features, record, clock, question),
            Dialect::Uci(abilities) => abilities.begin_game(record, question),
        }
    }

    /// Asks for a move.
    pub fn ask_for_move(&self, due: &DueMove<'_>) -> String {
        match self {
            Dialect::Xboard(features) => xboard::ask_for_move(features, due),
            Dialect::Uci(_) => uci::ask_for_move(due),
        }
    }

    /// Stops a game, during a move or not.
    pub fn stop_game(&self) -> &'static str {
        match self {
            Dialect::Xboard(_) => "force\n",
            Dialect::Uci(_) => uci::STOP,
        }
    }

    /// Tells the end of a game: its result in PGN's form, and the reason.
    pub fn end_game(&self, result: &str, why: &str) -> String {
        match self {
            Dialect::Xboard(_) => format!("result {result} {{{why}}}\n{}", self.stop_game()),
            Dialect::Uci(_) => self.stop_game().to_owned(),
        }
    }

    /// What a line means.
    pub fn hear<'a>(&self, line: &'a str) -> Heard<'a> {
        match self {
            Dialect::Xboard(_) => xboard::hear(line),
            Dialect::Uci(_) => uci::hear(line),
        }
    }
}
