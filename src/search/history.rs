//! What earlier parts of a search have learnt about moves, for ordering and reductions.

use super::score::MAX_PLY;
use crate::chess::{Color, Move, Position, Role, Rules, Square};

/// Histories stay within ± this.
const LIMIT: i32 = 16_384;

/// A move as histories of replies know it: which role went where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    role: Role,
    to: Square,
}

impl Step {
    /// The step that `mv` is in `position`.
    #[inline]
    pub fn of<R: Rules>(position: &Position<R>, mv: Move) -> Step {
        Step { role: position.role_at(mv.from()).unwrap_or(Role::Pawn), to: mv.to() }
    }

    #[inline]
    fn index(self) -> usize {
        self.role.index() * 64 + self.to.index()
    }
}

const STEPS: usize = 6 * 64;

/// All histories of one search, some 320 KiB: few enough to stay in a core's cache.
pub struct Histories {
    /// By side, origin and target.
    quiet: Box<[i16]>,
    /// By step and captured role.
    capture: Box<[i16]>,
    /// By the step before and this one.
    reply: Box<[i16]>,
    /// Two quiet moves for each ply that refuted something there.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories {
    /// Nothing learnt yet.
    pub fn new() -> Histories {
        let zeroed = |len: usize| vec![0i16; len].into_boxed_slice();
        Histories {
            quiet: zeroed(2 * 64 * 64),
            capture: zeroed(STEPS * 6),
            reply: zeroed(STEPS * STEPS),
            killers: [[None; 2]; MAX_PLY + 1],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for values in [&mut self.quiet, &mut self.capture, &mut self.reply] {
            values.fill(0);
        }
        self.killers.fill([None; 2]);
    }

    /// What is known of a quiet move after the steps one and two plies before.
    #[inline]
    pub fn quiet<R: Rules>(&self, position: &Position<R>, mv: Move, before: [Option<Step>; 2]) -> i32 {
        let step = Step::of(position, mv);
        let replies: i32 =
            before.into_iter().flatten().map(|earlier| i32::from(self.reply[reply(earlier, step)])).sum();
        i32::from(self.quiet[quiet(position.turn(), mv)]) + replies
    }

    /// What is known of a capture.
    #[inline]
    pub fn capture<R: Rules>(&self, position: &Position<R>, mv: Move) -> i32 {
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
    pub fn learn_quiet<R: Rules>(
        &mut self,
        position: &Position<R>,
        best: Move,
        tried: &[Move],
        before: [Option<Step>; 2],
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

    fn reward_quiet<R: Rules>(
        &mut self,
        position: &Position<R>,
        mv: Move,
        before: [Option<Step>; 2],
        bonus: i32,
    ) {
        let step = Step::of(position, mv);
        gravitate(&mut self.quiet[quiet(position.turn(), mv)], bonus);
        for earlier in before.into_iter().flatten() {
            gravitate(&mut self.reply[reply(earlier, step)], bonus);
        }
    }

    /// `best` was good enough, and the captures tried before were not.
    pub fn learn_captures<R: Rules>(
        &mut self,
        position: &Position<R>,
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
    (170 * depth - 90).clamp(0, 1800)
}

/// Moves a value towards a limit, the less the nearer it is.
#[inline]
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

#[inline]
fn quiet(turn: Color, mv: Move) -> usize {
    (turn.index() * 64 + mv.from().index()) * 64 + mv.to().index()
}

#[inline]
fn reply(earlier: Step, step: Step) -> usize {
    earlier.index() * STEPS + step.index()
}

#[inline]
fn capture<R: Rules>(position: &Position<R>, mv: Move) -> usize {
    let captured = position.role_at(mv.to()).unwrap_or(Role::Pawn);
    Step::of(position, mv).index() * 6 + captured.index()
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
