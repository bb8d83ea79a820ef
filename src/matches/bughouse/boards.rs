//! The referee of both boards: moves, hands, and the end of the game.

use crate::chess::{AnyPosition, Color, Ending, Game, Move, MoveError, Outcome, Variant};

/// Seats: White and Black of the first board, White and Black of the second.
pub(super) const SEATS: usize = 4;

/// The board of a seat.
pub(super) fn board_of(seat: usize) -> usize {
    seat / 2
}

/// The colour of a seat.
pub(super) fn color_of(seat: usize) -> Color {
    if seat.is_multiple_of(2) { Color::White } else { Color::Black }
}

/// The partner's seat: at the other board, with the other colour.
pub(super) fn partner_of(seat: usize) -> usize {
    SEATS - 1 - seat
}

/// The opponent's seat.
pub(super) fn opponent_of(seat: usize) -> usize {
    seat ^ 1
}

/// Both boards. A captured piece goes to the partner of the side that has captured it.
#[derive(Clone, Debug)]
pub(super) struct Boards {
    games: [Game; 2],
}

/// The effect of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) mv: Move,
    /// The letter of the piece that the partner has got, in upper case.
    pub(super) gained: Option<char>,
}

impl Boards {
    pub(super) fn new() -> Boards {
        Boards { games: [Game::new(Variant::BUGHOUSE), Game::new(Variant::BUGHOUSE)] }
    }

    /// The position of a board.
    pub(super) fn position(&self, board: usize) -> &AnyPosition {
        self.games[board].position()
    }

    /// The games of both boards.
    pub(super) fn into_games(self) -> [Game; 2] {
        self.games
    }

    /// The seat to move at a board.
    pub(super) fn on_move(&self, board: usize) -> usize {
        2 * board + self.position(board).turn().index()
    }

    /// Plays a move of the seat to move.
    ///
    /// # Errors
    /// The move is not legal.
    pub(super) fn play(&mut self, board: usize, text: &str) -> Result<Played, MoveError> {
        let position = self.position(board);
        let mover = position.turn();
        let mv = position.parse_move(text)?;
        let gained = position.captured_for_hand(mv);
        self.games[board].play(mv);
        if let Some(role) = gained {
            let other = &mut self.games[1 - board];
            let mut hands = other.position().hands().unwrap_or_default();
            let count = &mut hands[(!mover).index()][role.index()];
            *count = count.saturating_add(1);
            other.set_hands(&hands);
        }
        Ok(Played { mv, gained: gained.map(|role| role.letter()) })
    }

    /// The hands of both sides of a board, as the argument of `holding`.
    pub(super) fn holding(&self, board: usize) -> String {
        let hands = self.position(board).hands().unwrap_or_default();
        let text = |hand: &[u8; 6]| -> String {
            let letters = crate::chess::Role::ALL.iter().zip(hand);
            letters.map(|(role, &count)| role.letter().to_string().repeat(count.into())).collect()
        };
        format!("[{}] [{}]", text(&hands[0]), text(&hands[1]))
    }

    /// The winner by mate on a board. Repetitions and moves without captures do not end the game.
    pub(super) fn mate(&self, board: usize) -> Option<Color> {
        match self.games[board].position().outcome() {
            Some((Outcome::Win(winner), Ending::Checkmate)) => Some(winner),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_have_different_boards_and_colours() {
        for seat in 0..SEATS {
            let partner = partner_of(seat);
            assert_ne!((board_of(seat), color_of(seat)), (board_of(partner), color_of(partner)));
            assert!(board_of(seat) != board_of(partner) && color_of(seat) != color_of(partner));
            assert_eq!(board_of(seat), board_of(opponent_of(seat)));
        }
    }

    #[test]
    fn a_captured_piece_goes_to_the_partner() {
        let mut boards = Boards::new();
        for text in ["e2e4", "d7d5"] {
            assert_eq!(boards.play(0, text).unwrap().gained, None);
        }
        assert_eq!(boards.play(0, "e4d5").unwrap().gained, Some('P'));
        assert_eq!((boards.holding(0).as_str(), boards.holding(1).as_str()), ("[] []", "[] [P]"));
        boards.play(1, "e2e4").unwrap();
        assert_eq!(boards.on_move(1), 3);
        assert_eq!(boards.play(1, "P@e5").unwrap().gained, None);
        assert_eq!(boards.holding(1), "[] []");
        assert!(boards.play(1, "P@e3").is_err(), "White has nothing in hand");
    }
}
