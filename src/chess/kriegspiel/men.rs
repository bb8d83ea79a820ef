//! The men of one side, as their owner sees them.

use super::Attempt;
use crate::chess::{Bitboard, Color, Position, Role, Ruleset, Square, attacks};

/// Roles of a promoted pawn, most likely first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// The men of one side, and its rights to castle.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Men {
    color: Color,
    roles: [Option<Role>; 64],
    squares: Bitboard,
    /// Rooks that may still castle.
    castling: Bitboard,
}

impl Men {
    /// The men of a side in a position.
    pub fn of<R: Ruleset>(position: &Position<R>, color: Color) -> Men {
        let squares = position.color(color);
        let mut roles = [None; 64];
        squares.into_iter().for_each(|square| roles[square.index()] = position.role_at(square));
        Men { color, roles, squares, castling: position.castling() & squares }
    }

    /// Returns the owner's colour.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Returns the occupied squares.
    pub fn squares(&self) -> Bitboard {
        self.squares
    }

    /// Returns the rooks that may still castle.
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Returns the role of the man on a square.
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square.index()]
    }

    /// Moves a man by a legal attempt.
    pub fn play(&mut self, attempt: Attempt) {
        let Attempt { from, to, promotion } = attempt;
        let Some(role) = self.role_at(from) else { return };
        self.lose(from);
        self.put(promotion.unwrap_or(role), to);
        if role == Role::King {
            self.castling = Bitboard::EMPTY;
            if from.file().abs_diff(to.file()) == 2 {
                let (rook, beside) = if to.file() > from.file() { (7, 5) } else { (0, 3) };
                self.lose(Square::at(rook, from.rank()));
                self.put(Role::Rook, Square::at(beside, from.rank()));
            }
        }
    }

    /// Removes the man on a square.
    pub fn lose(&mut self, square: Square) {
        self.roles[square.index()] = None;
        self.squares &= !Bitboard::of(square);
        self.castling &= !Bitboard::of(square);
    }

    fn put(&mut self, role: Role, square: Square) {
        self.roles[square.index()] = Some(role);
        self.squares |= Bitboard::of(square);
    }

    /// Returns every attempt that may be legal as far as these men show: 34 in the start position,
    /// 20 moves and 14 captures by pawns. No legal move is missing.
    pub fn attempts(&self) -> Vec<Attempt> {
        let mut attempts = Vec::with_capacity(64);
        for from in self.squares {
            let targets = match self.role_at(from) {
                Some(Role::Pawn) => self.pawn_targets(from),
                Some(Role::King) => attacks::king(from) & !self.squares | self.castling_targets(from),
                Some(role) => attacks::piece(role, from, self.squares) & !self.squares,
                None => Bitboard::EMPTY,
            };
            let promotes = self.role_at(from) == Some(Role::Pawn);
            for to in targets {
                if promotes && to.rank() == (!self.color).home() {
                    let becomes = |role| Attempt { from, to, promotion: Some(role) };
                    attempts.extend(PROMOTIONS.map(becomes));
                } else {
                    attempts.push(Attempt { from, to, promotion: None });
                }
            }
        }
        attempts
    }

    fn pawn_targets(&self, from: Square) -> Bitboard {
        let ahead = |rank: u8, by: u8| match self.color {
            Color::White => rank + by,
            Color::Black => rank.wrapping_sub(by),
        };
        let free = |rank| Bitboard::of(Square::at(from.file(), rank)) & !self.squares;
        let mut targets = attacks::pawn(self.color, from) & !self.squares;
        let next = free(ahead(from.rank(), 1));
        targets |= next;
        if next.any() && from.rank() == ahead(self.color.home(), 1) {
            targets |= free(ahead(from.rank(), 2));
        }
        targets
    }

    fn castling_targets(&self, king: Square) -> Bitboard {
        let mut targets = Bitboard::EMPTY;
        for rook in self.castling {
            if (attacks::between(king, rook) & self.squares).is_empty() {
                targets |=
                    Bitboard::of(Square::at(if rook.file() > king.file() { 6 } else { 2 }, king.rank()));
            }
        }
        targets
    }
}
