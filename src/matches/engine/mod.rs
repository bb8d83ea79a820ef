//! The engines of a match, whatever they speak.

mod checkers;
mod in_process;
mod own_server;
mod peer;
mod uci;
mod xboard;

pub(super) use own_server::OwnServer;
pub(super) use xboard::Xboard;

use super::clock::Clocks;
use super::match_game::MatchGame;
use super::{EngineSpec, Plan};
use crate::{chess, draughts};
use std::fmt;
use std::io;
use std::time::Duration;

/// An engine that plays a game.
pub(super) trait Engine<G: MatchGame>: Send {
    /// A game begins. It may have a position of its own, and no moves yet.
    ///
    /// # Errors
    /// The engine does not play it, or does not answer.
    fn new_game(&mut self, game: &G, clocks: &Clocks) -> Result<(), EngineError>;

    /// Finds a move in the position of the game. The engine may not have heard the latest moves yet.
    ///
    /// # Errors
    /// The engine does not answer, or not with a legal move.
    fn think(&mut self, game: &G, clocks: &Clocks) -> Result<Thought<G::Move>, EngineError>;

    /// The game is over, with this result in PGN's form.
    fn game_over(&mut self, result: &str);
}

/// What an engine does when it is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision<M> {
    Move(M),
    Resign,
}

/// A decision, and what it has cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Thought<M> {
    pub decision: Decision<M>,
    /// Time used, by the clock that counts.
    pub used: Duration,
}

/// An engine cannot go on with its game.
#[derive(Debug)]
pub enum EngineError {
    /// It cannot be started or reached: the command or address.
    Start(String, io::Error),
    /// Its pipe or connection has ended.
    Gone,
    /// It has not answered in time.
    Silent,
    /// It has made a move that is illegal, or a claim that is wrong.
    Illegal(String),
    /// It has complained of what it was told.
    Complains(String),
    /// The time control cannot be said in its protocol: which can.
    TimeControl(&'static str),
    /// It does not play this game or variant.
    Variant(&'static str),
    /// It takes no options: those of the search in this process are in the plan.
    Options,
    /// Its protocol has no words for the game.
    Protocol,
    /// There is no memory for its table.
    Memory(io::Error),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Start(what, error) => write!(f, "{what} cannot be started: {error}"),
            EngineError::Gone => f.write_str("it has gone"),
            EngineError::Silent => f.write_str("it does not answer"),
            EngineError::Illegal(what) => write!(f, "illegal: {what}"),
            EngineError::Complains(line) => write!(f, "it complains: {line}"),
            EngineError::TimeControl(what) => f.write_str(what),
            EngineError::Variant(name) => write!(f, "it does not play {name}"),
            EngineError::Options => f.write_str("the engine in this process has no options"),
            EngineError::Protocol => f.write_str("this game is played by xboard's protocol only"),
            EngineError::Memory(error) => write!(f, "no memory for its table: {error}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl EngineError {
    /// Whether it is not the engine that fails, but the match that cannot be: such a match says nothing about strength.
    pub(super) fn ends_match(&self) -> bool {
        use EngineError::{Memory, Options, Protocol, Start, TimeControl, Variant};
        matches!(self, Start(..) | TimeControl(_) | Variant(_) | Options | Protocol | Memory(_))
    }
}

/// Starts an engine that plays chess or a variant.
///
/// # Errors
/// It cannot be started, does not complete its greeting, or plays draughts only.
pub(super) fn start_chess(
    spec: &EngineSpec,
    options: &[(String, String)],
    plan: &Plan,
) -> Result<Box<dyn Engine<chess::Game>>, EngineError> {
    Ok(match spec {
        EngineSpec::InProcess => Box::new(in_process(options, plan)?),
        EngineSpec::Xboard(_) | EngineSpec::Tcp(_) => Box::new(xboard_of(spec, options, plan)?),
        EngineSpec::Uci(command) => Box::new(uci::Uci::greet(peer::Peer::spawn(command)?, options, plan)?),
        EngineSpec::Checkers(..) => return Err(EngineError::Variant(plan.rules())),
    })
}

/// Starts an engine that plays draughts.
///
/// # Errors
/// It cannot be started, does not complete its greeting, or plays chess only.
pub(super) fn start_draughts(
    spec: &EngineSpec,
    options: &[(String, String)],
    plan: &Plan,
) -> Result<Box<dyn Engine<draughts::Game>>, EngineError> {
    Ok(match spec {
        EngineSpec::InProcess => Box::new(in_process(options, plan)?),
        EngineSpec::Checkers(command, manners) => {
            Box::new(checkers::Checkers::greet(peer::Peer::spawn(command)?, *manners, options)?)
        }
        EngineSpec::Xboard(_) | EngineSpec::Uci(_) | EngineSpec::Tcp(_) => {
            return Err(EngineError::Variant(plan.rules()));
        }
    })
}

fn in_process(options: &[(String, String)], plan: &Plan) -> Result<in_process::InProcess, EngineError> {
    if options.is_empty() { in_process::InProcess::new(plan) } else { Err(EngineError::Options) }
}

/// Starts an engine that must speak xboard, as only that protocol has words for the game.
///
/// # Errors
/// It speaks something else, cannot be started, or does not complete its greeting.
pub(super) fn xboard_of(
    spec: &EngineSpec,
    options: &[(String, String)],
    plan: &Plan,
) -> Result<Xboard, EngineError> {
    let peer = match spec {
        EngineSpec::Xboard(command) => peer::Peer::spawn(command)?,
        EngineSpec::Tcp(address) => peer::Peer::connect(address)?,
        EngineSpec::InProcess | EngineSpec::Uci(_) | EngineSpec::Checkers(..) => {
            return Err(EngineError::Protocol);
        }
    };
    Xboard::greet(peer, options, plan)
}
