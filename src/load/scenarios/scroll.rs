//! Users who scroll through games while they are analysed.

use crate::load::openings::Openings;
use crate::load::phases::Scroll;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use std::io;

/// Users, if the plan says nothing.
pub const SESSIONS: usize = 200;
/// Threads of our server besides one for each search: the loop's, and for each core one that is on its way to the end of a
/// search, with some to spare.
const SPARE_THREADS: u64 = 16;

/// Lets them scroll, and stop.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let guests = stage.open(plan.sessions_or(SESSIONS), report)?.guests;
    let able = guests.iter().all(|guest| guest.features.ping && guest.features.analyze);
    let guests = if able { &guests[..] } else { &[] };
    let mut scroll = Scroll::new(guests, &mut Openings::new(plan.seed), plan.lasting());
    stage.run(&mut scroll, plan.lasting(), report)?;
    let usage = stage.target.usage().filter(|_| stage.target.is_ours());

    report.count("sessions", guests.len());
    let seconds = scroll.elapsed.as_secs_f64();
    let answers = &mut scroll.answers;
    report.add("changes", able.then(|| scroll.changes as f64 / seconds), "changes/s");
    report.add("first line of the last position p50", answers.percentile(50.0), "ms");
    report.add("first line of the last position p99", answers.percentile(99.0), "ms");
    report.add("first line of the last position worst", answers.worst(), "ms");
    let threads = usage.map(|usage| usage.threads);
    report.add("threads of the server", threads.map(|threads| threads as f64), "");
    let most = guests.len() as u64 + 2 * plan.workers() as u64 + SPARE_THREADS;
    if let Some(threads) = threads.filter(|&threads| threads > most) {
        report.problem(format!("{threads} threads, as if more than the last positions were searched"));
    }
    report.must_be_none("lines about another position", scroll.stale);
    report.must_be_none("starved", scroll.starved());
    report.must_be_none("sessions lost", scroll.lost());
    report.must_be_none("errors", scroll.complaints.len());
    report.problems.append(&mut scroll.complaints);
    Ok(())
}
