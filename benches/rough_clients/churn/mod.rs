//! Connections that come and go, and what they leave behind.

mod phase;
mod tokens;

use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::openings::Openings;
use farboard::load::process::Usage;
use farboard::load::runner::Runner;
use farboard::load::scenarios::analysis::Analyses;
use farboard::load::statistics::ratio;
use phase::Churn;
use std::io;
use std::time::{Duration, Instant};
use tokens::Tokens;

/// Concurrent connections by default.
pub const SESSIONS: usize = 200;
/// Maximum number of closed connections that the server may not have noticed yet.
const MAX_UNNOTICED: usize = 10_000;
/// Connections by default.
pub const CONNECTIONS: usize = 10_000;
/// One in this many connections comes before the measurement: memory that a server keeps for later
/// connections is no leak.
const WARMUP_PART: usize = 10;
/// Time in which a server must notice that all clients have disconnected, and end threads.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(40);
/// Threads that a new server keeps for later searches, besides two for each core.
const SPARE_THREADS: u64 = 8;
/// Memory growth that is no leak: allocators keep some of the memory of the most sessions at one
/// time. In bytes, in total and for each connection.
const MAX_GROWTH: u64 = 8 << 20;
const MAX_GROWTH_PER_CONNECTION: u64 = 8;

/// Sessions that the server must have room for.
pub fn capacity(plan: &Plan, connections: usize) -> usize {
    plan.sessions_or(SESSIONS) + MAX_UNNOTICED.min(connections)
}

/// Opens and closes connections, and compares the server before and after.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(runner: &mut Runner, plan: &Plan, connections: usize, report: &mut Report) -> io::Result<()> {
    let start = runner.target.usage();
    let at_once = plan.sessions_or(SESSIONS);
    let mut warmup = Churn::new((connections / WARMUP_PART).clamp(1, 20_000).max(at_once), at_once);
    runner.run(&mut warmup, max_duration(connections), report)?;
    let speed_before = speed(runner, plan, report)?;
    let before = settle(runner, plan, start);
    let mut churn = Churn::new(connections, at_once);
    runner.run(&mut churn, max_duration(connections), report)?;
    let after = settle(runner, plan, start);

    report.count("connections", churn.done);
    report.add(
        "connections in a second",
        ratio(churn.done as f64, churn.elapsed.as_secs_f64()),
        "connections/s",
    );
    report.must_be_none("connections that failed", warmup.failures.len() + churn.failures.len());
    report.problems.extend(warmup.failures.into_iter().chain(churn.failures).take(10));
    if let Some(overview) = runner.target.snapshot().map(|snapshot| snapshot.overview) {
        report.must_be_none("sessions left", overview.sessions);
        report.must_be_none("searches left", overview.searches.values().sum());
        report.must_be_none("tokens held", overview.running);
    }
    compare(start, before, after, connections, plan, report);
    check_tokens(runner, plan, report)?;
    let speed_after = speed(runner, plan, report)?;
    report.add("nodes on all cores before", speed_before, "nodes/s");
    report.add("nodes on all cores after", speed_after, "nodes/s");
    Ok(())
}

/// Time limit for the connections; a slower server is useless.
fn max_duration(connections: usize) -> Duration {
    Duration::from_secs(60 + connections as u64 / 200)
}

/// Resources of the server once it has noticed that all clients have gone, or after the timeout.
fn settle(runner: &Runner, plan: &Plan, start: Option<Usage>) -> Option<Usage> {
    let start = start?;
    let until = Instant::now() + SETTLE_TIMEOUT;
    loop {
        let now = runner.target.usage()?;
        if is_settled(start, now, plan) || Instant::now() > until {
            return Some(now);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn is_settled(start: Usage, now: Usage, plan: &Plan) -> bool {
    now.descriptors <= start.descriptors
        && now.threads <= max_threads(start, plan)
        && now.processes <= start.processes
}

fn max_threads(start: Usage, plan: &Plan) -> u64 {
    start.threads + 2 * plan.workers() as u64 + SPARE_THREADS
}

fn compare(
    start: Option<Usage>,
    before: Option<Usage>,
    after: Option<Usage>,
    connections: usize,
    plan: &Plan,
    report: &mut Report,
) {
    let kilobytes = |usage: Option<Usage>| usage.map(|usage| usage.memory as f64 / 1024.0);
    report.add("memory before", kilobytes(before), "KiB");
    report.add("memory after", kilobytes(after), "KiB");
    let count = |usage: Option<Usage>, what: fn(Usage) -> u64| usage.map(|usage| what(usage) as f64);
    report.add("descriptors before", count(start, |usage| usage.descriptors), "");
    report.add("descriptors after", count(after, |usage| usage.descriptors), "");
    report.add("threads after", count(after, |usage| usage.threads), "");
    report.add("processes after", count(after, |usage| usage.processes), "");
    let Some(((start, before), after)) = start.zip(before).zip(after) else { return };
    let grown = after.memory.saturating_sub(before.memory);
    if grown > MAX_GROWTH + MAX_GROWTH_PER_CONNECTION * connections as u64 {
        report.problem(format!("memory has grown by {} KiB", grown / 1024));
    }
    if !is_settled(start, after, plan) {
        report.problem(format!("resources were not released: {start:?} at the start, {after:?} at the end"));
    }
}

/// Checks that no run token is lost, where their number is known.
fn check_tokens(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    if !runner.target.is_own() {
        return Ok(());
    }
    let clients = runner.open(plan.workers(), report)?.clients;
    if let Some(mut tokens) = Tokens::new(&clients) {
        runner.run(&mut tokens, Duration::ZERO, report)?;
        report.must_be_none("tokens lost", usize::from(!tokens.are_all_there()));
    }
    runner.close_all();
    Ok(())
}

/// Nodes per second when all cores search.
fn speed(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<Option<f64>> {
    let clients = runner.open(plan.workers(), report)?.clients;
    if clients.iter().any(|client| !client.engine.can_analyze()) {
        runner.close_all();
        return Ok(None);
    }
    let lasting = plan.lasting() / 2;
    let mut analyses = Analyses::new(&clients, &mut Openings::new(plan.seed), lasting);
    runner.run(&mut analyses, lasting, report)?;
    runner.close_all();
    report.problems.append(&mut analyses.errors);
    if analyses.starved() > 0 {
        report.problem("an analysis on a free core has no output");
    }
    Ok(Some(analyses.rate()))
}
