//! What is told of a session: one JSON object on a line.

use crate::config::Transport;
use crate::pool::{JobId, Pool};
use crate::server::connection::Connection;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A session as `farboard sessions` shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionRow {
    /// Its number, which no other session of the server has.
    pub session: u64,
    /// The client's address.
    pub peer: String,
    /// What is spoken: `xboard`, `auto` as long as nothing was said; `rsh` for the protocol of xboard in a remote shell.
    pub listener: String,
    /// How long it has been connected, in seconds.
    pub seconds: u64,
    /// What it is doing: `thinking`, `pondering`, `analysing`, `idle` …
    pub doing: String,
    /// The variant on the board.
    pub variant: String,
    /// The opponent's name; empty if it was not told.
    pub opponent: String,
    /// Moves we have made.
    pub moves: u64,
    /// The depth of the search that runs.
    pub depth: Option<u8>,
    /// Its nodes per second, waiting included.
    pub speed: Option<u64>,
    /// For how long it has waited for a token, in milliseconds; none if it runs.
    pub wait: Option<u64>,
    /// For how long it has held a token, in milliseconds.
    pub ran: Option<u64>,
    /// Nodes of all searches of the session.
    pub nodes: u64,
    /// What our clock shows, in milliseconds; none if nobody has set one.
    pub clock: Option<i64>,
    /// The longest that a move of ours was sent after its time was up, in microseconds.
    pub overrun: u64,
    /// What recent moves have cost besides thinking, on average, in milliseconds.
    pub lag_mean: u64,
    /// The same, at worst.
    pub lag_worst: u64,
    /// How often the client signalled.
    pub interrupts: u64,
    /// Bytes that the client has not read yet.
    pub queued: usize,
}

impl SessionRow {
    /// `None` for a connection that has no session, or none any more.
    pub(super) fn of(connection: &Connection, pool: &Pool, now: Instant) -> Option<SessionRow> {
        let status = connection.session.as_ref()?.status_at(now);
        let job = status.search.map(|search| JobId { owner: connection.owner, search });
        let wait = job.and_then(|job| pool.waiting(job, now));
        let listener = match connection.policy.transport {
            Transport::Plain => connection.protocol().word(),
            Transport::Rsh => connection.policy.word(),
        };
        Some(SessionRow {
            session: connection.owner >> 32,
            peer: connection.peer.to_string(),
            listener: listener.to_owned(),
            seconds: now.saturating_duration_since(connection.since).as_secs(),
            doing: status.doing.word().to_owned(),
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
