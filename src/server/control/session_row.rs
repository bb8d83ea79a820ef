//! The answer to `sessions`: one JSON object on a line for each session.

use crate::config::Transport;
use crate::pool::{JobId, Pool};
use crate::server::connection::Connection;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A session as `farboard sessions` shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionRow {
    /// The number of the session, unique in this server.
    pub session: u64,
    /// The client's address.
    pub peer: String,
    /// The name of the user who has logged in; none for clients without one.
    #[serde(default)]
    pub user: Option<String>,
    /// The protocol: `xboard`; `auto` until the client has said something; `rsh` for xboard's protocol in a
    /// remote shell.
    pub listener: String,
    /// Whether the client has a shim that can take the session to another server.
    #[serde(default)]
    pub linked: bool,
    /// The time since the client connected, in seconds.
    pub seconds: u64,
    /// What the session is doing: `thinking`, `pondering`, `analysing`, `idle` …
    pub doing: String,
    /// The variant on the board.
    pub variant: String,
    /// The opponent's name; empty if it is not known.
    pub opponent: String,
    /// Moves the engine has made.
    pub moves: u64,
    /// The depth of the running search, in plies.
    pub depth: Option<u8>,
    /// Nodes per second of the running search, waiting included.
    pub speed: Option<u64>,
    /// How long the search has waited for a token, in milliseconds; none if it runs.
    pub wait: Option<u64>,
    /// How long the search has held a token, in milliseconds.
    pub ran: Option<u64>,
    /// Nodes of all searches of the session.
    pub nodes: u64,
    /// The engine's clock in milliseconds; none if no clock is set.
    pub clock: Option<i64>,
    /// The longest delay of a move after its time was up, in microseconds.
    pub overrun: u64,
    /// The average lag of recent moves: their cost besides thinking, in milliseconds.
    pub lag_mean: u64,
    /// The worst lag of recent moves, in milliseconds.
    pub lag_worst: u64,
    /// The number of interrupts from the client.
    pub interrupts: u64,
    /// Output that the client has not read yet, in bytes.
    pub queued: usize,
}

impl SessionRow {
    /// The client in a word: its address, after the name of the user if there is one.
    pub fn client(&self) -> String {
        self.user.as_ref().map_or_else(|| self.peer.clone(), |user| format!("{user}@{}", self.peer))
    }

    /// `None` for a connection without a session.
    pub(super) fn of(connection: &Connection, pool: &Pool, now: Instant) -> Option<SessionRow> {
        let status = connection.session.as_ref()?.status_at(now);
        let job = status.search.map(|search| JobId { owner: connection.owner, search });
        let wait = job.and_then(|job| pool.waiting(job, now));
        let listener = match connection.policy.transport {
            Transport::Plain => connection.protocol().word(),
            Transport::Rsh | Transport::Agent => connection.policy.word(),
        };
        Some(SessionRow {
            session: connection.owner >> 32,
            peer: connection.peer.to_string(),
            user: connection.user_name().map(str::to_owned),
            listener: listener.to_owned(),
            linked: connection.link.is_some(),
            seconds: now.saturating_duration_since(connection.since).as_secs(),
            doing: status.activity.word().to_owned(),
            variant: status.variant.to_owned(),
            opponent: status.opponent.to_owned(),
            moves: status.moves,
            depth: status.depth,
            speed: status.speed,
            wait: wait.map(|wait| whole(wait.as_millis())),
            ran: job.and_then(|job| pool.ran(job, now)).map(|ran| whole(ran.as_millis())),
            nodes: status.nodes,
            clock: status.clock,
            overrun: whole(status.overrun.as_micros()),
            lag_mean: status.lag.mean,
            lag_worst: status.lag.worst,
            interrupts: status.interrupts,
            queued: connection.unsent(),
        })
    }
}

fn whole(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
