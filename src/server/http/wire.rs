//! A client's connection as a stream that reads and writes without waiting.

use crate::server::connection::{ClientStream, Output, ReadOutcome};
use std::io::{self, ErrorKind, Read, Write};

/// Most bytes read in a turn. A page that sends faster than it can be read has to wait for others.
pub(super) const TURN_BYTES: usize = 64 << 10;

/// The connection, with what is to be sent. Writing always succeeds, and is to be limited by
/// waiting until everything [is sent](Wire::is_sent).
pub(super) struct Wire {
    pub(super) stream: ClientStream,
    output: Output,
    /// Bytes that may still be read in this turn.
    pub(super) budget: usize,
}

impl Wire {
    pub(super) fn new(stream: ClientStream, output: Output) -> Wire {
        Wire { stream, output, budget: 0 }
    }

    /// Sends as much as the connection takes.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn send(&mut self) -> io::Result<()> {
        self.stream.write(&mut self.output)
    }

    /// Returns the bytes that are to be sent.
    #[cfg(test)]
    pub(super) fn unsent(&self) -> usize {
        self.output.bytes()
    }

    /// Returns true if everything is sent.
    pub(super) fn is_sent(&self) -> bool {
        self.output.is_empty() && self.stream.is_sent()
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.budget > 0 {
            let most = buffer.len().min(self.budget);
            match self.stream.read(&mut buffer[..most])? {
                ReadOutcome::Bytes(count) => {
                    self.budget -= count;
                    return Ok(count);
                }
                ReadOutcome::Overhead(count) => self.budget = self.budget.saturating_sub(count),
                ReadOutcome::Nothing => return Err(ErrorKind::WouldBlock.into()),
                ReadOutcome::End => return Ok(0),
                ReadOutcome::Handshake | ReadOutcome::NotTls => return Err(ErrorKind::InvalidData.into()),
            }
        }
        Err(ErrorKind::WouldBlock.into())
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.push_bytes(bytes.to_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
