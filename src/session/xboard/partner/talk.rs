//! What we tell the partner in bughouse: everything once when it changes, and a few lines for each of our moves.

use super::{Session, Step};
use crate::chess::Roles;
use crate::protocol::xboard::{PartnerNotice, Reply};
use crate::search::is_mated_soon;
use crate::session::player::Search;
use crate::session::xboard::Mode;
use std::time::Duration;

/// Lines from one move of ours to the next. Chess servers silence who says too much.
pub(super) const MAX_LINES: u8 = 5;
/// The number of roles that would mate us from which on the partner had better give nothing at all.
const TOO_MANY: usize = 4;
/// Clocks are told again when one differs from what was told by a quarter, and by some seconds.
const CLOCK_CHANGE_DIVISOR: u32 = 4;
const LEAST_CLOCK_CHANGE: Duration = Duration::from_secs(3);

/// What the partner has been told and has not been taken back.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Told {
    pub(super) mates: Roles,
    pub(super) mates_us: Roles,
    pub(super) sit: bool,
    pub(super) dead: bool,
    pub(super) sitting: bool,
    pub(super) saved_by: Roles,
    /// Our clock and our opponent's.
    pub(super) clocks: Option<(Duration, Duration)>,
    /// Lines since our last move.
    pub(super) lines: u8,
}

impl Session {
    /// Tells the partner something, unless there is none, or there was much to say since our last move.
    pub(super) fn tell_partner(&mut self, notice: PartnerNotice, step: &mut Step<'_>) {
        self.tell(notice, step, |_| {});
    }

    /// The same, and notes that it was said.
    fn tell(&mut self, notice: PartnerNotice, step: &mut Step<'_>, note: impl FnOnce(&mut Told)) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.partner().is_some();
        let Some(partner) = self.client.partner.as_deref_mut().filter(|_| playing) else { return };
        if partner.told.lines < MAX_LINES {
            partner.told.lines += 1;
            note(&mut partner.told);
            step.reply(Reply::Ptell(notice));
        }
    }

    /// What the partner has been told, if there is one.
    fn told(&self) -> Option<Told> {
        self.partner().map(|partner| partner.told)
    }

    /// We sit, and one of these pieces would help.
    pub(super) fn tell_of_sitting(&mut self, saved_by: Roles, step: &mut Step<'_>) {
        let Some(told) = self.told() else { return };
        if !saved_by.is_empty() && saved_by != told.saved_by {
            self.tell(PartnerNotice::Saves(saved_by), step, |told| told.saved_by = saved_by);
        }
        if !told.sitting {
            self.tell(PartnerNotice::Sitting, step, |told| told.sitting = true);
        }
    }

    /// Our move is on the board, and the game goes on.
    pub(in crate::session::xboard) fn report_to_partner(
        &mut self,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let Some(told) = self.told() else { return };
        if let Some(partner) = &mut self.client.partner {
            partner.told = Told { lines: 0, sitting: false, saved_by: Roles::NONE, ..told };
        }
        if told.sitting {
            self.tell_partner(PartnerNotice::Moving, step);
        }
        self.report_state(search, step);
        self.report_dangers(step);
        self.report_chances(step);
        self.report_clocks(step);
    }

    /// Whether our board is lost: mated soon, whatever comes. A search that was cut short does not know the latter.
    fn report_state(&mut self, search: Option<&Search>, step: &mut Step<'_>) {
        let told = self.told();
        let said = told.is_some_and(|told| told.dead);
        let dead = search.is_some_and(|search| {
            let hopeless = search.saved_by.is_empty() && (search.done.is_some() || said);
            hopeless && search.score().is_some_and(is_mated_soon)
        });
        match told {
            Some(told) if told.dead == dead => {}
            Some(_) if dead => self.tell(PartnerNotice::Dead, step, |told| told.dead = true),
            // The partner forgets with it what else we have told.
            Some(_) => self.tell(PartnerNotice::Alive, step, |told| {
                *told = Told { dead: false, mates: Roles::NONE, mates_us: Roles::NONE, sit: false, ..*told };
            }),
            None => {}
        }
    }

    /// Which pieces must not come to our opponent, who is on move: it would mate. Nothing if it mates anyway.
    pub(super) fn report_dangers(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let Some(told) = self.told().filter(|told| !told.dead) else { return };
        if self.mode != Mode::Play(!position.turn()) {
            return;
        }
        let dangers = position.mating_drops();
        let too_many = dangers.len() >= TOO_MANY;
        if too_many != told.sit {
            let notice = if too_many { PartnerNotice::Sit } else { PartnerNotice::Go };
            self.tell(notice, step, |told| told.sit = too_many);
        }
        let over = told.mates_us.without(dangers);
        if !over.is_empty() {
            let notice = PartnerNotice::NoLongerMatesUs(over);
            self.tell(notice, step, |told| told.mates_us = told.mates_us.without(over));
        }
        // Who gives nothing need not know what.
        let new = if too_many { Roles::NONE } else { dangers.without(told.mates_us) };
        if !new.is_empty() {
            self.tell(PartnerNotice::MatesUs(new), step, |told| told.mates_us = told.mates_us.union(new));
        }
    }

    /// With which pieces we would mate, were we on move. In check the opponent first has to move.
    fn report_chances(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let Some(told) = self.told() else { return };
        let ours = position.with_turn(!position.turn());
        let chances = ours.map_or(Roles::NONE, |position| position.mating_drops());
        let over = told.mates.without(chances);
        if !over.is_empty() {
            let notice = PartnerNotice::NoLongerMates(over);
            self.tell(notice, step, |told| told.mates = told.mates.without(over));
        }
        let new = chances.without(told.mates);
        if !new.is_empty() {
            self.tell(PartnerNotice::Mates(new), step, |told| told.mates = told.mates.union(new));
        }
    }

    /// The clocks of our board, if they are known and have changed much.
    fn report_clocks(&mut self, step: &mut Step<'_>) {
        let Some(told) = self.told() else { return };
        let clocks = &self.player.limits.clocks;
        let ours = clocks.shown_after(Duration::ZERO).filter(|_| !clocks.is_per_move());
        let Some((own, opponent)) = ours.zip(self.client.opponent_clock) else { return };
        let clock = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
        let (own, opponent) = (clock(own), clock(opponent));
        let differs = |now: Duration, then: Duration| {
            now.abs_diff(then) > LEAST_CLOCK_CHANGE.max(then / CLOCK_CHANGE_DIVISOR)
        };
        let known = told.clocks;
        if known.is_none_or(|(ours, theirs)| differs(own, ours) || differs(opponent, theirs)) {
            let notice = PartnerNotice::Clocks { own, opponent };
            self.tell(notice, step, |told| told.clocks = Some((own, opponent)));
        }
    }
}
