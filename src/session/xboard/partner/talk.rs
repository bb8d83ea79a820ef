//! Reports to the bughouse partner: everything once when it changes, and a few lines for each of
//! the engine's moves.

use super::{Session, Step};
use crate::chess::{AnyPosition, Roles};
use crate::protocol::xboard::{PartnerNotice, Reply};
use crate::search::is_mated_soon;
use crate::session::player::Search;
use crate::session::state::{Fields, StateError, describe};
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

    /// Sends notices to the partner, up to the limit of lines.
    pub(super) fn send(&mut self, notices: impl IntoIterator<Item = PartnerNotice>, step: &mut Step<'_>) {
        for notice in notices {
            if self.record(notice) {
                step.reply(Reply::Ptell(notice));
            }
        }
    }

    /// Reports on a move of the engine that led to `position`; `clocks` are the engine's and the
    /// opponent's in milliseconds.
    fn send_after_move(
        &mut self,
        search: Option<&Search>,
        position: &AnyPosition,
        clocks: Option<(i64, i64)>,
        step: &mut Step<'_>,
    ) {
        self.lines = 0;
        self.saved_by = Roles::NONE;
        let was_sitting = std::mem::take(&mut self.sitting);
        self.send(was_sitting.then_some(PartnerNotice::Moving), step);
        self.send(self.on_state(search), step);
        self.send_dangers(position, step);
        // In check the opponent first has to respond.
        let engines_turn = position.with_turn(!position.turn());
        let chances = engines_turn.map_or(Roles::NONE, |position| position.mating_drops());
        self.send(self.on_chances(chances), step);
        if let Some((own, opponent)) = clocks {
            let clock = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
            self.send(self.on_clocks(clock(own), clock(opponent)), step);
        }
    }

    /// Reports that the engine sits, and that one of these pieces would help.
    pub(super) fn send_sitting(&mut self, saved_by: Roles, step: &mut Step<'_>) {
        let is_new = !saved_by.is_empty() && saved_by != self.saved_by;
        self.send(is_new.then_some(PartnerNotice::Saves(saved_by)), step);
        self.send((!self.sitting).then_some(PartnerNotice::Sitting), step);
    }

    /// Reports the pieces with which the opponent, who is to move, would mate. None if it mates
    /// anyway.
    pub(super) fn send_dangers(&mut self, position: &AnyPosition, step: &mut Step<'_>) {
        if !self.dead {
            self.send(self.on_dangers(position.mating_drops()), step);
        }
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
        let is_news = self.clocks.is_none_or(|known| differs(own, known.0) || differs(opponent, known.1));
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
    /// Reports on a move of the engine after which the game goes on.
    pub(in crate::session::xboard) fn report_to_partner(
        &mut self,
        search: Option<&Search>,
        step: &mut Step<'_>,
    ) {
        let clocks = &self.player.limits.clocks;
        let own = clocks.shown_after(Duration::ZERO).filter(|_| !clocks.is_per_move());
        let clocks = own.zip(self.context.opponent.clock);
        if let Some(reported) = self.context.reported(&self.board) {
            reported.send_after_move(search, self.board.position(), clocks, step);
        }
    }
}
