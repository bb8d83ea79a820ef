//! An engine that speaks xboard.

use super::peer::Peer;
use super::{Decision, Engine, EngineError, Thought};
use crate::chess::{AnyPosition, CastlingStyle, Color, Game, Move, MoveKind, Variant};
use crate::engines::time_control::Clock;
use crate::engines::xboard::{EngineLine, Features};
use crate::matches::Plan;
use crate::matches::clock::{Clocks, Control};
use crate::protocol::xboard::{move_text, variant_name};
use std::fmt::Write;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// How long an engine without `done` may take to announce its features: the protocol's two seconds, and what a busy machine adds.
const UNANNOUNCED: Duration = Duration::from_secs(10);
const NO_NODES: &str = "xboard has no command for nodes; use --clock or --seconds";
/// How long any answer may take that needs no thought.
const PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::matches) struct Xboard {
    peer: Peer,
    features: Features,
    /// The variants that it announces; `None` if it announces none, and may play any.
    variants: Option<String>,
    pings: u64,
    /// Moves of the game that the engine knows.
    told: usize,
    /// Whether it is on its own: it has been told `go` in this game.
    playing: bool,
    /// The engine wants castling in Chess960 as the king's move to its rook.
    takes_rook: bool,
}

impl Xboard {
    /// The beginning of the protocol, up to the engine's last feature.
    pub fn greet(peer: Peer, options: &[(String, String)], plan: &Plan) -> Result<Xboard, EngineError> {
        let mut engine = Xboard {
            peer,
            features: Features::unknown(),
            variants: None,
            pings: 0,
            told: 0,
            playing: false,
            takes_rook: false,
        };
        engine.peer.send("xboard\nprotover 2\n")?;
        engine.hear_features()?;
        let mut lines = String::new();
        if engine.features.memory {
            let _ = writeln!(lines, "memory {}", plan.hash);
        }
        for (name, value) in options {
            let _ = writeln!(lines, "option {name}={value}");
        }
        engine.peer.send(&lines)?;
        Ok(engine)
    }

    fn hear_features(&mut self) -> Result<(), EngineError> {
        let began = Instant::now();
        while self.features.done != Some(true) {
            let patience = if self.features.done == Some(false) { PATIENCE } else { UNANNOUNCED };
            match self.peer.line(began + patience) {
                Ok(line) => {
                    if let EngineLine::Feature(text) = EngineLine::parse(&line) {
                        self.features.take(text);
                        let quoted = Features::quoted(text, "variants").map(str::to_owned);
                        self.variants = quoted.or(self.variants.take());
                    }
                }
                // An engine of protocol 1 announces nothing.
                Err(EngineError::Silent) if self.features.done.is_none() => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Some engines take the name of a variant that they do not know, and go on with the game before.
    fn check_variant(&self, variant: Variant) -> Result<(), EngineError> {
        let name = variant_name(variant);
        let knows = |list: &str| list.split(',').any(|known| known.trim() == name);
        let plays = variant == Variant::NORMAL || self.variants.as_deref().is_none_or(knows);
        if plays { Ok(()) } else { Err(EngineError::Variant(name)) }
    }

    /// A game of bughouse begins: it sits at a board with a partner of this name.
    ///
    /// # Errors
    /// The engine does not play it, or does not answer.
    pub fn prepare_bughouse(&mut self, clock: Clock, partner: &str) -> Result<(), EngineError> {
        self.check_variant(Variant::BUGHOUSE)?;
        let level = level(clock);
        self.peer.send(&format!("new\nvariant bughouse\n{level}easy\nnopost\npartner {partner}\n"))?;
        self.synchronize()
    }

    /// All further lines of the engine.
    pub fn take_lines(&mut self) -> Receiver<String> {
        self.peer.take_lines()
    }

    /// Sends lines, each with its end.
    ///
    /// # Errors
    /// The engine has gone.
    pub fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.peer.send(lines)
    }

    /// The line that tells of a move.
    pub fn usermove(&self, text: &str) -> String {
        if self.features.usermove { format!("usermove {text}\n") } else { format!("{text}\n") }
    }

    /// Waits until the engine has obeyed what it was told, if it can say so.
    fn synchronize(&mut self) -> Result<(), EngineError> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let number = self.pings;
        self.peer.send(&format!("ping {number}\n"))?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.peer.line(deadline)?;
            match EngineLine::parse(&line) {
                EngineLine::Pong(pong) if pong == number => return Ok(()),
                EngineLine::Complaint(text) if text.contains("variant") => {
                    return Err(EngineError::Complains(text.to_owned()));
                }
                _ => {}
            }
        }
    }

    fn written(&self, position: &AnyPosition, mv: Move) -> String {
        if self.takes_rook { position.coordinates(mv) } else { move_text(position, mv) }
    }

    /// The line that tells of a move.
    fn move_line(&self, position: &AnyPosition, mv: Move) -> String {
        self.usermove(&self.written(position, mv))
    }

