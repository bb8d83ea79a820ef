//! The engines of a match.

mod checkers;
mod external;
mod in_process;
mod own_server;
mod peer;
mod search_options;

pub(super) use external::External;
pub(super) use own_server::OwnServer;
pub(super) use peer::Peer;

use super::clock::Clocks;
use super::match_game::MatchGame;
use super::note::Note;
use super::player::Player;
use super::{EngineError, EngineSpec, Plan};
use crate::engines::EngineProtocol;
use crate::engines::time_control::TimeControl;
use crate::{chess, draughts};

/// An engine that plays a game.
pub(super) trait Engine<G: MatchGame>: Send {
    /// The name that the engine gives itself, if it does.
    fn name(&self) -> Option<&str>;

    /// Begins a game, which has no moves yet, with the engine's time control.
    ///
    /// # Errors
    /// The engine does not play it, or does not answer.
    fn new_game(&mut self, game: &G, control: TimeControl) -> Result<(), EngineError>;

    /// Finds a move in the position of the game. The engine may not know the latest moves yet.
    ///
    /// # Errors
    /// The engine does not answer, or not with a legal move.
    fn think(&mut self, game: &G, clocks: &Clocks) -> Result<Thought<G::Move>, EngineError>;

    /// Ends the game with a result in PGN's form.
    fn game_over(&mut self, result: &str);
}

/// An engine's answer when it is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision<M> {
    Move(M),
    Resign,
}

/// A decision, and what is known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Thought<M> {
    pub(super) decision: Decision<M>,
    pub(super) note: Note,
}

/// Starts an engine that plays chess or a variant.
///
/// # Errors
/// It cannot be started, does not complete its greeting, or plays draughts only.
pub(super) fn start_chess(player: &Player, plan: &Plan) -> Result<Box<dyn Engine<chess::Game>>, EngineError> {
    Ok(match &player.spec {
        EngineSpec::InProcess => Box::new(in_process::InProcess::new(&player.options, plan)?),
        EngineSpec::Xboard(_) | EngineSpec::Tcp(_) => Box::new(xboard_of(player, plan)?),
        EngineSpec::Uci(command) => {
            Box::new(External::greet(Peer::spawn(command)?, EngineProtocol::Uci, &player.options, plan)?)
        }
        EngineSpec::Checkers(..) => return Err(EngineError::Variant(plan.rules())),
    })
}

/// Starts an engine that plays draughts.
///
/// # Errors
/// It cannot be started, does not complete its greeting, or plays chess only.
pub(super) fn start_draughts(
    player: &Player,
    plan: &Plan,
) -> Result<Box<dyn Engine<draughts::Game>>, EngineError> {
    Ok(match &player.spec {
        EngineSpec::InProcess => Box::new(in_process::InProcess::new(&player.options, plan)?),
        EngineSpec::Checkers(command, manners) => {
            Box::new(checkers::Checkers::greet(Peer::spawn(command)?, *manners, &player.options)?)
        }
        EngineSpec::Xboard(_) | EngineSpec::Uci(_) | EngineSpec::Tcp(_) => {
            return Err(EngineError::Variant(plan.rules()));
        }
    })
}

/// Starts an engine that must speak the xboard protocol, as bughouse requires.
///
/// # Errors
/// It speaks something else, cannot be started, or does not complete its greeting.
pub(super) fn xboard_of(player: &Player, plan: &Plan) -> Result<External, EngineError> {
    let peer = match &player.spec {
        EngineSpec::Xboard(command) => Peer::spawn(command)?,
        EngineSpec::Tcp(address) => Peer::connect(address)?,
        EngineSpec::InProcess | EngineSpec::Uci(_) | EngineSpec::Checkers(..) => {
            return Err(EngineError::Protocol);
        }
    };
    External::greet(peer, EngineProtocol::Xboard, &player.options, plan)
}
