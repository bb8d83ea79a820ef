//! Reports to the bughouse partner: everything once when it changes, and a few lines for each of
//! the engine's moves.

use super::{Session, Step};
use crate::chess::Roles;
use crate::protocol::xboard::{PartnerNotice, Reply};
use crate::search::is_mated_soon;
use crate::session::player::Search;
use crate::session::xboard::Mode;
use std::time::Duration;

/// The most lines from one move of the engine to the next. Chess servers silence users who send too
/// much.
pub(super) const MAX_LINES: u8 = 5;
/// If this number of roles would mate the engine, the partner had better give nothing at all.
const TOO_MANY: usize = 4;
/// Clocks are reported again when one has changed by a quarter of the last report, and by some
/// seconds.
const CLOCK_CHANGE_DIVISOR: u32 = 4;
const LEAST_CLOCK_CHANGE: Duration = Duration::from_secs(3);

/// What was reported to the partner and not taken back.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reported {
    pub(super) mates: Roles,
    pub(super) mates_us: Roles,
    pub(super) sit: bool,
    pub(super) dead: bool,
    pub(super) sitting: bool,
    pub(super) saved_by: Roles,
    /// The engine's clock and its opponent's.
    pub(super) clocks: Option<(Duration, Duration)>,
    /// Lines since the engine's last move.
    pub(super) lines: u8,
}

impl Session {
    /// Sends a notice to the partner, unless there is none, or the limit of lines is reached.
    pub(super) fn tell_partner(&mut self, notice: PartnerNotice, step: &mut Step<'_>) {
        self.tell(notice, step, |_| {});
    }

    /// Sends a notice, and records that it was sent.
    fn tell(&mut self, notice: PartnerNotice, step: &mut Step<'_>, note: impl FnOnce(&mut Reported)) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.partner().is_some();
        let Some(partner) = self.gui.partner.as_deref_mut().filter(|_| playing) else { return };
        if partner.reported.lines < MAX_LINES {
            partner.reported.lines += 1;
            note(&mut partner.reported);
            step.reply(Reply::Ptell(notice));
        }
    }

    /// What was reported to the partner, if there is one.
    fn reported(&self) -> Option<Reported> {
        self.partner().map(|partner| partner.reported)
    }

    /// Reports that the engine sits, and which pieces would help.
    pub(super) fn tell_of_sitting(&mut self, saved_by: Roles, step: &mut Step<'_>) {
        let Some(reported) = self.reported() else { return };
        if !saved_by.is_empty() && saved_by != reported.saved_by {
            self.tell(PartnerNotice::Saves(saved_by), step, |reported| reported.saved_by = saved_by);
        }
        if !reported.sitting {
            self.tell(PartnerNotice::Sitting, step, |reported| reported.sitting = true);
        }
    }

    /// Reports on a move of the engine after which the game goes on.
    pub(in crate::session::xboard) fn report_to_partner(
        &mut self,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let Some(reported) = self.reported() else { return };
        if let Some(partner) = &mut self.gui.partner {
            partner.reported = Reported { lines: 0, sitting: false, saved_by: Roles::NONE, ..reported };
        }
        if reported.sitting {
            self.tell_partner(PartnerNotice::Moving, step);
        }
        self.report_state(search, step);
        self.report_dangers(step);
        self.report_chances(step);
        self.report_clocks(step);
    }

    /// Reports whether the board is lost: mated soon, whatever comes. A search that was cut short
    /// does not know the latter.
    fn report_state(&mut self, search: Option<&Search>, step: &mut Step<'_>) {
        let reported = self.reported();
        let said = reported.is_some_and(|reported| reported.dead);
        let dead = search.is_some_and(|search| {
            let hopeless = search.saved_by.is_empty() && (search.done.is_some() || said);
            hopeless && search.score().is_some_and(is_mated_soon)
        });
        match reported {
            Some(reported) if reported.dead == dead => {}
            Some(_) if dead => self.tell(PartnerNotice::Dead, step, |reported| reported.dead = true),
            // This voids all earlier reports for the partner.
            Some(_) => self.tell(PartnerNotice::Alive, step, |reported| {
                *reported = Reported {
                    dead: false,
                    mates: Roles::NONE,
                    mates_us: Roles::NONE,
                    sit: false,
                    ..*reported
                };
            }),
            None => {}
        }
    }

    /// Reports the pieces with which the opponent, who is to move, would mate. None if it mates
    /// anyway.
    pub(super) fn report_dangers(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let Some(reported) = self.reported().filter(|reported| !reported.dead) else { return };
        if self.mode != Mode::Play(!position.turn()) {
            return;
        }
        let dangers = position.mating_drops();
        let too_many = dangers.len() >= TOO_MANY;
        if too_many != reported.sit {
            let notice = if too_many { PartnerNotice::Sit } else { PartnerNotice::Go };
            self.tell(notice, step, |reported| reported.sit = too_many);
        }
        let over = reported.mates_us.without(dangers);
        if !over.is_empty() {
            let notice = PartnerNotice::NoLongerMatesUs(over);
            self.tell(notice, step, |reported| reported.mates_us = reported.mates_us.without(over));
        }
        // With `sit` the partner gives nothing, so details do not matter.
        let new = if too_many { Roles::NONE } else { dangers.without(reported.mates_us) };
        if !new.is_empty() {
            self.tell(PartnerNotice::MatesUs(new), step, |reported| {
                reported.mates_us = reported.mates_us.union(new)
            });
        }
    }

    /// Reports the pieces with which the engine would mate, were it to move. In check the opponent
    /// first has to respond.
    fn report_chances(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        let Some(reported) = self.reported() else { return };
        let ours = position.with_turn(!position.turn());
        let chances = ours.map_or(Roles::NONE, |position| position.mating_drops());
        let over = reported.mates.without(chances);
        if !over.is_empty() {
            let notice = PartnerNotice::NoLongerMates(over);
            self.tell(notice, step, |reported| reported.mates = reported.mates.without(over));
        }
        let new = chances.without(reported.mates);
        if !new.is_empty() {
            self.tell(PartnerNotice::Mates(new), step, |reported| reported.mates = reported.mates.union(new));
        }
    }

    /// Reports the clocks of the board, if they are known and have changed much.
    fn report_clocks(&mut self, step: &mut Step<'_>) {
        let Some(reported) = self.reported() else { return };
        let clocks = &self.player.limits.clocks;
        let ours = clocks.shown_after(Duration::ZERO).filter(|_| !clocks.is_per_move());
        let Some((own, opponent)) = ours.zip(self.gui.opponent.clock) else { return };
        let clock = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
        let (own, opponent) = (clock(own), clock(opponent));
        let differs = |now: Duration, then: Duration| {
            now.abs_diff(then) > LEAST_CLOCK_CHANGE.max(then / CLOCK_CHANGE_DIVISOR)
        };
        let known = reported.clocks;
        if known.is_none_or(|(ours, theirs)| differs(own, ours) || differs(opponent, theirs)) {
            let notice = PartnerNotice::Clocks { own, opponent };
            self.tell(notice, step, |reported| reported.clocks = Some((own, opponent)));
        }
    }
}
