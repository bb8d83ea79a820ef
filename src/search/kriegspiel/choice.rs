//! Which attempt first, which next.
//!
//! A refused attempt costs nothing, so attempts are ordered by what they are worth if they are legal. When one is refused,
//! the boards on which it would have been legal are out, and the next attempt is the best for the others: the whole
//! order is known before the first attempt.

use super::belief::{Board, played};
use super::dice::Dice;
use super::judge::{MATE, after_our_move};
use super::pace::Pace;
use crate::chess::kriegspiel::{Announcement, Attempt, Captured, Men, Ply, View};
use crate::chess::{Bitboard, Color, Position, Role, Standard, attacks};

/// How much of the belief an attempt must be legal in to be judged by those boards rather than by the average attempt.
const DOUBT: f32 = 0.02;
/// How much a square more on which the other king may be costs, in centipawns, if he is all there is.
const SPREAD: f32 = 6.0;
/// The greatest random number added to the worth of an attempt, in centipawns: what is equal is not always chosen alike.
const WHIM: f32 = 4.0;
/// How many attempts are judged by a further move.
const BEAM: usize = 10;
/// A mate that comes a move later is worth so much of one.
const LATER: f32 = 0.9;
/// What it costs that the player's men have stood like that before, for each time, in centipawns: the third time is a draw.
const AGAIN: f32 = 40.0;

/// What attempts are worth on the boards looked at so far.
pub(super) struct Choice {
    us: Color,
    attempts: Vec<Attempt>,
    /// What is added to the worth of each attempt, whatever the board: a whim, repetitions, what a further move has shown.
    extras: Vec<f32>,
    rows: Vec<Row>,
}

/// What is known of a board.
struct Row {
    weight: f32,
    /// The legal attempts, by index, in order; what they are worth; and what is heard after them.
    outcomes: Vec<Outcome>,
}

struct Outcome {
    attempt: u16,
    worth: f32,
    heard: (u8, bool),
    /// Where the other king may be after his next move.
    king: Bitboard,
}

impl Choice {
    /// Between these attempts, in ascending order.
    pub(super) fn new(view: &View, mut attempts: Vec<Attempt>, dice: &mut Dice) -> Choice {
        attempts.sort();
        let us = view.color();
        let stood = arrangements(view);
        let now = view.men_now();
        let whim = |&attempt: &Attempt| {
            let mut men = now.clone();
            men.play(attempt);
            let again = stood.iter().filter(|&arrangement| *arrangement == men).count();
            dice.fraction() * WHIM - AGAIN * again as f32
        };
        let extras = attempts.iter().map(whim).collect();
        Choice { us, attempts, extras, rows: Vec::new() }
    }

    /// The same of another belief, in which nothing is known of the past.
    fn in_mind(us: Color, mut attempts: Vec<Attempt>) -> Choice {
        attempts.sort();
        Choice { us, extras: vec![0.0; attempts.len()], attempts, rows: Vec::new() }
    }

    /// Judges the most promising attempts anew, by what the best answer to every reply would be worth that sounds right then.
    pub(super) fn look_ahead(&mut self, boards: &[Board], pace: &mut Pace<'_>) {
        let everything: Vec<usize> = (0..self.rows.len()).collect();
        let worths = self.worths(&everything);
        let mut promising: Vec<usize> = (0..self.attempts.len()).collect();
        promising.retain(|&attempt| self.rows.iter().any(|row| row.has(attempt)));
        promising.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
        let mut further = Vec::new();
        for attempt in promising.into_iter().take(BEAM) {
            let worth = self.further(self.attempts[attempt], boards, pace);
            if pace.is_over() {
                return;
            }
            further.push((attempt, worth + self.extras[attempt] - worths[attempt]));
        }
        further.into_iter().for_each(|(attempt, more)| self.extras[attempt] += more);
    }

    /// What an attempt is worth where it is legal, one more move of each side considered.
    fn further(&self, attempt: Attempt, boards: &[Board], pace: &mut Pace<'_>) -> f32 {
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
        groups.sort_by_key(|&(heard, board)| (sound(heard), board.position.key()));
        for group in groups.chunk_by(|a, b| a.0 == b.0) {
            let mut mind = Choice::in_mind(self.us, Men::of(&group[0].1.position, self.us).attempts());
            for same in group.chunk_by(|a, b| a.1.position.key() == b.1.position.key()) {
                let weight = same.iter().map(|(_, board)| board.weight).sum();
                mind.consider(&Board { weight, ..same[0].1 }, pace);
                if pace.is_over() {
                    return 0.0;
                }
            }
            let weight: f32 = group.iter().map(|(_, board)| board.weight).sum();
            sum += weight * mind.best().min(LATER * MATE);
        }
        sum / total
    }

    /// What the best attempt is worth.
    fn best(&self) -> f32 {
        let everything: Vec<usize> = (0..self.rows.len()).collect();
        self.worths(&everything).into_iter().fold(-MATE, f32::max)
    }

    /// Looks at all attempts on one more board.
    pub(super) fn consider(&mut self, board: &Board, pace: &mut Pace<'_>) {
        let position = &board.position;
        let moves = position.legal_moves();
        let mut outcomes = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            let Ok(attempt) = self.attempts.binary_search(&Attempt::of(position, mv)) else { continue };
            let after = played(position, mv);
            pace.count(1);
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

    /// All attempts, the one to make first at the head, and what the first is worth, in centipawns.
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
        // The true board is none of these: the rest in the order in which they were thought of at first.
        left.sort_by(|&a, &b| better(&at_first, b, a));
        order.append(&mut left);
        (order.into_iter().map(|index| self.attempts[index]).collect(), worth)
    }

    /// What each attempt is worth on these boards, if it is legal.
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

    /// On how many squares the other king is expected to be possible after each attempt and his next move.
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

/// Where the king of the side on move may stand after its move.
fn king_after_next_move(position: &Position<Standard>) -> Bitboard {
    let us = position.turn();
    let Some(king) = position.king(us) else { return Bitboard::EMPTY };
    let own = position.color(us);
    let behind_him = position.occupied() ^ Bitboard::of(king);
    let mut targets = attacks::king(king) & !own;
    for to in targets {
        if position.attacked(to, !us, behind_him) {
            targets ^= Bitboard::of(to);
        }
    }
    // Another man may move.
    if own.many() { targets | Bitboard::of(king) } else { targets }
}

/// Something to sort by what was heard.
fn sound((first, second): (Announcement, Announcement)) -> (u8, bool, u8, u8, Option<usize>) {
    let captured = second.captured.map(|captured| captured.square.index());
    (first.checks.bits(), first.captured.is_some(), second.checks.bits(), second.pawn_tries, captured)
}

/// How the player's men stood after its moves since something was captured or it moved a pawn.
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
