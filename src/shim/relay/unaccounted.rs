//! Bytes of the client that no state of its session contains, with the instants at which they came.

use crate::link::{ClientFrame, MAX_INPUT};
use std::collections::VecDeque;
use std::time::Instant;

/// Whole lines, or the beginning of a line.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    at: Instant,
}

/// The bytes, in order.
#[derive(Debug, Default)]
pub(super) struct Unaccounted {
    pieces: VecDeque<Piece>,
    length: usize,
    /// Number of bytes that the current server got.
    sent: usize,
}

impl Unaccounted {
    /// Returns the number of bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Returns the number of bytes that the current server got.
    pub(super) fn sent(&self) -> usize {
        self.sent
    }

    /// Adds bytes that the client has just sent. The beginning of a line joins its continuation: a line is as old as its
    /// end.
    pub(super) fn push(&mut self, bytes: &[u8], now: Instant) {
        self.length += bytes.len();
        for chunk in bytes.split_inclusive(|&byte| byte == b'\n').flat_map(|line| line.chunks(MAX_INPUT)) {
            match self.pieces.back_mut() {
                Some(last)
                    if last.bytes.len() + chunk.len() <= MAX_INPUT
                        && (!last.bytes.ends_with(b"\n") || (last.at == now && chunk.ends_with(b"\n"))) =>
                {
                    last.bytes.extend_from_slice(chunk);
                    last.at = now;
                }
                Some(_) | None => self.pieces.push_back(Piece { bytes: chunk.to_owned(), at: now }),
            }
        }
    }

    /// Removes the first `count` bytes, for which a server has accounted. Returns false if it did not get as many.
    pub(super) fn account(&mut self, count: u64) -> bool {
        let Some(mut count) = usize::try_from(count).ok().filter(|&count| count <= self.sent) else {
            return false;
        };
        self.sent -= count;
        self.length -= count;
        while let Some(first) = self.pieces.front_mut().filter(|_| count > 0) {
            let part = count.min(first.bytes.len());
            first.bytes.drain(..part);
            count -= part;
            if first.bytes.is_empty() {
                self.pieces.pop_front();
            }
        }
        true
    }

    /// Begins anew for the next server.
    pub(super) fn rewind(&mut self) {
        self.sent = 0;
    }

    /// Removes everything, since no server will get the bytes again.
    pub(super) fn forget(&mut self) {
        *self = Unaccounted::default();
    }

    /// Returns the length of the first line with its ending, if it is complete and fits into one frame.
    pub(super) fn first_line(&self) -> Option<usize> {
        let mut length = 0;
        for piece in &self.pieces {
            match piece.bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => return Some(length + end + 1).filter(|&length| length <= MAX_INPUT),
                None => length += piece.bytes.len(),
            }
        }
        None
    }

    /// Returns the frames for the unsent part of the first `end` bytes, which count as sent.
    pub(super) fn send_until(&mut self, end: usize, now: Instant) -> Vec<u8> {
        let mut frames = Vec::new();
        self.each_unsent(end, |bytes, at| {
            let age = now.saturating_duration_since(at);
            ClientFrame::Input { bytes: bytes.to_owned(), age }.write(&mut frames);
        });
        frames
    }

    /// Returns the frame that has the first `length` bytes, a line, refused.
    pub(super) fn refuse(&mut self, length: usize, now: Instant) -> Vec<u8> {
        let (mut line, mut came) = (Vec::new(), now);
        self.each_unsent(length, |bytes, at| {
            line.extend_from_slice(bytes);
            came = at;
        });
        let mut frame = Vec::new();
        ClientFrame::Refuse { bytes: line, age: now.saturating_duration_since(came) }.write(&mut frame);
        frame
    }

    /// Returns the unsent bytes without frames, for a foreign engine.
    pub(super) fn send_plain(&mut self) -> Vec<u8> {
        let mut plain = Vec::new();
        self.each_unsent(self.length, |bytes, _| plain.extend_from_slice(bytes));
        plain
    }

    fn each_unsent(&mut self, end: usize, mut take: impl FnMut(&[u8], Instant)) {
        // Unsent pieces are the last ones; there may be a million before them.
        let (mut first, mut start) = (self.pieces.len(), self.length);
        while first > 0 && start > self.sent {
            first -= 1;
            start -= self.pieces[first].bytes.len();
        }
        for piece in self.pieces.range(first..) {
            let from = self.sent.saturating_sub(start).min(piece.bytes.len());
            let to = end.saturating_sub(start).min(piece.bytes.len());
            if from < to {
                take(&piece.bytes[from..to], piece.at);
            }
            start += piece.bytes.len();
        }
        self.sent = self.sent.max(end.min(self.length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn text(frames: Vec<u8>) -> String {
        String::from_utf8(frames).expect("ASCII")
    }

    #[test]
    fn lines_have_the_age_of_their_end_and_are_sent_once_to_each_server() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut unaccounted = Unaccounted::default();
        unaccounted.push(b"new\nlevel 0 5 0\nuser", start);
        assert_eq!(
            text(unaccounted.send_until(usize::MAX, at(1))),
            "input 16 1\nnew\nlevel 0 5 0\ninput 4 1\nuser"
        );
        unaccounted.push(b"move e2e4\n", at(50));
        assert_eq!(text(unaccounted.send_until(usize::MAX, at(50))), "input 10 0\nmove e2e4\n");
        unaccounted.push(b"quit\n", at(60));
        assert!(unaccounted.account(4) && unaccounted.account(12) && !unaccounted.account(15));
        unaccounted.rewind();
        assert_eq!(unaccounted.first_line(), Some(14));
        assert_eq!(text(unaccounted.refuse(14, at(100))), "refuse 14 50\nusermove e2e4\n");
        assert_eq!(text(unaccounted.send_until(usize::MAX, at(100))), "input 5 40\nquit\n");
        assert!(unaccounted.account(19) && unaccounted.len() == 0);
    }

    #[test]
    fn pieces_fit_into_frames_and_endless_lines_are_never_lines() {
        let now = Instant::now();
        let mut unaccounted = Unaccounted::default();
        unaccounted.push(&[b'x'; MAX_INPUT + 10], now);
        assert_eq!(unaccounted.first_line(), None);
        unaccounted.push(b"\n", now);
        assert_eq!(unaccounted.first_line(), None, "no frame has room for it");
        let mut reader = crate::link::FrameReader::default();
        reader.push(&unaccounted.send_until(usize::MAX, now));
        let mut lengths = Vec::new();
        while let Some(ClientFrame::Input { bytes, .. }) = ClientFrame::read(&mut reader).expect("frames") {
            lengths.push(bytes.len());
        }
        assert_eq!(lengths, [MAX_INPUT, 11]);
        assert_eq!(unaccounted.send_plain(), b"");
        unaccounted.rewind();
        assert_eq!(unaccounted.send_plain().len(), MAX_INPUT + 11);
    }
}
