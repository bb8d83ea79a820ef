//! Opponents' moves by other rules of the same variant, as another chess server or the GUI has
//! them.

use crate::chess::variants::ATOMIC_ICC;
use crate::chess::{Bitboard, Color, Drops, Fairy, Move, MoveError, Position, Role, Royal, Square, Variant};

impl Position<Fairy> {
    /// Reads a move of the opponent, who may play atomic by ICC's rules, castle in twokings as
    /// xboard allows, or drop a piece in bughouse that has not been announced. Such a move can be
    /// played, though it is not legal here.
    pub(in crate::chess) fn parse_lenient(&self, text: &str) -> Result<Move, MoveError> {
        let rules = self.ruleset.rules();
        self.parse_move(text).or_else(|error| {
            let others = match rules.royal {
                _ if rules.drops == Drops::FromPartner => self.with_full_hand(),
                _ if rules.explodes => self.by_rules(Fairy::of(Variant::of(&ATOMIC_ICC))),
                Royal::FirstKing => self.with_castling_at_home(),
                Royal::King | Royal::Nothing => return Err(error),
            };
            others.parse_move(text).map_err(|_| error)
        })
    }

    /// Returns the same board by other rules, with hands and counters as in a new game.
    fn by_rules(&self, ruleset: Fairy) -> Position<Fairy> {
        let mut position = Position { ruleset, ..*self };
        position.find_checkers();
        position
    }

    /// Returns the position with a piece of each role in the hand of the side on move.
    fn with_full_hand(&self) -> Position<Fairy> {
        let mut hands = self.ruleset.hands();
        hands[self.turn().index()] = [1, 1, 1, 1, 1, 0];
        self.with_hands(&hands).unwrap_or(*self)
    }

    /// Returns the position with every castling right that kings and rooks on home squares can
    /// have.
    fn with_castling_at_home(&self) -> Position<Fairy> {
        let mut position = *self;
        for color in Color::ALL {
            let rooks = self.pieces(color, Role::Rook) & Bitboard::rank(color.home());
            for rook in rooks.into_iter().filter(|rook: &Square| matches!(rook.file(), 0 | 7)) {
                position.restore_castling(rook);
            }
        }
        position
    }

    /// Returns the position with these pieces in hand, by side and role; `None` in variants without
    /// drops.
    pub(in crate::chess) fn with_hands(&self, hands: &[[u8; 6]; 2]) -> Option<Position<Fairy>> {
        if !self.ruleset.has_drops() {
            return None;
        }
        let mut position = *self;
        for (color, hand) in Color::ALL.into_iter().zip(hands) {
            for (role, &count) in Role::ALL.into_iter().zip(hand) {
                let change = count.min(100) as i8 - position.ruleset.in_hand(color, role) as i8;
                position.change_fairy(|fairy| fairy.change_hand(color, role, change));
            }
        }
        Some(position)
    }
}
