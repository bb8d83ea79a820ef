//! From server to server: dialling at the start, the loss of a server, and the end of a session
//! without one. `outage` decides which server is next and when, `timing` dials it.

use super::outage::Outage;
use super::server::Phase;
use super::suspicion::Loss;
use super::{Action, Attempt, Ending, Relay};
use crate::protocol::BEING_REPLACED;
use crate::shim::gui_message::{self, FIRST_LINE_TIMEOUT};
use std::collections::VecDeque;
use std::time::Instant;

/// A running attempt to connect.
#[derive(Debug)]
pub(super) struct Dialling {
    attempt: Attempt,
    /// Whether it is to find another server for a session that has one.
    is_move: bool,
}

/// Progress of the search for a server.
#[derive(Debug, Default)]
pub(super) struct Failover {
    /// Index of the current server, or of the one that is dialled.
    pub(super) at: usize,
    /// The number of the newest attempt.
    attempts: Attempt,
    pub(super) dialling: Option<Dialling>,
    /// Whether the session has left a server for the current one.
    pub(super) has_moved: bool,
    /// The outage that lasts until a server has proved itself.
    pub(super) outage: Option<Outage>,
    /// Servers that have not been tried since the start.
    pub(super) untried: VecDeque<usize>,
    /// The server that was lost last, if none was dialled since.
    lost_at: Option<usize>,
    /// For each server, whether it cannot go on with the state.
    pub(super) unfit: Vec<bool>,
    /// Number of connections closed at once before any server had sent something.
    pub(super) silent_closes: usize,
    /// Whether a server has answered the greeting. One that closes after that is lost, not
    /// refusing.
    pub(super) is_greeted: bool,
    /// Reason for having no server, and until when to wait for a first line that shows in which
    /// protocol to report it.
    pub(super) hopeless: Option<(String, Instant)>,
}

impl Failover {
    pub(super) fn new(servers: usize) -> Failover {
        Failover { untried: (1..servers).collect(), unfit: vec![false; servers], ..Failover::default() }
    }

    /// Ends the running attempt if it is this one.
    fn take_dialling(&mut self, attempt: Attempt) -> Option<Dialling> {
        self.dialling.take_if(|dialling| dialling.attempt == attempt)
    }
}

impl Relay {
    pub(super) fn dial(&mut self, server: usize, is_move: bool) {
        self.failover.at = server;
        self.failover.attempts += 1;
        let attempt = self.failover.attempts;
        self.failover.dialling = Some(Dialling { attempt, is_move });
        self.actions.push(Action::Dial { server, attempt });
    }

    /// Connects once more to the same address, behind which a balancer chooses. The session stays
    /// where it is until then.
    pub(super) fn begin_move(&mut self) {
        let client = &self.client;
        let ends = client.input_ended || client.terminate_at.is_some() || client.quit_until.is_some();
        if self.failover.outage.is_none() && self.failover.dialling.is_none() && !ends {
            self.note("another server has more room");
            self.dial(self.failover.at, true);
        }
    }

    pub(super) fn connected(&mut self, attempt: Attempt, now: Instant) {
        let dialling = self.failover.take_dialling(attempt).filter(|_| self.ending.is_none());
        let is_moving = dialling.as_ref().is_some_and(|dialling| dialling.is_move) && self.server.is_some();
        // A client that has sent something in the meantime does not wait for a move: the server
        // asks again.
        if dialling.is_none() || (is_moving && (self.session.due || self.unaccounted.len() > 0)) {
            return self.actions.push(Action::Drop { attempt, abort: false });
        }
        self.failover.lost_at = None;
        if is_moving {
            self.leave_server();
            // Until the new server has proved itself this is an outage like others.
            let reason = format!("The session was to move from one server at {} to another", self.name());
            self.begin_outage(reason, now);
            self.failover.has_moved = true;
        }
        self.greet(attempt, now);
    }

