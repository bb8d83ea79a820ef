//! Move lists that cannot overflow.

use super::Move;
use arrayvec::ArrayVec;
use smallvec::SmallVec;
use std::ops::DerefMut;

/// A list with room for the longest list of a family of rules.
pub trait List<T>: Default + Extend<T> + IntoIterator<Item = T> + DerefMut<Target = [T]> {
    /// Appends an item.
    fn push(&mut self, item: T);
    /// Removes the item at an index and closes the gap.
    fn remove(&mut self, index: usize) -> T;
    /// Shortens the list to a length.
    fn truncate(&mut self, len: usize);
}

/// An upper bound of the legal moves in standard chess. A side has at most eight pawns and promoted
/// pieces together ([`super::FenError::TooManyPieces`]), so at most nine queens with 27 moves each,
/// two rooks with 14, two bishops with 13, two knights with 8, a king with 8 and two castlings:
/// 323. (No reachable position has more than 218.)
pub(super) const STANDARD_MOVES: usize = 324;

/// A list of standard chess, on the stack.
pub(super) type StandardList<T> = ArrayVec<T, STANDARD_MOVES>;

/// A list for variants: up to 192 items on the stack, more on the heap. Full hands or many queens
/// allow several hundred moves.
pub(crate) type FairyList<T> = SmallVec<[T; 192]>;

/// The moves of a position of any variant.
pub type MoveList = Vec<Move>;

impl<T> List<T> for StandardList<T> {
    #[inline]
    fn push(&mut self, item: T) {
        ArrayVec::push(self, item);
    }

    #[inline]
    fn remove(&mut self, index: usize) -> T {
        ArrayVec::remove(self, index)
    }

    #[inline]
    fn truncate(&mut self, len: usize) {
        ArrayVec::truncate(self, len);
    }
}

impl<T> List<T> for FairyList<T> {
    fn push(&mut self, item: T) {
        SmallVec::push(self, item);
    }

    fn remove(&mut self, index: usize) -> T {
        SmallVec::remove(self, index)
    }

    fn truncate(&mut self, len: usize) {
        SmallVec::truncate(self, len);
    }
}
