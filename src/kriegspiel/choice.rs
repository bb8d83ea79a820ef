//! The order of attempts.
//!
//! A refused attempt costs nothing, so attempts are ordered by their worth if legal. A refusal
//! rules out the boards on which the attempt would have been legal, and the next attempt is the
//! best on the others, so the whole order is known in advance.

use super::belief::{Board, played};
use super::judge::{MATE, after_our_move};
use crate::chess::kriegspiel::{Announcement, Attempt, Captured, Men, Ply, View};
use crate::chess::{Bitboard, Color, Position, Role, Standard, attacks};
use crate::random::SplitMix64;
use crate::search::NodeCounter;

/// Share of the belief in which an attempt must be legal to be judged by those boards rather than
/// by the average attempt.
const DOUBT: f32 = 0.02;
/// Penalty in centipawns for each square on which the other king may stand.
const SPREAD: f32 = 6.0;
/// Maximum random bonus of an attempt in centipawns, for variety among equals.
const NOISE: f32 = 4.0;
/// Number of attempts judged by a further move.
const BEAM: usize = 10;
/// Value of a mate one move later, relative to an immediate one.
const LATER_MATE: f32 = 0.9;
/// Penalty in centipawns for each earlier occurrence of the player's arrangement: the third is a
/// draw.
const REPETITION: f32 = 40.0;

/// The worth of attempts on the boards considered so far.
pub(super) struct Choice {
    us: Color,
    attempts: Vec<Attempt>,
    /// Board-independent part of each attempt's worth: noise, repetitions, the further move.
    extras: Vec<f32>,
    rows: Vec<Row>,
}

/// The outcomes on one board.
struct Row {
    weight: f32,
    /// Outcomes of the legal attempts, sorted by index.
    outcomes: Vec<Outcome>,
}

struct Outcome {
    attempt: u16,
    worth: f32,
    heard: (u8, bool),
    /// Squares of the other king after its next move.
    king: Bitboard,
}

impl Choice {
    /// A choice between these attempts.
    pub(super) fn new(view: &View, mut attempts: Vec<Attempt>, dice: &mut SplitMix64) -> Choice {
        attempts.sort();
        let us = view.color();
        let stood = arrangements(view);
        let now = view.men_now();
        let extra = |&attempt: &Attempt| {
            let mut men = now.clone();
            men.play(attempt);
            let again = stood.iter().filter(|&arrangement| *arrangement == men).count();
            dice.fraction() * NOISE - REPETITION * again as f32
        };
        let extras = attempts.iter().map(extra).collect();
        Choice { us, attempts, extras, rows: Vec::new() }
    }

    /// A choice in a hypothetical belief, with no history.
    fn hypothetical(us: Color, mut attempts: Vec<Attempt>) -> Choice {
        attempts.sort();
        Choice { us, extras: vec![0.0; attempts.len()], attempts, rows: Vec::new() }
    }

    /// Re-judges the most promising attempts by the best answer to each reply that can be
    /// distinguished.
    pub(super) fn look_ahead(&mut self, boards: &[Board], counter: &mut NodeCounter<'_>) {
        let everything: Vec<usize> = (0..self.rows.len()).collect();
        let worths = self.worths(&everything);
        let mut promising: Vec<usize> = (0..self.attempts.len()).collect();
        promising.retain(|&attempt| self.rows.iter().any(|row| row.has(attempt)));
        promising.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
        let mut further = Vec::new();
        for attempt in promising.into_iter().take(BEAM) {
            let worth = self.further(self.attempts[attempt], boards, counter);
            if counter.is_over() {
                return;
            }
            further.push((attempt, worth + self.extras[attempt] - worths[attempt]));
        }
        further.into_iter().for_each(|(attempt, more)| self.extras[attempt] += more);
    }

