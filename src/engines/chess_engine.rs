//! A chess engine of either protocol, as far as what a client does with it is the same in both.

use super::event::EngineEvent;
use super::protocol::EngineProtocol;
use super::time_control::TimeControl;
use super::uci::UciEngine;
use super::xboard::XboardEngine;
use crate::chess::{AnyPosition, Move, Variant};
use crate::search::Limits;
use std::time::Duration;

/// A chess engine of either protocol, sans-io: methods return the commands to send.
#[derive(Clone, Debug)]
pub enum ChessEngine {
    /// An engine that speaks UCI.
    Uci(UciEngine),
    /// An engine that speaks the xboard protocol.
    Xboard(XboardEngine),
}

impl ChessEngine {
    /// An engine that has announced nothing yet.
    pub fn new(protocol: EngineProtocol) -> ChessEngine {
        match protocol {
            EngineProtocol::Uci => ChessEngine::Uci(UciEngine::default()),
            EngineProtocol::Xboard => ChessEngine::Xboard(XboardEngine::default()),
        }
    }

    /// The first commands.
    pub fn greeting(&self) -> &'static str {
        match self {
            ChessEngine::Uci(_) => "uci\n",
            ChessEngine::Xboard(_) => "xboard\nprotover 2\n",
        }
    }

    /// Interprets a line.
    pub fn receive<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        match self {
            ChessEngine::Uci(uci) => uci.receive(line),
            ChessEngine::Xboard(xboard) => xboard.receive(line),
        }
    }

    /// The name that the engine announces.
    pub fn name(&self) -> Option<&str> {
        match self {
            ChessEngine::Uci(uci) => uci.name(),
            ChessEngine::Xboard(xboard) => xboard.name(),
        }
    }

    /// Returns true if the engine may never report that its introduction is complete, as engines of
    /// the first version of the xboard protocol.
    pub fn may_be_silent(&self) -> bool {
        match self {
            ChessEngine::Uci(_) => false,
            ChessEngine::Xboard(xboard) => xboard.features().value("done").is_none(),
        }
    }

    /// Returns true if the engine answers [`ChessEngine::ping`].
    pub fn can_ping(&self) -> bool {
        match self {
            ChessEngine::Uci(_) => true,
            ChessEngine::Xboard(xboard) => xboard.features().has("ping"),
        }
    }

    /// Requests [`EngineEvent::Ready`] after all commands before; nothing if the engine cannot
    /// answer.
    pub fn ping(&mut self) -> String {
        match self {
            ChessEngine::Uci(_) => "isready\n".to_owned(),
            ChessEngine::Xboard(xboard) => xboard.ping(),
        }
    }

    /// Returns true if the engine can analyse.
    pub fn can_analyze(&self) -> bool {
        match self {
            ChessEngine::Uci(_) => true,
            ChessEngine::Xboard(xboard) => xboard.features().can_analyze(),
        }
    }

    /// Returns true if the engine plays a variant; `None` if it announces no variants.
    pub fn plays(&self, variant: Variant) -> Option<bool> {
        match self {
            ChessEngine::Uci(uci) => Some(uci.plays(variant)),
            ChessEngine::Xboard(xboard) => xboard.plays(variant),
        }
    }

    /// Returns true if the engine declares an option.
    pub fn has_option(&self, name: &str) -> bool {
        match self {
            ChessEngine::Uci(uci) => uci.options().has(name),
            ChessEngine::Xboard(xboard) => xboard.has_option(name),
        }
    }

    /// The names of the options that the engine declares.
    pub fn option_names(&self) -> Vec<&str> {
        match self {
            ChessEngine::Uci(uci) => uci.options().names().collect(),
            ChessEngine::Xboard(xboard) => xboard.features().option_names().collect(),
        }
    }

    /// Sets an option, also one that the engine does not declare.
    pub fn set_option(&self, name: &str, value: &str) -> String {
        match self {
            ChessEngine::Uci(uci) => uci.set_option(name, value),
            ChessEngine::Xboard(_) => format!("option {name}={value}\n"),
        }
    }

    /// Sets the size of the transposition table in MiB, if the engine lets it be set.
    pub fn set_memory(&mut self, size: usize) -> String {
        match self {
            ChessEngine::Uci(uci) => uci.update_option("Hash", size),
            ChessEngine::Xboard(xboard) if xboard.features().has("memory") => format!("memory {size}\n"),
            ChessEngine::Xboard(_) => String::new(),
        }
    }

    /// Requests [`EngineEvent::Account`] for each move, which Farboard can send.
    pub fn request_accounts(&self) -> &'static str {
        match self {
            ChessEngine::Uci(uci) if uci.name().is_some_and(|name| name.starts_with("Farboard")) => {
                "debug on\n"
            }
            ChessEngine::Xboard(xboard) if xboard.features().has("debug") => "accepted debug\n",
            ChessEngine::Uci(_) | ChessEngine::Xboard(_) => "",
        }
    }

    /// Puts a position on the board, without searching it.
    pub fn show_position(&mut self, start: &AnyPosition, moves: &[Move]) -> String {
        let variant = start.variant();
        match self {
            ChessEngine::Uci(uci) => uci.begin(variant, false) + &UciEngine::position(start, moves),
            ChessEngine::Xboard(xboard) => {
                xboard.begin_plain(variant) + &set_up(start) + &xboard.moves(start, moves, 0)
            }
        }
    }

    /// Begins a game, with thinking output or without.
    pub fn begin_game(&mut self, start: &AnyPosition, control: TimeControl, post: bool) -> String {
        let variant = start.variant();
        match self {
            ChessEngine::Uci(uci) => uci.begin(variant, false),
            ChessEngine::Xboard(xboard) => xboard.begin(variant, Some(control), post) + &set_up(start),
        }
    }

    /// Requests a move in the game; `left` is the time of White and Black.
    pub fn ask_for_move(
        &mut self,
        start: &AnyPosition,
        moves: &[Move],
        control: TimeControl,
        left: [Duration; 2],
    ) -> String {
        match self {
            ChessEngine::Uci(_) => UciEngine::position(start, moves) + &UciEngine::go_for_move(control, left),
            ChessEngine::Xboard(xboard) => xboard.ask_for_move(start, moves, control, left),
        }
    }

    /// Stops a game, during a move or not.
    pub fn stop_game(&self) -> &'static str {
        match self {
            ChessEngine::Uci(_) => "stop\n",
            ChessEngine::Xboard(_) => "force\n",
        }
    }

    /// Ends a game with a result in PGN's form and its reason.
    pub fn end_game(&self, result: &str, reason: &str) -> String {
        match self {
            ChessEngine::Uci(_) => self.stop_game().to_owned(),
            ChessEngine::Xboard(_) => format!("result {result} {{{reason}}}\n{}", self.stop_game()),
        }
    }

    /// Prepares an analysis, with thinking output.
    pub fn begin_analysis(&mut self, start: &AnyPosition) -> String {
        let variant = start.variant();
        match self {
            ChessEngine::Uci(uci) => uci.begin(variant, true),
            ChessEngine::Xboard(xboard) => xboard.begin(variant, None, true) + &set_up(start),
        }
    }

    /// Analyses the position after these moves.
    pub fn analyze(&mut self, start: &AnyPosition, moves: &[Move]) -> String {
        match self {
            ChessEngine::Uci(_) => {
                UciEngine::position(start, moves) + &UciEngine::go(&Limits::default(), &[])
            }
            ChessEngine::Xboard(xboard) => xboard.analyze(start, moves),
        }
    }

    /// Ends an analysis, which may have ended already.
    pub fn end_analysis(&self) -> &'static str {
        match self {
            ChessEngine::Uci(_) => "stop\n",
            ChessEngine::Xboard(_) => "exit\n",
        }
    }
}

/// `setboard`, unless the position is the start of its variant.
fn set_up(start: &AnyPosition) -> String {
    let fen = start.fen();
    if fen == AnyPosition::start(start.variant()).fen() { String::new() } else { format!("setboard {fen}\n") }
}
