//! The response to `sessions`: one JSON object per line and session.

use crate::config::Transport;
use crate::pool::{JobId, Pool};
use crate::server::connection::Connection;
use crate::server::searches::session_number;
use crate::session::Status;
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
    /// Its status.
    #[serde(flatten)]
    pub status: Status,
    /// Milliseconds the search has waited for a token; none if it runs.
    pub wait: Option<u64>,
    /// Milliseconds the search has held a token.
    pub ran: Option<u64>,
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
            session: session_number(connection.owner),
            peer: connection.peer.to_string(),
            user: connection.user_name().map(str::to_owned),
            listener: listener.to_owned(),
            linked: connection.link.is_some(),
            seconds: now.saturating_duration_since(connection.since).as_secs(),
            wait: wait.map(|wait| whole(wait.as_millis())),
            ran: job.and_then(|job| pool.ran(job, now)).map(|ran| whole(ran.as_millis())),
            status,
            queued: connection.unsent(),
        })
    }
}

fn whole(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
