//! The client's side of the relay.

use std::time::{Duration, Instant};

use super::super::journal::Spoken;
use super::{Ending, Relay};

/// Time from the request to terminate to the exit, unless the server closes first. xboard is frozen while it
/// waits, and kills after a second.
const TERMINATE_TIMEOUT: Duration = Duration::from_millis(180);
/// Time from `quit` to the exit, unless the server closes first, as it should.
const QUIT_TIMEOUT: Duration = Duration::from_millis(700);
/// The same for a script, whose input has ended after `quit`: earlier answers may still be due.
const SCRIPT_QUIT_TIMEOUT: Duration = Duration::from_secs(5);

impl Relay {
    pub(super) fn heard_client(&mut self, bytes: Vec<u8>, now: Instant) {
        let first = bytes.iter().position(|&byte| byte == b'\n').filter(|_| self.first_line);
        let (before, behind) = bytes.split_at(first.map_or(bytes.len(), |end| end + 1));
        let mut up = self.journal.client(before, now);
        let has_wishes = first.is_some() && !self.journal.said_quit();
        let wishes = if has_wishes { self.order.wishes.lines(self.spoken()) } else { Vec::new() };
        if has_wishes {
            up.extend(self.journal.client(&wishes, now));
        }
        up.extend(self.journal.client(behind, now));
        if let Some(recorder) = &mut self.order.recorder {
            recorder.client(before, now);
            if has_wishes {
                recorder.said_for_client(&wishes, now);
            }
            recorder.client(behind, now);
        }
        self.first_line &= first.is_none();
        self.tell_server(&up);
        let quitting = self.journal.said_quit();
        self.quit_until = quitting.then(|| self.quit_until.unwrap_or(now + QUIT_TIMEOUT));
        if quitting && self.link.is_none() {
            self.end(Ending::Dismissed);
        }
    }

    /// What the client speaks, as far as that is known.
    pub(super) fn spoken(&self) -> Spoken {
        self.journal.spoken().unwrap_or_default()
    }

    pub(super) fn input_over(&mut self, now: Instant) {
        self.input_ended = true;
        self.quit_until = self.quit_until.map(|_| now + SCRIPT_QUIT_TIMEOUT);
        match &mut self.link {
            Some(link) if self.journal.is_passed_up() => link.finish(),
            Some(_) => {}
            // The next event is the complaint.
            None if self.journal.owes() || self.hopeless.is_some() => {}
            None => self.end(Ending::Dismissed),
        }
    }

    pub(super) fn terminate(&mut self, now: Instant) {
        self.leaving = Some(now + TERMINATE_TIMEOUT);
        if self.ending.is_some() {
            return;
        }
        match &mut self.link {
            Some(link) => {
                if !self.input_ended {
                    // Fails only if the connection is gone.
                    let _ = link.send(&self.last_words.goodbye());
                    link.finish();
                }
            }
            None => self.end(Ending::Dismissed),
        }
    }

    pub(super) fn tell_client(&mut self, bytes: Vec<u8>) {
        if let Some(recorder) = &mut self.order.recorder
            && !bytes.is_empty()
        {
            recorder.server(&bytes, Instant::now());
        }
        self.outlet.write(bytes);
        self.from_server.leave(0, self.outlet.waiting());
    }
}
