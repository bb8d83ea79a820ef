//! Accepting connections. The system announces new connections once, so an accept loop that stops
//! early must remember them.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

/// Shortest pause after an error that is not specific to one connection, such as a lack of file
/// descriptors. The system would report the same error again at once, and the loop would spin.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
/// Longest pause. Connections in the backlog should not wait much longer than the shortage lasts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// State of a listening socket between turns of the loop.
pub(in crate::server) struct Acceptor {
    /// Whether there may be new connections.
    pub(in crate::server) ready: bool,
    /// End of the pause after an error.
    retry: Option<Instant>,
    pause: Duration,
    /// When a new connection may have a slot; `None` for now.
    pub(in crate::server) slot_free_from: Option<Instant>,
}

impl Acceptor {
    /// Creates the state of a socket that may have new connections already.
    pub(in crate::server) fn new() -> Acceptor {
        Acceptor { ready: true, retry: None, pause: SHORTEST_PAUSE, slot_free_from: None }
    }

    /// Returns when to try again without an event: `now` if there is no pause.
    pub(in crate::server) fn next_wakeup(&self, now: Instant) -> Option<Instant> {
        self.ready.then(|| self.retry.max(self.slot_free_from).unwrap_or(now))
    }

    /// Accepts the next connection; `None` until more are announced or the pause is over.
    pub(in crate::server) fn next<T>(
        &mut self,
        now: Instant,
        mut accept: impl FnMut() -> io::Result<T>,
    ) -> Option<T> {
        if !self.ready || self.retry.max(self.slot_free_from).is_some_and(|from| from > now) {
            return None;
        }
        loop {
            match accept() {
                Ok(new_connection) => {
                    self.retry = None;
                    self.pause = SHORTEST_PAUSE;
                    return Some(new_connection);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.ready = false;
                    return None;
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    self.pause_after(&error, now);
                    return None;
                }
            }
        }
    }

    fn pause_after(&mut self, error: &io::Error, now: Instant) {
        if self.pause == SHORTEST_PAUSE {
            log::warn!(
                "cannot accept connections for now: {error}. Existing sessions continue; if file \
                 descriptors are short, raise the limit (ulimit -n) or lower max_sessions"
            );
        }
        self.retry = Some(now + self.pause);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }
}

/// Returns true if accepting failed because that one connection has ended.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
            | ErrorKind::TimedOut
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_waited_for_and_no_connection_is_forgotten() {
        let shortage = || Err::<(), _>(io::Error::other("no descriptors"));
        let mut acceptor = Acceptor::new();
        let mut now = Instant::now();
        for expected in [10, 20, 40, 80, 160, 320, 640, 1000, 1000] {
            assert_eq!(acceptor.next(now, shortage), None);
            let retry = acceptor.next_wakeup(now).expect("it looks again by itself");
            assert_eq!((retry - now).as_millis(), expected);
            assert_eq!(acceptor.next(now, || -> io::Result<()> { panic!("too early") }), None);
            now = retry;
        }
        assert_eq!(acceptor.next(now, || Ok("a connection")), Some("a connection"));
        assert_eq!(acceptor.next_wakeup(now), Some(now), "there may be more");
        assert_eq!(acceptor.next(now, || Err::<(), _>(ErrorKind::WouldBlock.into())), None);
        assert_eq!(acceptor.next_wakeup(now), None);
        acceptor.ready = true;
        assert_eq!(acceptor.next(now, shortage), None);
        assert_eq!(acceptor.next_wakeup(now), Some(now + SHORTEST_PAUSE), "a new shortage");
    }

    #[test]
    fn a_slot_that_becomes_free_is_used_at_once() {
        let now = Instant::now();
        let mut acceptor = Acceptor::new();
        let later = now + Duration::from_millis(500);
        acceptor.slot_free_from = Some(later);
        assert_eq!(acceptor.next(now, || -> io::Result<()> { panic!("there is no slot") }), None);
        assert_eq!(acceptor.next_wakeup(now), Some(later));
        acceptor.slot_free_from = None;
        assert_eq!(
            (acceptor.next_wakeup(now), acceptor.next(now, || Ok("a connection"))),
            (Some(now), Some("a connection"))
        );
        acceptor.next(now, || Err::<(), _>(io::Error::other("no descriptors")));
        acceptor.slot_free_from = None;
        assert_eq!(
            acceptor.next_wakeup(now),
            Some(now + SHORTEST_PAUSE),
            "the pause after an error is another matter"
        );
    }

    #[test]
    fn connections_that_have_ended_are_skipped() {
        let mut outcomes = [Err(ErrorKind::ConnectionAborted.into()), Ok("a connection")].into_iter();
        let mut acceptor = Acceptor::new();
        assert_eq!(acceptor.next(Instant::now(), || outcomes.next().expect("two")), Some("a connection"));
    }
}
