//! A GUI, its shim, and what the world knows of both.

use crate::gui::{Gui, Seen, Trouble};
use farboard::shim::relay::{Ending, Relay};
use std::time::{Duration, Instant};

/// A session that is lost again this soon after it was taken over may be thought to be the reason.
const FRAGILE: Duration = Duration::from_millis(1500);
/// A defect this soon may be thought to be the search's.
const SEARCH_SURVIVAL: Duration = Duration::from_millis(5500);

pub struct Client {
    pub relay: Relay,
    pub gui: Box<dyn Gui>,
    /// The beginning of a line of the engine.
    line: Vec<u8>,
    /// The attempt to connect that has succeeded last.
    pub attempt: u64,
    /// How its shim has ended.
    pub ending: Option<Ending>,
    /// Trouble that is over.
    past: Trouble,
    /// Since when no server has the session.
    pub lost_since: Option<Instant>,
    /// Since when one has.
    served_since: Instant,
    /// A server was lost that had not accounted for what it was sent.
    has_suspects: bool,
    /// Servers lost right after they had taken over.
    quick_losses: usize,
    /// When the shim has read all that the GUI has written.
    pub said_until: Instant,
    /// When the relay is going to be woken.
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
            has_suspects: false,
            quick_losses: 0,
            said_until: now,
            wakes_at: None,
        }
    }

    /// The server of the session is lost.
    pub fn lose(&mut self, now: Instant) {
        self.has_suspects |= self.relay.unsent_input() > 0;
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
            self.served_since = now;
        }
    }

    /// Whether its server may be lost without that the shim must think that the client is the reason.
    pub fn may_suffer(&mut self, now: Instant) -> bool {
        self.has_suspects &= self.relay.unsent_input() > 0;
        if self.lost_since.is_none() && now - self.served_since >= FRAGILE {
            self.quick_losses = 0;
        }
        !self.has_suspects && self.quick_losses == 0
    }

    /// Whether a defect of its server may end its session: the shim knows that it was the server, so it suspects sooner.
    pub fn may_see_fault(&mut self, now: Instant) -> bool {
        self.may_suffer(now) && self.lost_since.is_none() && now - self.served_since > SEARCH_SURVIVAL
    }

    pub fn seen(&self, now: Instant, clock: Option<i64>) -> Seen {
        let mut trouble = self.past;
        trouble.is_on = self.lost_since.is_some();
        trouble.time += self.lost_since.map_or(Duration::ZERO, |since| now - since);
        Seen { now, trouble, clock }
    }

    /// The shim shows bytes to the GUI; `note` sees each line.
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
