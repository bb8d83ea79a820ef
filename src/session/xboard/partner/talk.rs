//! Reports to the bughouse partner: everything once when it changes, and a few lines for each of
//! the engine's moves.

use super::{Session, Step};
use crate::chess::Roles;
use crate::protocol::xboard::{PartnerNotice, Reply};
use crate::search::is_mated_soon;
use crate::session::player::Search;
use crate::session::state::{Fields, StateError, describe};
use crate::session::xboard::Mode;
use std::time::Duration;

/// The most lines from one move of the engine to the next. Chess servers silence users who send too
/// much.
const MAX_LINES: u8 = 5;
/// If this number of roles would mate the engine, the partner had better give nothing at all.
const TOO_MANY: usize = 4;
/// Clocks are reported again when one has changed by a quarter of the last report, and by some
/// seconds.
const CLOCK_CHANGE_DIVISOR: u32 = 4;
const LEAST_CLOCK_CHANGE: Duration = Duration::from_secs(3);

/// The reports to the partner that were not taken back.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reported {
    mates: Roles,
    mates_us: Roles,
    sit: bool,
    dead: bool,
    sitting: bool,
    saved_by: Roles,
    /// The engine's clock and its opponent's.
    clocks: Option<(Duration, Duration)>,
    /// Lines since the engine's last move.
    lines: u8,
}

impl Reported {
    /// Records a notice that is sent. Returns false if the limit of lines is reached.
    fn record(&mut self, notice: PartnerNotice) -> bool {
        if self.lines >= MAX_LINES {
            return false;
        }
        self.lines += 1;
        match notice {
            PartnerNotice::Mates(roles) => self.mates = self.mates.union(roles),
            PartnerNotice::NoLongerMates(roles) => self.mates = self.mates.without(roles),
            PartnerNotice::MatesUs(roles) => self.mates_us = self.mates_us.union(roles),
            PartnerNotice::NoLongerMatesUs(roles) => self.mates_us = self.mates_us.without(roles),
            PartnerNotice::Saves(roles) => self.saved_by = roles,
            PartnerNotice::Sit => self.sit = true,
            PartnerNotice::Go => self.sit = false,
            PartnerNotice::Dead => self.dead = true,
            // This voids all earlier reports for the partner.
            PartnerNotice::Alive => {
                (self.dead, self.sit) = (false, false);
                (self.mates, self.mates_us) = (Roles::NONE, Roles::NONE);
            }
            PartnerNotice::Sitting => self.sitting = true,
            PartnerNotice::Clocks { own, opponent } => self.clocks = Some((own, opponent)),
            PartnerNotice::Moving | PartnerNotice::Help => {}
        }
        true
    }

    /// Handles a move of the engine. Returns true if the engine was sitting before.
    fn moved(&mut self) -> bool {
        self.lines = 0;
        self.saved_by = Roles::NONE;
        std::mem::take(&mut self.sitting)
    }

    /// Notices that the engine sits, and that one of these pieces would help.
    pub(super) fn on_sitting(&self, saved_by: Roles) -> impl Iterator<Item = PartnerNotice> + use<> {
        let saves =
            (!saved_by.is_empty() && saved_by != self.saved_by).then_some(PartnerNotice::Saves(saved_by));
        let sitting = (!self.sitting).then_some(PartnerNotice::Sitting);
        [saves, sitting].into_iter().flatten()
    }

    /// A notice about whether the board is lost: mated soon, whatever comes. A search that was cut
    /// short does not know the latter.
    fn on_state(&self, search: Option<&Search>) -> Option<PartnerNotice> {
        let dead = search.is_some_and(|search| {
            let findings = &search.findings;
            let hopeless = findings.saved_by.is_empty() && (findings.done.is_some() || self.dead);
            hopeless && search.score().is_some_and(is_mated_soon)
        });
        (dead != self.dead).then_some(if dead { PartnerNotice::Dead } else { PartnerNotice::Alive })
    }

