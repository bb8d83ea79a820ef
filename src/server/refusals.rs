//! Telling the administrator of those who are turned away, without letting them fill the log.

use std::fmt::Display;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Lines in one period.
const MOST: usize = 20;
const PERIOD: Duration = Duration::from_secs(60);

/// Counts those who were turned away for want of a key.
#[derive(Default)]
pub(super) struct Refusals {
    /// When the period began.
    since: Option<Instant>,
    logged: usize,
    silent: usize,
}

impl Refusals {
    /// Logs that somebody was turned away, unless that happens too often.
    pub(super) fn log(&mut self, peer: SocketAddr, reason: &dyn Display, now: Instant) {
        if self.note(now) {
            if self.silent > 0 {
                log::warn!(
                    "{} others were turned away without a line here",
                    std::mem::take(&mut self.silent)
                );
            }
            log::warn!("{peer}: turned away: {reason}");
        }
    }

    /// Whether there is room for one more line; counts it, or who gets none.
    fn note(&mut self, now: Instant) -> bool {
        if self.since.is_none_or(|since| now.saturating_duration_since(since) >= PERIOD) {
            self.since = Some(now);
            self.logged = 0;
        }
        let is_room = self.logged < MOST;
        *(if is_room { &mut self.logged } else { &mut self.silent }) += 1;
        is_room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_not_told() {
        let start = Instant::now();
        let mut refusals = Refusals::default();
        let told = (0..1000).filter(|_| refusals.note(start)).count();
        assert_eq!((told, refusals.silent), (MOST, 1000 - MOST));
        assert!(!refusals.note(start + PERIOD / 2));
        assert!(refusals.note(start + PERIOD));
    }
}