    pub(super) fn unreachable(&mut self, attempt: Attempt, reason: &str, refused: bool, now: Instant) {
        let dialling = self.failover.take_dialling(attempt);
        let Some(dialling) = dialling.filter(|_| self.ending.is_none()) else { return };
        if dialling.is_move && self.server.is_some() {
            return;
        }
        // A network that is down, an unknown name and the like do not show that the server died.
        if self.failover.lost_at.take() == Some(self.failover.at) && refused {
            self.suspicion.confirm_last();
        }
        let reason = format!("Cannot reach {}: {reason}", self.name());
        match &mut self.failover.outage {
            Some(outage) => outage.failed(now, reason, false),
            None => {
                self.note(&*reason);
                self.try_the_untried(reason, now);
            }
        }
    }

    /// Tries another server after one has refused the session.
    pub(super) fn refused(&mut self, reason: String, now: Instant) {
        if self.session.started {
            return self.lost(reason, Loss::Innocent, now);
        }
        self.leave_server();
        self.note(format!("refused: {reason}"));
        // The successor will be up in some seconds.
        if reason.contains(BEING_REPLACED) && self.failover.untried.is_empty() {
            return self.fail(reason, now);
        }
        self.try_the_untried(reason, now);
    }

    /// Tries another server after one has been silent for too long.
    pub(super) fn missed(&mut self, now: Instant) {
        let reason = format!("{} does not answer", self.name());
        if self.failover.outage.is_some() || self.session.started {
            return self.lost(reason, Loss::Plain, now);
        }
        self.leave_server();
        self.note(format!("missed: {reason}"));
        self.try_the_untried(reason, now);
    }

    /// Tries another server after one cannot go on with the state. If none can, gives up at once.
    pub(super) fn unfit(&mut self, reason: String, now: Instant) {
        // A session that has left a server for another one may get back to it by the same address.
        self.failover.unfit[self.failover.at] |= !self.failover.has_moved;
        if self.failover.unfit.iter().all(|&unfit| unfit) {
            self.leave_server();
            self.note(format!("refused: {reason}"));
            return self.give_up(reason, now);
        }
        self.refused(reason, now);
    }

    fn try_the_untried(&mut self, reason: String, now: Instant) {
        match self.failover.untried.pop_front() {
            Some(next) => self.dial(next, false),
            None => self.give_up(reason, now),
        }
    }

    /// Leaves the server, and begins or continues an outage.
    pub(super) fn lost(&mut self, reason: String, loss: Loss, now: Instant) {
        if let Some(Phase::Linked(linked)) = self.server.as_ref().map(|server| &server.phase) {
            self.suspicion.blame(self.failover.at, loss, linked, &self.unaccounted, now);
        }
        self.leave_server();
        self.unaccounted.rewind();
        self.note(format!("outage: {reason}"));
        self.failover.lost_at = Some(self.failover.at);
        self.failover.dialling.take_if(|dialling| dialling.is_move);
        self.fail(reason, now);
        if self.has_quit() && self.session.started {
            self.end(Ending::Dismissed);
        }
    }

    /// Notes that a server was of no use after it had admitted the client.
    fn fail(&mut self, reason: String, now: Instant) {
        match &mut self.failover.outage {
            Some(outage) => outage.failed(now, reason, true),
            None => self.begin_outage(reason, now),
        }
    }

    fn begin_outage(&mut self, reason: String, now: Instant) {
        let give_up = self.plan.give_up;
        // A client that waits for the answer to its first line does not wait that long.
        let give_up = self.start_timeout().map_or(give_up, |most| most.min(give_up));
        let (servers, at) = (self.plan.servers.len(), self.failover.at);
        self.failover.outage = Some(Outage::new(now, servers, at, give_up, reason));
    }

    /// Reports that there is no server, perhaps only after the client's first line has shown its
    /// protocol.
    pub(super) fn give_up(&mut self, reason: String, now: Instant) {
        if self.plan.is_terminal || self.protocol.is_some() || self.client.input_ended {
            return self.report_no_server(&reason);
        }
        self.leave_server();
        (self.failover.outage, self.failover.dialling) = (None, None);
        self.failover.hopeless = Some((reason, now + FIRST_LINE_TIMEOUT));
    }

    pub(super) fn report_no_server(&mut self, reason: &str) {
        let lines = if self.plan.is_terminal {
            gui_message::terminal_line(reason)
        } else {
            self.protocol.unwrap_or_default().error_lines(reason, self.session.due)
        };
        self.show(lines.into_bytes());
        self.end(Ending::NoServer);
    }
}
