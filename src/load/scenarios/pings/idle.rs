//! Ping times and memory of idle sessions.

use super::{Pings, add_ratio, with_ping};
use crate::load::client::LoadClient;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::runner::Runner;
use crate::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// A number of sessions that a server does not notice.
const FEW: usize = 10;
/// Minimum number of pings, with few sessions and with many; each session gets one at least.
const PINGS: usize = 5_000;

/// Time limit for the pings. Some engines need 50 ms for each answer.
const MAX_PING_TIME: Duration = Duration::from_secs(20);

/// Sessions by default.
pub const SESSIONS: usize = 1_000;

/// Opens a few sessions, then all, and pings both.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let sessions = plan.sessions_or(SESSIONS);
    let count = PINGS.max(sessions);
    let mut clients = runner.open(FEW.min(sessions), report)?.clients;
    let few = ping(runner, &clients, count, report)?;
    let (before, had) = (runner.target.usage(), clients.len());
    let opened = runner.open(sessions.saturating_sub(had), report)?;
    clients.extend(opened.clients);
    let after = runner.target.usage();
    let many = ping(runner, &clients, count, report)?;

    report.count("sessions", clients.len());
    report.add("opened", opened.rate, "sessions/s");
    let added = before.zip(after).map(|(before, after)| after.memory.saturating_sub(before.memory) as f64);
    let memory = added.and_then(|added| ratio(added / 1024.0, (clients.len() - had) as f64));
    report.add("memory of a session", memory, "KiB");
    report.add_times("ping", &format!(" with {had} sessions"), &few.samples);
    report.add_times("ping", " with all sessions", &many.samples);
    add_ratio("ping p99, all sessions / few", &many.samples, &few.samples, report);
    report.must_be_none("pings lost", few.lost + many.lost);
    Ok(())
}

fn ping(runner: &mut Runner, clients: &[LoadClient], count: usize, report: &mut Report) -> io::Result<Pings> {
    let mut pings = Pings::new(with_ping(clients), count, Duration::ZERO, MAX_PING_TIME);
    runner.run(&mut pings, MAX_PING_TIME, report)?;
    Ok(pings)
}
