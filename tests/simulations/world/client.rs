//! A GUI, its shim, and the world's view of both.

use crate::world::gui::{Gui, Seen, Trouble};
use farboard::shim::relay::{Ending, Relay};
use std::time::{Duration, Instant};

/// A session that is lost again this soon after a takeover may be blamed for it.
const FRAGILE: Duration = Duration::from_millis(1500);
/// A defect this soon may be blamed on the search.
const SEARCH_SURVIVAL: Duration = Duration::from_millis(5500);

pub struct Client {
    pub relay: Relay,
    pub gui: Box<dyn Gui>,
    /// An incomplete line of the engine.
    line: Vec<u8>,
    /// The latest successful connection attempt.
    pub attempt: u64,
    /// The ending of its shim.
    pub ending: Option<Ending>,
    /// Trouble that is over.
    past: Trouble,
    /// Since when the session has had no server.
    pub lost_since: Option<Instant>,
    /// When the present server took the session over, and the connection attempt that led to it.
    served_since: Instant,
    served_attempt: u64,
    /// Whether a server was lost before it had accounted for all input.
    has_suspects: bool,
    /// Servers lost right after a takeover.
    quick_losses: usize,
    /// When the shim will have read the GUI's whole output.
    pub written_until: Instant,
    /// When the relay wakes next.
    pub wakes_at: Option<Instant>,
}

impl Client {
    pub fn new(relay: Relay, gui: Box<dyn Gui>, now: Instant) -> Client {
        Client {
            relay,
            gui,
            line: Vec::new(),
            attempt: 0,
            ending: None,
            past: Trouble::default(),
            lost_since: Some(now),
            served_since: now,
            served_attempt: 0,
            has_suspects: false,
            quick_losses: 0,
            written_until: now,
            wakes_at: None,
        }
    }

    /// Loses the session's server.
    pub fn lose(&mut self, now: Instant) {
        self.has_suspects |= self.relay.unaccounted() > 0;
        if self.lost_since.is_some() || now - self.served_since < FRAGILE {
            self.quick_losses += 1;
        }
        self.past.times += 1;
        self.lost_since.get_or_insert(now);
    }

    /// A server has the session.
    pub fn is_served(&mut self, now: Instant) {
        if let Some(since) = self.lost_since.take() {
            self.past.time += now - since;
        }
        if self.served_attempt != self.attempt {
            self.served_attempt = self.attempt;
            self.served_since = now;
        }
    }

    /// Returns true if the session's server may be lost without the shim blaming the client.
    pub fn may_suffer(&mut self, now: Instant) -> bool {
        self.has_suspects &= self.relay.unaccounted() > 0;
        if self.lost_since.is_none() && now - self.served_since >= FRAGILE {
            self.quick_losses = 0;
        }
        !self.has_suspects && self.quick_losses == 0
    }

    /// Returns true if a defect of its server may end the session: the shim knows the cause, so it
    /// blames the client sooner.
    pub fn may_see_fault(&mut self, now: Instant) -> bool {
        self.may_suffer(now) && self.lost_since.is_none() && now - self.served_since > SEARCH_SURVIVAL
    }

    pub fn seen(&self, now: Instant, clock: Option<i64>) -> Seen {
        let mut trouble = self.past;
        trouble.is_on = self.lost_since.is_some();
        trouble.time += self.lost_since.map_or(Duration::ZERO, |since| now - since);
        Seen { now, trouble, clock }
    }

    /// Shows the engine's output to the GUI; `note` receives each line.
    pub fn show(&mut self, bytes: &[u8], seen: &Seen, mut note: impl FnMut(&str)) {
        self.line.extend_from_slice(bytes);
        while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            let line = std::str::from_utf8(&line[..end]).expect("text").trim_end_matches('\r');
            note(line);
            self.gui.hear(line, seen);
        }
    }
}
