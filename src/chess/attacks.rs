//! Attacks of pieces.
//!
//! Sliding attacks are computed by obstruction difference: one subtraction finds the first blockers
//! on both sides of a line. The tables take 4 KiB, magic bitboards 800 KiB; with many
//! suspended searches taking turns on a core, cache is more expensive than arithmetic.

use super::{Bitboard, Color, Role, Square};

const fn shifted(square: usize, files: i32, ranks: i32) -> u64 {
    let file = (square & 7) as i32 + files;
    let rank = (square >> 3) as i32 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaper<const N: usize>(steps: [(i32, i32); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < N {
            table[square].0 |= shifted(square, steps[step].0, steps[step].1);
            step += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] = leaper([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];

/// A line through a square, without the square: its lower and higher bits.
#[derive(Clone, Copy)]
struct Ray {
    lower: u64,
    upper: u64,
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const fn ray(square: usize, files: i32, ranks: i32) -> u64 {
    let mut bits = 0;
    let mut distance = 1;
    while distance < 8 {
        bits |= shifted(square, files * distance, ranks * distance);
        distance += 1;
    }
    bits
}

/// Rank, file, diagonal and anti-diagonal of each square.
static LINES: [[Ray; 4]; 64] = {
    let mut table = [[Ray { lower: 0, upper: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            let (files, ranks) = DIRECTIONS[d];
            table[square][d] = Ray { lower: ray(square, -files, -ranks), upper: ray(square, files, ranks) };
            d += 1;
        }
        square += 1;
    }
    table
};

/// Returns the squares of a line seen from its square with these pieces on the board, including the
/// first blockers.
#[inline]
fn sweep(line: Ray, occupied: u64) -> u64 {
    let lower = line.lower & occupied;
    let upper = line.upper & occupied;
    // The subtraction changes everything from the highest blocker below (or bit 0) up to the lowest
    // blocker above.
    let below = 1u64 << (63 - (lower | 1).leading_zeros());
    let difference = upper ^ upper.wrapping_sub(below);
    (line.lower | line.upper) & difference
}

/// Returns the attacks of a knight.
#[inline]
pub(crate) fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Returns the attacks of a king.
#[inline]
pub(crate) fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Returns the attacks of a pawn of this colour.
#[inline]
pub(crate) fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Returns the attacks of all pawns of a side together.
#[inline]
pub(crate) fn pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let (left, right) = (pawns & !Bitboard::file(0), pawns & !Bitboard::file(7));
    match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    }
}

/// Returns the attacks of a rook with these pieces on the board.
#[inline]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(sweep(lines[0], occupied.0) | sweep(lines[1], occupied.0))
}

/// Returns the attacks of a bishop with these pieces on the board.
#[inline]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(sweep(lines[2], occupied.0) | sweep(lines[3], occupied.0))
}

/// Returns the attacks of a queen with these pieces on the board.
#[inline]
pub(crate) fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Returns the attacks of a piece that is not a pawn.
#[inline]
pub(crate) fn piece(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
        Role::Pawn => Bitboard::EMPTY,
    }
}

/// Returns the squares a rook attacks on an empty board.
#[inline]
pub(crate) fn rook_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines[0].lower | lines[0].upper | lines[1].lower | lines[1].upper)
}

/// Returns the squares a bishop attacks on an empty board.
#[inline]
pub(crate) fn bishop_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines[2].lower | lines[2].upper | lines[3].lower | lines[3].upper)
}

static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static THROUGH: [[Bitboard; 64]; 64] = pairs(true);

const fn pairs(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut d = 0;
        while d < 8 {
            let (mut files, mut ranks) = DIRECTIONS[d & 3];
            if d >= 4 {
                files = -files;
                ranks = -ranks;
            }
            let mut passed = 0;
            let mut distance = 1;
            while distance < 8 {
                let b = shifted(a, files * distance, ranks * distance);
                if b == 0 {
                    break;
                }
                table[a][b.trailing_zeros() as usize].0 =
                    if whole_line { ray(a, files, ranks) | ray(a, -files, -ranks) | 1 << a } else { passed };
                passed |= b;
                distance += 1;
            }
            d += 1;
        }
        a += 1;
    }
    table
}

/// Returns the squares strictly between two squares of one line; empty if they share none.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// Returns the whole line through two squares, from edge to edge; empty if they share none.
#[inline]
pub(crate) fn through(a: Square, b: Square) -> Bitboard {
    THROUGH[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn walk(square: Square, occupied: Bitboard, directions: &[(i32, i32)]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(files, ranks) in directions {
            for distance in 1..8 {
                let next = Bitboard(shifted(square.index(), files * distance, ranks * distance));
                seen |= next;
                if (next & occupied).any() {
                    break;
                }
            }
        }
        seen
    }

    proptest! {
        #[test]
        fn slider_attacks_match_a_walk(index in 0u8..64, a: u64, b: u64) {
            let square = Square::new(index);
            for occupied in [Bitboard(a), Bitboard(a & b), Bitboard(a | b)] {
                prop_assert_eq!(
                    rook(square, occupied),
                    walk(square, occupied, &[(1, 0), (0, 1), (-1, 0), (0, -1)])
                );
                prop_assert_eq!(
                    bishop(square, occupied),
                    walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)])
                );
            }
        }
    }

    #[test]
    fn between_and_through() {
        let square = |text| Square::parse(text).unwrap();
        assert_eq!(between(square("a1"), square("d4")).count(), 2);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(through(square("b2"), square("c3")).count(), 8);
        assert_eq!(through(square("e1"), square("e8")), Bitboard::file(4));
    }
}