    /// Returns the worth of an attempt where it is legal, one move of each side further.
    fn further(&self, attempt: Attempt, boards: &[Board], counter: &mut NodeCounter<'_>) -> f32 {
        let (mut sum, mut total) = (0.0, f32::MIN_POSITIVE);
        let mut groups: Vec<((Announcement, Announcement), Board)> = Vec::new();
        for Board { position, weight } in boards {
            let Some(mv) = attempt.resolve(position) else { continue };
            let after = played(position, mv);
            let heard = Announcement::after(position, mv, &after);
            let replies = after.legal_moves();
            total += weight;
            if replies.is_empty() {
                sum += weight * after_our_move(&after, self.us);
            }
            for &reply in &replies {
                let next = played(&after, reply);
                let board = Board { position: next, weight: weight / replies.len() as f32 };
                groups.push(((heard, Announcement::after(&after, reply, &next)), board));
            }
        }
        groups.sort_by_key(|&(heard, board)| (sort_key(heard), board.position.key()));
        for group in groups.chunk_by(|a, b| a.0 == b.0) {
            let mut choice = Choice::hypothetical(self.us, Men::of(&group[0].1.position, self.us).attempts());
            for same in group.chunk_by(|a, b| a.1.position.key() == b.1.position.key()) {
                let weight = same.iter().map(|(_, board)| board.weight).sum();
                choice.consider(&Board { weight, ..same[0].1 }, counter);
                if counter.is_over() {
                    return 0.0;
                }
            }
            let weight: f32 = group.iter().map(|(_, board)| board.weight).sum();
            sum += weight * choice.best().min(LATER_MATE * MATE);
        }
        sum / total
    }

    /// Returns the worth of the best attempt.
    fn best(&self) -> f32 {
        let everything: Vec<usize> = (0..self.rows.len()).collect();
        self.worths(&everything).into_iter().fold(-MATE, f32::max)
    }

    /// Considers all attempts on another board.
    pub(super) fn consider(&mut self, board: &Board, counter: &mut NodeCounter<'_>) {
        let position = &board.position;
        let moves = position.legal_moves();
        let mut outcomes = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            let Ok(attempt) = self.attempts.binary_search(&Attempt::of(position, mv)) else { continue };
            let after = played(position, mv);
            counter.count(1);
            outcomes.push(Outcome {
                attempt: attempt as u16,
                worth: after_our_move(&after, self.us),
                heard: (Announcement::of(&after).checks.bits(), Captured::by(position, mv).is_some()),
                king: king_after_next_move(&after),
            });
        }
        outcomes.sort_by_key(|outcome| outcome.attempt);
        self.rows.push(Row { weight: board.weight, outcomes });
    }

    /// Returns all attempts, best first, and the worth of the first in centipawns.
    pub(super) fn order(&self) -> (Vec<Attempt>, f32) {
        let mut alive: Vec<usize> = (0..self.rows.len()).collect();
        let mut left: Vec<usize> = (0..self.attempts.len()).collect();
        let mut order = Vec::with_capacity(left.len());
        let at_first = self.worths(&alive);
        let mut worths = at_first.clone();
        let mut worth = 0.0;
        let better = |worths: &[f32], a: usize, b: usize| worths[a].total_cmp(&worths[b]).then(b.cmp(&a));
        loop {
            let legal =
                left.iter().copied().filter(|&index| alive.iter().any(|&row| self.rows[row].has(index)));
            let Some(best) = legal.max_by(|&a, &b| better(&worths, a, b)) else { break };
            if order.is_empty() {
                worth = worths[best];
            }
            order.push(best);
            left.retain(|&index| index != best);
            alive.retain(|&row| !self.rows[row].has(best));
            worths = self.worths(&alive);
        }
        // No board is left: the true one is none of them. The rest keeps its initial order.
        left.sort_by(|&a, &b| better(&at_first, b, a));
        order.append(&mut left);
        (order.into_iter().map(|index| self.attempts[index]).collect(), worth)
    }

    /// Returns the worth of each attempt, if legal, on these boards.
    fn worths(&self, alive: &[usize]) -> Vec<f32> {
        let mut weights = vec![0.0; self.attempts.len()];
        let mut sums = vec![0.0; self.attempts.len()];
        let (mut all, mut sum, mut total) = (0.0, 0.0, 0.0);
        for row in alive.iter().map(|&row| &self.rows[row]) {
            total += row.weight;
            for outcome in &row.outcomes {
                let index = usize::from(outcome.attempt);
                weights[index] += row.weight;
                sums[index] += row.weight * outcome.worth;
                all += row.weight;
                sum += row.weight * outcome.worth.min(MATE / 10.0);
            }
        }
        let average = if all > 0.0 { sum / all } else { -MATE };
        let doubt = DOUBT * total.max(f32::MIN_POSITIVE);
        let spreads = self.spreads(alive);
        (0..self.attempts.len())
            .map(|index| {
                let judged = (sums[index] + doubt * average) / (weights[index] + doubt);
                judged + self.extras[index] - SPREAD * spreads[index]
            })
            .collect()
    }

    /// Returns the expected number of possible squares of the other king after each attempt and its
    /// next move.
    fn spreads(&self, alive: &[usize]) -> Vec<f32> {
        let mut heard: Vec<(u16, (u8, bool), Bitboard, f32)> = Vec::new();
        for row in alive.iter().map(|&row| &self.rows[row]) {
            heard.extend(row.outcomes.iter().map(|it| (it.attempt, it.heard, it.king, row.weight)));
        }
        heard.sort_by_key(|&(attempt, heard, ..)| (attempt, heard));
        let mut spreads = vec![0.0; self.attempts.len()];
        let mut weights = vec![0.0; self.attempts.len()];
        for group in heard.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let squares = group.iter().fold(Bitboard::EMPTY, |all, it| all | it.2).count() as f32;
            let weight: f32 = group.iter().map(|it| it.3).sum();
            spreads[usize::from(group[0].0)] += weight * squares;
            weights[usize::from(group[0].0)] += weight;
        }
        spreads
            .iter()
            .zip(weights)
            .map(|(&spread, weight)| if weight > 0.0 { spread / weight } else { 0.0 })
            .collect()
    }
}

