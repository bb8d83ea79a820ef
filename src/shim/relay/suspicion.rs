//! Lines and searches of which servers die, so that no third server gets them. After the first death the next server gets
//! the lines in question one by one, so if it is lost as well, the culprit is known. Connections break for other reasons,
//! too: a single server convicts only by certain deaths, or by many losses.

use super::server::Linked;
use super::unaccounted::Unaccounted;
use std::time::{Duration, Instant};

/// A server that lives this long after a line does not die of it at once.
const SURVIVAL_TIME: Duration = Duration::from_secs(1);
/// The same for a search, if it is certain that the server has died.
const SEARCH_SURVIVAL_TIME: Duration = Duration::from_secs(5);
/// Number of certain deaths that suffices.
const ENOUGH_DEATHS: usize = 2;
/// Number of losses that suffices at one address, which may stand for many servers.
const ENOUGH_LOSSES: usize = 4;

/// How a server was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// The connection has ended.
    Plain,
    /// The server has reported a defect.
    Defect,
    /// The server has announced that it leaves, or the session leaves it.
    Innocent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Death {
    server: usize,
    certain: bool,
    /// Whether no server was tried since.
    is_last: bool,
}

#[derive(Debug, Default)]
struct Deaths(Vec<Death>);

impl Deaths {
    fn are_enough(&self) -> bool {
        let certain = self.0.iter().filter(|death| death.certain).count();
        let are_many = certain >= ENOUGH_DEATHS || self.0.len() >= ENOUGH_LOSSES;
        are_many || self.0.iter().any(|death| death.server != self.0[0].server)
    }

    /// Adds a death; if the server was lost too late to have died of this, forgets the earlier ones.
    fn note(&mut self, death: Death, is_too_late: bool) {
        if is_too_late {
            self.0.clear();
        } else {
            self.0.push(death);
        }
    }
}

/// Possible causes of the deaths of servers.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    /// Deaths after the client's first unaccounted line.
    of_line: Deaths,
    /// Deaths of servers that had only the session and its search.
    of_search: Deaths,
    /// Number of the client's first bytes whose lines are sent one by one.
    doubtful: usize,
}

impl Suspicion {
    /// Notes the loss of the server with this index.
    pub(super) fn blame(
        &mut self,
        server: usize,
        loss: Loss,
        linked: &Linked,
        bytes: &Unaccounted,
        now: Instant,
    ) {
        self.settle();
        let certain = match loss {
            Loss::Innocent => return,
            Loss::Plain => false,
            Loss::Defect => true,
        };
        let death = Death { server, certain, is_last: true };
        let since = |at: Instant| now.saturating_duration_since(at);
        if bytes.first_line().is_some_and(|length| length <= bytes.sent()) {
            // A line without an answer for that long has most likely never reached the server.
            let is_too_late = !certain && since(linked.waits_since) >= SURVIVAL_TIME;
            self.of_line.note(death, is_too_late);
            if !is_too_late {
                self.doubtful = self.doubtful.max(bytes.sent());
            }
        } else if linked.is_resumed && !linked.has_progressed {
            let limit = if certain { SEARCH_SURVIVAL_TIME } else { SURVIVAL_TIME };
            self.of_search.note(death, since(linked.since) >= limit);
        }
    }

    fn deaths(&mut self) -> impl Iterator<Item = &mut Death> {
        self.of_line.0.iter_mut().chain(&mut self.of_search.0)
    }

    /// Notes that the server that was lost last cannot be reached: more than the connection has broken.
    pub(super) fn confirm_last(&mut self) {
        self.deaths().for_each(|death| death.certain |= death.is_last);
    }

    /// Notes that earlier deaths can no longer be confirmed: another server was reached, or lost.
    pub(super) fn settle(&mut self) {
        self.deaths().for_each(|death| death.is_last = false);
    }

    /// Notes that a server has accounted for some bytes of the client.
    pub(super) fn account(&mut self, count: u64) {
        self.doubtful = self.doubtful.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        self.of_line.0.clear();
        self.of_search.0.clear();
    }

    /// Notes that a server has lasted with the session's search.
    pub(super) fn absolve_search(&mut self) {
        self.of_search.0.clear();
    }

    /// Returns true if the session's search is not to be started again.
    pub(super) fn is_search_fatal(&self) -> bool {
        self.of_search.are_enough()
    }

    /// Returns the length of the client's first line, if servers have died of it.
    pub(super) fn fatal_line(&self, bytes: &Unaccounted) -> Option<usize> {
        bytes.first_line().filter(|_| bytes.sent() == 0 && self.of_line.are_enough())
    }

    /// Returns how many of the unaccounted bytes a server may get now.
    pub(super) fn limit(&self, bytes: &Unaccounted) -> usize {
        if self.doubtful == 0 { usize::MAX } else { bytes.first_line().unwrap_or(usize::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_two_certain_deaths_or_two_servers() {
        let death = |server, certain| Death { server, certain, is_last: false };
        for (deaths, enough) in [
            (&[][..], false),
            (&[death(0, false), death(0, false)], false),
            (&[death(0, true), death(0, false)], false),
            (&[death(0, false), death(0, true)], false),
            (&[death(0, true), death(0, true)], true),
            (&[death(0, false), death(1, false)], true),
            (&[death(0, false), death(0, false), death(0, false)], false),
            (&[death(0, false), death(0, false), death(0, false), death(0, false)], true),
        ] {
            assert_eq!(Deaths(deaths.to_vec()).are_enough(), enough, "{deaths:?}");
        }
    }
}
