//! How long a ping takes while many begin TLS at once.

use super::idle::{Answers, answering};
use crate::load::handshakes::Handshakes;
use crate::load::phases::Pings;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::ratio;
use std::io;
use std::time::{Duration, Instant};

/// Sessions that are asked.
pub const ASKED: usize = 10;
/// Handshakes at once, if the plan says nothing.
pub const AT_ONCE: usize = 64;
/// Between an answer and the next question.
const GAP: Duration = Duration::from_millis(1);
/// Questions for each second of the plan.
const EACH_SECOND: usize = 400;

/// Asks an idle server, and one that is busy with handshakes.
///
/// # Errors
/// The system fails to wait for events, or has no thread.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let Some(address) = stage.target.tls else {
        report.problem("it is not known where the server speaks TLS: give --tls-listener");
        return Ok(());
    };
    let asked = stage.open(ASKED, report)?.guests;
    let at_once = plan.connections_or(AT_ONCE);
    let count = plan.seconds.max(1) as usize * EACH_SECOND;
    let pings = || Pings::new(answering(&asked), count, GAP, plan.lasting());
    let (mut quiet, mut busy) = (pings(), pings());
    stage.run(&mut quiet, plan.lasting(), report)?;
    let (began, handshakes) = (Instant::now(), Handshakes::begin(address, at_once)?);
    let outcome = stage.run(&mut busy, plan.lasting(), report);
    let done = handshakes.end();
    let took = began.elapsed().as_secs_f64();
    outcome?;

    let (quiet, busy) = (Answers::of(&mut quiet), Answers::of(&mut busy));
    report.count("handshakes at once", at_once);
    report.add("handshakes", ratio(done.answered as f64, took), "handshakes/s");
    quiet.tell("of an idle server", report);
    busy.tell("during handshakes", report);
    report.must_be_none("pings lost", quiet.lost + busy.lost);
    report.must_be_none("handshakes that failed", done.failed);
    Ok(())
}
