//! Clients that ask much and read no answer, what the server keeps for them, and how long others wait meanwhile.

use super::idle::{Answers, answering};
use crate::load::disturbance::{Flood, Manner};
use crate::load::phases::Pings;
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::Samples;
use std::io;
use std::time::Duration;

/// Clients that do not read, if the plan says nothing.
pub const SESSIONS: usize = 200;
/// Bystanders, who are asked in turn.
pub const ASKED: usize = 4;
/// Between an answer and the next question.
const GAP: Duration = Duration::from_millis(5);
/// Asked without end: the longest answer for its length. The system keeps megabytes of it before the server does.
const ASK: &str = "help\n";
/// How often the memory is looked at.
const LOOKS: u32 = 50;

/// Asks bystanders while the others read nothing; a client that the server has closed comes again at once.
///
/// # Errors
/// The system fails to wait for events, or has no more connections.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let clients = plan.sessions_or(SESSIONS);
    let guests = stage.open(ASKED, report)?.guests;
    let memory = |stage: &Stage| stage.target.usage().map(|usage| usage.memory);
    let before = memory(stage);
    let flood = Flood::begin(stage.target.address, clients, ASK, ASK, Manner::Deaf)?;
    let (mut most, mut lost, mut samples) = (before, 0, Samples::default());
    let look = plan.lasting() / LOOKS;
    for _ in 0..LOOKS {
        let mut pings = Pings::new(answering(&guests), usize::MAX, GAP, look);
        stage.run(&mut pings, look, report)?;
        samples.extend(&pings.samples);
        lost += pings.lost;
        most = most.max(memory(stage));
    }
    let came_again = flood.came_again();
    drop(flood);

    report.count("clients that do not read", clients);
    report.count("closed by the server, and come again", came_again as usize);
    let grown =
        before.zip(most).map(|(before, most)| most.saturating_sub(before) as f64 / f64::from(1 << 20));
    report.add("memory added at most", grown, "MiB");
    Answers::of_samples(&mut samples, lost).tell("beside them", report);
    report.must_be_none("pings lost", lost);
    Ok(())
}
