//! Sessions that only are there.

use crate::load::phase::Id;
use crate::load::phases::{Guest, Pings};
use crate::load::plan::Plan;
use crate::load::report::Report;
use crate::load::stage::Stage;
use crate::load::statistics::{Samples, ratio};
use std::io;
use std::time::Duration;

/// So few that a server does not feel them.
const FEW: usize = 10;
/// Pings with few sessions and with many; with still more sessions, each gets one.
const PINGS: usize = 5_000;

/// How long it is asked at most. Some engines need fifty milliseconds for each answer.
const AT_MOST: Duration = Duration::from_secs(20);

/// Sessions, if the plan says nothing.
pub const SESSIONS: usize = 1_000;

/// Opens few sessions, then all, and asks both.
///
/// # Errors
/// The system fails to wait for events.
pub fn run(stage: &mut Stage, plan: &Plan, report: &mut Report) -> io::Result<()> {
    let sessions = plan.sessions_or(SESSIONS);
    let count = PINGS.max(sessions);
    let mut guests = stage.open(FEW.min(sessions), report)?.guests;
    let few = ask(stage, &guests, count, report)?;
    let (before, had) = (stage.target.usage(), guests.len());
    let opened = stage.open(sessions.saturating_sub(had), report)?;
    guests.extend(opened.guests);
    let after = stage.target.usage();
    let many = ask(stage, &guests, count, report)?;

    report.count("sessions", guests.len());
    report.add("opened", opened.rate, "sessions/s");
    let added = before.zip(after).map(|(before, after)| after.memory.saturating_sub(before.memory) as f64);
    let memory = added.and_then(|added| ratio(added / 1024.0, (guests.len() - had) as f64));
    report.add("memory of a session", memory, "KiB");
    few.tell(&format!("with {had} sessions"), report);
    many.tell("with all sessions", report);
    let worse = few.p99.zip(many.p99).and_then(|(few, many)| ratio(many, few));
    report.add("ping p99, all sessions / few", worse, "");
    report.must_be_none("pings lost", few.lost + many.lost);
    Ok(())
}

/// How long pings took, in milliseconds; `None` if they are not known there.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    /// At the median.
    pub p50: Option<f64>,
    /// For 99 of 100.
    pub p99: Option<f64>,
    /// At worst.
    pub worst: Option<f64>,
    /// How many were never answered.
    pub lost: usize,
}

impl Answers {
    /// What pings have shown.
    pub fn of(pings: &mut Pings) -> Answers {
        Answers::of_samples(&mut pings.samples, pings.lost)
    }

    /// What samples of several pings have shown, of which so many were lost.
    pub fn of_samples(samples: &mut Samples, lost: usize) -> Answers {
        let (p50, p99, worst) = (samples.percentile(50.0), samples.percentile(99.0), samples.worst());
        Answers { p50, p99, worst, lost }
    }

    /// Adds them as figures.
    pub fn tell(&self, when: &str, report: &mut Report) {
        report.add(format!("ping p50 {when}"), self.p50, "ms");
        report.add(format!("ping p99 {when}"), self.p99, "ms");
        report.add(format!("ping worst {when}"), self.worst, "ms");
    }
}

/// Those that know `ping`.
pub fn answering(guests: &[Guest]) -> Vec<Id> {
    guests.iter().filter(|guest| guest.features.ping).map(|guest| guest.id).collect()
}

fn ask(stage: &mut Stage, guests: &[Guest], count: usize, report: &mut Report) -> io::Result<Answers> {
    let mut pings = Pings::new(answering(guests), count, Duration::ZERO, AT_MOST);
    stage.run(&mut pings, AT_MOST, report)?;
    Ok(Answers::of(&mut pings))
}
