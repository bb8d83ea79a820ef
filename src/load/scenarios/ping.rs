//! How long a ping takes while all cores search.

use super::idle::{Answers, answering};
use crate::load::openings::Openings;
use crate::load::phase::Beside;
use crate::load::phases::{Analyses, Pings};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;
use std::time::Duration;

/// Sessions that are asked.
pub const ASKED: usize = 10;
/// Between an answer and the next question.
const GAP: Duration = Duration::from_millis(1);
/// Questions for each second of the plan.
const EACH_SECOND: usize = 400;
/// Longer than any measurement.
const FOR_EVER: Duration = Duration::from_secs(24 * 3600);

/// Searches, if the plan says nothing.
pub fn searches(plan: &Plan) -> usize {
    plan.sessions_or(2 * plan.workers())
}

/// Asks an idle server, and one that searches.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let asked = stage.open(ASKED, report)?.guests;
    let searching = stage.open(searches(plan), report)?.guests;
    let count = plan.seconds.max(1) as usize * EACH_SECOND;
    let pings = || Pings::new(answering(&asked), count, GAP, 2 * plan.lasting());
    let mut quiet = pings();
    stage.run(&mut quiet, 2 * plan.lasting(), report)?;

    let able = searching.iter().all(|guest| guest.features.analyze);
    let mut busy = if able { pings() } else { Pings::new(Vec::new(), 0, GAP, GAP) };
    let mut analyses = Analyses::new(&searching, &mut Openings::new(plan.seed), FOR_EVER);
    if able {
        stage.run(&mut Beside(&mut busy, &mut analyses), 2 * plan.lasting(), report)?;
    }
    let (quiet, busy) = (Answers::of(&mut quiet), Answers::of(&mut busy));
    report.count("searches", searching.len());
    quiet.tell("of an idle server", report);
    busy.tell("while it searches", report);
    let worse = quiet.p99.zip(busy.p99).and_then(|(quiet, busy)| ratio(busy, quiet));
    report.add("ping p99, searching / idle", worse, "");
    report.must_be_none("pings lost", quiet.lost + busy.lost);
    report.must_be_none("searches lost", analyses.lost());
    Ok(())
}