/// Returns the possible squares of the king of the side on move after its move.
fn king_after_next_move(position: &Position<Standard>) -> Bitboard {
    let us = position.turn();
    let Some(king) = position.king(us) else { return Bitboard::EMPTY };
    let own = position.color(us);
    let without_king = position.occupied() ^ Bitboard::of(king);
    let mut targets = attacks::king(king) & !own;
    for to in targets {
        if position.attacked(to, !us, without_king) {
            targets ^= Bitboard::of(to);
        }
    }
    // Another man may move.
    if own.many() { targets | Bitboard::of(king) } else { targets }
}

/// Returns a sort key of two announcements.
fn sort_key((first, second): (Announcement, Announcement)) -> (u8, bool, u8, u8, Option<usize>) {
    let captured = second.captured.map(|captured| captured.square.index());
    (first.checks.bits(), first.captured.is_some(), second.checks.bits(), second.pawn_tries, captured)
}

/// Returns the arrangements of the player's men after each of its moves since the last capture or
/// pawn move of its own.
fn arrangements(view: &View) -> Vec<Men> {
    let mut men = view.men.clone();
    let mut stood = Vec::new();
    for ply in &view.plies {
        let moved = match ply {
            Ply::Own { made, .. } => men.role_at(made.from),
            Ply::Other { .. } => None,
        };
        ply.apply(&mut men);
        if ply.heard().captured.is_some() || moved == Some(Role::Pawn) {
            stood.clear();
        }
        if moved.is_some() {
            stood.push(men.clone());
        }
    }
    stood
}

impl Row {
    fn has(&self, attempt: usize) -> bool {
        self.outcomes.binary_search_by_key(&attempt, |outcome| usize::from(outcome.attempt)).is_ok()
    }
}
