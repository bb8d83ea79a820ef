//! PGN export (Portable Game Notation standard, export format).

use super::any_position::START_FEN;
use super::{Color, Game, Outcome, Variant};

/// The tags of a game. Empty texts become `?`.
#[derive(Clone, Default, Debug)]
pub struct Tags {
    /// Event.
    pub event: String,
    /// Site.
    pub site: String,
    /// Date, `YYYY.MM.DD`.
    pub date: String,
    /// Round.
    pub round: String,
    /// Player of White.
    pub white: String,
    /// Player of Black.
    pub black: String,
    /// Ratings of White and Black, if any.
    pub elo: [Option<i32>; 2],
    /// Whether White and Black are known to be programs.
    pub program: [bool; 2],
    /// Termination; left out if empty.
    pub termination: String,
}

/// Maximum length of a line of movetext in characters. The standard (8.2.1) allows more.
const WIDTH: usize = 79;

impl Tags {
    /// Returns the text of a game: these tags, the tags `of_game`, then the moves as tokens of
    /// movetext.
    pub(crate) fn record(
        &self,
        outcome: Option<Outcome>,
        of_game: &[(&str, &str)],
        movetext: &[String],
    ) -> String {
        let result = Outcome::code(outcome);
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = if value.is_empty() { "?" } else { value };
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        };
        tag("Event", &self.event);
        tag("Site", &self.site);
        tag("Date", if self.date.is_empty() { "????.??.??" } else { &self.date });
        tag("Round", &self.round);
        tag("White", &self.white);
        tag("Black", &self.black);
        tag("Result", result);
        for (side, elo) in ["White", "Black"].into_iter().zip(self.elo) {
            if let Some(elo) = elo {
                tag(&format!("{side}Elo"), &elo.to_string());
            }
        }
        for (side, program) in ["White", "Black"].into_iter().zip(self.program) {
            if program {
                tag(&format!("{side}Type"), "program");
            }
        }
        if !self.termination.is_empty() {
            tag("Termination", &self.termination);
        }
        of_game.iter().for_each(|(name, value)| tag(name, value));
        text.push('\n');
        text + &wrapped(movetext.iter().map(String::as_str).chain([result])) + "\n\n"
    }
}

/// Joins tokens with blanks, or with line ends where a line would be too long.
fn wrapped<'a>(tokens: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for token in tokens {
        if width > 0 && width + 1 + token.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(token);
        width += token.len();
    }
    text
}

impl Game {
    /// Returns the game with its tags. `outcome` is `None` while it is unfinished.
    pub fn pgn(&self, tags: &Tags, outcome: Option<Outcome>) -> String {
        self.annotated_pgn(tags, outcome, &[], |_, _| None)
    }

    /// Returns the game with further tags, and with comments after moves: for a ply from 0 and the
    /// moving side, the text between the braces.
    pub(crate) fn annotated_pgn(
        &self,
        tags: &Tags,
        outcome: Option<Outcome>,
        further: &[(&str, &str)],
        comment: impl Fn(usize, Color) -> Option<String>,
    ) -> String {
        let variant = self.start().variant();
        let start = self.start().fen();
        let mut of_game = further.to_vec();
        if variant != Variant::NORMAL {
            of_game.push(("Variant", variant.name()));
        }
        if start != START_FEN {
            of_game.extend([("SetUp", "1"), ("FEN", start.as_str())]);
        }
        tags.record(outcome, &of_game, &self.annotated_movetext(comment))
    }

    /// Returns the moves in SAN, move numbers and comments as tokens of PGN movetext.
    fn annotated_movetext(&self, comment: impl Fn(usize, Color) -> Option<String>) -> Vec<String> {
        let mut commented = true;
        let mut tokens = Vec::with_capacity(self.moves().len() * 3 / 2 + 1);
        let mut position = *self.start();
        for (ply, &mv) in self.moves().iter().enumerate() {
            match position.turn() {
                Color::White => tokens.push(format!("{}.", position.fullmove())),
                Color::Black if commented => tokens.push(format!("{}...", position.fullmove())),
                Color::Black => {}
            }
            tokens.push(position.san(mv));
            let comment = comment(ply, position.turn());
            commented = comment.is_some();
            tokens.extend(comment.map(|text| format!("{{{}}}", text.replace(['{', '}'], " "))));
            position.play(mv);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_game_is_exported() {
        let mut game = Game::new(Variant::NORMAL);
        for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            game.play(game.position().parse_move(text).unwrap());
        }
        let outcome = game.ending().map(|(outcome, _)| outcome);
        let tags = Tags { white: "A \"quoted\" name".into(), date: "2026.11.20".into(), ..Tags::default() };
        let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.20\"]\n[Round \"?\"]\n\
            [White \"A \\\"quoted\\\" name\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\n\
            1. f3 e5 2. g4 Qh4# 0-1\n\n";
        assert_eq!(game.pgn(&tags, outcome), expected);
    }

    #[test]
    fn players_have_ratings_and_may_be_programs() {
        let tags = Tags { elo: [Some(2000), None], program: [true, false], ..Tags::default() };
        let pgn = Game::new(Variant::NORMAL).pgn(&tags, None);
        assert!(pgn.contains("[Result \"*\"]\n[WhiteElo \"2000\"]\n[WhiteType \"program\"]\n\n"), "{pgn}");
    }

    #[test]
    fn comments_follow_moves_and_black_is_numbered_after_them() {
        let mut game = Game::new(Variant::NORMAL);
        for text in ["e4", "e5", "Nf3", "Nc6"] {
            game.play(game.position().parse_move(text).unwrap());
        }
        let comment = |ply, turn| (ply % 3 == 0).then(|| format!(" {turn:?}}} "));
        let pgn = game.annotated_pgn(&Tags::default(), None, &[("TimeControl", "40/300")], comment);
        assert!(pgn.contains("[TimeControl \"40/300\"]\n\n"), "{pgn}");
        assert!(pgn.ends_with("\n1. e4 { White  } 1... e5 2. Nf3 Nc6 { Black  } *\n\n"), "{pgn}");
    }

    #[test]
    fn a_set_up_position_is_tagged() {
        let fen = "4k3/8/8/8/8/8/8/4K2R b K - 3 40";
        let mut game = Game::from_fen(Variant::NORMAL, fen).unwrap();
        game.play(game.position().parse_move("Kd7").unwrap());
        let pgn = game.pgn(&Tags::default(), None);
        assert!(pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n"), "{pgn}");
        assert!(pgn.ends_with("\n40... Kd7 *\n\n"), "{pgn}");
    }
}
