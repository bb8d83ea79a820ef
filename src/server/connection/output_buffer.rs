//! Output waiting to be sent to one client.
//!
//! A slow reader must not cost much memory, and must not lose what it needs. Above the soft limit
//! thinking lines are dropped: a newer one replaces an older one of the same key, and of those
//! before a move only the last is kept. Everything else is kept. Above the hard limit the
//! connection is closed. When all clients together leave too much unread, thinking lines are
//! dropped sooner: see `drop_thinking`.

use crate::protocol::LineKey;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, IoSlice, Write};

/// Limits of unread output in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputLimits {
    /// Above this, thinking lines are dropped.
    pub soft: usize,
    /// Above this, the connection is closed.
    pub hard: usize,
}

/// Approximate size of a chunk. Short lines share one, since each chunk has an overhead.
const CHUNK_SIZE: usize = 4096;

/// Chunks handed to the system in one call.
const MAX_CHUNKS_PER_WRITE: usize = 64;

/// Approximate memory of a chunk besides its text, in bytes.
const CHUNK_OVERHEAD: usize = 64;

struct Chunk {
    text: Vec<u8>,
    /// Key of a thinking line, which has a chunk to itself.
    key: Option<LineKey>,
}

/// Lines to be sent, oldest first.
pub(in crate::server) struct Output {
    chunks: VecDeque<Chunk>,
    /// Bytes of the first chunk already sent.
    sent: usize,
    bytes: usize,
    limits: OutputLimits,
    /// Lines dropped since they were last counted.
    dropped: u64,
}

impl Output {
    pub(in crate::server) fn new(limits: OutputLimits) -> Output {
        Output { chunks: VecDeque::new(), sent: 0, bytes: 0, limits, dropped: 0 }
    }

    pub(in crate::server) fn push(&mut self, line: &str, key: Option<LineKey>) {
        if self.bytes > self.limits.soft {
            self.drop_superfluous(key);
        }
        self.bytes += line.len();
        match (self.chunks.back_mut(), key) {
            (Some(Chunk { text, key: None }), None) if text.len() < CHUNK_SIZE => {
                text.extend_from_slice(line.as_bytes());
            }
            _ => self.chunks.push_back(Chunk { text: line.as_bytes().to_vec(), key }),
        }
    }

    /// Appends bytes that must not be dropped.
    pub(in crate::server) fn push_bytes(&mut self, text: Vec<u8>) {
        self.bytes += text.len();
        self.chunks.push_back(Chunk { text, key: None });
    }

    pub(in crate::server) fn take(&mut self) -> Vec<u8> {
        let mut taken = Vec::with_capacity(self.bytes);
        let mut skip = std::mem::take(&mut self.sent);
        for chunk in std::mem::take(&mut self.chunks) {
            taken.extend_from_slice(&chunk.text[std::mem::take(&mut skip)..]);
        }
        self.bytes = 0;
        taken
    }

    /// Drops all lines of which nothing is sent.
    pub(in crate::server) fn drop_unsent(&mut self) {
        self.chunks.truncate(usize::from(self.sent > 0));
        self.bytes = self.chunks.iter().map(|chunk| chunk.text.len()).sum::<usize>() - self.sent;
    }

    pub(in crate::server) fn is_all_thinking(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.key.is_some())
    }

    /// Drops the thinking lines that a line with this key, or without one, makes superfluous.
    fn drop_superfluous(&mut self, following: Option<LineKey>) {
        // A line sent in part must be sent as a whole.
        let first = usize::from(self.sent > 0);
        let end = if following.is_some() { self.chunks.len() } else { self.chunks.len().saturating_sub(1) };
        let mut index = self.chunks.len();
        while index > first && self.chunks[index - 1].key.is_some() {
            index -= 1;
            let superfluous = following.is_none_or(|key| self.chunks[index].key == Some(key));
            if index < end && superfluous {
                self.bytes -= self.chunks[index].text.len();
                self.chunks.remove(index);
                self.dropped += 1;
            }
        }
    }

    /// Drops each thinking line that another one follows: the last before a move stays.
    pub(in crate::server) fn drop_thinking(&mut self) {
        let first = usize::from(self.sent > 0);
        let mut followed = false;
        for index in (first..self.chunks.len()).rev() {
            let thinking = self.chunks[index].key.is_some();
            if thinking && followed {
                self.bytes -= self.chunks[index].text.len();
                self.chunks[index].text = Vec::new();
                self.dropped += 1;
            }
            followed = thinking;
        }
        self.chunks.retain(|chunk| !chunk.text.is_empty());
    }

    /// Returns the number of lines dropped since the last call.
    pub(in crate::server) fn take_dropped(&mut self) -> u64 {
        std::mem::take(&mut self.dropped)
    }

    /// Returns the approximate memory of unsent output in bytes.
    pub(in crate::server) fn memory(&self) -> usize {
        self.bytes + self.chunks.len() * CHUNK_OVERHEAD
    }

    pub(in crate::server) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    pub(in crate::server) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sends until everything is sent or the writer would block.
    ///
    /// # Errors
    /// Errors of the writer, except `WouldBlock` and `Interrupted`.
    pub(in crate::server) fn write_to(&mut self, writer: &mut impl Write) -> io::Result<()> {
        while !self.chunks.is_empty() {
            let mut slices = [IoSlice::new(&[]); MAX_CHUNKS_PER_WRITE];
            let mut skip = self.sent;
            let mut count = 0;
            for (slice, chunk) in slices.iter_mut().zip(&self.chunks) {
                *slice = IoSlice::new(&chunk.text[std::mem::take(&mut skip)..]);
                count += 1;
            }
            match writer.write_vectored(&slices[..count]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => self.consume(written),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if self.chunks.is_empty() {
            // Saves memory: most sessions are idle most of the time.
            self.chunks = VecDeque::new();
        }
        Ok(())
    }

    fn consume(&mut self, written: usize) {
        self.bytes -= written;
        self.sent += written;
        while let Some(first) = self.chunks.front()
            && self.sent >= first.text.len()
        {
            self.sent -= first.text.len();
            self.chunks.pop_front();
        }
    }
}

#[cfg(test)]
mod tests;
