//! What earlier parts of a search have learnt about moves, for ordering and reductions.

use super::params::{HISTORY_BONUS, HISTORY_BONUS_MAX, HISTORY_BONUS_OFFSET, HISTORY_LIMIT};
use super::score::MAX_PLY;
use super::searchable::Searchable;
use crate::chess::Move;

/// Values of [`Searchable::piece_to`]: six roles on 64 squares.
pub const PIECE_TO: usize = 6 * 64;
/// Values of [`Searchable::victim`].
pub const VICTIMS: usize = 6;

/// Which piece went where: what the continuation history knows of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Which piece `mv` moves where.
    #[inline]
    pub fn of<P: Searchable>(position: &P, mv: Move) -> PieceTo {
        PieceTo(position.piece_to(mv) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }
}

/// Earlier moves of the line that the continuation history goes by; `None` where there was a null move, or no move yet.
pub type MovesBefore = [Option<PieceTo>; 3];

/// All histories of one search, some 320 KiB: few enough to stay in a core's cache.
pub struct Histories {
    /// Butterfly history, by [`Searchable::butterfly`].
    quiet: Vec<i16>,
    /// Capture history, by piece-to and victim.
    capture: Box<[i16]>,
    /// Continuation history, by the piece-to of an earlier move and of this one.
    continuation: Box<[i16]>,
    /// Two quiet moves for each ply that refuted something there.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories {
    /// Nothing learnt yet.
    pub fn new() -> Histories {
        let zeroed = |len: usize| vec![0i16; len].into_boxed_slice();
        Histories {
            quiet: Vec::new(),
            capture: zeroed(PIECE_TO * VICTIMS),
            continuation: zeroed(PIECE_TO * PIECE_TO),
            killers: [[None; 2]; MAX_PLY + 1],
        }
    }

    /// Makes room for the moves of a game.
    pub fn fit<P: Searchable>(&mut self) {
        if self.quiet.len() < P::BUTTERFLY {
            self.quiet.resize(P::BUTTERFLY, 0);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for values in [&mut self.quiet[..], &mut self.capture, &mut self.continuation] {
            values.fill(0);
        }
        self.killers.fill([None; 2]);
    }

    /// What is known of a quiet move after earlier ones.
    #[inline]
    pub fn quiet<P: Searchable>(&self, position: &P, mv: Move, before: MovesBefore) -> i32 {
        let piece_to = PieceTo::of(position, mv);
        let after = |earlier| i32::from(self.continuation[continuation(earlier, piece_to)]);
        i32::from(self.quiet[position.butterfly(mv)]) + before.into_iter().flatten().map(after).sum::<i32>()
    }

    /// What is known of a capture.
    #[inline]
    pub fn capture<P: Searchable>(&self, position: &P, mv: Move) -> i32 {
        i32::from(self.capture[capture(position, mv)])
    }

    /// Whether a quiet move refuted something at this ply.
    #[inline]
    pub fn is_killer(&self, ply: usize, mv: Move) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    /// Forgets the killers of a ply.
    #[inline]
    pub fn clear_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    /// A quiet move was good enough at this ply, and those tried before were not.
    pub fn learn_quiet<P: Searchable>(
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

    /// `best` was good enough, and the captures tried before were not.
    pub fn learn_captures<P: Searchable>(&mut self, position: &P, best: Move, tried: &[Move], depth: i32) {
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

/// Moves a value towards a limit, the less the nearer it is.
#[inline]
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[inline]
fn continuation(earlier: PieceTo, piece_to: PieceTo) -> usize {
    earlier.index() * PIECE_TO + piece_to.index()
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
