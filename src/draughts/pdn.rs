//! Games as PDN (Portable Draughts Notation 3.0).

use super::{Game, START_FEN};
use crate::chess::{Color, Outcome, Tags};

/// PDN's number for English draughts.
const GAME_TYPE: &str = "21";

impl Game {
    /// Returns the game with its tags; `outcome` is `None` while it is unfinished. Programs do not
    /// agree whose win `1-0` is: here it is White's, as the tags name White first.
    pub fn pdn(&self, tags: &Tags, outcome: Option<Outcome>) -> String {
        self.pdn_with(tags, outcome, &[])
    }

    /// Returns the game with further tags.
    pub(crate) fn pdn_with(&self, tags: &Tags, outcome: Option<Outcome>, further: &[(&str, &str)]) -> String {
        self.annotated_pdn(tags, outcome, further, |_| None)
    }

    /// Returns the game with further tags, and with comments after moves: for a ply from 0, the
    /// text between the braces.
    pub(crate) fn annotated_pdn(
        &self,
        tags: &Tags,
        outcome: Option<Outcome>,
        further: &[(&str, &str)],
        comment: impl Fn(usize) -> Option<String>,
    ) -> String {
        let start = self.start().fen();
        let mut of_game = [further, &[("GameType", GAME_TYPE)]].concat();
        if start != START_FEN {
            of_game.extend([("SetUp", "1"), ("FEN", start.as_str())]);
        }
        tags.record(outcome, &of_game, &self.annotated_movetext(comment))
    }

    /// Returns the moves in short notation, move numbers and comments as tokens of PDN. Black moves
    /// first.
    fn annotated_movetext(&self, comment: impl Fn(usize) -> Option<String>) -> Vec<String> {
        let mut tokens = Vec::with_capacity(self.moves().len() * 3 / 2 + 1);
        let mut position = *self.start();
        let mut number = 1;
        for (ply, &mv) in self.moves().iter().enumerate() {
            match position.turn() {
                Color::Black => tokens.push(format!("{number}.")),
                Color::White if ply == 0 => tokens.push(format!("{number}...")),
                Color::White => {}
            }
            if position.turn() == Color::White {
                number += 1;
            }
            tokens.push(position.pdn(mv));
            tokens.extend(comment(ply).map(|text| format!("{{{}}}", text.replace(['{', '}'], " "))));
            position.play(mv);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Position;

    fn played(start: &str, moves: &[&str]) -> Game {
        let mut game = Game::from_position(Position::from_fen(start).unwrap());
        for text in moves {
            game.play(game.position().parse_move(text).unwrap());
        }
        game
    }

    #[test]
    fn a_game_from_the_start_has_no_set_up() {
        let game = played(START_FEN, &["11x15", "23x19", "8x11", "22x17", "9x14", "25x22"]);
        let tags =
            Tags { white: "A".into(), black: "B".into(), date: "2026.11.23".into(), ..Tags::default() };
        let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.23\"]\n[Round \"?\"]\n\
            [White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[GameType \"21\"]\n\n\
            1. 11-15 23-19 2. 8-11 22-17 3. 9-14 25-22 *\n\n";
        assert_eq!(game.pdn(&tags, None), expected);
    }

    #[test]
    fn a_ballot_is_a_set_up_with_white_on_move_and_jumps_are_short() {
        let game = played("W:W22,25:B3,11,18", &["22x15x8", "3x12", "25-21"]);
        let pdn = game.pdn(&Tags::default(), Some(Outcome::Win(Color::White)));
        let tags = "[Result \"1-0\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"W:W22,25:B3,11,18\"]\n\n";
        assert!(pdn.contains(tags), "{pdn}");
        assert!(pdn.ends_with("\n\n1... 22x8 2. 3x12 25-21 1-0\n\n"), "{pdn}");
    }
}
