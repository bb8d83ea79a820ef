//! The game of draughts that a client has reached in a record, as one line that sets it up.

use super::language::first_word;
use crate::protocol::checkers::{Command, GameCommand};

/// The game on the board, according to the record.
#[derive(Debug, Default)]
pub struct DraughtsGame {
    /// `NEWGAME` with the client's arguments, and the moves since then.
    line: String,
    /// Moves of the client that have not been refused yet: the lengths of the line before them.
    unconfirmed: Vec<usize>,
    /// Whether the engine plays the move of the last `GO`.
    plays: bool,
}

impl DraughtsGame {
    /// Follows a line of the client.
    pub fn client_sent(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let Ok(Command::Game(command)) = Command::parse(line) else { return };
        match command {
            GameCommand::Init => self.begin("NEWGAME"),
            GameCommand::Newgame { .. } => self.begin(text.trim_ascii()),
            GameCommand::Move(_) => {
                self.unconfirmed.push(self.line.len());
                self.add(text.split_ascii_whitespace().nth(1).unwrap_or_default());
            }
            GameCommand::Go(go) => self.plays = !go.dont_play_move,
        }
    }

    fn begin(&mut self, line: &str) {
        line.clone_into(&mut self.line);
        self.unconfirmed.clear();
    }

    fn add(&mut self, mv: &str) {
        self.line.push(' ');
        self.line.push_str(mv);
    }

    /// Follows an answer in the record.
    pub fn answered(&mut self, answer: &str) {
        match first_word(answer.as_bytes()) {
            b"ALERT" => {
                if let Some(before) = self.unconfirmed.pop() {
                    self.line.truncate(before);
                }
            }
            b"BESTMOVE" => {
                self.unconfirmed.clear();
                let mv = answer.split_ascii_whitespace().nth(1).filter(|&mv| mv != "none");
                if let Some(mv) = mv.filter(|_| self.plays) {
                    self.add(mv);
                }
            }
            _ => {}
        }
    }

    /// Returns the line that sets up the game after the engine has played another move than in the record.
    pub fn correction(&self) -> Option<&str> {
        (self.plays && !self.line.is_empty()).then_some(&self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_the_last_game_with_its_moves() {
        let mut game = DraughtsGame::default();
        let correction = |game: &DraughtsGame| game.correction().map(str::to_owned);
        assert_eq!(correction(&game), None);
        for line in ["INIT", "MOVE 11-15", "GO"] {
            game.client_sent(line.as_bytes());
        }
        game.answered("BESTMOVE 23-19");
        game.client_sent(b"MOVE 1-32");
        game.answered("ALERT no");
        assert_eq!(correction(&game).as_deref(), Some("NEWGAME 11-15 23-19"));
        game.client_sent(b"GO dontplaymove");
        game.answered("BESTMOVE 8-11");
        assert_eq!(correction(&game), None);
        game.client_sent(b"NEWGAME 12-16");
        game.client_sent(b"GO maxtime 1");
        game.answered("BESTMOVE none");
        assert_eq!(correction(&game).as_deref(), Some("NEWGAME 12-16"));
    }
}
