//! The game on the board, and the client's numbering of the squares.
//!
//! Programs from before December 2024 have the colours the other way round: Black stands on 21 to
//! 32. The board is always PDN's; their squares are rotated by half a turn
//! ([`crate::draughts::Square::rotated`]).

use crate::draughts::{FenError, Game, Move, MoveError, MoveText, Position, Setup};
use std::str::FromStr;

/// The most moves in the record of a game. A longer game goes on without its past, which matters
/// for repetitions only.
const MAX_PLIES: usize = 20_000;

/// The numbering of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Orientation {
    /// As in PDN, until the client shows that it is the other way: by a man on the row where it
    /// would be crowned, or by a first move that is legal for the other side only.
    #[default]
    Auto,
    /// As in PDN: Black on 1 to 12.
    Pdn,
    /// The other way: Black on 21 to 32.
    Rotated,
}

impl FromStr for Orientation {
    type Err = String;

    fn from_str(word: &str) -> Result<Orientation, String> {
        match word {
            "auto" => Ok(Orientation::Auto),
            "pdn" => Ok(Orientation::Pdn),
            "rotated" => Ok(Orientation::Rotated),
            _ => Err(format!("there is no orientation {word:?}: it is auto, pdn or rotated")),
        }
    }
}

/// A board and its game. Changes as a whole or not at all.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) game: Game,
    pub(super) orientation: Orientation,
    pub(super) is_rotated: bool,
    /// Whether the client has shown the orientation of its board.
    pub(super) is_proved: bool,
}

/// The reason that the board is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// The position is illegal.
    #[error(transparent)]
    Position(FenError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(MoveError),
    /// A set-up move cannot be played; its number from 1.
    #[error("set-up move {0}: {1}")]
    SetupMove(usize, MoveError),
}

