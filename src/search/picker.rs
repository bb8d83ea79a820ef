//! Move picker: moves of a node, most promising first, generated lazily.

use super::history::{Histories, MovesBefore};
use super::params::{CAPTURE_GAIN_WEIGHT, KILLER_BONUS};
use super::scratch::Scratch;
use super::searchable::Searchable;
use crate::chess::{Move, Stage};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// The generated moves of all nodes on the current line. One list for all keeps a suspended search
/// small: a list on the stack for each node would need room for the largest number of moves.
#[derive(Default)]
pub(super) struct MoveStack {
    moves: Vec<Move>,
    /// Ranks of the moves ([`rank`]).
    ranks: Vec<i32>,
}

impl MoveStack {
    /// Removes the moves of all nodes.
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }
}

/// A picker for the moves of one node.
pub(super) struct Picker {
    phase: Phase,
    tt_move: Option<Move>,
    /// Index of the node's first move in the stack: losing captures, kept for the end, then the
    /// moves of the current stage.
    start: usize,
    /// Index after the losing captures.
    bad_end: usize,
    /// Index of the next move.
    next: usize,
    noisy_only: bool,
    before: MovesBefore,
    ply: usize,
}

impl Picker {
    /// A picker of all moves: the TT move first, if legal here. Its moves are on top of the
    /// stack, above the moves of earlier nodes, until [`Picker::finish`].
    pub(super) fn all(scratch: &Scratch, tt_move: Option<Move>, before: MovesBefore, ply: usize) -> Picker {
        let start = scratch.moves.moves.len();
        Picker {
            phase: Phase::TtMove,
            tt_move,
            start,
            bad_end: start,
            next: start,
            noisy_only: false,
            before,
            ply,
        }
    }

    /// A picker of captures and promotions to a queen that do not lose material.
    pub(super) fn noisy(scratch: &Scratch) -> Picker {
        Picker { noisy_only: true, phase: Phase::GenerateNoisy, ..Picker::all(scratch, None, [None; 3], 0) }
    }

    /// Removes the node's moves from the stack.
    pub(super) fn finish(self, scratch: &mut Scratch) {
        scratch.moves.moves.truncate(self.start);
        scratch.moves.ranks.truncate(self.start);
    }

    /// Returns the next move.
    pub(super) fn next<P: Searchable>(&mut self, position: &P, scratch: &mut Scratch) -> Option<Move> {
        let Scratch { moves: stack, histories, .. } = scratch;
        loop {
            match self.phase {
                Phase::TtMove => {
                    self.phase = Phase::GenerateNoisy;
                    self.tt_move = self.tt_move.filter(|&mv| position.is_legal(mv));
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Phase::GenerateNoisy => {
                    self.generate(position, stack, Stage::Noisy, |mv| noisy_score(position, mv, histories));
                    self.phase = Phase::GoodNoisy;
                }
                Phase::GoodNoisy => match self.best(stack) {
                    Some(mv) if is_good(position, mv) => return Some(mv),
                    Some(_) if self.noisy_only => {}
                    Some(mv) => {
                        stack.moves[self.bad_end] = mv;
                        self.bad_end += 1;
                    }
                    None if self.noisy_only => self.phase = Phase::Done,
                    None => self.phase = Phase::GenerateQuiet,
                },
                Phase::GenerateQuiet => {
                    let (before, ply) = (self.before, self.ply);
                    self.generate(position, stack, Stage::Quiet, |mv| {
                        let killer = if histories.is_killer(ply, mv) { KILLER_BONUS } else { 0 };
                        histories.quiet(position, mv, before) + killer
                    });
                    self.phase = Phase::Quiet;
                }
                Phase::Quiet => match self.best(stack) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.phase = Phase::BadNoisy;
                        self.next = self.start;
                    }
                },
                Phase::BadNoisy => {
                    if self.next < self.bad_end {
                        self.next += 1;
                        return Some(stack.moves[self.next - 1]);
                    }
                    self.phase = Phase::Done;
                }
                Phase::Done => return None,
            }
        }
    }

    /// Replaces the moves after the losing captures by the moves of a stage, without the TT move.
    fn generate<P: Searchable>(
        &mut self,
        position: &P,
        stack: &mut MoveStack,
        stage: Stage,
        score: impl Fn(Move) -> i32,
    ) {
        let MoveStack { moves, ranks } = stack;
        let first = self.bad_end;
        moves.truncate(first);
        position.generate(stage, moves);
        let tt_move = |tt_move| moves[first..].iter().position(|&mv| mv == tt_move);
        if let Some(index) = self.tt_move.and_then(tt_move) {
            moves.remove(first + index);
        }
        self.next = first;
        ranks.resize(first, 0);
        let ranked = (first - self.start..).zip(&moves[first..]);
        ranks.extend(ranked.map(|(index, &mv)| rank(score(mv), index)));
    }

    /// Returns the best remaining move: one pass of a selection sort, since few moves are usually
    /// needed.
    fn best(&mut self, stack: &mut MoveStack) -> Option<Move> {
        let (moves, ranks) = (&mut stack.moves[self.start..], &mut stack.ranks[self.start..]);
        let next = self.next - self.start;
        // Plain numbers, so that several are compared at a time without branches.
        let best = index(ranks[next..].iter().copied().max()?);
        self.next += 1;
        moves.swap(next, best);
        ranks[best] = rank(score(ranks[next]), best);
        Some(moves[next])
    }
}

