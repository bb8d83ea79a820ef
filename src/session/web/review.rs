//! `review`: one position of the game on the board after another.

use super::record::words;
use super::{Session, Step, Task, send};
use crate::chess::Outcome;
use crate::protocol::web::{self, Message};
use crate::session::player::Purpose;
use crate::session::state::record;
use crate::session::web::lines::of_white;
use std::ops::RangeInclusive;

/// Possible nodes for a position.
pub(super) const NODES: RangeInclusive<u64> = 1..=100_000_000;

/// A review of the game on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Review {
    /// The position under review: plies played.
    pub(super) ply: usize,
    /// Nodes for each position.
    pub(super) nodes: u64,
}

record!(Review { ply, nodes });

impl Session {
    /// `review`
    pub(super) fn review(&mut self, nodes: u64, step: &mut Step<'_>) {
        if self.is_playing() {
            return send(Message::error(Some("review"), "the game is still going on"), step);
        }
        if !NODES.contains(&nodes) {
            let text = format!("nodes must be from {} to {}", NODES.start(), NODES.end());
            return send(Message::error(Some("review"), text), step);
        }
        self.player.stop(step);
        self.player.engine.options_mut().lines = 1;
        self.review_position(Review { ply: 0, nodes }, step);
    }

    /// Analyses the position under review. The last one may have no legal move.
    fn review_position(&mut self, review: Review, step: &mut Step<'_>) {
        self.task = Task::Review(review);
        if self.game.after(review.ply).goes_on() {
            return self.start_task_search(step);
        }
        self.task = Task::None;
        let score = match self.game.outcome(false) {
            Some(Outcome::Win(_)) => web::Score::Mate(0),
            Some(Outcome::Draw) | None => web::Score::Cp(0),
        };
        send(Message::Reviewed { ply: review.ply, score, best: None, done: true }, step);
    }

    /// Sends what the search has found in the position under review, and goes on with the next.
    pub(super) fn position_reviewed(&mut self, step: &mut Step<'_>) {
        // The result of an analysis that has ended stays on the board.
        let Task::Review(review) = self.task else { return };
        let Some(search) = self.player.halt(step).filter(|search| search.purpose == Purpose::Analysis) else {
            return;
        };
        let best = search.found().map(|(mv, _)| words(&search.root, mv));
        let score = search.score().unwrap_or(crate::search::Score::DRAW);
        let score = of_white(score, search.root.turn());
        let done = review.ply >= self.game.plies();
        send(Message::Reviewed { ply: review.ply, score, best, done }, step);
        if done {
            self.task = Task::None;
        } else {
            self.review_position(Review { ply: review.ply + 1, ..review }, step);
        }
    }
}
