//! An engine that speaks UCI.

use super::peer::Peer;
use super::{Decision, Engine, EngineError, Thought};
use crate::chess::{Game, Move, Variant};
use crate::engines::uci::{EngineLine, EngineOptions};
use crate::matches::Plan;
use crate::matches::clock::{Clocks, Control};
use crate::protocol::xboard::variant_name;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long any answer may take that needs no thought.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Uci {
    peer: Peer,
    /// What the engine lets be set.
    options: EngineOptions,
}

impl Uci {
    /// The beginning of the protocol.
    pub fn greet(mut peer: Peer, options: &[(String, String)], plan: &Plan) -> Result<Uci, EngineError> {
        peer.send("uci\n")?;
        let deadline = Instant::now() + PATIENCE;
        let mut known = EngineOptions::default();
        loop {
            match EngineLine::parse(&peer.line(deadline)?) {
                EngineLine::UciOk => break,
                EngineLine::Option(option) => known.add(option),
                _ => {}
            }
        }
        let mut engine = Uci { peer, options: known };
        engine.set("Hash", &plan.hash.to_string())?;
        for (name, value) in options {
            engine.peer.send(&format!("setoption name {name} value {value}\n"))?;
        }
        engine.synchronize()?;
        Ok(engine)
    }

    /// Sets an option that the engine may not have.
    fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if !self.options.has(name) {
            return Ok(());
        }
        self.peer.send(&format!("setoption name {name} value {value}\n"))
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        self.peer.send("isready\n")?;
        let deadline = Instant::now() + PATIENCE;
        while EngineLine::parse(&self.peer.line(deadline)?) != EngineLine::ReadyOk {}
        Ok(())
    }

    /// `position` and `go`.
    fn question(game: &Game, clocks: &Clocks) -> String {
        let mut text = format!("position fen {}", game.start().fen());
        let mut position = *game.start();
        for (ply, &mv) in game.moves().iter().enumerate() {
            text.push_str(if ply == 0 { " moves " } else { " " });
            text.push_str(&position.coordinates(mv));
            position.play(mv);
        }
        let milliseconds = |time: Duration| time.as_millis();
        let _ = match clocks.timing.control {
            Control::Nodes(nodes) => write!(text, "\ngo nodes {nodes}"),
            Control::Move(each) => write!(text, "\ngo movetime {}", milliseconds(each)),
            Control::Game(clock) => {
                let [white, black] = [crate::chess::Color::White, crate::chess::Color::Black]
                    .map(|side| milliseconds(clocks.left(side)));
                let increment = milliseconds(clock.increment);
                write!(text, "\ngo wtime {white} btime {black} winc {increment} binc {increment}")
            }
        };
        text.push('\n');
        text
    }
}

impl Engine<Game> for Uci {
    fn new_game(&mut self, game: &Game, _: &Clocks) -> Result<(), EngineError> {
        let variant = game.start().variant();
        let chess = variant == Variant::NORMAL || variant == Variant::FISCHERANDOM;
        let name = if chess { "chess" } else { variant_name(variant) };
        if !chess && !self.options.choices("UCI_Variant").iter().any(|known| known == name) {
            return Err(EngineError::Variant(name));
        }
        self.set("UCI_Variant", name)?;
        self.set("UCI_Chess960", if variant == Variant::FISCHERANDOM { "true" } else { "false" })?;
        self.peer.send("ucinewgame\n")?;
        self.synchronize()
    }

    fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Thought<Move>, EngineError> {
        let deadline = Instant::now() + clocks.patience(game.position().turn());
        let (began, cpu_before) = (Instant::now(), self.peer.cpu_time());
        self.peer.send(&Uci::question(game, clocks))?;
        let best = loop {
            let line = self.peer.line(deadline)?;
            if let EngineLine::BestMove { best, .. } = EngineLine::parse(&line) {
                break best.unwrap_or_default().to_owned();
            }
        };
        let wall = began.elapsed();
        let cpu = self.peer.cpu_time().zip(cpu_before).map(|(after, before)| after.saturating_sub(before));
        let mv = game.position().parse_move(&best);
        let mv = mv.map_err(|error| EngineError::Illegal(format!("{best} ({error})")))?;
        let used = cpu.filter(|_| clocks.timing.cpu_time).unwrap_or(wall);
        Ok(Thought { decision: Decision::Move(mv), used })
    }

    fn game_over(&mut self, _: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::time_control::Clock;
    use crate::matches::clock::Timing;

    #[test]
    fn a_question_has_all_moves_and_both_clocks() {
        let mut game = Game::from_fen(Variant::FISCHERANDOM, "4k3/8/8/8/8/8/8/4K2R w H - 0 1").unwrap();
        game.play(game.position().parse_move("O-O").unwrap());
        let clock = Clock { base: Duration::from_secs(5), increment: Duration::from_millis(50) };
        let timing = Timing { control: Control::Game(clock), cpu_time: false, margin: Duration::ZERO };
        let mut clocks = Clocks::new(timing);
        clocks.uses(crate::chess::Color::White, Duration::from_secs(1));
        let question = "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1\n\
            go wtime 4050 btime 5000 winc 50 binc 50\n";
        assert_eq!(Uci::question(&game, &clocks), question);
    }
}
