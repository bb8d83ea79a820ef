//! An engine that speaks the Checkers Protocol, in any of its texts.
//!
//! The protocol has no clocks: a move has its time. It has no ping either; `GETPARAMETERS` is answered by all, in order.

use super::peer::Peer;
use super::{Decision, Engine, EngineError, Thought};
use crate::draughts::{Game, Move, MoveText, Position};
use crate::matches::CheckersManners;
use crate::matches::clock::{Clocks, Control};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long any answer may take that needs no thought.
const PATIENCE: Duration = Duration::from_secs(60);
const SECONDS_ONLY: &str = "the Checkers Protocol has no clocks and no nodes; use --seconds";

pub(super) struct Checkers {
    peer: Peer,
    manners: CheckersManners,
    /// Moves of the game that the engine knows.
    told: usize,
}

impl Checkers {
    /// The beginning of the protocol: the engine speaks first.
    pub fn greet(
        peer: Peer,
        manners: CheckersManners,
        options: &[(String, String)],
    ) -> Result<Checkers, EngineError> {
        let mut engine = Checkers { peer, manners, told: 0 };
        engine.hear("READY", Instant::now() + PATIENCE)?;
        let mut lines = "INIT\n".to_owned();
        for (name, value) in options {
            let _ = writeln!(lines, "SETPARAMETER {name} {value}");
        }
        engine.peer.send(&lines)?;
        engine.synchronize()?;
        Ok(engine)
    }

    /// Waits for a line of this word, and gives what stands behind it.
    fn hear(&mut self, word: &str, deadline: Instant) -> Result<String, EngineError> {
        loop {
            let line = self.peer.line(deadline)?;
            if let Some(rest) = behind(word, &line) {
                return Ok(rest.to_owned());
            }
            complaint(&line)?;
        }
    }

    /// Waits until the engine has obeyed what it was told.
    fn synchronize(&mut self) -> Result<(), EngineError> {
        self.peer.send("GETPARAMETERS\n")?;
        self.hear("PARAMETERS", Instant::now() + PATIENCE).map(drop)
    }

    fn position_text(&self, position: &Position) -> String {
        if self.manners.rotated { position.setup().rotated().to_string() } else { position.fen() }
    }

    fn written(&self, mv: Move) -> MoveText {
        let text = MoveText::of(mv);
        if self.manners.rotated { text.rotated() } else { text }
    }

    /// The move that the engine has named.
    fn read(&self, position: &Position, text: &str) -> Result<Move, EngineError> {
        let named =
            MoveText::read(text).map(|named| if self.manners.rotated { named.rotated() } else { named });
        named
            .and_then(|named| position.find(&named))
            .map_err(|error| EngineError::Illegal(format!("{text} ({error})")))
    }

    /// Tells of the moves that the engine does not know, and to think.
    fn tell(&mut self, game: &Game, time: Duration) -> Result<(), EngineError> {
        let mut lines = String::new();
        for &mv in &game.moves()[self.told..] {
            let _ = writeln!(lines, "MOVE {}", self.written(mv));
        }
        if self.manners.seed {
            lines.push_str("GO\n");
        } else {
            let _ = writeln!(lines, "GO maxtime {}", time.as_secs_f64());
        }
        self.peer.send(&lines)
    }

    /// Waits for the move. When its time is over, the engine is told so: some were not told it before, some look at the clock
    /// every tenth of a second only.
    fn hear_move(
        &mut self,
        began: Instant,
        time: Duration,
        patience: Duration,
    ) -> Result<String, EngineError> {
        match self.hear("BESTMOVE", began + time) {
            Err(EngineError::Silent) => self.peer.send("STOP\n")?,
            heard => return heard,
        }
        self.hear("BESTMOVE", began + patience)
    }

    fn time_of_move(clocks: &Clocks) -> Result<Duration, EngineError> {
        match clocks.timing.control {
            Control::Move(time) => Ok(time),
            Control::Game(_) | Control::Nodes(_) => Err(EngineError::TimeControl(SECONDS_ONLY)),
        }
    }
}

/// What stands behind a word at the beginning of a line.
fn behind<'a>(word: &str, line: &'a str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim())
}

fn complaint(line: &str) -> Result<(), EngineError> {
    match behind("ALERT", line) {
        Some(_) => Err(EngineError::Complains(line.to_owned())),
        None => Ok(()),
    }
}

impl Engine<Game> for Checkers {
    fn new_game(&mut self, game: &Game, clocks: &Clocks) -> Result<(), EngineError> {
        Checkers::time_of_move(clocks)?;
        self.told = 0;
        // What it said of the game before is old.
        self.peer.waiting_lines();
        let position = self.position_text(game.start());
        self.peer.send(&format!("NEWGAME {position}\n"))?;
        self.synchronize()
    }

    fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Thought<Move>, EngineError> {
        // A second answer would be taken for the next one.
        for line in self.peer.waiting_lines() {
            complaint(&line)?;
            if let Some(text) = behind("BESTMOVE", &line) {
                return Err(EngineError::Illegal(format!("{text} (nobody asked)")));
            }
        }
        let time = Checkers::time_of_move(clocks)?;
        let patience = clocks.patience(game.position().turn());
        let (began, cpu_before) = (Instant::now(), self.peer.cpu_time());
        self.tell(game, time)?;
        let best = self.hear_move(began, time, patience)?;
        let wall = began.elapsed();
        let cpu = self.peer.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        let mv = self.read(game.position(), &best)?;
        // The engine knows its own move.
        self.told = game.moves().len() + 1;
        let used = cpu.filter(|_| clocks.timing.cpu_time).unwrap_or(wall);
        Ok(Thought { decision: Decision::Move(mv), used })
    }

    fn game_over(&mut self, _: &str) {}
}
