//! Thinking on the opponent's time.

use super::thinking::Purpose;
use super::{Effect, Leaving, Mode, Session, Step};
use crate::pool::{Class, Terms};
use crate::protocol::xboard::Reply;
use crate::search::Limits;

/// How hard to look for the move to expect when the last search has not left one.
const EXPECTATION: Limits = Limits { depth: Some(10), nodes: Some(300_000) };

impl Session {
    /// Ponders, if that is wanted and the opponent is on move and nothing else is going on.
    pub(super) fn begin_pondering(&mut self, step: &mut Step<'_>) {
        let waiting = self.mode == Mode::Play(!self.game.position().turn()) && self.turn_wanted.is_none();
        let free = self.search.is_none() && self.paused.is_none() && self.leaving == Leaving::No;
        if !(self.ponder && self.may_ponder && waiting && free) || self.game.ending().is_some() {
            return;
        }
        let Some(expected) = self.expected.filter(|&mv| self.game.position().is_legal(mv)) else {
            let game = self.game.clone();
            return self.start(Purpose::Expectation, &game, EXPECTATION, self.unhurried(step), step);
        };
        let hint = self.game.position().coordinates(expected);
        let mut game = self.game.clone();
        game.play(expected);
        if game.ending().is_none() {
            step.reply(Reply::Hint(hint));
            let limits = Limits { depth: self.depth, nodes: None };
            self.start(Purpose::Ponder(expected), &game, limits, self.unhurried(step), step);
        }
    }

    /// The opponent played what we expected, and it is on the board: the search goes on as our own.
    pub(super) fn ponder_hit(&mut self, step: &mut Step<'_>) {
        let allotment = self.allotment();
        let class = if allotment.is_some() { Class::Clock } else { Class::Analysis };
        let terms = Terms { class, since: step.now, allotment };
        let Some(search) = &mut self.search else { return };
        search.purpose = Purpose::Move;
        search.since = step.now;
        if search.done.is_some() {
            return self.make_move(step);
        }
        search.deadline = terms.deadline();
        step.effect(Effect::Retime(search.id, terms));
        let deadline = search.deadline;
        self.set_timer(deadline, step);
    }

    /// `easy`
    pub(super) fn stop_pondering(&mut self, step: &mut Step<'_>) {
        if matches!(self.purpose(), Some(Purpose::Ponder(_) | Purpose::Expectation)) {
            self.halt(step);
        }
    }
}
