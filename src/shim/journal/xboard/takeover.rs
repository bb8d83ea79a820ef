//! From one server to the next: what to send, when to continue, and how much of the clock that took.

use super::answers::asks_for_features;
use super::lost_claim::Standing;
use super::state::{Mode, Over};
use super::{Journal, JournalPhase, Passed, SessionJournal};
use crate::protocol::xboard::Command;
use crate::shim::journal::CALM;
use std::time::{Duration, Instant};

impl Journal {
    /// The server with index `server` is lost. Returns its last words if they were a complaint that was not
    /// passed on.
    pub(super) fn lose_server(&mut self, now: Instant, server: usize) -> Option<String> {
        self.forget_last_deaths();
        if self.phase == JournalPhase::Live && self.is_worth_a_notice() {
            self.notices.server_is_away(now);
        }
        // Without a ping after each line it would not be known which line it was.
        if self.phase == JournalPhase::Live && self.pings {
            self.blame(now, server);
        }
        self.part()
    }

    /// From when on another server may take over by choice: see [`SessionJournal::moves_from`].
    pub(super) fn moves_from(&self) -> Option<Instant> {
        let asked = self.asked_to_move?;
        let is_settled = self.phase == JournalPhase::Live && !self.pending.is_kept_back() && !self.quit;
        if !is_settled || !self.can_be_resumed() || self.owes() {
            return None;
        }
        let calm =
            self.stirred.filter(|_| self.ahead.mode == Mode::Analyze).and_then(|at| at.checked_add(CALM));
        Some(calm.map_or(asked, |calm| calm.max(asked)))
    }

    /// Whether the user is told that the server is lost: not in the middle of the features, nor of an answer to `bk`, which ends
    /// with the first line that is not indented.
    fn is_worth_a_notice(&self) -> bool {
        self.ahead.is_thinking_shown() && self.can_be_resumed() && !self.is_unanswered() && self.book == 0
    }

    /// There is no server any more. Returns its last words if they were a complaint that was not passed on.
    pub(super) fn part(&mut self) -> Option<String> {
        self.asked_to_move = None;
        self.phase = JournalPhase::Lost;
        self.coming.clear();
        (self.passed, self.skipping) = (0, false);
        self.held_since = None;
        self.pending.forget_own();
        self.pending.forget_told();
        self.own_pings = 0;
        let words = String::from_utf8_lossy(&std::mem::take(&mut self.held)).into_owned();
        words.lines().last().map(|line| line.trim_start_matches("tellusererror ").trim().to_owned())
    }

    /// Another server is there. Returns what to send to it, and perhaps to the client. Its answers come to
    /// `server`.
    pub(super) fn take_over(&mut self, now: Instant) -> Passed {
        (self.spoke, self.complained, self.progress) = (false, false, false);
        self.resumed = true;
        let mut passed = Passed { down: self.drop_fatal_lines(now), ..Passed::default() };
        let told = self.state.retell();
        if told.is_empty() && !self.pings {
            // Nothing has been answered yet, so nothing needs to be repeated.
            self.caught_up(now, &mut passed);
            return passed;
        }
        let number = self.next_ping;
        self.next_ping += 1;
        passed.up = [told, format!("ping {number}\n").into_bytes()].concat();
        self.phase = JournalPhase::Catching(number);
        passed
    }

    /// The server has the state: starts activity, and sends the pending lines.
    pub(super) fn caught_up(&mut self, now: Instant, passed: &mut Passed) {
        self.phase = JournalPhase::Live;
        self.notices.server_is_there(now);
        passed.down.extend(self.notices.take());
        self.repeats = self.pending.find(asks_for_features).is_some();
        self.book_repeats = std::mem::take(&mut self.book);
        if self.just_moved.take().is_some()
            && self.state.over == Over::No
            && let Standing::Ended(claim) = self.state.standing(now)
        {
            passed.down.extend(claim);
            self.state.ended(Over::Claimed, now);
        }
        passed.up.extend(self.state.go_on(now));
        self.pending.iter_mut().for_each(|pending| pending.reached = false);
        self.tell_pending(now, &mut passed.up);
    }

    /// Sends the pending lines; of suspected lines one at a time.
    pub(super) fn tell_pending(&mut self, now: Instant, up: &mut Vec<u8>) {
        let times = self.times(now);
        self.ahead = self.state.clone();
        let lines = self.pending.take_to_tell();
        let mut doubtful =
            lines.iter().filter(|pending| pending.told.is_none() && !pending.deaths.is_empty()).count();
        let mut keeps_back = false;
        for (place, mut pending) in lines.into_iter().enumerate() {
            if pending.told.is_some() || keeps_back {
                pending.change(&mut self.ahead);
                self.pending.push(pending);
                continue;
            }
            if self.pings && self.is_mistakable(&pending) {
                self.ping(now, up);
            }
            let crossed = self.expect(&pending);
            match &times {
                Some((before, time, instead)) if *before == place => {
                    up.extend(format!("time {time}\n").as_bytes());
                    if !instead {
                        push_line(up, &pending.line);
                    }
                }
                _ => push_line(up, &pending.line),
            }
            pending.told = Some(now);
            let in_doubt = !pending.deaths.is_empty();
            doubtful -= usize::from(in_doubt);
            keeps_back = self.pings && in_doubt && doubtful > 0 && self.may_wait_behind(&pending);
            self.pending.push(pending);
            if self.pings && (crossed || keeps_back) {
                self.ping(now, up);
            }
        }
        if !keeps_back {
            up.extend_from_slice(&self.unfinished);
        }
    }

    /// The engine's clock, if a pending line makes its move due: the line before which to send it, its value
    /// in centiseconds, and whether that line told more.
    pub(super) fn times(&self, now: Instant) -> Option<(usize, i64, bool)> {
        if self.state.due {
            return None;
        }
        let demand = self.pending.demand(&self.state)?;
        let since = self.pending.iter().nth(demand)?.at;
        let lost = centiseconds(now.saturating_duration_since(since));
        let mut told = self.pending.iter().take(demand).enumerate().filter_map(|(place, pending)| {
            match pending.command() {
                Some(Command::Time(ours)) => Some((place, *ours, true)),
                _ => None,
            }
        });
        let known = self.state.clock.ours(since).map(|ours| (demand, ours, false));
        let (place, ours, instead) = told.next_back().or(known)?;
        Some((place, ours.saturating_sub(lost).max(1), instead))
    }
}

fn push_line(bytes: &mut Vec<u8>, line: &[u8]) {
    bytes.extend_from_slice(line);
    bytes.push(b'\n');
}

fn centiseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis() / 10).unwrap_or(i64::MAX)
}
