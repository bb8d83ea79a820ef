//! The game of draughts that a client has reached in a record, as one line that sets it up.

use super::language::first_word;
use crate::protocol::checkers::{Command, GameCommand};

/// The game on the board, as the record has it.
#[derive(Debug, Default)]
pub struct DraughtsGame {
    /// `NEWGAME`, with what the client said behind it, and the moves since then.
    line: String,
    /// Moves that the client has added to it, and nobody has refused yet: the lengths of the line before them.
    unsure: Vec<usize>,
    /// The engine plays the move that it was asked for last.
    plays: bool,
}

impl DraughtsGame {
    /// The client says a line.
    pub fn say(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let Ok(Command::Game(command)) = Command::parse(line) else { return };
        match command {
            GameCommand::Init => self.begin("NEWGAME"),
            GameCommand::Newgame { .. } => self.begin(text.trim_ascii()),
            GameCommand::Move(_) => {
                self.unsure.push(self.line.len());
                self.add(text.split_ascii_whitespace().nth(1).unwrap_or_default());
            }
            GameCommand::Go(go) => self.plays = !go.dont_play_move,
        }
    }

    fn begin(&mut self, line: &str) {
        line.clone_into(&mut self.line);
        self.unsure.clear();
    }

    fn add(&mut self, mv: &str) {
        self.line.push(' ');
        self.line.push_str(mv);
    }

    /// The record has this answer to it.
    pub fn answered(&mut self, answer: &str) {
        match first_word(answer.as_bytes()) {
            b"ALERT" => {
                if let Some(before) = self.unsure.pop() {
                    self.line.truncate(before);
                }
            }
            b"BESTMOVE" => {
                self.unsure.clear();
                let mv = answer.split_ascii_whitespace().nth(1).filter(|&mv| mv != "none");
                if let Some(mv) = mv.filter(|_| self.plays) {
                    self.add(mv);
                }
            }
            _ => {}
        }
    }

    /// The line that sets the game up, if the engine has played a move that is not that of the record.
    pub fn correction(&self) -> Option<&str> {
        (self.plays && !self.line.is_empty()).then_some(&self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_the_last_one_and_the_moves_since() {
        let mut game = DraughtsGame::default();
        let line = |game: &DraughtsGame| game.correction().map(str::to_owned);
        assert_eq!(line(&game), None);
        for said in ["INIT", "MOVE 11-15", "GO"] {
            game.say(said.as_bytes());
        }
        game.answered("BESTMOVE 23-19");
        game.say(b"MOVE 1-32");
        game.answered("ALERT no");
        assert_eq!(line(&game).as_deref(), Some("NEWGAME 11-15 23-19"));
        game.say(b"GO dontplaymove");
        game.answered("BESTMOVE 8-11");
        assert_eq!(line(&game), None);
        game.say(b"NEWGAME 12-16");
        game.say(b"GO maxtime 1");
        game.answered("BESTMOVE none");
        assert_eq!(line(&game).as_deref(), Some("NEWGAME 12-16"));
    }
}
