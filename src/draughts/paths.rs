//! Every path of a piece in one move on an empty board. A move is the number of its path.
//!
//! Captured pieces are removed at once, so a piece jumps at most nine times, and all paths form a
//! tree of some thousand nodes, which the generator walks down. Captures of the same pieces in
//! another order are different nodes.

use super::{Bitboard, Direction, Square};

/// A path. The squares between `from` and `to` follow from its parents.
#[derive(Clone, Copy)]
pub(super) struct Path {
    /// The squares jumped over since the start.
    pub jumped: Bitboard,
    /// Paths extended by a jump in each direction; 0 at the edge, or where that piece is already
    /// captured.
    pub next: [u16; 4],
    /// The path without its last step or jump; 0 for none.
    pub parent: u16,
    /// The origin.
    pub from: Square,
    /// The target.
    pub to: Square,
}

/// Maximum number of squares of a path: nine jumps.
pub(super) const MAX_SQUARES: usize = 10;

/// Upper bound of path numbers (exclusive). A power of two, so that a mask keeps any number within.
const SIZE: usize = 2048;
/// Number of the empty path of bit 0.
const ROOT: u16 = 1;
/// Number of the first step; four for each bit.
const STEP: u16 = 64;
/// Number of the first jump.
const JUMP: u16 = 256;

static PATHS: [Path; SIZE] = grow();

/// Returns the path with this number. Unused numbers have an empty path.
#[inline]
pub(super) fn path(number: u16) -> &'static Path {
    &PATHS[number as usize % SIZE]
}

/// Returns the number of the empty path on a square.
#[inline]
pub(super) const fn root(square: Square) -> u16 {
    ROOT + square.bit() as u16
}

/// Returns the number of a step, which must not leave the board.
#[inline]
pub(super) const fn step(from: Square, direction: Direction) -> u16 {
    STEP + 4 * from.bit() as u16 + direction as u16
}

/// Returns true if the number belongs to a jump.
#[inline]
pub(super) const fn is_jump(number: u16) -> bool {
    number >= JUMP
}

const fn contains(set: Bitboard, part: Bitboard) -> bool {
    part.0 != 0 && set.0 & part.0 == part.0
}

const fn square_of(one: Bitboard) -> Square {
    Square::of_bit(one.0.trailing_zeros() as u8)
}

const fn grow() -> [Path; SIZE] {
    let nowhere = Square::of_bit(0);
    let none = Path { jumped: Bitboard::EMPTY, next: [0; 4], parent: 0, from: nowhere, to: nowhere };
    let mut paths = [none; SIZE];
    let mut bit = 0;
    while bit < Bitboard::BITS {
        let square = Square::of_bit(bit);
        if Bitboard::BOARD.has(square) {
            paths[root(square) as usize] = Path { from: square, to: square, ..none };
            let mut way = 0;
            while way < 4 {
                let to = Bitboard::of(square).step(Direction::ALL[way]);
                if contains(Bitboard::BOARD, to) {
                    let number = step(square, Direction::ALL[way]) as usize;
                    paths[number] = Path { from: square, to: square_of(to), parent: root(square), ..none };
                }
                way += 1;
            }
        }
        bit += 1;
    }
    // Roots first, then the jumps in the order in which they are found.
    let (mut number, mut unused) = (ROOT, JUMP);
    while number < unused {
        if number == STEP {
            number = JUMP;
        }
        let path = paths[number as usize];
        let is_path = number >= JUMP || path.to.bit() as u16 + ROOT == number;
        let mut way = 0;
        while is_path && way < 4 {
            let over = Bitboard::of(path.to).step(Direction::ALL[way]);
            let to = over.step(Direction::ALL[way]);
            let is_free = path.jumped.0 & over.0 == 0;
            if is_free && contains(Bitboard::BOARD, over) && contains(Bitboard::BOARD, to) {
                let jumped = Bitboard(path.jumped.0 | over.0);
                paths[number as usize].next[way] = unused;
                paths[unused as usize] =
                    Path { jumped, parent: number, to: square_of(to), next: [0; 4], ..path };
                unused += 1;
            }
            way += 1;
        }
        number += 1;
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::generate::MAX_MOVES;

    /// Returns the maximum number of paths below a node of which none extends another.
    fn widest(number: u16) -> usize {
        let next = path(number).next.into_iter().filter(|&next| next != 0);
        next.map(widest).sum::<usize>().max(1)
    }

    #[test]
    fn there_are_1328_jumps_and_98_steps() {
        let is_path = |&number: &u16| path(number).parent != 0;
        assert_eq!((JUMP..SIZE as u16).filter(is_path).count(), 1328);
        assert_eq!((STEP..JUMP).filter(is_path).count(), 98);
        let longest = (JUMP..SIZE as u16).map(|number| path(number).jumped.count()).max();
        assert_eq!(longest, Some(MAX_SQUARES as u32 - 1));
    }

    #[test]
    fn a_list_has_room_for_the_jumps_of_twelve_pieces() {
        let mut widths: Vec<usize> = Square::all().map(|square| widest(root(square))).collect();
        widths.sort_unstable();
        assert_eq!(widths.iter().rev().take(12).sum::<usize>(), MAX_MOVES);
    }

    #[test]
    fn paths_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for number in STEP..SIZE as u16 {
            let (mut way, mut at) = (Vec::new(), number);
            while at != 0 && path(number).parent != 0 {
                way.push(path(at).to);
                at = path(at).parent;
            }
            assert!(way.is_empty() || seen.insert((is_jump(number), way)), "{number}");
        }
    }
}
