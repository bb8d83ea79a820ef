//! The server's side of one link, without sockets and sessions: reads the frames of the shim, and counts how many of the
//! client's bytes the frames of the server account for.
//!
//! The state in a frame is the session's with at most one line of the server in front: `discarding` within a line that is
//! too long, `interrupts N` within a line of which that many interrupts were handled.

use super::{ClientFrame, FrameReader, LinkError, ServerFrame, edits};
use crate::protocol::framing::LineSplitter;

/// The line in front of the state while the rest of a line is discarded.
const DISCARDING: &str = "discarding\n";
/// The beginning of the line in front of the state while a line with interrupts is not complete.
const INTERRUPTS: &str = "interrupts ";

/// Output of a session since the last frame.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pending {
    /// Bytes for the client.
    pub output: Vec<u8>,
    /// Whether all of them are thinking lines, without which the client can go on.
    pub only_thinking: bool,
    /// Whether the client waits for a move or another answer.
    pub due: bool,
}

/// Progress of a link.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Phase {
    /// Both sides have sent the greeting.
    #[default]
    Greeted,
    /// The session has begun, or goes on, and no frame was sent since then.
    Begun,
    /// A frame has sent its state.
    Sent,
}

/// The server's side of a link.
#[derive(Debug, Default)]
pub struct ServerEnd {
    reader: FrameReader,
    phase: Phase,
    /// Number of the client's bytes that have come.
    taken: u64,
    /// Number of the client's bytes for which the frames sent account.
    accounted: u64,
    /// The last state that the shim has.
    state: String,
}

impl ServerEnd {
    /// Takes bytes of the shim as they were read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reader.push(bytes);
    }

    /// Returns the number of bytes of the shim that are no frame yet.
    pub fn held(&self) -> usize {
        self.reader.held()
    }

    /// Returns the memory held in bytes.
    pub fn memory(&self) -> usize {
        self.reader.held() + self.state.len()
    }

    /// Returns true if the session has begun, here or on another server.
    pub fn has_begun(&self) -> bool {
        self.phase != Phase::Greeted
    }

    /// Returns true if a frame has begun and is not complete. Only valid if there is no further frame.
    pub fn is_in_a_frame(&self) -> bool {
        self.reader.is_in_a_frame()
    }

    /// Returns the next frame of the shim, if it is complete. The caller has handled everything that `lines` can hand out,
    /// and passes it the bytes of [`ClientFrame::Input`]. If a session goes on, `lines` is new, and the state returned is
    /// the session's alone.
    ///
    /// # Errors
    /// The bytes are no frame, or one that must not come now.
    pub fn next(&mut self, lines: &mut LineSplitter) -> Result<Option<ClientFrame>, LinkError> {
        let Some(mut frame) = ClientFrame::read(&mut self.reader)? else { return Ok(None) };
        let begins = match &mut frame {
            ClientFrame::New => true,
            ClientFrame::Resume { state, .. } => {
                self.state.clone_from(state);
                resume_line(state, lines)?;
                true
            }
            ClientFrame::Input { bytes, .. } => {
                self.taken += bytes.len() as u64;
                false
            }
            ClientFrame::Refuse { bytes, age } => {
                if lines.unhandled() > 0 {
                    return Err(LinkError::Order);
                }
                self.taken += bytes.len() as u64;
                if lines.is_discarding() {
                    // The rest of a line that was refused.
                    frame = ClientFrame::Input { bytes: std::mem::take(bytes), age: *age };
                } else {
                    lines.ignore_interrupts(0);
                }
                false
            }
        };
        if begins == self.has_begun() {
            return Err(LinkError::Order);
        }
        if begins {
            self.phase = Phase::Begun;
        }
        Ok(Some(frame))
    }

    /// Returns the next frame for the shim, if there is something to send. `state` returns the state of the session, and
    /// is called only if needed.
    pub fn frame(
        &mut self,
        pending: Pending,
        lines: &LineSplitter,
        state: impl FnOnce() -> String,
    ) -> Option<ServerFrame> {
        let Pending { output, only_thinking, due } = pending;
        let accounted = self.account(lines);
        let is_current = accounted == 0 && self.phase == Phase::Sent;
        if is_current && output.is_empty() {
            return None;
        }
        if is_current && only_thinking {
            return Some(ServerFrame::Output { accounted, output, edits: String::new(), due });
        }
        let edits = self.edits(lines, state);
        Some(ServerFrame::Output { accounted, output, edits, due })
    }

    /// Returns a frame without output that updates the state, if that has changed. Only valid if there is no other frame.
    pub fn refresh(
        &mut self,
        lines: &LineSplitter,
        due: bool,
        state: impl FnOnce() -> String,
    ) -> Option<ServerFrame> {
        let (accounted, edits) = (self.account(lines), self.edits(lines, state));
        let has_changed = accounted > 0 || !edits.is_empty();
        has_changed.then_some(ServerFrame::Output { accounted, output: Vec::new(), edits, due })
    }

    /// Returns the edits that turn the last state into the current one.
    fn edits(&mut self, lines: &LineSplitter, state: impl FnOnce() -> String) -> String {
        let state = line_in_progress(lines) + &state();
        let edits = edits(&self.state, &state);
        (self.state, self.phase) = (state, Phase::Sent);
        edits
    }

    /// Returns the last frame of a session that ends for good, with its last output.
    pub fn end(&mut self, output: Vec<u8>, lines: &LineSplitter) -> ServerFrame {
        ServerFrame::End { accounted: self.account(lines), output }
    }

    /// Returns the number of bytes that the session has handled since the last call.
    fn account(&mut self, lines: &LineSplitter) -> u64 {
        let handled = self.taken.saturating_sub(lines.unhandled() as u64).max(self.accounted);
        handled - std::mem::replace(&mut self.accounted, handled)
    }
}

/// Returns the line in front of the state, or nothing.
fn line_in_progress(lines: &LineSplitter) -> String {
    if lines.is_discarding() {
        DISCARDING.to_owned()
    } else if lines.early_interrupts() > 0 {
        format!("{INTERRUPTS}{}\n", lines.early_interrupts())
    } else {
        String::new()
    }
}

/// Removes the line in front of the state, and restores `lines` from it.
fn resume_line(state: &mut String, lines: &mut LineSplitter) -> Result<(), LinkError> {
    if let Some(rest) = state.strip_prefix(DISCARDING) {
        *state = rest.to_owned();
        lines.discard_line();
    } else if let Some((count, rest)) = state.strip_prefix(INTERRUPTS).and_then(|rest| rest.split_once('\n'))
    {
        lines.ignore_interrupts(count.parse().map_err(|_| LinkError::Content)?);
        *state = rest.to_owned();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
