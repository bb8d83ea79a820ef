//! File descriptors: enough for all sessions if the system permits it, and a reserve that sessions
//! never get.
//!
//! The system hands out the lowest free number, so the newest descriptor shows how many are in use.
//! The reserve is for refusing new connections with a message, and for the control socket.

use crate::config::{Config, Transport};
use crate::server::admission::MAX_PROBES;
use crate::server::connections::MAX_REFUSED;
use crate::server::control;
use crate::server::http::MAX_CLIENTS;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};

/// Reserved for the control socket and for files that are read.
const ADMIN_RESERVE: u64 = 2 * control::MAX_CLIENTS as u64;
/// Reserved in all: also refused connections, twice for remote shells, and health checks.
const REFUSAL_RESERVE: u64 = ADMIN_RESERVE + 2 * MAX_REFUSED as u64 + MAX_PROBES as u64;
/// Other descriptors of the process, generously: its sockets, the log, the event loop.
const OTHER_DESCRIPTORS: u64 = 32;
/// Descriptors for one process of a hosted engine: its pipes, its folder, and its files in `/proc`.
const DESCRIPTORS_OF_ENGINE: u64 = 5;
/// Descriptors for a session of a page: its WebSocket, and both ends of the connection behind it.
const DESCRIPTORS_OF_PAGE: u64 = 3;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::server) enum Headroom {
    /// So few that the newest should be closed at once.
    Last,
    /// Too few for a session; enough to send the client a message and wait until it has read it.
    Reserve,
    Plenty,
}

impl Headroom {
    /// Determines what is left beside `newest`, which the system has just handed out.
    pub(in crate::server) fn beside(newest: &impl AsRawFd) -> Headroom {
        getrlimit(Resource::Nofile)
            .current
            .map_or(Headroom::Plenty, |limit| Headroom::of(newest.as_raw_fd(), limit))
    }

    /// Determines what is left now; [`Headroom::Last`] if nothing is.
    pub(in crate::server) fn now() -> Headroom {
        File::open("/dev/null").map_or(Headroom::Last, |newest| Headroom::beside(&newest))
    }

    fn of(newest: RawFd, limit: u64) -> Headroom {
        let left = limit.saturating_sub(u64::try_from(newest).unwrap_or(0));
        // For tiny limits, as in tests.
        let reserve = REFUSAL_RESERVE.min(limit / 4);
        match left {
            _ if left > reserve => Headroom::Plenty,
            _ if left > ADMIN_RESERVE.min(reserve / 2) => Headroom::Reserve,
            _ => Headroom::Last,
        }
    }
}

/// Raises the limit of file descriptors to what sessions, pending logins, listeners and hosted
/// engines of a configuration need, also if each session is a browser's; and logs a warning if the
/// system does not permit as many as other sessions need.
pub fn provide_descriptors(config: &Config) {
    let (sessions, listeners) = (config.max_sessions, &config.listen);
    // A remote shell client has two connections.
    let each = if listeners.iter().any(|listen| listen.transport == Transport::Rsh) { 2 } else { 1 };
    let asks = listeners.iter().any(|listen| listen.has_keys() || !listen.proxy.is_empty());
    let logins = if asks { config.max_unproven as u64 } else { 0 };
    let http = if config.http.is_some() { MAX_CLIENTS as u64 } else { 0 };
    let processes: usize = config.engines.values().map(|engine| engine.processes).sum();
    let others =
        REFUSAL_RESERVE + OTHER_DESCRIPTORS + logins + http + DESCRIPTORS_OF_ENGINE * processes as u64;
    let most = if config.http.is_some() { DESCRIPTORS_OF_PAGE } else { each };
    let (needed, wanted) = (each * sessions as u64 + others, most * sessions as u64 + others);
    let limits = getrlimit(Resource::Nofile);
    let Some(current) = limits.current.filter(|&current| current < wanted) else { return };
    let allowed = limits.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let raised = Rlimit { current: Some(allowed), maximum: limits.maximum };
    let limit = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => allowed,
        Err(error) => {
            log::debug!("the limit of file descriptors was not raised: {error}");
            current
        }
    };
    if limit < needed {
        log::warn!(
            "{limit} file descriptors are enough for about {} sessions, not for {sessions} (max_sessions); \
             more need a higher limit (ulimit -n {needed}, LimitNOFILE={needed} of the service)",
            limit.saturating_sub(others.min(limit / 4)) / each
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_is_kept_however_few_there_are() {
        for limit in [16, 24, 64, 1024, 16_384, 1 << 20] {
            let rooms: Vec<Headroom> =
                (0..limit as RawFd).map(|newest| Headroom::of(newest, limit)).collect();
            assert!(rooms.is_sorted_by(|one, next| one >= next), "{limit}");
            let count = |wanted| rooms.iter().filter(|&&room| room == wanted).count() as u64;
            assert!(count(Headroom::Plenty) >= limit / 4 * 3, "{limit}");
            assert!(count(Headroom::Reserve) >= 2 && count(Headroom::Last) >= 2, "{limit}");
        }
        assert_eq!(Headroom::of(1024 - REFUSAL_RESERVE as RawFd, 1024), Headroom::Reserve);
        assert_eq!(Headroom::of(1023 - REFUSAL_RESERVE as RawFd, 1024), Headroom::Plenty);
        assert_eq!(Headroom::of(1024 - ADMIN_RESERVE as RawFd, 1024), Headroom::Last);
    }
}
