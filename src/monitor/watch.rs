//! Rates between two snapshots of a server.

use super::Snapshot;
use crate::server::control::{Overview, SessionRow};
use std::collections::HashMap;
use std::time::Instant;

/// Compares each snapshot with the one before.
#[derive(Debug, Default)]
pub struct Watch {
    before: Option<Before>,
}

#[derive(Debug)]
struct Before {
    at: Instant,
    /// Nodes of each session.
    nodes: HashMap<u64, u64>,
    /// Process id, and its CPU time in milliseconds.
    used: (u32, u64),
}

/// A snapshot with rates.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The server.
    pub overview: Overview,
    /// The sessions, each with its nodes per second.
    pub sessions: Vec<(SessionRow, u64)>,
    /// Nodes per second of all sessions.
    pub speed: u64,
    /// Cores kept busy, in hundredths; `None` in the first snapshot.
    pub cores: Option<u64>,
}

impl Watch {
    /// Adds a snapshot taken at `now`. Speeds are averages since the previous snapshot; those of
    /// new sessions, and of all in the first snapshot, are averages since their searches began.
    pub fn see(&mut self, snapshot: Snapshot, now: Instant) -> Seen {
        let nodes = snapshot.sessions.iter().map(|row| (row.session, row.status.nodes)).collect();
        let used = (snapshot.overview.process, snapshot.overview.processor);
        let before = self.before.replace(Before { at: now, nodes, used });
        let millis = |before: &Before| now.saturating_duration_since(before.at).as_millis().max(1);
        let since = |row: &SessionRow| {
            let before = before.as_ref()?;
            // A restarted server numbers its sessions anew.
            let searched = row.status.nodes.checked_sub(*before.nodes.get(&row.session)?)?;
            u64::try_from(u128::from(searched) * 1000 / millis(before)).ok()
        };
        let cores = before.as_ref().filter(|before| before.used.0 == used.0).and_then(|before| {
            let busy = used.1.checked_sub(before.used.1)?;
            u64::try_from(u128::from(busy) * 100 / millis(before)).ok()
        });
        let speed = |row: &SessionRow| since(row).or(row.status.speed).unwrap_or(0);
        let sessions: Vec<(SessionRow, u64)> = snapshot
            .sessions
            .into_iter()
            .map(|row| (speed(&row), row))
            .map(|(speed, row)| (row, speed))
            .collect();
        let speed = sessions.iter().map(|(_, speed)| speed).sum();
        Seen { overview: snapshot.overview, sessions, speed, cores }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::session::{Activity, Status};
    use std::time::Duration;

    pub(in super::super) fn row(session: u64, nodes: u64) -> SessionRow {
        SessionRow {
            session,
            peer: format!("192.0.2.1:{}", 40_000 + session),
            user: None,
            listener: "xboard".to_owned(),
            linked: false,
            seconds: 61,
            status: Status {
                activity: Activity::Analysing,
                depth: Some(12),
                speed: Some(5),
                nodes,
                ..Status::silent()
            },
            wait: None,
            ran: None,
            queued: 0,
        }
    }

    pub(in super::super) fn snapshot(sessions: Vec<SessionRow>) -> Snapshot {
        let searches = [("clock", 3), ("analysis", 1)].map(|(class, count)| (class.to_owned(), count));
        let overview = Overview {
            version: "1.2.3".to_owned(),
            process: 4711,
            seconds: 3_661,
            sessions: sessions.len(),
            drained: false,
            most_sessions: 5_000,
            tokens: 2,
            running: 1,
            searches: searches.into(),
            threads: 9,
            memory: Some(612 << 20),
            machine_memory: Some(8 << 30),
            processor: 5_000,
            load: Some(205),
            engines: Vec::new(),
        };
        Snapshot { overview, sessions }
    }

    #[test]
    fn speed_is_measured_since_the_last_snapshot() {
        let now = Instant::now();
        let mut watch = Watch::default();
        let first = watch.see(snapshot(vec![row(1, 1_000), row(2, 0)]), now);
        assert_eq!(first.speed, 10, "as reported by the server");
        let later = now + Duration::from_millis(500);
        let second = watch.see(snapshot(vec![row(1, 3_000), row(2, 0), row(3, 70)]), later);
        let speeds: Vec<u64> = second.sessions.iter().map(|&(_, speed)| speed).collect();
        assert_eq!(speeds, [4_000, 0, 5], "the third is new");
        assert_eq!(second.speed, 4_005);
        // At the same instant, and with fewer nodes than before.
        let again = watch.see(snapshot(vec![row(1, 10), row(2, 1)]), later);
        assert_eq!(again.sessions.iter().map(|&(_, speed)| speed).collect::<Vec<_>>(), [5, 1_000]);
    }

    #[test]
    fn busy_cores_are_measured_since_the_last_snapshot_of_the_same_process() {
        let now = Instant::now();
        let mut watch = Watch::default();
        let mut at = |process, processor, after| {
            let mut snapshot = snapshot(Vec::new());
            (snapshot.overview.process, snapshot.overview.processor) = (process, processor);
            watch.see(snapshot, now + Duration::from_millis(after)).cores
        };
        assert_eq!(at(1, 4_000, 0), None, "nothing to compare it with");
        assert_eq!(at(1, 4_860, 500), Some(172));
        assert_eq!(at(1, 4_860, 1_500), Some(0));
        assert_eq!(at(2, 9_000, 2_000), None, "another process");
        assert_eq!(at(2, 8_000, 2_500), None, "time does not run backwards");
    }
}
