//! Clients that send many commands and read nothing: the server's memory, and ping times of others.

use super::flooders::{Flood, ReadMode};
use farboard::load::Plan;
use farboard::load::Report;
use farboard::load::runner::Runner;
use farboard::load::scenarios::pings::{Pings, with_ping};
use farboard::load::statistics::Samples;
use std::io;
use std::time::Duration;

/// Clients that do not read, by default.
pub const SESSIONS: usize = 200;
/// Sessions that are pinged in turn.
pub const BYSTANDERS: usize = 4;
/// Pause between an answer and the next ping.
const GAP: Duration = Duration::from_millis(5);
/// The command sent without end: its answer is the longest for its length. The system buffers
/// megabytes before the server does.
const ASK: &str = "help\n";
/// Number of measurements of the memory.
const LOOKS: u32 = 50;

/// Pings bystanders while other clients read nothing. A client that the server has closed connects
/// again at once.
///
/// # Errors
/// The system fails to wait for events, or has no more connections.
pub fn run(runner: &mut Runner, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let flooders = plan.sessions_or(SESSIONS);
    let clients = runner.open(BYSTANDERS, report)?.clients;
    let memory = |runner: &Runner| runner.target.usage().map(|usage| usage.memory);
    let before = memory(runner);
    let flood = Flood::begin(runner.target.address, flooders, ASK, ASK, ReadMode::Never)?;
    let (mut most, mut lost, mut samples) = (before, 0, Samples::default());
    let look = plan.lasting() / LOOKS;
    for _ in 0..LOOKS {
        let mut pings = Pings::new(with_ping(&clients), usize::MAX, GAP, look);
        runner.run(&mut pings, look, report)?;
        samples.extend(&pings.samples);
        lost += pings.lost;
        most = most.max(memory(runner));
    }
    let reconnects = flood.reconnects();
    drop(flood);

    report.count("clients that do not read", flooders);
    report.count("reconnected after the server closed them", reconnects as usize);
    let grown =
        before.zip(most).map(|(before, most)| most.saturating_sub(before) as f64 / f64::from(1 << 20));
    report.add("memory added at most", grown, "MiB");
    report.add_times("ping", " beside them", &samples);
    report.must_be_none("pings lost", lost);
    Ok(())
}
