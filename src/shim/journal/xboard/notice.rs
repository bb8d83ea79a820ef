//! Notices to the user about an outage: one when the server is lost, and one when the session goes on.
//!
//! A notice has the form of a thinking line without score, time and nodes, which xboard takes for information and shows where it
//! shows the thinking. The messages of `telluser` are windows, and xboard does not close such a window when an error follows, as it
//! does if no server comes back.

use std::time::Instant;

/// Notices for the client.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    /// Since when the server is away, if the client is told that.
    away: Option<Instant>,
    /// Lines that were not passed on yet.
    lines: String,
}

impl Notices {
    /// The server is lost.
    pub fn server_is_away(&mut self, now: Instant) {
        self.away = Some(now);
        self.lines.push_str("0 0 0 0 (The server is away: farboard-connect is looking for another one)\n");
    }

    /// A server has the session. Said only after [`Notices::server_is_away`].
    pub fn server_is_there(&mut self, now: Instant) {
        if let Some(since) = self.away.take() {
            let seconds = now.saturating_duration_since(since).as_secs_f64();
            self.lines.push_str(&format!("0 0 0 0 (The session goes on after {seconds:.1} seconds)\n"));
        }
    }

    /// When the lines are to be passed on, if there are any: at once.
    pub fn due(&self) -> Option<Instant> {
        self.away.filter(|_| !self.lines.is_empty())
    }

    /// The lines that were not passed on.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.lines).into_bytes()
    }
}
