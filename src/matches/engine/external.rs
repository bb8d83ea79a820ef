//! A program or server that plays chess, and speaks UCI or the xboard protocol.

use super::peer::Peer;
use super::{Decision, Engine, Thought};
use crate::chess::{CastlingStyle, Color, Game, Move, MoveKind, Variant};
use crate::engines::time_control::{Clock, TimeControl};
use crate::engines::xboard::XboardEngine;
use crate::engines::{ChessEngine, EngineEvent, EngineProtocol, Thinking};
use crate::matches::clock::Clocks;
use crate::matches::note::{Found, Note};
use crate::matches::{EngineError, Plan};
use crate::protocol::xboard::variant_name;
use crate::search::Bound;
use std::time::{Duration, Instant};

/// Timeout of features without `done`: the protocol's two seconds,
/// and what a busy machine adds.
const UNANNOUNCED: Duration = Duration::from_secs(10);
/// Timeout of answers that take no thought.
const PATIENCE: Duration = Duration::from_secs(60);
const NO_NODES: &str = "xboard has no command for nodes; use --clock or --seconds";

pub(in crate::matches) struct External {
    pub(in crate::matches) peer: Peer,
    pub(in crate::matches) engine: ChessEngine,
}

impl External {
    /// Waits for the engine's introduction, and sets its options.
    pub(super) fn greet(
        peer: Peer,
        protocol: EngineProtocol,
        options: &[(String, String)],
        plan: &Plan,
    ) -> Result<External, EngineError> {
        let mut external = External { peer, engine: ChessEngine::new(protocol) };
        external.peer.send(external.engine.greeting())?;
        external.receive_introduction()?;
        let mut lines = external.engine.set_memory(plan.hash);
        for (name, value) in options {
            external.check_option(name, value)?;
            lines += &external.engine.set_option(name, value);
        }
        external.peer.send(&lines)?;
        external.synchronize()?;
        Ok(external)
    }

    /// Engines ignore unknown options and impossible values without a word.
    fn check_option(&self, name: &str, value: &str) -> Result<(), EngineError> {
        if !self.engine.has_option(name) {
            return Err(EngineError::no_option(name, &self.engine.option_names()));
        }
        match &self.engine {
            ChessEngine::Uci(uci) if !uci.options().accepts(name, value) => {
                Err(EngineError::OptionValue(format!("its option {name} does not take {value:?}")))
            }
            ChessEngine::Uci(_) | ChessEngine::Xboard(_) => Ok(()),
        }
    }

    fn receive_introduction(&mut self) -> Result<(), EngineError> {
        let began = Instant::now();
        loop {
            let may_be_silent = self.engine.may_be_silent();
            let line = match self.peer.line(began + if may_be_silent { UNANNOUNCED } else { PATIENCE }) {
                Err(EngineError::Silent) if may_be_silent => return Ok(()),
                line => line?,
            };
            if self.engine.receive(&line) == EngineEvent::Introduced {
                return Ok(());
            }
        }
    }

    /// Some engines accept the name of a variant that they do not know, and go on with the game
    /// before.
    fn check_variant(&self, variant: Variant) -> Result<(), EngineError> {
        match self.engine.plays(variant) {
            Some(false) => Err(EngineError::Variant(variant_name(variant))),
            Some(true) | None => Ok(()),
        }
    }

    /// Begins a game of bughouse, with a partner of this name.
    ///
    /// # Errors
    /// The engine does not play it, or does not answer.
    pub(in crate::matches) fn begin_bughouse(
        &mut self,
        clock: Clock,
        partner: &str,
    ) -> Result<(), EngineError> {
        self.check_variant(Variant::BUGHOUSE)?;
        let ChessEngine::Xboard(engine) = &mut self.engine else { return Err(EngineError::Protocol) };
        let begin = engine.begin_as_black(Variant::BUGHOUSE, TimeControl::Game(clock));
        self.peer.send(&format!("{begin}partner {partner}\n"))?;
        self.synchronize()
    }