/// Number of indices in a move list, above the maximum number of moves. A square can be reached
/// along eight lines, by eight knights and by drops of six roles, and on eight squares three pawns
/// promote in five ways: 1504.
const MAX_INDICES: i32 = 2048;

/// Returns the rank of a move: by score, then by index, the first being best.
#[inline]
fn rank(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < i32::MAX / MAX_INDICES);
    score * MAX_INDICES + (MAX_INDICES - 1 - place as i32)
}

/// Returns the score of a rank.
#[inline]
fn score(rank: i32) -> i32 {
    rank.div_euclid(MAX_INDICES)
}

/// Returns the index of a rank.
#[inline]
fn index(rank: i32) -> usize {
    (MAX_INDICES - 1 - rank.rem_euclid(MAX_INDICES)) as usize
}

fn noisy_score<P: Searchable>(position: &P, mv: Move, histories: &Histories) -> i32 {
    position.gain(mv) * CAPTURE_GAIN_WEIGHT + histories.capture(position, mv)
}

/// Returns true unless the move is an underpromotion or a losing capture.
fn is_good<P: Searchable>(position: &P, mv: Move) -> bool {
    !position.is_underpromotion(mv) && position.see_ge(mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Fairy, Position, Ruleset, Standard, Variant};
    use crate::search::scratch::ScratchPool;

    #[test]
    fn every_legal_move_is_picked_once_and_the_tt_move_first() {
        for line in include_str!("../../tests/data/perft-variants.epd").lines() {
            let mut fields = line.split(';');
            let (Some(name), Some(fen)) = (fields.next(), fields.next()) else { continue };
            let Some(variant) = Variant::from_name(name) else { continue };
            match Standard::of(variant) {
                Some(standard) => hands_out_all_moves(&Position::from_fen(standard, fen).unwrap()),
                None => hands_out_all_moves(&Position::from_fen(Fairy::of(variant), fen).unwrap()),
            }
        }
    }

    fn scratch<R: Ruleset>() -> Scratch {
        let mut scratch = ScratchPool::default().take();
        scratch.histories.fit::<Position<R>>();
        scratch
    }

    fn hands_out_all_moves<R: Ruleset>(position: &Position<R>) {
        let mut scratch = scratch::<R>();
        let mut expected: Vec<Move> = position.legal_moves();
        let tt_move = expected.get(expected.len() / 2).copied();
        let mut picker = Picker::all(&scratch, tt_move, [None; 3], 0);
        let mut found: Vec<Move> = std::iter::from_fn(|| picker.next(position, &mut scratch)).collect();
        assert_eq!(found.first().copied(), tt_move);
        found.sort_by_key(|mv| mv.bits());
        expected.sort_by_key(|mv| mv.bits());
        assert_eq!(found, expected, "{} {}", position.variant().name(), position.fen());
    }

    #[test]
    fn ranks_order_by_score_then_by_index() {
        let scores = [3, -70_000, 0, 3, 200_000, -1, 200_000];
        let ranks = scores.iter().enumerate().map(|(place, &score)| rank(score, place));
        let mut order: Vec<(i32, usize)> = ranks.map(|rank| (score(rank), index(rank))).collect();
        assert_eq!(
            order,
            scores.iter().enumerate().map(|(place, &score)| (score, place)).collect::<Vec<_>>()
        );
        order.sort_by_key(|&(score, place)| -rank(score, place));
        let expected = [(200_000, 4), (200_000, 6), (3, 0), (3, 3), (0, 2), (-1, 5), (-70_000, 1)];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_tt_move_of_another_position_is_ignored() {
        let position = Position::from_fen(Standard::NORMAL, crate::chess::START_FEN).unwrap();
        let alien = Move::from_bits(0xffff);
        let mut scratch = scratch::<Standard>();
        let mut picker = Picker::all(&scratch, alien, [None; 3], 0);
        assert_eq!(std::iter::from_fn(|| picker.next(&position, &mut scratch)).count(), 20);
    }
}