    /// Tells of the moves that the engine does not know, and to think.
    fn tell(&mut self, game: &Game, clocks: &Clocks) -> Result<(), EngineError> {
        let mut lines = String::new();
        let clock = self.clock_lines(game, clocks);
        if self.playing {
            // Nothing may follow the move: some engines move at once when they hear anything.
            lines.push_str(&clock);
        }
        let mut position = *game.start();
        for (ply, &mv) in game.moves().iter().enumerate() {
            if ply >= self.told {
                lines.push_str(&self.move_line(&position, mv));
            }
            position.play(mv);
        }
        if !self.playing {
            lines.push_str(&clock);
            lines.push_str("go\n");
        }
        self.told = game.moves().len();
        self.playing = true;
        self.peer.send(&lines)
    }

    fn clock_lines(&self, game: &Game, clocks: &Clocks) -> String {
        let Control::Game(_) = clocks.timing.control else { return String::new() };
        let turn = game.position().turn();
        let centiseconds = |side| clocks.left(side).as_millis() / 10;
        format!("time {}\notim {}\n", centiseconds(turn), centiseconds(!turn))
    }

    /// Waits for a move.
    fn hear_move(&mut self, game: &Game, patience: Duration) -> Result<Decision<Move>, EngineError> {
        let deadline = Instant::now() + patience;
        loop {
            let line = self.peer.line(deadline)?;
            match EngineLine::parse(&line) {
                EngineLine::Move(text) => {
                    let parsed = game.position().parse_move(text);
                    return parsed
                        .map(Decision::Move)
                        .map_err(|error| EngineError::Illegal(format!("{text} ({error})")));
                }
                EngineLine::Resign => return Ok(Decision::Resign),
                EngineLine::Result(claim) => return self.judge(game, claim),
                EngineLine::Complaint(text) if is_harmless(text) => {}
                EngineLine::Complaint(text) => self.retry(game, text)?,
                _ => {}
            }
        }
    }

    /// A claim of the engine instead of a move. The referee knows of no end, so it can only be a loss of its own.
    fn judge(&self, game: &Game, claim: &str) -> Result<Decision<Move>, EngineError> {
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

    /// After a complaint: castling in Chess960 can be said in another way. Anything else is the end.
    fn retry(&mut self, game: &Game, complaint: &str) -> Result<(), EngineError> {
        let complains = || EngineError::Complains(complaint.to_owned());
        let mut before = *game.start();
        let (last, earlier) = game.moves().split_last().ok_or_else(complains)?;
        earlier.iter().for_each(|&mv| before.play(mv));
        let is_castling =
            last.kind() == MoveKind::Castle && before.variant().rules().castling == CastlingStyle::Chess960;
        if !is_castling || self.takes_rook {
            return Err(complains());
        }
        self.takes_rook = true;
        let line = self.move_line(&before, *last);
        self.peer.send(&line)
    }
}

/// Whether an engine complains of a command that it need not know.
fn is_harmless(complaint: &str) -> bool {
    let command = complaint.rsplit(':').next().unwrap_or("").trim();
    let word = command.split_whitespace().next().unwrap_or("");
    complaint.starts_with("Error") && ["nopost", "easy", "time", "otim", "result", "memory"].contains(&word)
}

/// `level` for a clock.
fn level(clock: Clock) -> String {
    let seconds = clock.base.as_secs();
    format!("level 0 {}:{:02} {}\n", seconds / 60, seconds % 60, clock.increment.as_secs_f64())
}

impl Engine<Game> for Xboard {
    fn new_game(&mut self, game: &Game, clocks: &Clocks) -> Result<(), EngineError> {
        let mut lines = "new\n".to_owned();
        let variant = game.start().variant();
        self.check_variant(variant)?;
        if variant != Variant::NORMAL {
            let _ = writeln!(lines, "variant {}", variant_name(variant));
        }
        match clocks.timing.control {
            Control::Game(clock) => lines.push_str(&level(clock)),
            Control::Move(each) => {
                let _ = writeln!(lines, "st {}", each.as_secs_f64());
            }
            Control::Nodes(_) => return Err(EngineError::TimeControl(NO_NODES)),
        }
        lines.push_str("easy\nnopost\nforce\n");
        if game.start().fen() != AnyPosition::start(variant).fen() {
            let _ = writeln!(lines, "setboard {}", game.start().fen());
        }
        (self.told, self.playing) = (0, false);
        // What it said of the game before is old.
        self.peer.waiting_lines();
        self.peer.send(&lines)?;
        self.synchronize()
    }

    fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Thought<Move>, EngineError> {
        // It may have resigned on the opponent's time, or claimed what is not so.
        for line in self.peer.waiting_lines() {
            match EngineLine::parse(&line) {
                EngineLine::Resign => {
                    return Ok(Thought { decision: Decision::Resign, used: Duration::ZERO });
                }
                EngineLine::Result(claim) => {
                    return Ok(Thought { decision: self.judge(game, claim)?, used: Duration::ZERO });
                }
                _ => {}
            }
        }
        let patience = clocks.patience(game.position().turn());
        let (began, cpu_before) = (Instant::now(), self.peer.cpu_time());
        self.tell(game, clocks)?;
        let decision = self.hear_move(game, patience)?;
        let wall = began.elapsed();
        let cpu = self.peer.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        // The engine knows its own move.
        self.told += 1;
        Ok(Thought { decision, used: cpu.filter(|_| clocks.timing.cpu_time).unwrap_or(wall) })
    }

    fn game_over(&mut self, result: &str) {
        // A lost engine shows at the next game.
        let _ = self.peer.send(&format!("result {result} {{The game is over}}\nforce\n"));
    }
}
