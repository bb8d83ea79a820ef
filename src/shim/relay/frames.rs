//! Frames of a Farboard, and the session that it is given.

use super::server::{Linked, Phase};
use super::suspicion::Loss;
use super::{Ending, Relay};
use crate::link::{ClientFrame, FrameReader, LinkError, MAX_STATE, ServerFrame, apply};
use std::time::{Duration, Instant};

impl Relay {
    fn linked(&mut self) -> Option<&mut Linked> {
        match &mut self.server.as_mut()?.phase {
            Phase::Linked(linked) => Some(linked),
            Phase::Greeting(_) | Phase::Foreign(_) => None,
        }
    }

    /// Gives the session to the server, which has answered the greeting.
    pub(super) fn begin_link(&mut self, reader: FrameReader, now: Instant) {
        let is_resumed = !self.session.state.is_empty();
        let mut frames = Vec::new();
        if is_resumed {
            let since = |at: Instant| now.saturating_duration_since(at);
            let age = self.session.state_at.map_or(Duration::ZERO, since);
            let away = self.failover.outage.as_ref().map_or(Duration::ZERO, |outage| since(outage.since));
            let (state, warm) = (self.session.state.clone(), self.session.warm.clone());
            let calm = self.suspicion.is_search_fatal();
            ClientFrame::Resume { state, warm, age, away, calm }.write(&mut frames);
            self.note("the session goes on");
        } else {
            ClientFrame::New.write(&mut frames);
        }
        self.suspicion.settle();
        if let Some(server) = &mut self.server {
            self.failover.is_greeted = true;
            server.phase = Phase::Linked(Linked {
                reader,
                since: now,
                is_resumed,
                has_spoken: false,
                has_progressed: false,
                waits_since: now,
            });
        }
        if let Some(length) = self.suspicion.fatal_line(&self.unaccounted) {
            frames.extend(self.unaccounted.refuse(length, now));
        }
        self.send(frames);
        self.send_more(now);
    }

    pub(super) fn read_frames(&mut self, now: Instant) {
        while let Some(linked) = self.linked() {
            let handled = match ServerFrame::read(&mut linked.reader) {
                Ok(None) => break,
                Ok(Some(frame)) => self.handle_frame(frame, now),
                Err(error) => Err(error),
            };
            if let Err(error) = handled {
                self.distrust(&error.to_string(), now);
            }
        }
        self.send_more(now);
    }

    fn handle_frame(&mut self, frame: ServerFrame, now: Instant) -> Result<(), LinkError> {
        match frame {
            ServerFrame::Output { accounted, output, edits, due } => {
                let state = apply(&self.session.state, &edits, MAX_STATE)?;
                self.account(accounted, now)?;
                self.session.state = state;
                if accounted > 0 || !edits.is_empty() {
                    self.session.state_at = Some(now);
                }
                let was_due = std::mem::replace(&mut self.session.due, due);
                if let Some(linked) = self.linked() {
                    linked.has_spoken = true;
                    linked.has_progressed |= accounted > 0 || (was_due && !due);
                }
                self.session.started = true;
                self.show(output);
            }
            ServerFrame::Warm(bytes) => self.session.warm = bytes,
            ServerFrame::Move => self.begin_move(),
            ServerFrame::Leave => {
                let reason = format!("The server at {} has left the session", self.name());
                self.lost(reason, Loss::Innocent, now);
            }
            ServerFrame::End { accounted, output } => {
                self.account(accounted, now)?;
                self.show(output);
                self.end(Ending::ServerClosed);
            }
            ServerFrame::Fault(why) => {
                let reason =
                    format!("A defect of the server at {} has ended the session: {why}", self.name());
                if self.session.started {
                    self.lost(reason, Loss::Defect, now);
                } else {
                    self.refused(reason, now);
                }
            }
            ServerFrame::Unfit(why) => self.unfit(why, now),
        }
        Ok(())
    }

    fn account(&mut self, count: u64, now: Instant) -> Result<(), LinkError> {
        if !self.unaccounted.account(count) {
            return Err(LinkError::Content);
        }
        if count > 0 {
            self.suspicion.account(count);
            if let Some(linked) = self.linked() {
                linked.waits_since = now;
            }
        }
        Ok(())
    }
}
