//! Failures of servers and the network.

use crate::support::dice::Dice;
use std::time::Duration;

/// A failure or another unusual event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strike {
    /// A server's process is killed.
    Kill(usize),
    /// A defect ends the sessions of a server, one by one.
    Fault(usize),
    /// A server drains: it exits when its sessions have moved elsewhere.
    Drain(usize),
    /// A server asks sessions to move.
    Move(usize),
    /// The connection of a client breaks.
    Break(usize),
    /// The connection of a client becomes silent.
    Silence(usize),
}

/// The frequency of failures.
pub struct Weather {
    dice: Dice,
    /// Maximum time between two strikes, in milliseconds.
    calm: usize,
    /// One in this many commands of a GUI is followed by a death within milliseconds.
    pub aims: usize,
}

impl Weather {
    pub fn new(mut dice: Dice) -> Weather {
        let calm = *dice.pick(&[2_000, 5_000, 15_000, 60_000]);
        let aims = *dice.pick(&[2, 4, 10]);
        Weather { dice, calm, aims }
    }

    /// The time until the next strike.
    pub fn pause(&mut self) -> Duration {
        Duration::from_millis(1) + self.dice.delay(self.calm)
    }

    pub fn strike(&mut self, servers: usize, clients: usize) -> Strike {
        let (server, client) = (self.dice.roll(servers), self.dice.roll(clients));
        match self.dice.roll(20) {
            0 => Strike::Silence(client),
            1 | 2 => Strike::Break(client),
            3 => Strike::Fault(server),
            4 | 5 => Strike::Drain(server),
            6 => Strike::Move(server),
            _ => Strike::Kill(server),
        }
    }

    /// How long a server is down.
    pub fn outage(&mut self) -> Duration {
        let longest = *self.dice.pick(&[1, 100, 500, 3_000, 12_000]);
        Duration::from_millis(1) + self.dice.delay(longest)
    }
}
