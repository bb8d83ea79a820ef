//! From server to server: which is next when one is lost, and what becomes of the session without one.

use super::server::Phase;
use super::suspicion::Loss;
use super::{Action, Attempt, Ending, Relay};
use crate::protocol::BEING_REPLACED;
use crate::shim::first_line::FIRST_LINE_TIMEOUT;
use crate::shim::gui_message;
use crate::shim::outage::Outage;
use std::time::Instant;

impl Relay {
    pub(super) fn dial(&mut self, server: usize) {
        self.is_moving = false;
        self.at = server;
        self.attempts += 1;
        self.dialling = Some(self.attempts);
        self.actions.push(Action::Dial { server, attempt: self.attempts });
    }

    pub(super) fn connected(&mut self, attempt: Attempt, now: Instant) {
        if self.dialling != Some(attempt) || self.ending.is_some() {
            self.actions.push(Action::Drop { attempt, abort: false });
            return;
        }
        self.dialling = None;
        self.lost_at = None;
        if std::mem::take(&mut self.is_moving) && self.server.is_some() {
            if self.session.due || self.unaccounted.len() > 0 {
                // The client has begun something. The server asks again.
                self.actions.push(Action::Drop { attempt, abort: false });
                return;
            }
            self.leave_server();
            // Until the new server has proved itself this is an outage like others.
            let reason = format!("The session was to move from one server at {} to another", self.name());
            self.begin_outage(reason, now);
            self.has_moved = true;
        }
        self.greet(attempt, now);
    }

    pub(super) fn unreachable(&mut self, attempt: Attempt, reason: &str, refused: bool, now: Instant) {
        if self.dialling != Some(attempt) || self.ending.is_some() {
            return;
        }
        self.dialling = None;
        if std::mem::take(&mut self.is_moving) && self.server.is_some() {
            return;
        }
        // A network that is down, an unknown name and the like do not show that the server died.
        if self.lost_at.take() == Some(self.at) && refused {
            self.suspicion.confirm_last();
        }
        let reason = format!("Cannot reach {}: {reason}", self.name());
        match &mut self.outage {
            Some(outage) => outage.failed(now, reason, false),
            None => {
                self.note(&*reason);
                self.try_the_untried(&reason, now);
            }
        }
    }

    /// The server refuses the session; others may not.
    pub(super) fn refused(&mut self, reason: String, now: Instant) {
        if self.started {
            return self.lost(reason, Loss::Innocent, now);
        }
        self.leave_server();
        self.note(format!("refused: {reason}"));
        // Its successor will be there in some seconds.
        if reason.contains(BEING_REPLACED) && self.untried.is_empty() {
            return self.fail(reason, now);
        }
        self.try_the_untried(&reason, now);
    }

    /// The server is there but silent.
    pub(super) fn miss(&mut self, now: Instant) {
        let reason = format!("{} does not answer", self.name());
        if self.outage.is_some() || self.started {
            return self.lost(reason, Loss::Plain, now);
        }
        self.leave_server();
        self.note(format!("missed: {reason}"));
        self.try_the_untried(&reason, now);
    }

    fn try_the_untried(&mut self, reason: &str, now: Instant) {
        match self.untried.pop_front() {
            Some(next) => self.dial(next),
            None => self.give_up(reason, now),
        }
    }

    /// The server cannot go on with the session. If none can, that is told at once.
    pub(super) fn cannot_go_on(&mut self, reason: String, now: Instant) {
        // Behind the address of a server that the session has left for another one, there is one more, and a balancer may find it.
        self.unfit[self.at] |= !self.has_moved;
        if self.unfit.iter().all(|&unfit| unfit) {
            self.leave_server();
            self.note(format!("refused: {reason}"));
            return self.give_up(&reason, now);
        }
        self.refused(reason, now);
    }

    /// There is no server for now.
    pub(super) fn lost(&mut self, reason: String, loss: Loss, now: Instant) {
        if let Some(Phase::Linked(linked)) = self.server.as_ref().map(|server| &server.phase) {
            self.suspicion.blame(self.at, loss, linked, &self.unaccounted, now);
        }
        self.leave_server();
        self.unaccounted.rewind();
        self.note(format!("outage: {reason}"));
        self.lost_at = Some(self.at);
        if self.is_moving {
            (self.is_moving, self.dialling) = (false, None);
        }
        self.fail(reason, now);
        if self.said_farewell() && self.started {
            self.end(Ending::Dismissed);
        }
    }

    /// The attempt to have a server has failed, after one had admitted the client.
    fn fail(&mut self, reason: String, now: Instant) {
        match &mut self.outage {
            Some(outage) => outage.failed(now, reason, true),
            None => self.begin_outage(reason, now),
        }
    }

    fn begin_outage(&mut self, reason: String, now: Instant) {
        let give_up = self.plan.give_up;
        // A client that waits for the answer to its first line does not wait that long.
        let give_up = self.start_timeout().map_or(give_up, |most| most.min(give_up));
        self.outage = Some(Outage::new(now, self.plan.servers.len(), self.at, give_up, reason));
    }

    /// Connects once more to the same address, behind which a balancer chooses. The session stays where it is until that is done.
    pub(super) fn begin_move(&mut self) {
        let ends = self.input_ended || self.leaving.is_some() || self.quit_until.is_some();
        if self.outage.is_none() && self.dialling.is_none() && !ends {
            self.note("another server has more room");
            self.dial(self.at);
            self.is_moving = true;
        }
    }

    /// No server can be reached: informs the client, in a form at which a GUI unplugs the engine.
    pub(super) fn give_up(&mut self, reason: &str, now: Instant) {
        if self.plan.is_terminal {
            self.show(gui_message::terminal_line(reason).into_bytes());
            return self.end(Ending::NoServer);
        }
        if self.hopeless.is_none() && self.protocol.is_none() && !self.input_ended {
            self.leave_server();
            (self.outage, self.dialling) = (None, None);
            self.hopeless = Some((reason.to_owned(), now + FIRST_LINE_TIMEOUT));
            return;
        }
        let lines = self.protocol.unwrap_or_default().complaint(reason, self.session.due);
        self.show(lines.into_bytes());
        self.end(Ending::NoServer);
    }
}
