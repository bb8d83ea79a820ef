//! The response to `sessions`: one JSON object per line and session.

use crate::config::Transport;
use crate::pool::{JobId, Pool};
use crate::server::connection::Connection;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A session, as `farboard sessions` and `farboard top` show it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionRow {
    /// Session number, unique in this server.
    pub session: u64,
    /// Address of the client.
    pub peer: String,
    /// Name of the logged-in user, if any.
    #[serde(default)]
    pub user: Option<String>,
    /// Protocol, such as `xboard`; `auto` until the client has spoken; `rsh` in a remote shell.
    pub listener: String,
    /// Whether the client has a shim that can move the session to another server.
    #[serde(default)]
    pub linked: bool,
    /// Seconds since the client connected.
    pub seconds: u64,
    /// Activity: `thinking`, `pondering`, `analysing`, `idle` …
    pub doing: String,
    /// The variant on the board.
    pub variant: String,
    /// Name of the opponent; empty if unknown.
    pub opponent: String,
    /// Moves made by the engine.
    pub moves: u64,
    /// Depth of the running search in plies.
    pub depth: Option<u8>,
    /// Nodes per second of the running search, including waiting.
    pub speed: Option<u64>,
    /// Milliseconds the search has waited for a token; none if it runs.
    pub wait: Option<u64>,
    /// Milliseconds the search has held a token.
    pub ran: Option<u64>,
    /// Nodes of all searches of the session.
    pub nodes: u64,
    /// Engine's clock in milliseconds; none if no clock is set.
    pub clock: Option<i64>,
    /// Longest delay of a move after its time was up, in microseconds.
    pub overrun: u64,
    /// Average lag of recent moves in milliseconds: their cost on the clock besides thinking.
    pub lag_mean: u64,
    /// Worst lag of recent moves in milliseconds.
    pub lag_worst: u64,
    /// Interrupts from the client.
    pub interrupts: u64,
    /// Unread output in bytes.
    pub queued: usize,
}

impl SessionRow {
    /// Returns the client's address, after the name of the user if there is one.
    pub fn client(&self) -> String {
        self.user.as_ref().map_or_else(|| self.peer.clone(), |user| format!("{user}@{}", self.peer))
    }

    /// Describes the session of a connection; `None` without one.
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