impl Board {
    /// The start position.
    pub(super) fn new(orientation: Orientation) -> Board {
        let is_rotated = orientation == Orientation::Rotated;
        Board { game: Game::new(), orientation, is_rotated, is_proved: false }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// A move as the client writes it.
    pub(super) fn text(&self, mv: Move) -> MoveText {
        let text = MoveText::of(mv);
        if self.is_rotated { text.rotated() } else { text }
    }

    /// The start position; the known orientation stays.
    pub(super) fn restarted(&self) -> Board {
        let Board { orientation, is_rotated, is_proved, .. } = *self;
        Board { game: Game::new(), orientation, is_rotated, is_proved }
    }

    /// The board with another game: from this position, or from the start, with these moves.
    ///
    /// # Errors
    /// The position or a move is illegal.
    pub(super) fn with_game(
        &self,
        position: Option<&Setup>,
        moves: &[MoveText],
    ) -> Result<Board, BoardError> {
        let mut board = self.restarted();
        if let Some(position) = position {
            board.set_up(position)?;
        }
        for (index, mv) in moves.iter().enumerate() {
            board.play_text(mv).map_err(|error| BoardError::SetupMove(index + 1, error))?;
        }
        Ok(board)
    }

    /// Plays a move of the client.
    ///
    /// # Errors
    /// The move cannot be played.
    pub(super) fn play_text(&mut self, text: &MoveText) -> Result<(), MoveError> {
        let read = |is_rotated| {
            let text = if is_rotated { text.rotated() } else { text.clone() };
            self.game.position().find(&text)
        };
        let mv = match read(self.is_rotated) {
            Err(_) if self.may_turn() && read(!self.is_rotated).is_ok() => {
                let mv = read(!self.is_rotated)?;
                self.is_rotated = !self.is_rotated;
                mv
            }
            other => other?,
        };
        // No move is legal in both orientations of the start position.
        self.is_proved |= self.is_at_start();
        self.play(mv);
        Ok(())
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        if self.game.moves().len() >= MAX_PLIES {
            self.game = Game::from_position(*self.game.position());
        }
        self.game.play(mv);
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), BoardError> {
        let turned = |is_rotated| if is_rotated { setup.rotated() } else { *setup };
        let this_way = Position::set_up(&turned(self.is_rotated));
        let other_way = Position::set_up(&turned(!self.is_rotated));
        let is_proof = this_way.is_err() != other_way.is_err() && self.orientation == Orientation::Auto;
        let position = match (this_way, other_way) {
            (Err(_), Ok(position)) if is_proof => {
                self.is_rotated = !self.is_rotated;
                position
            }
            (this_way, _) => this_way.map_err(|error| BoardError::Position(error.into()))?,
        };
        self.is_proved |= is_proof;
        self.game = Game::from_position(position);
        Ok(())
    }

    /// Returns true if a move may show that the board is the other way round: the orientation is
    /// unknown, and the position looks the same both ways.
    fn may_turn(&self) -> bool {
        self.orientation == Orientation::Auto && !self.is_proved && self.is_at_start()
    }

    fn is_at_start(&self) -> bool {
        self.game.moves().is_empty() && *self.game.position() == Position::start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::START_FEN;

    const ROTATED_START: &str = "B:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32";

    fn set_up(board: &Board, fen: &str, moves: &[&str]) -> Result<Board, BoardError> {
        let setup = Setup::read(fen).expect("a position");
        let moves: Vec<_> = moves.iter().map(|text| MoveText::read(text).expect("a move")).collect();
        board.with_game(Some(&setup), &moves)
    }

    fn shown(board: &Board) -> (String, bool) {
        (board.game().position().fen(), board.is_rotated)
    }

    #[test]
    fn a_man_on_an_impossible_row_turns_the_board() {
        let board = Board::new(Orientation::Auto);
        let turned = set_up(&board, ROTATED_START, &["22x18"]).expect("the other way round");
        assert!(turned.is_rotated && turned.is_proved);
        assert_eq!(turned.text(*turned.game().moves().last().unwrap()).to_string(), "22x18");
        assert_eq!(turned.game().moves()[0].to_string(), "11x15");
        let back = set_up(&turned, START_FEN, &["11x15"]).expect("the right way round");
        assert!(!back.is_rotated);
        let junk = set_up(&board, "W:W4,30:B1", &[]).map(|board| shown(&board));
        assert!(matches!(junk, Err(BoardError::Position(FenError::Setup(_)))), "{junk:?}");
    }

    #[test]
    fn a_position_that_may_be_either_proves_nothing() {
        let board = set_up(&Board::new(Orientation::Auto), "W:W18,K20:B10", &[]).expect("a position");
        assert!(!board.is_rotated && !board.is_proved);
    }

    #[test]
    fn a_first_move_of_the_other_side_turns_the_board_once() {
        let mut board = Board::new(Orientation::Auto);
        let play = |board: &mut Board, text| board.play_text(&MoveText::read(text).unwrap());
        assert_eq!(play(&mut board, "22x18"), Ok(()));
        assert_eq!(play(&mut board, "22x18"), Err(MoveError::Illegal));
        assert_eq!(play(&mut board, "9x14"), Ok(()));
        assert!(board.is_rotated);
        let mut again = board.restarted();
        assert_eq!(play(&mut again, "9x14"), Err(MoveError::WrongTurn), "the orientation is known");
        assert_eq!(play(&mut again, "22x18"), Ok(()));
    }

    #[test]
    fn a_fixed_board_is_never_turned() {
        let mut pdn = Board::new(Orientation::Pdn);
        assert_eq!(pdn.play_text(&MoveText::read("22x18").unwrap()), Err(MoveError::WrongTurn));
        assert!(set_up(&pdn, ROTATED_START, &[]).is_err());
        let mut rotated = Board::new(Orientation::Rotated);
        assert!(rotated.play_text(&MoveText::read("9x14").unwrap()).is_err());
        assert_eq!(rotated.play_text(&MoveText::read("22x18").unwrap()), Ok(()));
        assert!(set_up(&rotated, ROTATED_START, &[]).is_ok());
    }

    #[test]
    fn a_very_long_game_goes_on() {
        let mut board = set_up(&Board::new(Orientation::Pdn), "W:WK32:BK1", &[]).expect("a position");
        let round = ["32x28", "1x5", "28x32", "5x1"].map(|text| MoveText::read(text).unwrap());
        for mv in round.iter().cycle().take(MAX_PLIES + 10) {
            assert_eq!(board.play_text(mv), Ok(()));
        }
        assert_eq!(board.game().moves().len(), 10);
        assert!(board.game().position().reversible_plies() >= 80, "the 40-move rule remembers");
    }
}
