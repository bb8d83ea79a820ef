//! Connections that come and go, and what they leave behind.

use crate::load::openings::Openings;
use crate::load::phases::{Analyses, Churn, Tokens};
use crate::load::plan::Plan;
use crate::load::process::Usage;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;
use std::time::{Duration, Instant};

/// Connections at the same time, if the plan says nothing.
pub const SESSIONS: usize = 200;
/// Room for those who have gone and of whom the server does not know it yet.
const GONE: usize = 10_000;
/// Connections, if the plan says nothing.
const CONNECTIONS: usize = 10_000;
/// For how many of all connections one comes before the measurement: what a server keeps for the next ones is no leak.
const WARMING: usize = 10;
/// How long a server may take to notice that all have gone, and to let go of threads.
const SETTLING: Duration = Duration::from_secs(40);
/// Threads that our server keeps for the next searches, besides two for each core.
const SPARE_THREADS: u64 = 8;
/// Memory that may be more in the end: allocators keep some of what the most sessions have had that were there at one time. In
/// bytes, in all and for each connection.
const KEPT: u64 = 8 << 20;
const KEPT_OF_EACH: u64 = 8;

/// How many the server must have room for.
pub fn room(plan: &Plan) -> usize {
    plan.sessions_or(SESSIONS) + GONE.min(plan.connections_or(CONNECTIONS))
}

/// Lets them come and go.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let start = stage.target.usage();
    let (connections, at_once) = (plan.connections_or(CONNECTIONS), plan.sessions_or(SESSIONS));
    let mut warming = Churn::new((connections / WARMING).clamp(1, 20_000).max(at_once), at_once);
    stage.run(&mut warming, longest(connections), report)?;
    let speed_before = speed(stage, plan, report)?;
    let before = settle(stage, plan, start);
    let mut churn = Churn::new(connections, at_once);
    stage.run(&mut churn, longest(connections), report)?;
    let after = settle(stage, plan, start);

    report.count("connections", churn.done);
    report.add(
        "connections in a second",
        ratio(churn.done as f64, churn.elapsed.as_secs_f64()),
        "connections/s",
    );
    report.must_be_none("connections that failed", warming.failures.len() + churn.failures.len());
    report.problems.extend(warming.failures.into_iter().chain(churn.failures).take(10));
    if let Some(overview) = stage.target.snapshot().map(|snapshot| snapshot.overview) {
        report.must_be_none("sessions left", overview.sessions);
        report.must_be_none("searches left", overview.searches.values().sum());
        report.must_be_none("tokens held", overview.running);
    }
    compare(start, before, after, connections, plan, report);
    check_tokens(stage, plan, report)?;
    let speed_after = speed(stage, plan, report)?;
    report.add("nodes on all cores before", speed_before, "nodes/s");
    report.add("nodes on all cores after", speed_after, "nodes/s");
    Ok(())
}

/// Slower than this is no service.
fn longest(connections: usize) -> Duration {
    Duration::from_secs(60 + connections as u64 / 200)
}

/// What the server takes once it has noticed that all have gone, or some time later if it does not.
fn settle(stage: &Stage, plan: &Plan, start: Option<Usage>) -> Option<Usage> {
    let start = start?;
    let until = Instant::now() + SETTLING;
    loop {
        let now = stage.target.usage()?;
        if is_settled(start, now, plan) || Instant::now() > until {
            return Some(now);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn is_settled(start: Usage, now: Usage, plan: &Plan) -> bool {
    now.descriptors <= start.descriptors
        && now.threads <= most_threads(start, plan)
        && now.processes <= start.processes
}

fn most_threads(start: Usage, plan: &Plan) -> u64 {
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
    if grown > KEPT + KEPT_OF_EACH * connections as u64 {
        report.problem(format!("memory has grown by {} KiB", grown / 1024));
    }
    if !is_settled(start, after, plan) {
        report
            .problem(format!("not everything was given back: at the start {start:?}, in the end {after:?}"));
    }
}

/// Where it is known how many there are.
fn check_tokens(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    if !stage.target.is_ours() {
        return Ok(());
    }
    let guests = stage.open(plan.workers(), report)?.guests;
    if let Some(mut tokens) = Tokens::new(&guests) {
        stage.run(&mut tokens, Duration::ZERO, report)?;
        report.must_be_none("tokens lost", usize::from(!tokens.are_all_there()));
    }
    stage.clear();
    Ok(())
}

/// Nodes in a second when all cores search.
fn speed(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<Option<f64>> {
    let guests = stage.open(plan.workers(), report)?.guests;
    if guests.iter().any(|guest| !guest.features.analyze) {
        stage.clear();
        return Ok(None);
    }
    let lasting = plan.lasting() / 2;
    let mut analyses = Analyses::new(&guests, &mut Openings::new(plan.seed), lasting);
    stage.run(&mut analyses, lasting, report)?;
    stage.clear();
    report.problems.append(&mut analyses.complaints);
    if analyses.starved() > 0 {
        report.problem("an analysis on a free core has no output");
    }
    Ok(Some(analyses.rate()))
}
