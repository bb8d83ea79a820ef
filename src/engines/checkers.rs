//! The GUI's side of the Checkers Protocol in any of its texts, sans-io: methods return the
//! commands to send.

use super::event::centipawns;
use crate::draughts::{Game, Move, MoveError, MoveText, Position};
use crate::search::Score;
use std::fmt::Write;
use std::time::Duration;

/// Differences between the texts of the protocol. The default is the text since December 2024.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckersManners {
    /// The text of August 2024: `GO` takes no time, and only `STOP` ends a search.
    pub seed: bool,
    /// The board is turned by half a circle: Black has the squares 21 to 32.
    pub rotated: bool,
}

/// The meaning of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckersEvent<'a> {
    /// `READY`: the engine expects `INIT`.
    Started,
    /// `PARAMETERS`: it has executed all commands up to `GETPARAMETERS`, the protocol's only ping.
    Ready,
    /// `BESTMOVE`
    BestMove(&'a str),
    /// `INFO`: findings so far.
    Thinking(CheckersThinking),
    /// `ALERT`: the line.
    Error(&'a str),
    /// Anything else.
    Other,
}

/// Findings of an engine so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckersThinking {
    /// From the view of the engine.
    pub score: Score,
    /// Plies; 0 if unknown, as with the text of August 2024.
    pub depth: u8,
    /// Nodes of this search so far; 0 if unknown.
    pub nodes: u64,
}

/// An engine that speaks the Checkers Protocol.
#[derive(Clone, Default, Debug)]
pub struct CheckersEngine {
    manners: CheckersManners,
    /// Moves of the game that the engine knows.
    known_moves: usize,
}

impl CheckersEngine {
    /// An engine that has not spoken yet: it speaks first.
    pub fn new(manners: CheckersManners) -> CheckersEngine {
        CheckersEngine { manners, known_moves: 0 }
    }

    /// Interprets a line.
    pub fn receive<'a>(&self, line: &'a str) -> CheckersEvent<'a> {
        let text = line.trim();
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        match word {
            "READY" => CheckersEvent::Started,
            "PARAMETERS" => CheckersEvent::Ready,
            "BESTMOVE" => CheckersEvent::BestMove(rest.trim()),
            "INFO" => thinking(rest).map_or(CheckersEvent::Other, CheckersEvent::Thinking),
            "ALERT" => CheckersEvent::Error(line),
            _ => CheckersEvent::Other,
        }
    }

    /// Initializes the engine with these parameters, and pings it.
    pub fn initialize(&self, parameters: &[(String, String)]) -> String {
        let mut text = "INIT\n".to_owned();
        for (name, value) in parameters {
            let _ = writeln!(text, "SETPARAMETER {name} {value}");
        }
        text + "GETPARAMETERS\n"
    }

    /// Begins a game, and pings the engine.
    pub fn begin_game(&mut self, start: &Position) -> String {
        self.known_moves = 0;
        let position = if self.manners.rotated { start.setup().rotated().to_string() } else { start.fen() };
        format!("NEWGAME {position}\nGETPARAMETERS\n")
    }

    /// Requests a move, to be found in this time.
    pub fn ask_for_move(&mut self, game: &Game, time: Duration) -> String {
        let mut text = String::new();
        for &mv in &game.moves()[self.known_moves..] {
            let _ = writeln!(text, "MOVE {}", self.turned(MoveText::of(mv)));
        }
        // The engine knows the move that it answers with.
        self.known_moves = game.moves().len() + 1;
        if self.manners.seed { text + "GO\n" } else { format!("{text}GO maxtime {}\n", time.as_secs_f64()) }
    }

    /// Ends the thought: some engines take no time with `GO`, others check their clock every tenth
    /// of a second.
    pub fn stop(&self) -> &'static str {
        "STOP\n"
    }

    /// Reads a best move.
    ///
    /// # Errors
    /// It is no move, or not legal in the position.
    pub fn read_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        position.find(&self.turned(MoveText::read(text)?))
    }

    fn turned(&self, text: MoveText) -> MoveText {
        if self.manners.rotated { text.rotated() } else { text }
    }
}

/// The findings in names and values: `nodes 860 depth 9 eval -3 time 0.139 pv 9x14`.
fn thinking(text: &str) -> Option<CheckersThinking> {
    let value = |name: &str| {
        let mut words = text.split_ascii_whitespace().skip_while(|&word| word != name);
        words.nth(1)?.parse::<i64>().ok()
    };
    let depth = value("depth").map_or(0, |depth| u8::try_from(depth.max(0)).unwrap_or(u8::MAX));
    let nodes = value("nodes").and_then(|nodes| u64::try_from(nodes).ok()).unwrap_or(0);
    Some(CheckersThinking { score: centipawns(value("eval")?), depth, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_both_texts_are_read() {
        let engine = CheckersEngine::default();
        for (line, expected) in [
            ("INFO nodes 860 eval -3 time 0.139", (-3, 0, 860)),
            ("INFO nodes 860 depth 9 eval -3 time 0.139 pv 9x14 22x15x6", (-3, 9, 860)),
            ("INFO eval 12 depth 300", (12, 255, 0)),
        ] {
            let (score, depth, nodes) = expected;
            let found = CheckersThinking { score: Score(score), depth, nodes };
            assert_eq!(engine.receive(line), CheckersEvent::Thinking(found), "{line}");
        }
        for line in ["INFO", "INFO nodes 860", "INFO eval", "INFO eval x"] {
            assert_eq!(engine.receive(line), CheckersEvent::Other, "{line}");
        }
    }
}
