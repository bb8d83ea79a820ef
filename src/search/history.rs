//! Move histories for ordering and reductions.

use super::params::{HISTORY_BONUS, HISTORY_BONUS_MAX, HISTORY_BONUS_OFFSET, HISTORY_LIMIT};
use super::score::MAX_PLY;
use super::searchable::Searchable;
use crate::chess::Move;

/// Number of values of [`Searchable::piece_to`]: six roles on 64 squares.
pub(super) const PIECE_TO: usize = 6 * 64;
/// Number of values of [`Searchable::victim`].
pub(super) const VICTIMS: usize = 6;

/// A piece and its target: how the continuation history identifies a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// The piece and target of `mv`.
    #[inline]
    pub(super) fn of<P: Searchable>(position: &P, mv: Move) -> PieceTo {
        PieceTo(position.piece_to(mv) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }
}

/// Earlier moves of the line used by the continuation history; `None` for a null move, or no move
/// yet.
pub(super) type MovesBefore = [Option<PieceTo>; 3];

/// All histories of a search, about 150 KiB, which fits into a core's cache.
pub(super) struct Histories {
    /// Butterfly history, by [`Searchable::butterfly`].
    quiet: Vec<i16>,
    /// Capture history, by piece-to and victim.
    capture: Box<[i16]>,
    /// Continuation history, by the piece-to of an earlier move and of this one ([`continuation`]).
    continuation: Box<[i16]>,
    /// Two killer moves for each ply.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories {
    /// Empty histories.
    pub(super) fn new() -> Histories {
        let zeroed = |len: usize| vec![0i16; len].into_boxed_slice();
        Histories {
            quiet: Vec::new(),
            capture: zeroed(PIECE_TO * VICTIMS),
            continuation: zeroed(CONTINUATIONS),
            killers: [[None; 2]; MAX_PLY + 1],
        }
    }

    /// Allocates room for the moves of a game.
    pub(super) fn fit<P: Searchable>(&mut self) {
        if self.quiet.len() < P::BUTTERFLY {
            self.quiet.resize(P::BUTTERFLY, 0);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for values in [&mut self.quiet[..], &mut self.capture, &mut self.continuation] {
            values.fill(0);
        }
        self.killers.fill([None; 2]);
    }

    /// Returns the history of a quiet move after earlier ones.
    #[inline]
    pub(super) fn quiet<P: Searchable>(&self, position: &P, mv: Move, before: MovesBefore) -> i32 {
        let piece_to = PieceTo::of(position, mv);
        let after = |earlier| i32::from(self.continuation[continuation(earlier, piece_to)]);
        i32::from(self.quiet[position.butterfly(mv)]) + before.into_iter().flatten().map(after).sum::<i32>()
    }

    /// Returns the history of a capture.
    #[inline]
    pub(super) fn capture<P: Searchable>(&self, position: &P, mv: Move) -> i32 {
        i32::from(self.capture[capture(position, mv)])
    }

    /// Returns true if a quiet move is a killer at this ply.
    #[inline]
    pub(super) fn is_killer(&self, ply: usize, mv: Move) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    /// Forgets the killers of a ply.
    #[inline]
    pub(super) fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    /// Learns that a quiet move caused a cutoff at this ply and the moves tried before did not.
    pub(super) fn learn_quiet<P: Searchable>(
        &mut self,
        position: &P,
        best: Move,
        tried: &[Move],
        before: MovesBefore,
        ply: usize,
        depth: i32,
    ) {
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        for &mv in tried.iter().filter(|&&mv| mv != best) {
            self.reward_quiet(position, mv, before, -bonus(depth));
        }
        self.reward_quiet(position, best, before, bonus(depth));
    }

    fn reward_quiet<P: Searchable>(&mut self, position: &P, mv: Move, before: MovesBefore, bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        gravitate(&mut self.quiet[position.butterfly(mv)], bonus);
        for earlier in before.into_iter().flatten() {
            gravitate(&mut self.continuation[continuation(earlier, piece_to)], bonus);
        }
    }

    /// Learns that `best` caused a cutoff and the captures tried before did not.
    pub(super) fn learn_captures<P: Searchable>(
        &mut self,
        position: &P,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        for &mv in tried.iter().filter(|&&mv| mv != best) {
            gravitate(&mut self.capture[capture(position, mv)], -bonus(depth));
        }
        if position.is_capture(best) {
            gravitate(&mut self.capture[capture(position, best)], bonus(depth));
        }
    }
}

fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth - HISTORY_BONUS_OFFSET).clamp(0, HISTORY_BONUS_MAX)
}

/// Moves a value towards a limit, by less the nearer it is.
#[inline]
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Size of the continuation history. There are more than twice as many pairs of moves; a table for
/// all of them would be most of a search's memory.
const CONTINUATIONS: usize = 1 << 16;

/// Returns the index of a pair of moves in the continuation history. Each earlier move has a row,
/// and rows overlap: pairs that share a value differ in both moves.
#[inline]
fn continuation(earlier: PieceTo, piece_to: PieceTo) -> usize {
    const ROW: usize = (CONTINUATIONS - PIECE_TO) / (PIECE_TO - 1);
    earlier.index() * ROW + piece_to.index()
}

#[inline]
fn capture<P: Searchable>(position: &P, mv: Move) -> usize {
    position.piece_to(mv) * VICTIMS + position.victim(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limit() {
        let mut value = 0;
        for _ in 0..1000 {
            gravitate(&mut value, 1800);
        }
        assert!((16_000..=16_384).contains(&value), "{value}");
        for _ in 0..1000 {
            gravitate(&mut value, -1800);
        }
        assert!((-16_384..=-16_000).contains(&value), "{value}");
    }
}
