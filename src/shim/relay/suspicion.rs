//! Lines that end servers, and searches that do, so that no third server meets them.
//!
//! A server that is lost right after a line may have died of it. The next one gets the lines in question one by one, each when the
//! one before is accounted for. So if that server is lost as well, the culprit is known. Connections break for other reasons, too:
//! it takes a death that is certain to count alone, and otherwise two different servers.

use super::server::Linked;
use super::unaccounted::Unaccounted;
use std::time::{Duration, Instant};

/// A server that lives this long after a line does not die of it at once.
const SURVIVAL_TIME: Duration = Duration::from_secs(1);
/// The same for a search, if it is certain that the server has died.
const SEARCH_SURVIVAL_TIME: Duration = Duration::from_secs(5);
/// The number of certain deaths that suffices.
const ENOUGH_DEATHS: usize = 2;
/// The number of losses that suffices where one address is tried again and again: many servers may be behind it.
const ENOUGH_LOSSES: usize = 4;

/// How a server was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// The connection has ended.
    Plain,
    /// The server has reported a defect.
    Defect,
    /// The server goes, and has said so, or the session leaves it.
    Innocent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Death {
    server: usize,
    certain: bool,
    /// No server was tried since.
    is_last: bool,
}

#[derive(Debug, Default)]
struct Deaths(Vec<Death>);

impl Deaths {
    fn add(&mut self, death: Death) {
        self.0.push(death);
    }

    fn are_enough(&self) -> bool {
        let certain = self.0.iter().filter(|death| death.certain).count();
        let are_many = certain >= ENOUGH_DEATHS || self.0.len() >= ENOUGH_LOSSES;
        are_many || self.0.iter().any(|death| death.server != self.0[0].server)
    }
}

/// What servers may have died of.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    /// Deaths after the client's first line without account.
    of_line: Deaths,
    /// Deaths of servers that had only the session and its search.
    of_search: Deaths,
    /// The number of the client's first bytes whose lines are sent one by one.
    doubtful: usize,
}

impl Suspicion {
    /// The server with this index is lost.
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
            // What a server has had for long without a word has most likely never reached it.
            if certain || since(linked.waits_since) < SURVIVAL_TIME {
                self.of_line.add(death);
                self.doubtful = self.doubtful.max(bytes.sent());
            } else {
                self.of_line = Deaths::default();
            }
        } else if linked.is_resumed && !linked.has_progressed {
            let limit = if certain { SEARCH_SURVIVAL_TIME } else { SURVIVAL_TIME };
            if since(linked.since) < limit {
                self.of_search.add(death);
            } else {
                self.of_search = Deaths::default();
            }
        }
    }

    /// The server that was lost last cannot be reached: more than the connection has broken.
    pub(super) fn confirm_last(&mut self) {
        for death in self.of_line.0.iter_mut().chain(&mut self.of_search.0) {
            death.certain |= death.is_last;
        }
    }

    /// Another server is there, or none: earlier deaths can no longer be confirmed.
    pub(super) fn settle(&mut self) {
        for death in self.of_line.0.iter_mut().chain(&mut self.of_search.0) {
            death.is_last = false;
        }
    }

    /// A server has accounted for this many bytes of the client.
    pub(super) fn account(&mut self, count: u64) {
        if count > 0 {
            self.doubtful = self.doubtful.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
            self.of_line = Deaths::default();
            self.of_search = Deaths::default();
        }
    }

    /// A server has lasted with the session's search.
    pub(super) fn absolve_search(&mut self) {
        self.of_search = Deaths::default();
    }

    /// Whether the session's search is not to be started again.
    pub(super) fn is_search_fatal(&self) -> bool {
        self.of_search.are_enough()
    }

    /// The length of the client's first line, if servers have died of that.
    pub(super) fn fatal_line(&self, bytes: &Unaccounted) -> Option<usize> {
        bytes.first_line().filter(|_| bytes.sent() == 0 && self.of_line.are_enough())
    }

    /// How many of the bytes without account a server may be sent now.
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
            let mut known = Deaths::default();
            deaths.iter().for_each(|death| known.add(*death));
            assert_eq!(known.are_enough(), enough, "{deaths:?}");
        }
    }
}
