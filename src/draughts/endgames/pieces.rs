//! A position as the side on move sees it, in four masks.

use crate::chess::Color;
use crate::draughts::{Bitboard, Direction, Move, Position};

/// The pieces of a position as the side on move sees them: its men move up the board, towards lower
/// numbers, so positions with Black on move are rotated. Bit 0 of a mask is square 1, bit 31 square
/// 32, without gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    /// Men of the side on move.
    pub own_men: u32,
    /// Kings of the side on move.
    pub own_kings: u32,
    /// Men of the other side, which move down.
    pub opponent_men: u32,
    /// Kings of the other side.
    pub opponent_kings: u32,
}

/// Returns the mask of a bitboard, without its gaps.
#[inline]
pub(super) const fn mask(board: Bitboard) -> u32 {
    let bits = board.0;
    (bits & 0xff | bits >> 1 & 0xff00 | bits >> 2 & 0xff_0000 | bits >> 3 & 0xff00_0000) as u32
}

/// Returns the bitboard of a mask.
#[inline]
pub(super) const fn board(mask: u32) -> Bitboard {
    let bits = mask as u64;
    Bitboard(bits & 0xff | (bits & 0xff00) << 1 | (bits & 0xff_0000) << 2 | (bits & 0xff00_0000) << 3)
}

impl Pieces {
    /// The pieces of a position.
    #[inline]
    pub(super) fn of(position: &Position) -> Pieces {
        let (own, opponents) = (position.side(position.turn()), position.side(!position.turn()));
        let kings = position.kings();
        let [own_men, own_kings] = [own & !kings, own & kings].map(mask);
        let [opponent_men, opponent_kings] = [opponents & !kings, opponents & kings].map(mask);
        match position.turn() {
            Color::White => Pieces { own_men, own_kings, opponent_men, opponent_kings },
            Color::Black => Pieces {
                own_men: own_men.reverse_bits(),
                own_kings: own_kings.reverse_bits(),
                opponent_men: opponent_men.reverse_bits(),
                opponent_kings: opponent_kings.reverse_bits(),
            },
        }
    }

    /// Returns the same board with the other side on move.
    #[inline]
    pub(super) const fn passed(&self) -> Pieces {
        Pieces {
            own_men: self.opponent_men.reverse_bits(),
            own_kings: self.opponent_kings.reverse_bits(),
            opponent_men: self.own_men.reverse_bits(),
            opponent_kings: self.own_kings.reverse_bits(),
        }
    }

    /// Returns the position after a legal move of [`Pieces::position`], as the other side sees it.
    #[inline]
    pub(super) fn after(&self, mv: Move) -> Pieces {
        self.after_path(mask(mv.from().into()), mask(mv.to().into()), mask(mv.jumped()))
    }

    /// Returns the position after a move between two squares that captures these pieces, as the
    /// other side sees it.
    #[inline]
    pub(super) const fn after_path(&self, from: u32, to: u32, jumped: u32) -> Pieces {
        const CROWN_ROW: u32 = mask(Bitboard::crown_row(Color::White));
        let is_king = (self.own_kings & from | to & CROWN_ROW) != 0;
        Pieces {
            own_men: self.own_men & !from | if is_king { 0 } else { to },
            own_kings: self.own_kings & !from | if is_king { to } else { 0 },
            opponent_men: self.opponent_men & !jumped,
            opponent_kings: self.opponent_kings & !jumped,
        }
        .passed()
    }

    /// Returns a position for the move generator: White is on move, and there is no key.
    #[inline]
    pub(super) fn position(&self) -> Position {
        let own_kings = board(self.own_kings);
        let opponent_kings = board(self.opponent_kings);
        position(board(self.own_men), own_kings, board(self.opponent_men) | opponent_kings, opponent_kings)
    }

    /// Calls `found` for each step by which the side *not* on move may have reached this position,
    /// as that side sees it, without crownings: its men and kings are in [`Pieces::passed`].
    #[inline]
    pub(super) fn before_steps(&self, mut found: impl FnMut(Before)) {
        let now = self.passed();
        let (men, kings) = (board(now.own_men), board(now.own_kings));
        let opponent_kings = board(now.opponent_kings);
        let opponents = board(now.opponent_men) | opponent_kings;
        let empty = Bitboard::BOARD & !(men | kings | opponents);
        for direction in Direction::ALL {
            let forth = direction.opposite();
            for from in kings.step(direction) & empty {
                let from = Bitboard::of(from);
                let kings = kings ^ from ^ from.step(forth);
                if !position(men, kings, opponents, opponent_kings).must_jump() {
                    found(Before::King(mask(kings)));
                }
            }
            if direction.is_down() {
                for from in men.step(direction) & empty {
                    let from = Bitboard::of(from);
                    let men = men ^ from ^ from.step(forth);
                    if !position(men, kings, opponents, opponent_kings).must_jump() {
                        found(Before::Man(mask(men)));
                    }
                }
            }
        }
    }
}

/// The difference before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    /// A man stepped: the men before.
    Man(u32),
    /// A king stepped: the kings before.
    King(u32),
}

#[inline]
fn position(men: Bitboard, kings: Bitboard, opponents: Bitboard, opponent_kings: Bitboard) -> Position {
    Position {
        sides: [men | kings, opponents],
        kings: kings | opponent_kings,
        key: 0,
        reversible_plies: 0,
        turn: Color::White,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::Square;

    #[test]
    fn masks_have_a_bit_for_each_square() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(mask(square.into()), 1 << index);
            assert_eq!(board(1 << index), square.into());
        }
        assert_eq!((mask(Bitboard::BOARD), board(u32::MAX)), (u32::MAX, Bitboard::BOARD));
    }

    #[test]
    fn either_side_sees_the_same() {
        let white = Position::from_fen("W:W21,K30,10:B12,K32").unwrap();
        let black = Position::from_fen("B:W21,K1:BK3,12,23").unwrap();
        assert_eq!(Pieces::of(&white), Pieces::of(&black));
        assert_eq!(Pieces::of(&Pieces::of(&white).position()), Pieces::of(&white));
        assert_eq!(Pieces::of(&white).passed().passed(), Pieces::of(&white));
    }

    #[test]
    fn a_move_leads_where_the_rules_say() {
        for fen in ["W:W20,K15,5:B12,K28", "W:WK14,27:B17,18,K10,2", "B:W21,K1:BK3,12,25"] {
            let position = Position::from_fen(fen).unwrap();
            let pieces = Pieces::of(&position);
            let mut found: Vec<_> =
                pieces.position().legal_moves().iter().map(|&mv| pieces.after(mv)).collect();
            let mut expected: Vec<_> =
                position.legal_moves().iter().map(|&mv| Pieces::of(&position.after(mv))).collect();
            let key = |pieces: &Pieces| {
                (pieces.own_men, pieces.own_kings, pieces.opponent_men, pieces.opponent_kings)
            };
            found.sort_by_key(key);
            expected.sort_by_key(key);
            assert_eq!(found, expected, "{fen}");
        }
    }
}
