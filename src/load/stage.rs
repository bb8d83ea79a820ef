//! What all scenarios need: the server, the crowd, and sessions to begin with.

use super::crowd::Crowd;
use super::features::Features;
use super::phase::{Beside, Phase};
use super::phases::{Arrival, Guest, PATIENCE};
use super::progress::Progress;
use super::report::Report;
use super::target::Target;
use std::io;
use std::time::{Duration, Instant};

/// Where a scenario happens.
pub struct Stage {
    /// The server.
    pub target: Target,
    crowd: Crowd,
    progress: Progress,
}

/// Sessions that were opened.
pub struct Opened {
    /// The sessions.
    pub guests: Vec<Guest>,
    /// How many were opened in a second; `None` if none was.
    pub rate: Option<f64>,
}

impl Stage {
    /// A stage in front of that server.
    ///
    /// # Errors
    /// The system has no more of what an event loop needs.
    pub fn new(target: Target) -> io::Result<Stage> {
        Ok(Stage { crowd: Crowd::new(target.address)?, progress: Progress::new(), target })
    }

    /// Lets a phase happen that lasts so long, or somewhat longer. One that does not end is a problem.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn run(&mut self, phase: &mut dyn Phase, lasting: Duration, report: &mut Report) -> io::Result<()> {
        self.step("measuring".to_owned(), phase, lasting, lasting, report)
    }

    /// A phase that should take `planned`, and at most so long or somewhat longer.
    fn step(
        &mut self,
        what: String,
        phase: &mut dyn Phase,
        planned: Duration,
        lasting: Duration,
        report: &mut Report,
    ) -> io::Result<()> {
        let until = Instant::now() + lasting + 3 * PATIENCE;
        let mut progress = self.progress.step(what, planned);
        if !self.crowd.run(&mut Beside(phase, &mut progress), until)? {
            report.problem("it does not come to an end");
        }
        Ok(())
    }

    /// Opens so many sessions that have a board. Those that fail are problems.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn open(&mut self, sessions: usize, report: &mut Report) -> io::Result<Opened> {
        let mut arrival = Arrival::new(sessions, &set_up);
        // Slow as opening a process for each may be, it goes on.
        let longest = PATIENCE * (1 + sessions as u32 / 100);
        self.step(format!("opening {sessions} sessions"), &mut arrival, Duration::ZERO, longest, report)?;
        let rate = arrival.rate();
        report.problems.extend(arrival.failures);
        Ok(Opened { guests: arrival.guests, rate })
    }

    /// From now on sessions are opened from another address. Whether there is one.
    pub fn move_on(&mut self) -> bool {
        self.crowd.move_on()
    }

    /// Closes all sessions, and waits until the server has noticed if that can be seen.
    pub fn clear(&mut self) {
        self.crowd.disperse();
    }
}

/// A session with a board and something on it.
fn set_up(features: &Features) -> String {
    let mut text = "new\nforce\n".to_owned();
    for mv in ["e2e4", "e7e5"] {
        text += &if features.usermove { format!("usermove {mv}\n") } else { format!("{mv}\n") };
    }
    if features.debug {
        text += "accepted debug\n";
    }
    text
}
