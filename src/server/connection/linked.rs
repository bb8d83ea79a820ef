//! A client behind a shim: the server's end of the link, output not yet in a frame, and the send
//! times of its input.
//!
//! Output is put into a frame when the connection has sent everything else. Until then it is kept
//! as lines, of which thinking lines are dropped as for other clients, and the session's state is
//! written once for all of them.

use crate::link::{ClientFrame, LinkError, Pending, ServerEnd, ServerFrame};
use crate::protocol::Line;
use crate::protocol::framing::LineSplitter;
use crate::server::connection::{Output, OutputLimits};
use crate::session::SendTime;
use std::time::{Duration, Instant};

/// Minimum interval between warm parts.
const WARM_INTERVAL: Duration = Duration::from_secs(10);

/// Minimum interval between states that are sent for what a search has found.
const FINDINGS_INTERVAL: Duration = Duration::from_millis(250);

/// Ways in which a session leaves the link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) enum Parting {
    /// It has ended for good, and all its output is sent.
    End,
    /// It moves to another server.
    Leave,
    /// A defect has ended it. Its output since the last frame is dropped, since its input is
    /// replayed elsewhere.
    Fault(String),
    /// It cannot continue here.
    Unfit(String),
}

/// Link of a connection.
pub(in crate::server) struct Linked {
    end: ServerEnd,
    /// Lines not yet in a frame.
    pending: Output,
    /// When the client sent the current input; not before the previous one.
    sent_at: Option<Instant>,
    /// When the client sent the previous input, or when the state was written; `None` without
    /// either.
    latest: Option<Instant>,
    /// The newest unsent warm part.
    warm: Option<Box<[u8]>>,
    warm_sent: Option<Instant>,
    findings_sent: Option<Instant>,
    /// Whether the last frame is written.
    is_over: bool,
}

impl Linked {
    pub(in crate::server) fn new(limits: OutputLimits) -> Linked {
        Linked {
            end: ServerEnd::default(),
            pending: Output::new(limits),
            sent_at: None,
            latest: None,
            warm: None,
            warm_sent: None,
            findings_sent: None,
            is_over: false,
        }
    }

    /// Takes bytes of the shim.
    pub(in crate::server) fn push(&mut self, bytes: &[u8]) {
        self.end.push(bytes);
    }

    /// Queues a line for the client.
    pub(in crate::server) fn send(&mut self, line: &Line) {
        if !self.is_over {
            self.pending.push(&line.text, line.key);
        }
    }

    /// Returns the number of bytes for the client not yet in a frame.
    pub(in crate::server) fn unsent(&self) -> usize {
        self.pending.bytes()
    }

    /// Returns the approximate memory in bytes.
    pub(in crate::server) fn memory(&self) -> usize {
        self.pending.memory() + self.end.memory() + self.warm.as_ref().map_or(0, |warm| warm.len())
    }

    /// Returns the number of unhandled bytes of the shim.
    pub(in crate::server) fn held(&self) -> usize {
        self.end.held()
    }

    /// Returns true if the session has begun and has not left.
    pub(in crate::server) fn is_open(&self) -> bool {
        self.end.has_begun() && !self.is_over
    }

    /// Drops thinking lines that are followed by others.
    pub(in crate::server) fn drop_thinking(&mut self) {
        self.pending.drop_thinking();
    }

    /// Drops all lines not yet in a frame.
    pub(in crate::server) fn drop_pending(&mut self) {
        self.pending.take();
    }

    /// Returns the number of thinking lines dropped since the last call.
    pub(in crate::server) fn take_dropped(&mut self) -> u64 {
        self.pending.take_dropped()
    }

    /// Returns the next frame of the shim, if complete, and notes when its input was sent.
    pub(in crate::server) fn next(
        &mut self,
        lines: &mut LineSplitter,
        now: Instant,
    ) -> Result<Option<ClientFrame>, LinkError> {
        let frame = self.end.next(lines)?;
        match &frame {
            Some(ClientFrame::Input { age, .. } | ClientFrame::Refuse { age, .. }) => {
                self.sent_at = self.sent_at.max(now.checked_sub(*age).or(Some(now)));
            }
            // Input sent before the loss is as old as the state at most.
            Some(ClientFrame::Resume { age, .. }) => self.latest = now.checked_sub(*age),
            Some(ClientFrame::New) | None => {}
        }
        Ok(frame)
    }

