//! What we tell the partner in bughouse: everything once when it changes, and a few lines for each of our moves.

use super::{Session, Step};
use crate::chess::Roles;
use crate::protocol::xboard::{PartnerNotice, Reply};
use crate::search::is_mated_soon;
use crate::session::player::Search;
use crate::session::xboard::Mode;
use std::time::Duration;

/// Lines from one move of ours to the next. Chess servers silence who says too much.
const MAX_LINES: u8 = 5;
/// The number of roles that would mate us from which on the partner had better give nothing at all.
const TOO_MANY: usize = 4;
/// Clocks are told again when one differs from what was told by a quarter, and by some seconds.
const CLOCK_CHANGE_DIVISOR: u32 = 4;
const LEAST_CLOCK_CHANGE: Duration = Duration::from_secs(3);

/// What the partner has been told and has not been taken back.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Told {
    mates: Roles,
    mates_us: Roles,
    sit: bool,
    dead: bool,
    sitting: bool,
    saved_by: Roles,
    /// Our clock and our opponent's.
    clocks: Option<(Duration, Duration)>,
    /// Lines since our last move.
    lines: u8,
}

impl Session {
    /// Tells the partner something, unless there is none, or there was much to say since our last move. True if it was said.
    pub(super) fn tell_partner(&mut self, notice: PartnerNotice, step: &mut Step<'_>) -> bool {
        let playing = matches!(self.mode, Mode::Play(_)) && self.partner().is_some();
        let Some(partner) = self.client.partner.as_deref_mut().filter(|_| playing) else { return false };
        if partner.told.lines >= MAX_LINES {
            return false;
        }
        partner.told.lines += 1;
        step.reply(Reply::Ptell(notice));
        true
    }

    fn told(&mut self) -> Option<&mut Told> {
        self.client.partner.as_deref_mut().map(|partner| &mut partner.told)
    }

    /// We sit, and one of these pieces would help.
    pub(super) fn tell_of_sitting(&mut self, saved_by: Roles, step: &mut Step<'_>) {
        let Some(&mut Told { sitting, saved_by: known, .. }) = self.told() else { return };
        if !saved_by.is_empty()
            && saved_by != known
            && self.tell_partner(PartnerNotice::Saves(saved_by), step)
        {
            self.told().into_iter().for_each(|told| told.saved_by = saved_by);
        }
        if !sitting && self.tell_partner(PartnerNotice::Sitting, step) {
            self.told().into_iter().for_each(|told| told.sitting = true);
        }
    }

    /// Our move is on the board, and the game goes on.
    pub(in crate::session::xboard) fn report_to_partner(
        &mut self,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        if self.partner().is_none() {
            return;
        }
        let Some(told) = self.told() else { return };
        let sat = std::mem::take(&mut told.sitting);
        (told.lines, told.saved_by) = (0, Roles::NONE);
        if sat {
            self.tell_partner(PartnerNotice::Moving, step);
        }
        self.report_state(search, step);
        self.report_dangers(step);
        self.report_chances(step);
        self.report_clocks(step);
    }

    /// Whether our board is lost.
    fn report_state(&mut self, search: Option<&Search>, step: &mut Step<'_>) {
        let dead = search.and_then(Search::score).is_some_and(is_mated_soon);
        let Some(known) = self.told().map(|told| told.dead) else { return };
        let notice = if dead { PartnerNotice::Dead } else { PartnerNotice::Alive };
        if dead != known && self.tell_partner(notice, step) {
            // The partner forgets with it what else we have told.
            let forgotten = if dead { None } else { self.told() };
            forgotten.into_iter().for_each(|told| (told.mates, told.mates_us) = Default::default());
            self.told().into_iter().for_each(|told| told.dead = dead);
        }
    }

    /// Which pieces must not come to our opponent, who is on move: it would mate. Nothing if it mates anyway.
    pub(super) fn report_dangers(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        if self.partner().is_none() || self.mode != Mode::Play(!position.turn()) {
            return;
        }
        let Some(&mut Told { mates_us: known, sit, dead: false, .. }) = self.told() else { return };
        let dangers = position.mating_drops();
        let too_many = dangers.len() >= TOO_MANY;
        if too_many != sit {
            let notice = if too_many { PartnerNotice::Sit } else { PartnerNotice::Go };
            if self.tell_partner(notice, step) {
                self.told().into_iter().for_each(|told| told.sit = too_many);
            }
        }
        let over = known.without(dangers);
        if !over.is_empty() && self.tell_partner(PartnerNotice::NoLongerMatesUs(over), step) {
            self.told().into_iter().for_each(|told| told.mates_us = told.mates_us.without(over));
        }
        // Who gives nothing need not know what.
        let new = if too_many { Roles::NONE } else { dangers.without(known) };
        if !new.is_empty() && self.tell_partner(PartnerNotice::MatesUs(new), step) {
            self.told().into_iter().for_each(|told| told.mates_us = told.mates_us.and(new));
        }
    }

    /// With which pieces we would mate, were we on move. In check the opponent first has to move.
    fn report_chances(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let Some(known) = self.told().map(|told| told.mates) else { return };
        let ours = position.with_turn(!position.turn());
        let chances = ours.map_or(Roles::NONE, |position| position.mating_drops());
        let over = known.without(chances);
        if !over.is_empty() && self.tell_partner(PartnerNotice::NoLongerMates(over), step) {
            self.told().into_iter().for_each(|told| told.mates = told.mates.without(over));
        }
        let new = chances.without(known);
        if !new.is_empty() && self.tell_partner(PartnerNotice::Mates(new), step) {
            self.told().into_iter().for_each(|told| told.mates = told.mates.and(new));
        }
    }

    /// The clocks of our board, if they are known and have changed much.
    fn report_clocks(&mut self, step: &mut Step<'_>) {
        let clocks = &self.player.limits.clocks;
        let ours = clocks.shown_after(Duration::ZERO).filter(|_| !clocks.is_per_move());
        let millis = |time: i64| Duration::from_millis(u64::try_from(time).unwrap_or(0));
        let Some((own, opponent)) = ours.zip(self.client.opponent_clock) else { return };
        let (own, opponent) = (millis(own), millis(opponent));
        let Some(known) = self.told().map(|told| told.clocks) else { return };
        let differs = |now: Duration, then: Duration| {
            now.abs_diff(then) > LEAST_CLOCK_CHANGE.max(then / CLOCK_CHANGE_DIVISOR)
        };
        let news = known.is_none_or(|(ours, theirs)| differs(own, ours) || differs(opponent, theirs));
        if news && self.tell_partner(PartnerNotice::Clocks { own, opponent }, step) {
            self.told().into_iter().for_each(|told| told.clocks = Some((own, opponent)));
        }
    }
}
