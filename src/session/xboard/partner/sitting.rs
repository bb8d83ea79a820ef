//! Sitting: the engine's move is held back, since a piece may come, or the partner requests it.
//!
//! Without a legal move the engine sits in any case, as long as a piece could stop the check.
//! Otherwise it sits where it is mated soon and a piece would save it, and where the partner
//! requests it; but not if the partner is lost, and never so long that it loses on time: the engine
//! loses if the partner's opponent, who can wait as well, has more time.

use super::{Partner, PartnerRequests, Session, Step};
use crate::chess::Roles;
use crate::pool::Class;
use crate::search::{GameRecord, Limits, is_mated_soon};
use crate::session::player::{Held, NewSearch, Purpose, Search, untimed_budget};
use crate::session::xboard::{Closing, Mode};
use std::time::{Duration, Instant};

/// The greatest part of the engine's clock to sit, if the other board's clocks are unknown.
const CLOCK_DIVISOR: u32 = 8;
/// If they are known: the part of its clock that the engine keeps, and its lead over the partner's
/// opponent.
const RESERVE_DIVISOR: u32 = 5;
const LEAD: Duration = Duration::from_secs(2);
/// The longest time to sit without a clock.
const UNTIMED: Duration = Duration::from_secs(10);
/// In less time no piece would come.
const LEAST: Duration = Duration::from_millis(300);

impl Partner {
    fn reason_to_sit(&self, search: &Search) -> Option<Roles> {
        let PartnerRequests { sit, dead, .. } = self.requests;
        let saving = search.findings.saved_by;
        let is_mated = || search.score().is_some_and(is_mated_soon) && !saving.is_empty();
        let saving = if sit { Some(Roles::NONE) } else { is_mated().then_some(saving) };
        saving.filter(|_| !dead)
    }
}

impl Session {
    /// Waits for a piece: the engine's move has been due since `since`, and there is none.
    pub(in crate::session::xboard) fn sit_without_move(&mut self, since: Instant, step: &mut Step<'_>) {
        let (root, budget) = (self.game.root(), untimed_budget(Class::Reply, since));
        let ask = NewSearch::of(Purpose::Move, root, Limits::default(), budget);
        self.player.wait(ask, step);
        let awaited = self.game.position().awaited();
        self.tell_partner(|reported| reported.on_sitting(awaited), step);
    }

    /// Decides whether a move that is ready, or whose time is up, is held back. Returns true if so.
    pub(in crate::session::xboard) fn sits(&mut self, step: &mut Step<'_>) -> bool {
        let Some(search) = self.player.search() else { return false };
        if search.has_no_move() {
            return true;
        }
        if search.is_sitting() {
            let goes_on = search.deadline.is_some_and(|deadline| step.now < deadline);
            if goes_on {
                self.player.await_deadline(step);
            }
            return goes_on;
        }
        let left = search.sits_until.map(|until| until.saturating_duration_since(step.now));
        let Some(saving) = self.reason_to_sit() else { return false };
        let time = self.sitting_time(step.now).min(left.unwrap_or(Duration::MAX));
        if time < LEAST {
            return false;
        }
        self.hold_for(time, step);
        self.tell_partner(|reported| reported.on_sitting(saving), step);
        true
    }

    /// Decides whether to go on sitting, after a message of the partner.
    pub(super) fn review_sitting(&mut self, step: &mut Step<'_>) {
        let held = |search: &&Search| search.held == Some(Held::Sitting);
        if self.player.is_paused() || self.player.search().filter(held).is_none() {
            return;
        }
        let time = self.reason_to_sit().map_or(Duration::ZERO, |_| self.sitting_time(step.now));
        if time.is_zero() {
            return self.move_without_sitting(step);
        }
        let until = step.now.checked_add(time);
        let sooner = self.player.search().and_then(|search| search.deadline).zip(until);
        if sooner.is_some_and(|(deadline, until)| until < deadline) {
            self.hold_for(time, step);
        }
    }

    /// Handles the partner's `go`: it ends an earlier request to sit, even if the engine has moved
    /// since; without one it asks for the move now.
    pub(super) fn partner_says_go(&mut self, asked: bool, step: &mut Step<'_>) {
        let sitting = self.player.search().is_some_and(Search::is_sitting);
        let due = self.player.purpose() == Some(Purpose::Move) && !self.player.is_paused();
        if due && (sitting || !asked) {
            self.move_without_sitting(step);
        }
    }

    /// Ends sitting when no piece can come any more, with the engine's move if there is one.
    pub(in crate::session::xboard) fn end_sitting(&mut self, step: &mut Step<'_>) {
        if self.player.search().is_some_and(Search::has_no_move) {
            self.stop(step);
        } else {
            self.move_without_sitting(step);
        }
    }

    fn hold_for(&mut self, time: Duration, step: &mut Step<'_>) {
        let Some(search) = self.player.search_mut() else { return };
        search.hold(Held::Sitting, step.now.checked_add(time));
        search.sits_until = search.deadline;
        self.player.await_deadline(step);
    }

    /// The pieces that would save the engine from a mate soon, if it has a reason to sit; none if
    /// the partner requests it.
    fn reason_to_sit(&self) -> Option<Roles> {
        let playing = matches!(self.mode, Mode::Play(_)) && self.closing != Closing::Owing;
        self.partner().filter(|_| playing)?.reason_to_sit(self.player.search()?)
    }

    /// The longest time for which the engine's move may be held back from now on.
    fn sitting_time(&self, now: Instant) -> Duration {
        let clocks = &self.player.limits.clocks;
        if clocks.is_per_move() {
            return Duration::ZERO;
        }
        let Some(left) = clocks.shown_after(self.player.running(now)) else { return UNTIMED };
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        match self.partner().and_then(|partner| partner.clocks.opponent(now)) {
            Some(rival) => left.saturating_sub(rival + LEAD).min(left - left / RESERVE_DIVISOR),
            None => left / CLOCK_DIVISOR,
        }
    }
}
