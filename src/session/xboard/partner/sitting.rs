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
use crate::session::player::{Held, NewSearch, Player, Purpose, Search, untimed_budget};
use crate::session::xboard::Closing;
use crate::session::xboard::offers::hold;
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
    /// The pieces that would save the engine from a mate soon, if it has a reason to sit; none if
    /// the partner requests it.
    fn reason_to_sit(&self, search: &Search) -> Option<Roles> {
        let PartnerRequests { sit, dead, .. } = self.requests;
        let saving = search.findings.saved_by;
        let is_mated = || search.score().is_some_and(is_mated_soon) && !saving.is_empty();
        let saving = if sit { Some(Roles::NONE) } else { is_mated().then_some(saving) };
        saving.filter(|_| !dead)
    }

    /// The longest time for which the engine's move may be held back from now on.
    fn sitting_time(&self, player: &Player, now: Instant) -> Duration {
        let clocks = &player.limits.clocks;
        if clocks.is_per_move() {
            return Duration::ZERO;
        }
        let Some(left) = clocks.shown_after(player.running(now)) else { return UNTIMED };
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        match self.clocks.opponent(now) {
            Some(rival) => left.saturating_sub(rival + LEAD).min(left - left / RESERVE_DIVISOR),
            None => left / CLOCK_DIVISOR,
        }
    }
}

impl Session {
    /// Waits for a piece: the engine's move has been due since `since`, and there is none.
    pub(in crate::session::xboard) fn sit_without_move(&mut self, since: Instant, step: &mut Step<'_>) {
        let (root, budget) = (self.board.game.root(), untimed_budget(Class::Reply, since));
        self.player.wait(NewSearch::of(Purpose::Move, root, Limits::default(), budget), step);
        if let Some(reported) = self.context.reported(&self.board) {
            reported.send_sitting(self.board.position().awaited(), step);
        }
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
        let Some((saving, time)) = self.sitting(step.now) else { return false };
        let time = time.min(left.unwrap_or(Duration::MAX));
        if time < LEAST {
            return false;
        }
        hold(&mut self.player, Held::Sitting, time, step);
        if let Some(reported) = self.context.reported(&self.board) {
            reported.send_sitting(saving, step);
        }
        true
    }

    /// Decides whether to go on sitting, after a message of the partner.
    pub(super) fn review_sitting(&mut self, step: &mut Step<'_>) {
        let search = self.player.search().filter(|search| search.held == Some(Held::Sitting));
        let Some(search) = search.filter(|_| !self.player.is_paused()) else { return };
        let time = self.sitting(step.now).map_or(Duration::ZERO, |(_, time)| time);
        let ends = search.deadline.zip(step.now.checked_add(time));
        if time.is_zero() {
            self.move_without_sitting(step);
        } else if ends.is_some_and(|(before, now)| now < before) {
            hold(&mut self.player, Held::Sitting, time, step);
        }
    }

    /// The pieces that would save the engine, and the longest time to wait for them, if it has a
    /// reason to sit.
    fn sitting(&self, now: Instant) -> Option<(Roles, Duration)> {
        let is_playing = self.board.mode.plays() && self.closing != Closing::Owing;
        let partner = self.context.partner(&self.board).filter(|_| is_playing)?;
        let saving = partner.reason_to_sit(self.player.search()?)?;
        Some((saving, partner.sitting_time(&self.player, now)))
    }
}