    /// Returns when the input was sent and when the session handles it: not before earlier input.
    /// Search reports in between do not count, or the engine's clock would not pay for the outage.
    pub(in crate::server) fn send_time(&mut self, now: Instant) -> SendTime {
        let sent = self.sent_at.unwrap_or(now);
        let handled = self.latest.map_or(sent, |latest| latest.max(sent));
        self.latest = Some(handled);
        SendTime { sent, handled }
    }

    /// Replaces the warm part.
    pub(in crate::server) fn keep_warm(&mut self, warm: Box<[u8]>) {
        self.warm = Some(warm);
    }

    /// Writes the next frame, if there is something to send. `state` is called only if the
    /// session's state is needed.
    pub(in crate::server) fn write_frame(
        &mut self,
        output: &mut Output,
        lines: &LineSplitter,
        due: bool,
        state: impl FnOnce() -> String,
    ) -> bool {
        if !self.is_open() {
            return false;
        }
        let only_thinking = self.pending.is_all_thinking();
        let pending = Pending { output: self.pending.take(), only_thinking, due };
        let frame = self.end.frame(pending, lines, state);
        if let Some(frame) = &frame {
            write(frame, output);
        }
        frame.is_some()
    }

    /// Writes what the search for an answer that is due has found, so that it is not lost with the
    /// server: thinking lines do not carry it. Only valid if there is no output.
    pub(in crate::server) fn write_findings(
        &mut self,
        output: &mut Output,
        lines: &LineSplitter,
        now: Instant,
        state: impl FnOnce() -> String,
    ) -> bool {
        if is_recent(self.findings_sent, FINDINGS_INTERVAL, now) || !self.is_open() {
            return false;
        }
        let Some(frame) = self.end.refresh(lines, true, state) else { return false };
        write(&frame, output);
        self.findings_sent = Some(now);
        true
    }

    /// Writes the warm part, if there is a new one and the last was sent long ago. The state goes
    /// with it and has the search's findings, which thinking lines alone do not carry.
    pub(in crate::server) fn write_warm(
        &mut self,
        output: &mut Output,
        lines: &LineSplitter,
        due: bool,
        now: Instant,
        state: impl FnOnce() -> String,
    ) -> bool {
        if is_recent(self.warm_sent, WARM_INTERVAL, now) || !self.is_open() {
            return false;
        }
        let Some(warm) = self.warm.take() else { return false };
        if let Some(frame) = self.end.refresh(lines, due, state) {
            write(&frame, output);
        }
        write(&ServerFrame::Warm(warm.into_vec()), output);
        self.warm_sent = Some(now);
        true
    }

    /// Writes the last frame. Nothing comes after it.
    pub(in crate::server) fn part(&mut self, parting: Parting, output: &mut Output, lines: &LineSplitter) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        let output_left = self.pending.take();
        let frame = match parting {
            Parting::End => self.end.end(output_left, lines),
            Parting::Leave => ServerFrame::Leave,
            Parting::Fault(why) => ServerFrame::Fault(why),
            Parting::Unfit(why) => ServerFrame::Unfit(why),
        };
        write(&frame, output);
        (self.end, self.warm) = (ServerEnd::default(), None);
    }
}

/// Returns true if something was sent less than this interval ago.
fn is_recent(sent: Option<Instant>, interval: Duration, now: Instant) -> bool {
    sent.is_some_and(|sent| now.saturating_duration_since(sent) < interval)
}

/// Queues a frame.
pub(in crate::server) fn write(frame: &ServerFrame, output: &mut Output) {
    let mut bytes = Vec::new();
    frame.write(&mut bytes);
    output.push_bytes(bytes);
}