    /// Waits until the engine has executed all commands, if it can report that.
    fn synchronize(&mut self) -> Result<(), EngineError> {
        if !self.engine.can_ping() {
            return Ok(());
        }
        self.peer.send(&self.engine.ping())?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.peer.line(deadline)?;
            match self.engine.receive(&line) {
                EngineEvent::Ready => return Ok(()),
                EngineEvent::Error(text) if text.contains("variant") => {
                    return Err(EngineError::Reports(text.to_owned()));
                }
                _ => {}
            }
        }
    }

    /// Waits for a move, and takes what the engine reports before it.
    fn await_move(
        &mut self,
        game: &Game,
        patience: Duration,
        found: &mut Option<Found>,
    ) -> Result<Decision<Move>, EngineError> {
        let deadline = Instant::now() + patience;
        loop {
            let line = self.peer.line(deadline)?;
            match self.engine.receive(&line) {
                EngineEvent::BestMove { best, .. } => {
                    let Some(text) = best else { return Err(EngineError::Illegal("no move".to_owned())) };
                    let parsed = game.position().parse_move(text);
                    return parsed
                        .map(Decision::Move)
                        .map_err(|error| EngineError::Illegal(format!("{text} ({error})")));
                }
                EngineEvent::Resigned => return Ok(Decision::Resign),
                EngineEvent::Result(claim) => return judge(game, claim),
                EngineEvent::Thinking(thinking) => take_report(found, &thinking),
                EngineEvent::Error(text) if !is_harmless(text) => {
                    let ChessEngine::Xboard(engine) = &mut self.engine else { continue };
                    let retry = retry_castling(engine, game);
                    self.peer.send(&retry.ok_or_else(|| EngineError::Reports(text.to_owned()))?)?;
                }
                _ => {}
            }
        }
    }
}

/// Takes a report of the best line. A bound is no score of the move, but better than none.
fn take_report(found: &mut Option<Found>, thinking: &Thinking<'_>) {
    let Thinking { score, depth, nodes, .. } = *thinking;
    if thinking.line == 1 && (thinking.bound == Bound::Exact || found.is_none()) {
        *found = Some(Found { score, depth, nodes });
    }
}

/// The last move in another notation, after an error: castling in Chess960 has two.
fn retry_castling(engine: &mut XboardEngine, game: &Game) -> Option<String> {
    let (last, earlier) = game.moves().split_last()?;
    let mut before = *game.start();
    earlier.iter().for_each(|&mv| before.play(mv));
    let is_castling =
        last.kind() == MoveKind::Castle && before.variant().rules().castling == CastlingStyle::Chess960;
    if is_castling { engine.retry_castling(&before, *last) } else { None }
}

/// Judges a claim that an engine makes instead of a move. The game has not ended by the rules, so
/// it can only be a resignation.
fn judge(game: &Game, claim: &str) -> Result<Decision<Move>, EngineError> {
    let lost = match game.position().turn() {
        Color::White => "0-1",
        Color::Black => "1-0",
    };
    if claim.starts_with(lost) {
        Ok(Decision::Resign)
    } else {
        Err(EngineError::Illegal(format!("the claim {claim}")))
    }
}

/// Returns true if an error is about a command that engines need not know.
fn is_harmless(error: &str) -> bool {
    let command = error.rsplit(':').next().unwrap_or("").trim();
    let word = command.split_whitespace().next().unwrap_or("");
    error.starts_with("Error") && ["post", "easy", "time", "otim", "result", "memory"].contains(&word)
}

impl Engine<Game> for External {
    fn name(&self) -> Option<&str> {
        self.engine.name()
    }

    fn new_game(&mut self, game: &Game, control: TimeControl) -> Result<(), EngineError> {
        self.check_variant(game.start().variant())?;
        if let (ChessEngine::Xboard(_), TimeControl::Nodes(_)) = (&self.engine, control) {
            return Err(EngineError::TimeControl(NO_NODES));
        }
        // Lines about the game before.
        self.peer.waiting_lines();
        self.peer.send(&self.engine.begin_game(game.start(), control, true))?;
        self.synchronize()
    }

    fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Thought<Move>, EngineError> {
        // The engine may have resigned, or made a false claim, on the opponent's time.
        for line in self.peer.waiting_lines() {
            let decision = match self.engine.receive(&line) {
                EngineEvent::Resigned => Decision::Resign,
                EngineEvent::Result(claim) => judge(game, claim)?,
                _ => continue,
            };
            return Ok(Thought { decision, note: Note::default() });
        }
        let patience = clocks.patience(game.position().turn());
        let left = [Color::White, Color::Black].map(|side| clocks.left(side));
        let stopwatch = self.peer.stopwatch();
        let control = clocks.control(game.position().turn());
        let lines = self.engine.ask_for_move(game.start(), game.moves(), control, left);
        self.peer.send(&lines)?;
        let mut found = None;
        let decision = self.await_move(game, patience, &mut found)?;
        Ok(Thought { decision, note: self.peer.note_since(stopwatch, clocks.timing.cpu_time, found) })
    }

    fn game_over(&mut self, result: &str) {
        // A UCI engine is idle. One that has exited is noticed at the next game.
        if let ChessEngine::Xboard(_) = self.engine {
            let _ = self.peer.send(&self.engine.end_game(result, "The game is over"));
        }
    }
}
