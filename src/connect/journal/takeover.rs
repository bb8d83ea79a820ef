//! From one server to the next: what is told, when it goes on, and how much of the clock that took.

use super::answers::asks_for_features;
use super::claim::Standing;
use super::pending::Pending;
use super::state::Over;
use super::{Journal, Passed, Phase};
use crate::protocol::xboard::Command;
use std::time::{Duration, Instant};

impl Journal {
    /// The server is gone. Returns its last words if they were a complaint that was not passed on.
    pub fn lose(&mut self) -> Option<String> {
        self.phase = Phase::Lost;
        self.coming.clear();
        self.passed = 0;
        self.held_since = None;
        self.pending.forget_own();
        self.own_pings = 0;
        let words = String::from_utf8_lossy(&std::mem::take(&mut self.held)).into_owned();
        words.lines().last().map(|line| line.trim_start_matches("tellusererror ").trim().to_owned())
    }

    /// Another server is there: what to tell it. What it answers comes to [`Journal::server`].
    pub fn resume(&mut self, now: Instant) -> Vec<u8> {
        (self.spoke, self.complained, self.progress) = (false, false, false);
        self.resumed = true;
        let mut up = self.state.retell();
        if up.is_empty() && !self.pings {
            // Nothing was answered by anybody yet: there is nothing to be said twice.
            let mut passed = Passed::default();
            self.caught_up(now, &mut passed);
            return passed.up;
        }
        let number = self.next_ping;
        self.next_ping += 1;
        up.extend_from_slice(format!("ping {number}\n").as_bytes());
        self.phase = Phase::Catching(number);
        up
    }

    /// The server knows what was before: sets it going, and says what it has not heard.
    pub(super) fn caught_up(&mut self, now: Instant, passed: &mut Passed) {
        self.phase = Phase::Live;
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
        let times = self.times(now);
        self.ahead = self.state.clone();
        for (place, pending) in self.pending.take().into_iter().enumerate() {
            if self.pings && self.is_mistakable(&pending.line, pending.at) {
                self.ping(now, &mut passed.up);
            }
            let crossed = self.expect(&pending.line, pending.at);
            match &times {
                Some((before, time, instead)) if *before == place => {
                    passed.up.extend(format!("time {time}\n").as_bytes());
                    if !instead {
                        push_line(&mut passed.up, &pending.line);
                    }
                }
                _ => push_line(&mut passed.up, &pending.line),
            }
            self.pending.push(Pending { reached: false, ..pending });
            if crossed && self.pings {
                self.ping(now, &mut passed.up);
            }
        }
        passed.up.extend_from_slice(&self.unfinished);
    }

    /// What the engine's clock shows, if a pending line makes its move due: before which line that is to be said, how
    /// much it is in centiseconds, and whether that line said more.
    pub(super) fn times(&self, now: Instant) -> Option<(usize, i64, bool)> {
        if self.state.due {
            return None;
        }
        let demand = self.pending.demand(&self.state)?;
        let since = self.pending.iter().nth(demand)?.at;
        let lost = centiseconds(now.saturating_duration_since(since));
        let told = self.pending.iter().take(demand).enumerate().filter_map(|(place, pending)| match pending
            .command()
        {
            Some(Command::Time(ours)) => Some((place, ours, true)),
            _ => None,
        });
        let known = self.state.clock.ours(since).map(|ours| (demand, ours, false));
        let (place, ours, instead) = told.last().or(known)?;
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
