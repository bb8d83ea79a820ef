//! The player of kriegspiel: it sees its own men, hears the umpire, and knows nothing else.
//!
//! [`Question`] is all that it gets, and there is no position in it. It keeps a [`Belief`] over the boards that may be true,
//! judges its attempts on all of them, and answers with an order in which to propose them. The umpire takes the first that
//! is legal.
//!
//! * `belief`: boards on which everything would have sounded as it did. `conjecture`: boards made up when none is left.
//! * `judge`: what a board is worth. `choice`: which attempt first, which next. `glance`: an order without any thought.
//! * `pace`: when to stop. `dice`: chance that can be repeated.

mod belief;
mod choice;
mod conjecture;
mod dice;
mod glance;
mod judge;
mod pace;
#[cfg(test)]
mod tests;

pub use belief::Belief;
pub use glance::at_a_glance;

use super::{Done, Gate, Limits, Progress, Report, Score};
use crate::chess::kriegspiel::{Attempt, View};
use belief::Board;
use choice::Choice;
use dice::Dice;
use pace::Pace;
use std::sync::Arc;

/// What a player of kriegspiel is asked, and all that it knows: no position is in it.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the player may know of the game. It is its turn.
    pub view: View,
    /// What it believed at an earlier turn of the same game, so that it need not be worked out again. It changes nothing else.
    pub belief: Option<Arc<Belief>>,
}

/// In which order to propose attempts.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Every attempt that may be legal, the best first. One of them is legal, unless the game is over.
    pub attempts: Vec<Attempt>,
    /// What the position is thought to be worth.
    pub score: Score,
    /// How many boards the order was worked out from; 0 if there was no time.
    pub boards: u16,
    /// What is believed before this move, for the next question.
    pub belief: Option<Arc<Belief>>,
}

/// The numbers of boards after which the order of moves is reported, and a depth is counted.
const ROUNDS: [usize; 4] = [12, 40, 100, usize::MAX];

/// A mate counts as less, as it is never certain.
const GREATEST_SCORE: i32 = 20_000;

/// Finds the order in which to propose attempts. The same question, seed and node limit give the same answer.
pub fn answer(
    question: &Question,
    seed: u64,
    limits: Limits,
    gate: &mut dyn Gate,
    reports: &mut dyn FnMut(Report),
) -> Done {
    let view = &question.view;
    let mut pace = Pace::new(gate, limits.nodes);
    let belief = Arc::new(believe(question, seed, &mut pace));
    let attempts = at_a_glance(view);
    let glance = Answer { attempts, score: Score::DRAW, boards: 0, belief: Some(Arc::clone(&belief)) };
    let mut thought = Thought { answer: glance, depth: 0, reports };
    if belief.is_up_to_date(view) {
        let mut dice = Dice::new(seed ^ view.plies.len() as u64);
        thought.think(view, &belief, limits, &mut pace, &mut dice);
    }
    if thought.depth == 0 {
        thought.report();
    }
    let (nodes, elapsed, depth) = (pace.nodes(), pace.gate().elapsed(), thought.depth);
    let progress = Progress { depth, nodes, elapsed, moves_left: 0, moves_total: 0, current: None };
    (thought.reports)(Report::Progress(progress));
    Done { best: None, ponder: None, score: thought.answer.score, depth, nodes, elapsed }
}

/// What is believed now: what was believed earlier, if that is still true, and what has happened since.
fn believe(question: &Question, seed: u64, pace: &mut Pace<'_>) -> Belief {
    let view = &question.view;
    let kept = question.belief.as_deref().filter(|belief| belief.belongs_to(view, seed));
    let mut belief = kept.cloned().unwrap_or_else(|| Belief::new(view, seed, pace));
    belief.advance(view, seed, pace);
    belief
}

/// An answer that gets better.
struct Thought<'a> {
    answer: Answer,
    /// How often it has.
    depth: u8,
    reports: &'a mut dyn FnMut(Report),
}

impl Thought<'_> {
    /// Judges the attempts on more and more boards.
    fn think(&mut self, view: &View, belief: &Belief, limits: Limits, pace: &mut Pace<'_>, dice: &mut Dice) {
        let boards = shuffled(belief.refusing(&view.refused), dice);
        let mut choice = Choice::new(view, self.answer.attempts.clone(), dice);
        let rounds = limits.depth.map_or(ROUNDS.len(), usize::from).max(1);
        let mut looked_at = 0;
        for until in ROUNDS.into_iter().take(rounds) {
            let before = looked_at;
            for board in boards.iter().take(until).skip(before) {
                if pace.is_over() {
                    break;
                }
                choice.consider(board, pace);
                looked_at += 1;
            }
            if looked_at > before {
                self.improve(&choice, looked_at);
            }
            pace.poll();
            if pace.is_over() || looked_at == boards.len() {
                break;
            }
        }
        if !pace.is_over() && looked_at == boards.len() && belief.is_of_lone_king() {
            choice.look_ahead(&boards, pace);
            self.improve(&choice, looked_at);
        }
    }

    fn improve(&mut self, choice: &Choice, boards: usize) {
        let (attempts, worth) = choice.order();
        self.answer.attempts = attempts;
        self.answer.score = Score((worth as i32).clamp(-GREATEST_SCORE, GREATEST_SCORE));
        self.answer.boards = boards as u16;
        self.depth += 1;
        self.report();
    }

    fn report(&mut self) {
        (self.reports)(Report::Attempts(Box::new(self.answer.clone())));
    }
}

/// The boards in an order that begins with likely ones, mostly.
fn shuffled(boards: Vec<Board>, dice: &mut Dice) -> Vec<Board> {
    // Each board comes first with a probability in proportion to its weight.
    let mut keyed: Vec<(f32, Board)> = boards
        .into_iter()
        .map(|board| ((1.0 - dice.fraction()).ln() / board.weight.max(f32::MIN_POSITIVE), board))
        .collect();
    keyed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    keyed.into_iter().map(|(_, board)| board).collect()
}
