//! The kriegspiel player, which sees its own men and hears the umpire, and knows nothing else.
//!
//! It gets a [`Question`], which holds no position, keeps a [`Belief`] over the possible boards,
//! judges its attempts on all of them, and returns an order of attempts. The umpire plays the first
//! legal one.
//!
//! * `belief`: boards that agree with the announcements; `conjecture`: boards made up when none is
//!   left.
//! * `judge`: the worth of a board; `choice`: the order of attempts; `quick_order`: one without
//!   search.

mod belief;
mod choice;
mod conjecture;
mod judge;
mod quick_order;
#[cfg(test)]
mod tests;

pub use belief::Belief;
pub use quick_order::quick_order;

use crate::chess::kriegspiel::{Attempt, View};
use crate::random::{GOLDEN_GAMMA, SplitMix64};
use crate::search::{Done, Gate, Limits, NodeCounter, POLL_NODES, Score};
use belief::Board;
use choice::Choice;
use std::sync::Arc;

/// Everything the player knows. Contains no position.
#[derive(Clone, Debug)]
pub struct Question {
    /// The player's view of the game. The player is on move.
    pub view: View,
    /// The belief of an earlier turn of the same game, which saves computing it again and changes
    /// nothing else.
    pub belief: Option<Arc<Belief>>,
}

/// An order of attempts.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// All attempts that may be legal, best first. One of them is legal unless the game is over.
    pub attempts: Vec<Attempt>,
    /// Estimated score.
    pub score: Score,
    /// Number of boards considered; 0 if there was no time.
    pub boards: u16,
    /// The belief before this move, for the next question.
    pub belief: Option<Arc<Belief>>,
}

/// Numbers of boards after which an order is reported and counts as a depth.
const ROUNDS: [usize; 4] = [12, 40, 100, usize::MAX];

/// Maximum score: a mate is never certain.
const GREATEST_SCORE: i32 = 20_000;

/// Finds the best order of attempts and reports each improvement. The result depends only on the
/// question, the seed and the node limit; its `best` is `None`.
pub fn answer(
    question: &Question,
    seed: u64,
    limits: Limits,
    gate: &mut dyn Gate,
    proposals: &mut dyn FnMut(Proposal),
) -> Done {
    let view = &question.view;
    let mut counter = NodeCounter::new(gate, limits.nodes, POLL_NODES);
    let belief = Arc::new(current_belief(question, seed, &mut counter));
    let attempts = quick_order(view);
    let quick = Proposal { attempts, score: Score::DRAW, boards: 0, belief: Some(Arc::clone(&belief)) };
    let mut refinement = Refinement { proposal: quick, depth: 0, proposals };
    if belief.is_up_to_date(view) {
        let mut dice = dice(seed ^ view.plies.len() as u64);
        refinement.refine(view, &belief, limits, &mut counter, &mut dice);
    }
    if refinement.depth == 0 {
        refinement.report();
    }
    Done { score: refinement.proposal.score, ..counter.done(refinement.depth) }
}

/// Returns the current belief, continuing the earlier one if it belongs to the game.
fn current_belief(question: &Question, seed: u64, counter: &mut NodeCounter<'_>) -> Belief {
    let view = &question.view;
    let kept = question.belief.as_deref().filter(|belief| belief.belongs_to(view, seed));
    let mut belief = kept.cloned().unwrap_or_else(|| Belief::new(view, seed, counter));
    belief.advance(view, seed, counter);
    belief
}

/// A proposal being refined.
struct Refinement<'a> {
    proposal: Proposal,
    /// Number of refinements.
    depth: u8,
    proposals: &'a mut dyn FnMut(Proposal),
}

impl Refinement<'_> {
    /// Judges the attempts on more and more boards.
    fn refine(
        &mut self,
        view: &View,
        belief: &Belief,
        limits: Limits,
        counter: &mut NodeCounter<'_>,
        dice: &mut SplitMix64,
    ) {
        let boards = shuffled(belief.refusing(&view.refused), dice);
        let mut choice = Choice::new(view, self.proposal.attempts.clone(), dice);
        let rounds = limits.depth.map_or(ROUNDS.len(), usize::from).max(1);
        let mut considered = 0;
        for until in ROUNDS.into_iter().take(rounds) {
            let before = considered;
            for board in boards.iter().take(until).skip(before) {
                if counter.is_over() {
                    break;
                }
                choice.consider(board, counter);
                considered += 1;
            }
            if considered > before {
                self.improve(&choice, considered);
            }
            counter.poll();
            if counter.is_over() || considered == boards.len() {
                break;
            }
        }
        if !counter.is_over() && considered == boards.len() && belief.is_of_lone_king() {
            choice.look_ahead(&boards, counter);
            self.improve(&choice, considered);
        }
    }

    fn improve(&mut self, choice: &Choice, boards: usize) {
        let (attempts, worth) = choice.order();
        self.proposal.attempts = attempts;
        self.proposal.score = Score((worth as i32).clamp(-GREATEST_SCORE, GREATEST_SCORE));
        self.proposal.boards = boards as u16;
        self.depth += 1;
        self.report();
    }

    fn report(&mut self) {
        (self.proposals)(self.proposal.clone());
    }
}

/// Shuffles the boards so that likely ones tend to come first.
fn shuffled(boards: Vec<Board>, dice: &mut SplitMix64) -> Vec<Board> {
    // Each board comes first with a probability proportional to its weight.
    let mut keyed: Vec<(f32, Board)> = boards
        .into_iter()
        .map(|board| ((1.0 - dice.fraction()).ln() / board.weight.max(f32::MIN_POSITIVE), board))
        .collect();
    keyed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    keyed.into_iter().map(|(_, board)| board).collect()
}

/// Returns the random number generator for a seed.
fn dice(seed: u64) -> SplitMix64 {
    SplitMix64::new(seed.wrapping_add(GOLDEN_GAMMA))
}