    /// Notices about the pieces with which the opponent would mate.
    fn on_dangers(&self, dangers: Roles) -> impl Iterator<Item = PartnerNotice> + use<> {
        let too_many = dangers.len() >= TOO_MANY;
        let sit = if too_many { PartnerNotice::Sit } else { PartnerNotice::Go };
        // With `sit` the partner gives nothing, so details do not matter.
        let new = if too_many { Roles::NONE } else { dangers.without(self.mates_us) };
        [
            (too_many != self.sit).then_some(sit),
            some(self.mates_us.without(dangers)).map(PartnerNotice::NoLongerMatesUs),
            some(new).map(PartnerNotice::MatesUs),
        ]
        .into_iter()
        .flatten()
    }

    /// Notices about the pieces with which the engine would mate.
    fn on_chances(&self, chances: Roles) -> impl Iterator<Item = PartnerNotice> + use<> {
        [
            some(self.mates.without(chances)).map(PartnerNotice::NoLongerMates),
            some(chances.without(self.mates)).map(PartnerNotice::Mates),
        ]
        .into_iter()
        .flatten()
    }

    /// A notice about clocks that have changed much.
    fn on_clocks(&self, own: Duration, opponent: Duration) -> Option<PartnerNotice> {
        let differs = |now: Duration, then: Duration| {
            now.abs_diff(then) > LEAST_CLOCK_CHANGE.max(then / CLOCK_CHANGE_DIVISOR)
        };
        let is_news =
            self.clocks.is_none_or(|(ours, theirs)| differs(own, ours) || differs(opponent, theirs));
        is_news.then_some(PartnerNotice::Clocks { own, opponent })
    }

    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Reported {
            mates: "mates",
            mates_us: "mates-us",
            sit: "sit",
            dead: "dead",
            sitting: "sitting",
            saved_by: "saved-by",
            clocks: "clocks",
            lines: "lines" in 0..=MAX_LINES,
        })
    }
}

/// Roles, if there are any.
fn some(roles: Roles) -> Option<Roles> {
    (!roles.is_empty()).then_some(roles)
}

impl Session {
    /// Sends these notices to the partner, if there is one, up to the limit of lines.
    pub(super) fn tell_partner<N: IntoIterator<Item = PartnerNotice>>(
        &mut self,
        notices: impl FnOnce(&Reported) -> N,
        step: &mut Step<'_>,
    ) {
        let playing = matches!(self.mode, Mode::Play(_)) && self.partner().is_some();
        let Some(partner) = self.gui.partner.as_deref_mut().filter(|_| playing) else { return };
        for notice in notices(&partner.reported) {
            if partner.reported.record(notice) {
                step.reply(Reply::Ptell(notice));
            }
        }
    }

    /// Reports on a move of the engine after which the game goes on.
    pub(in crate::session::xboard) fn report_to_partner(
        &mut self,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        if self.partner().is_none() {
            return;
        }
        let sat = self.gui.partner.as_deref_mut().is_some_and(|partner| partner.reported.moved());
        self.tell_partner(|_| sat.then_some(PartnerNotice::Moving), step);
        self.tell_partner(|reported| reported.on_state(search), step);
        self.report_dangers(step);
        // In check the opponent first has to respond.
        let position = *self.game.position();
        let ours = position.with_turn(!position.turn());
        let chances = ours.map_or(Roles::NONE, |position| position.mating_drops());
        self.tell_partner(|reported| reported.on_chances(chances), step);
        let clocks = &self.player.limits.clocks;
        let ours = clocks.shown_after(Duration::ZERO).filter(|_| !clocks.is_per_move());
        if let Some((own, opponent)) = ours.zip(self.gui.opponent.clock) {
            let clock = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
            self.tell_partner(|reported| reported.on_clocks(clock(own), clock(opponent)), step);
        }
    }

    /// Reports the pieces with which the opponent, who is to move, would mate. None if it mates
    /// anyway.
    pub(super) fn report_dangers(&mut self, step: &mut Step<'_>) {
        let position = *self.game.position();
        if self.mode == Mode::Play(!position.turn()) {
            let dangers = |reported: &Reported| {
                let notices = (!reported.dead).then(|| reported.on_dangers(position.mating_drops()));
                notices.into_iter().flatten()
            };
            self.tell_partner(dangers, step);
        }
    }
}
