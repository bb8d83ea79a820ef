//! One side's pieces: their squares, attacks, and terms that do not depend on the enemy's attacks.

use super::pawns::{ahead_beside, distance};
use super::terms::*;
use crate::chess::{Bitboard, Color, Position, Role, Ruleset, Square, attacks};

/// One side's pieces and attacks.
pub(super) struct Side<'a, R: Ruleset> {
    pub position: &'a Position<R>,
    pub color: Color,
    pub own: Bitboard,
    pub pawns: Bitboard,
    pub king: Option<Square>,
    /// Squares attacked, by role.
    pub attacks: [Bitboard; 6],
    /// Squares attacked by any piece.
    pub attacked: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
}

impl<'a, R: Ruleset> Side<'a, R> {
    /// Pawns and king; [`Side::count_pieces`] adds the other pieces.
    pub(super) fn new(position: &'a Position<R>, color: Color) -> Side<'a, R> {
        let pawns = position.pieces(color, Role::Pawn);
        let king = position.king(color);
        let mut attacked_by = [Bitboard::EMPTY; 6];
        let (left, right) = pawn_attacks(pawns, color);
        attacked_by[Role::Pawn.index()] = left | right;
        attacked_by[Role::King.index()] = king.map_or(Bitboard::EMPTY, attacks::king);
        let royal = attacked_by[Role::King.index()];
        Side {
            position,
            color,
            own: position.color(color),
            pawns,
            king,
            attacks: attacked_by,
            attacked: left | right | royal,
            twice: left & right | (left | right) & royal,
        }
    }

    /// Counts material, placement and mobility of every piece, and adds attacks of knights and
    /// sliders.
    pub(super) fn count_pieces(&mut self, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
        let (position, us) = (self.position, self.color);
        for role in Role::ALL {
            for square in position.pieces(us, role) {
                sink.place(role, self.seen(square));
            }
        }
        let useful = !(enemy.attacks[Role::Pawn.index()] | self.pawns | position.pieces(us, Role::King));
        let beside_king = enemy.attacks[Role::King.index()];
        let zone = beside_king | enemy.king.map_or(Bitboard::EMPTY, Bitboard::of);
        let (mut attackers, mut beside) = (0, 0);
        for (number, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            // Pieces of a kind that support each other on a line see through one another.
            let transparent = match role {
                Role::Bishop => position.pieces(us, Role::Queen),
                Role::Rook => position.straight_sliders() & self.own,
                _ => Bitboard::EMPTY,
            };
            let occupied = position.occupied() ^ transparent;
            for square in position.pieces(us, role) {
                let reach = attacks::piece(role, square, occupied);
                self.twice |= self.attacked & reach;
                self.attacked |= reach;
                self.attacks[role.index()] |= reach;
                sink.add(MOBILITY[number] + (reach & useful).count() as usize, 1);
                if (reach & zone).any() {
                    sink.endanger(ATTACKER + number, 1);
                    attackers += 1;
                    beside += (reach & beside_king).count() as i32;
                }
            }
        }
        sink.endanger(ATTACKERS_SQUARE, attackers * attackers);
        sink.endanger(ATTACKS_BESIDE, beside);
        self.placed_pieces(enemy, sink);
    }

    /// Counts placement terms of bishops, rooks and knights with regard to pawns.
    fn placed_pieces(&self, enemy: &Side<'_, R>, sink: &mut impl TermSink) {
        let (position, us) = (self.position, self.color);
        let (knights, bishops) = (position.pieces(us, Role::Knight), position.pieces(us, Role::Bishop));
        let rooks = position.pieces(us, Role::Rook);
        if bishops.many() {
            sink.add(BISHOP_PAIR, 1);
        }
        for bishop in bishops {
            let colour = if Bitboard::DARK.has(bishop) { Bitboard::DARK } else { !Bitboard::DARK };
            sink.add(BAD_BISHOP, (self.pawns & colour).count() as i32);
        }
        let pawns = position.role(Role::Pawn);
        for rook in rooks {
            let file = Bitboard::file(rook.file());
            if (file & pawns).is_empty() {
                sink.add(ROOK_FILE, 1);
            } else if (file & self.pawns).is_empty() {
                sink.add(ROOK_FILE + 1, 1);
            }
        }
        let more_pawns = self.pawns.count() as i32 - 5;
        sink.add(WITH_PAWNS, more_pawns * knights.count() as i32);
        sink.add(WITH_PAWNS + 1, more_pawns * rooks.count() as i32);
        let front = from_view(Bitboard(0x0000_ffff_ff00_0000), us);
        let guarded = self.attacks[Role::Pawn.index()] & front & !enemy.attacks[Role::Pawn.index()];
        let screened = advanced(pawns, !us, 1);
        for (number, minors) in [knights, bishops].into_iter().enumerate() {
            sink.add(SCREENED, (minors & screened).count() as i32);
            for minor in minors & guarded {
                if (ahead_beside(minor, us) & enemy.pawns).is_empty() {
                    sink.add(OUTPOST + number, 1);
                }
            }
            if let Some(king) = self.king {
                let steps = minors.into_iter().map(|minor| distance(minor, king)).sum();
                sink.add(FAR_FROM_KING + number, steps);
            }
        }
    }

    /// Returns a square as this side sees it: its own first rank is the first.
    #[inline]
    pub(super) fn seen(&self, square: Square) -> Square {
        if self.color == Color::White { square } else { square.flip() }
    }
}

/// Returns squares given from White's view, from a side's view.
#[inline]
pub(super) fn from_view(squares: Bitboard, color: Color) -> Bitboard {
    if color == Color::White { squares } else { squares.flip() }
}

/// Returns the squares moved by some ranks towards the enemy's side.
#[inline]
pub(super) fn advanced(squares: Bitboard, color: Color, ranks: u32) -> Bitboard {
    match color {
        Color::White => Bitboard(squares.0 << (8 * ranks)),
        Color::Black => Bitboard(squares.0 >> (8 * ranks)),
    }
}

/// Returns the squares pawns attack to the left and to the right.
fn pawn_attacks(pawns: Bitboard, color: Color) -> (Bitboard, Bitboard) {
    let (left, right) = (pawns & !Bitboard::file(0), pawns & !Bitboard::file(7));
    match color {
        Color::White => (Bitboard(left.0 << 7), Bitboard(right.0 << 9)),
        Color::Black => (Bitboard(left.0 >> 9), Bitboard(right.0 >> 7)),
    }
}
