//! The game on the board, whatever is played.

use crate::chess::{self, Color, Move, Outcome, Tags, Variant, shuffled};
use crate::draughts;
use crate::protocol::web::{
    self, CHECKERS, PlayedMove, Position, chess_move, chess_moves, chess_position, draughts_move_words,
    draughts_moves, draughts_position, offered,
};
use crate::random::mix;
use crate::search::{GameRecord, Past, RootPosition, draughts_move, move_word};
use crate::session::KeptGame;
use crate::session::picture::GameEnd;

/// The longest game in plies. Every message about a whole game takes memory and time in proportion
/// to its length.
pub(super) const MAX_PLIES: usize = 1_000;

/// The reason that a game cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum StartError {
    /// There is no game of this name.
    #[error("there is no game named {0:?}")]
    Unknown(String),
    /// The position is impossible in chess.
    #[error("illegal position: {0}")]
    Chess(#[from] chess::FenError),
    /// The position is impossible in checkers.
    #[error("illegal position: {0}")]
    Draughts(#[from] draughts::FenError),
}

/// The reason that a move cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum PlayError {
    /// Not possible in chess.
    #[error("{0}: {1}")]
    Chess(String, chess::MoveError),
    /// Not possible in checkers.
    #[error("{0}: {1}")]
    Draughts(String, draughts::MoveError),
    /// The game is too long.
    #[error("the game is too long: it may have {MAX_PLIES} plies")]
    TooLong,
}

/// The longest echo of a move in an error.
const MAX_ECHO: usize = 40;

impl KeptGame {
    /// The game of this name from a position, or from its start. With a seed, Chess960 starts with
    /// shuffled pieces, otherwise as chess.
    pub(super) fn start(name: &str, fen: Option<&str>, seed: Option<u64>) -> Result<KeptGame, StartError> {
        if name == CHECKERS {
            let position = fen.map_or(Ok(draughts::Position::start()), draughts::Position::from_fen)?;
            return Ok(KeptGame::Draughts(draughts::Game::from_position(position)));
        }
        let variant = offered(name).ok_or_else(|| StartError::Unknown(shortened(name)))?;
        let shuffled = seed.filter(|_| variant == Variant::FISCHERANDOM).map(shuffled_by);
        let game = match fen.or(shuffled.as_deref()) {
            Some(fen) => chess::Game::from_fen(variant, fen)?,
            None => chess::Game::new(variant),
        };
        Ok(KeptGame::Chess(Box::new(game)))
    }

