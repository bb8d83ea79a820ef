//! Runs the phases of a scenario: the server, the event loop of the clients, and opened sessions.

use super::client::{LoadClient, prepare};
use super::client_loop::ClientLoop;
use super::client_stream::Route;
use super::connect_phase::{ANSWER_TIMEOUT, ConnectPhase};
use super::phase::{Concurrent, Phase};
use super::progress::ProgressStep;
use super::report::Report;
use super::target::Target;
use crate::engines::{ChessEngine, EngineProtocol};
use std::io;
use std::time::{Duration, Instant};

/// The server and the clients of a scenario.
pub struct Runner {
    /// The server.
    pub target: Target,
    client_loop: ClientLoop,
    /// Steps begun.
    steps: usize,
    /// The protocol of the clients.
    protocol: EngineProtocol,
    /// The profile that each session selects.
    profile: Option<String>,
}

/// Opened sessions.
pub struct Opened {
    /// The sessions.
    pub clients: Vec<LoadClient>,
    /// Sessions opened per second; `None` if no session was opened.
    pub rate: Option<f64>,
}

impl Runner {
    /// A runner for this server, with the protocol, route and profile of its clients.
    ///
    /// # Errors
    /// The system has no resources for an event loop.
    pub fn new(
        target: Target,
        protocol: EngineProtocol,
        route: Route,
        profile: Option<String>,
    ) -> io::Result<Runner> {
        Ok(Runner {
            client_loop: ClientLoop::new(target.address, route)?,
            steps: 0,
            protocol,
            profile,
            target,
        })
    }

    /// Runs a phase that takes `lasting` or somewhat longer. A phase that does not end is a
    /// problem.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn run(&mut self, phase: &mut dyn Phase, lasting: Duration, report: &mut Report) -> io::Result<()> {
        self.step("measuring".to_owned(), phase, lasting, lasting, report)
    }

    /// Runs a phase that should take `planned`, and at most `lasting` or somewhat longer.
    fn step(
        &mut self,
        what: String,
        phase: &mut dyn Phase,
        planned: Duration,
        lasting: Duration,
        report: &mut Report,
    ) -> io::Result<()> {
        let until = Instant::now() + lasting + 3 * ANSWER_TIMEOUT;
        self.steps += 1;
        let mut progress = ProgressStep::new(format!("step {}, {what}", self.steps), planned);
        if !self.client_loop.run(&mut Concurrent([phase, &mut progress]), until)? {
            report.problem("the phase does not end");
        }
        Ok(())
    }

    /// Opens sessions with a position on the board. Each that fails is a problem.
    ///
    /// # Errors
    /// The system fails to wait for events.
    pub fn open(&mut self, sessions: usize, report: &mut Report) -> io::Result<Opened> {
        let profile = self.profile.clone();
        let prepare = move |engine: &mut ChessEngine| prepare(engine, profile.as_deref());
        let mut connecting = ConnectPhase::new(sessions, self.protocol, &prepare);
        // A server that starts a process for each session is slow but works.
        let longest = ANSWER_TIMEOUT * (1 + sessions as u32 / 100);
        self.step(format!("opening {sessions} sessions"), &mut connecting, Duration::ZERO, longest, report)?;
        let rate = connecting.rate();
        report.problems.extend(connecting.failures);
        Ok(Opened { clients: connecting.clients, rate })
    }

    /// Opens further sessions from another local address. Returns whether there is one.
    pub fn use_next_address(&mut self) -> bool {
        self.client_loop.use_next_address()
    }

    /// Closes all sessions.
    pub fn close_all(&mut self) {
        self.client_loop.close_all();
    }
}