    /// The name of the game.
    pub(super) fn name(&self) -> &'static str {
        match self {
            KeptGame::Chess(game) => game.position().variant().name(),
            KeptGame::Draughts(_) => CHECKERS,
        }
    }

    /// The current position.
    pub(super) fn root(&self) -> RootPosition {
        match self {
            KeptGame::Chess(game) => game.root(),
            KeptGame::Draughts(game) => game.root(),
        }
    }

    /// The part of the game that a search may need.
    pub(super) fn past(&self) -> Past {
        match self {
            KeptGame::Chess(game) => game.past(),
            KeptGame::Draughts(game) => game.past(),
        }
    }

    /// The side to move.
    pub(super) fn turn(&self) -> Color {
        self.root().turn()
    }

    /// The side that moves first.
    pub(super) fn first_side(&self) -> Color {
        match self {
            KeptGame::Chess(game) => game.start().turn(),
            KeptGame::Draughts(game) => game.start().turn(),
        }
    }

    /// The start position in FEN.
    pub(crate) fn start_fen(&self) -> String {
        match self {
            KeptGame::Chess(game) => game.start().fen(),
            KeptGame::Draughts(game) => game.start().fen(),
        }
    }

    /// The outcome, if the game has ended by rule. `claims`: whether draws by claim end it.
    pub(super) fn outcome(&self, claims: bool) -> Option<Outcome> {
        self.on_board().end(None, claims).map(GameEnd::outcome)
    }

    /// Returns false if a side cannot win any more.
    pub(super) fn may_win(&self, side: Color) -> bool {
        match self {
            KeptGame::Chess(game) => game.position().may_win(side),
            KeptGame::Draughts(_) => true,
        }
    }

    /// Returns true if the side to move can move.
    pub(super) fn goes_on(&self) -> bool {
        self.outcome(false).is_none() && !self.root().legal_moves().is_empty()
    }

    /// Reads a move for the side to move.
    pub(super) fn parse_move(&self, text: &str) -> Result<Move, PlayError> {
        if self.plies() >= MAX_PLIES {
            return Err(PlayError::TooLong);
        }
        let echo = || shortened(text);
        match self {
            KeptGame::Chess(game) => {
                game.position().parse_move(text).map_err(|error| PlayError::Chess(echo(), error))
            }
            KeptGame::Draughts(game) => {
                let mv = game.position().parse_move(text);
                mv.map(move_word).map_err(|error| PlayError::Draughts(echo(), error))
            }
        }
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        match self {
            KeptGame::Chess(game) => game.play_word(mv),
            KeptGame::Draughts(game) => game.play_word(mv),
        }
    }

    /// Takes back moves until `plies` are left.
    pub(super) fn rewind(&mut self, plies: usize) {
        match self {
            KeptGame::Chess(game) => game.rewind(plies),
            KeptGame::Draughts(game) => {
                let mut earlier = draughts::Game::from_position(*game.start());
                game.moves().iter().take(plies).for_each(|&mv| earlier.play(mv));
                *game = earlier;
            }
        }
    }

    /// The game after its first plies.
    pub(super) fn after(&self, plies: usize) -> KeptGame {
        let mut earlier = self.clone();
        earlier.rewind(plies);
        earlier
    }

    /// The position for the client; `result` is that of a game that has ended otherwise than by
    /// rule. `claims`: whether draws by claim end the game.
    pub(super) fn shown(&self, result: Option<web::Result>, claims: bool) -> Position {
        match self {
            KeptGame::Chess(game) => chess_position(game, result, claims),
            KeptGame::Draughts(game) => draughts_position(game, result, claims),
        }
    }

    /// All moves for the client.
    pub(crate) fn shown_moves(&self) -> Vec<PlayedMove> {
        match self {
            KeptGame::Chess(game) => chess_moves(game),
            KeptGame::Draughts(game) => draughts_moves(game),
        }
    }

    /// The game as text.
    pub(super) fn text(&self, tags: &Tags, outcome: Option<Outcome>, time_control: &str) -> String {
        let further = [("TimeControl", time_control)];
        match self {
            KeptGame::Chess(game) => game.annotated_pgn(tags, outcome, &further, |_, _| None),
            KeptGame::Draughts(game) => game.pdn_with(tags, outcome, &further),
        }
    }
}

/// Returns a legal move in both notations.
pub(super) fn words(position: &RootPosition, mv: Move) -> web::Move {
    match position {
        RootPosition::Chess(position) => chess_move(position, mv),
        RootPosition::Draughts(position) => draughts_move_words(position, draughts_move(mv)),
    }
}

/// A start position of Chess960.
fn shuffled_by(mut seed: u64) -> String {
    shuffled(&mut |sides| {
        seed = mix(seed.wrapping_add(1));
        (seed % sides as u64) as usize
    })
}

fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(MAX_ECHO).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_starts_and_can_be_taken_back() {
        for game in web::games() {
            let mut kept = KeptGame::start(&game.name, None, Some(7)).expect("a start");
            assert_eq!(kept.name(), game.name);
            let fen = kept.start_fen();
            for _ in 0..6 {
                let mv = kept.root().legal_moves()[0];
                let words = words(&kept.root(), mv);
                assert_eq!(kept.parse_move(&words.uci), Ok(mv), "{}", game.name);
                assert_eq!(kept.parse_move(&words.san), Ok(mv), "{}", game.name);
                kept.play(mv);
            }
            assert_eq!(kept.after(2).plies(), 2);
            kept.rewind(0);
            assert_eq!((kept.plies(), kept.shown(None, true).fen), (0, fen));
        }
    }

    #[test]
    fn chess960_is_shuffled_and_hidden_games_do_not_start() {
        let start = |seed| KeptGame::start("fischerandom", None, Some(seed)).expect("a start").start_fen();
        assert_eq!(start(1), start(1));
        assert!((2..10).any(|seed| start(seed) != start(1)));
        for name in ["kriegspiel", "bughouse", "", "Chess", "atomic-icc"] {
            assert!(matches!(KeptGame::start(name, None, None), Err(StartError::Unknown(_))), "{name}");
        }
        assert!(matches!(KeptGame::start("normal", Some("8/8"), None), Err(StartError::Chess(_))));
        assert!(matches!(KeptGame::start("checkers", Some("8/8"), None), Err(StartError::Draughts(_))));
    }
}
