//! Splits bytes into lines of bounded length, for any segmentation of the bytes.
//!
//! A line ends with LF, or CR LF. A line longer than the limit is reported once as
//! [`Frame::TooLong`] and discarded up to the next LF, so memory stays bounded. An interrupt
//! ([`Frame::Interrupt`]) is the byte 3 (Ctrl-C). It may stand within a line and is not part of it.
//! Telnet commands are removed before ([`super::telnet`]).
//!
//! Every byte is scanned once, however small the segments; the bytes of an unfinished line with an
//! interrupt twice.

use memchr::memchr2;
use std::ops::Range;

/// The byte of an interrupt: Ctrl-C.
pub(super) const INTERRUPT: u8 = 0x03;

/// A line, or what takes its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// A line without its line end. May be empty.
    Line(&'a [u8]),
    /// A line longer than the limit was discarded.
    TooLong,
    /// An interrupt. One within a line comes before the line.
    Interrupt,
}

/// The line splitter of one stream of bytes.
///
/// [`LineSplitter::push`] takes bytes as they were read, [`LineSplitter::next_line`] returns one
/// line at a time, so that the caller can stop in between.
#[derive(Default, Debug)]
pub struct LineSplitter {
    limit: usize,
    buffer: Vec<u8>,
    /// Start of the next line.
    start: usize,
    /// The position up to which there is neither LF nor an unreported interrupt.
    scanned: usize,
    /// Interrupts between `start` and `scanned`.
    interrupts: usize,
    /// Interrupts of the line at `start` that are no longer in the buffer.
    removed: usize,
    /// Interrupts of the line at `start` to be removed without a report.
    known_interrupts: usize,
    /// Returns true if the rest of a line that was too long is being discarded.
    skipping: bool,
}

impl LineSplitter {
    /// A splitter for lines of at most `limit` bytes, not counting the line end.
    pub fn new(limit: usize) -> LineSplitter {
        LineSplitter { limit, ..LineSplitter::default() }
    }

    /// The longest line in bytes, not counting its end.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Raises the limit, if this one is higher.
    pub fn raise_limit(&mut self, limit: usize) {
        self.limit = self.limit.max(limit);
    }

    /// Bytes held: complete lines, and the beginning of one.
    pub fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Bytes taken in that were neither returned as a line nor discarded, with the interrupts
    /// between them.
    pub(crate) fn unhandled(&self) -> usize {
        self.held() + self.removed
    }

    /// Whether the rest of a line that was too long is being discarded.
    pub(crate) fn is_discarding(&self) -> bool {
        self.skipping
    }

    /// Discards bytes up to the next line end, as after a line that was too long. Must be called
    /// before the first byte.
    pub(crate) fn discard_line(&mut self) {
        self.skipping = true;
    }

    /// Interrupts within the next line that were reported already.
    pub(crate) fn early_interrupts(&self) -> usize {
        self.removed + self.interrupts + self.known_interrupts
    }

    /// Does not report the first interrupts of the first line. Must be called before the first
    /// byte.
    pub(crate) fn ignore_interrupts(&mut self, count: usize) {
        self.known_interrupts = count;
    }

    /// Takes the bytes that were not returned as lines.
    pub(crate) fn take_held(&mut self) -> Vec<u8> {
        let held = self.buffer.split_off(self.start);
        *self = LineSplitter::new(self.limit);
        held
    }

    /// Takes bytes as they were read. The caller bounds how much it pushes between calls of
    /// [`LineSplitter::next_line`].
    pub fn push(&mut self, bytes: &[u8]) {
        self.fill(|buffer| buffer.extend_from_slice(bytes));
    }

    /// Takes the bytes that `append` appends.
    pub fn fill(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        self.compact();
        append(&mut self.buffer);
    }

    /// Returns the next line, or what takes its place; `None` until more bytes are pushed.
    pub fn next_line(&mut self) -> Option<Frame<'_>> {
        loop {
            let Some(offset) = memchr2(b'\n', INTERRUPT, &self.buffer[self.scanned..]) else {
                return self.unfinished();
            };
            let end = self.scanned + offset;
            if self.buffer[end] == INTERRUPT {
                if self.is_known_interrupt(end) {
                    continue;
                }
                return Some(self.interrupt(end));
            }
            let start = std::mem::replace(&mut self.start, end + 1);
            self.scanned = self.start;
            (self.removed, self.known_interrupts) = (0, 0);
            let interrupts = std::mem::take(&mut self.interrupts);
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            let end = start + without_interrupts(&mut self.buffer[start..end], interrupts);
            return Some(self.frame(start..end));
        }
    }

    /// Returns the last line of a stream that ends without a line end, as from a shell pipe. Must
    /// be called once [`LineSplitter::next_line`] returns nothing more.
    pub fn rest(&mut self) -> Option<Frame<'_>> {
        if self.skipping || self.held() == 0 {
            return None;
        }
        let start = std::mem::replace(&mut self.start, self.buffer.len());
        self.scanned = self.start;
        self.removed = 0;
        Some(self.frame(start..self.buffer.len()))
    }

    /// The line at this place in the buffer.
    fn frame(&self, place: Range<usize>) -> Frame<'_> {
        let line = without_cr(&self.buffer[place]);
        if line.len() > self.limit { Frame::TooLong } else { Frame::Line(line) }
    }

    /// Skips the interrupt at `end` if it was reported before. Returns true if so.
    fn is_known_interrupt(&mut self, end: usize) -> bool {
        if self.known_interrupts == 0 {
            return false;
        }
        self.known_interrupts -= 1;
        self.scanned = end + 1;
        self.interrupts += 1;
        true
    }

    /// Reports the interrupt at `end`. A line that is too long is reported first, as if the
    /// interrupt had come later.
    fn interrupt(&mut self, end: usize) -> Frame<'_> {
        if !self.skipping && self.exceeds_limit(end) {
            self.skipping = true;
            self.start = end;
            self.scanned = end;
            (self.interrupts, self.removed) = (0, 0);
            return Frame::TooLong;
        }
        self.scanned = end + 1;
        if self.skipping || end == self.start {
            // Nothing of the line is kept, so neither is the interrupt.
            self.start = end + 1;
        } else {
            self.interrupts += 1;
        }
        Frame::Interrupt
    }

    /// Returns true if the line in the buffer up to `end` exceeds the limit, whatever follows.
    fn exceeds_limit(&self, end: usize) -> bool {
        let held = end - self.start - self.interrupts;
        match self.buffer[self.start..end].last() {
            // This was checked when the interrupt came.
            Some(&INTERRUPT) => false,
            // A CR right after the limit may still be part of the line end.
            Some(b'\r') => held > self.limit + 1,
            _ => held > self.limit,
        }
    }

    /// Handles a buffer without LF: waits for one, or reports a line that is too long already.
    fn unfinished(&mut self) -> Option<Frame<'_>> {
        if self.skipping || self.held() == 0 {
            self.clear();
            return None;
        }
        if self.exceeds_limit(self.buffer.len()) {
            self.clear();
            self.removed = 0;
            self.skipping = true;
            return Some(Frame::TooLong);
        }
        let interrupts = std::mem::take(&mut self.interrupts);
        self.removed += interrupts;
        let length = without_interrupts(&mut self.buffer[self.start..], interrupts);
        self.buffer.truncate(self.start + length);
        self.scanned = self.buffer.len();
        None
    }

    fn clear(&mut self) {
        // There are many idle streams: each holds no memory.
        self.buffer = Vec::new();
        self.start = 0;
        self.scanned = 0;
        self.interrupts = 0;
    }

    /// Frees the space of returned lines once it is at least half of the buffer, so that each byte
    /// is moved at most once on average.
    fn compact(&mut self) {
        if self.held() == 0 {
            self.clear();
        } else if self.start >= self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
    }
}

/// Moves everything but the interrupts to the front, and returns its length.
fn without_interrupts(line: &mut [u8], interrupts: usize) -> usize {
    if interrupts == 0 {
        return line.len();
    }
    let mut length = 0;
    for index in 0..line.len() {
        if line[index] != INTERRUPT {
            line[length] = line[index];
            length += 1;
        }
    }
    length
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::telnet::Telnet;
    use proptest::prelude::*;

    #[derive(Clone, PartialEq, Eq, Debug)]
    enum OwnedFrame {
        Line(Vec<u8>),
        TooLong,
        Interrupt,
    }

    impl From<Frame<'_>> for OwnedFrame {
        fn from(frame: Frame<'_>) -> OwnedFrame {
            match frame {
                Frame::Line(line) => OwnedFrame::Line(line.to_vec()),
                Frame::TooLong => OwnedFrame::TooLong,
                Frame::Interrupt => OwnedFrame::Interrupt,
            }
        }
    }

    fn take(lines: &mut LineSplitter, into: &mut Vec<OwnedFrame>) {
        while let Some(frame) = lines.next_line() {
            into.push(frame.into());
        }
    }

    fn split(limit: usize, chunks: &[&[u8]]) -> Vec<OwnedFrame> {
        let (mut lines, mut telnet) = (LineSplitter::new(limit), Telnet::default());
        let mut found = Vec::new();
        for chunk in chunks {
            lines.fill(|buffer| telnet.filter(chunk, buffer));
            take(&mut lines, &mut found);
        }
        found.extend(lines.rest().map(OwnedFrame::from));
        found
    }

    fn line(text: &str) -> OwnedFrame {
        OwnedFrame::Line(text.as_bytes().to_vec())
    }

    #[test]
    fn lf_and_crlf_end_lines() {
        assert_eq!(split(80, &[b"new\nforce\r\n\n"]), [line("new"), line("force"), line("")]);
    }

    #[test]
    fn a_line_end_may_be_cut_in_two() {
        assert_eq!(split(80, &[b"new\r", b"\nquit\n"]), [line("new"), line("quit")]);
    }

    #[test]
    fn the_limit_does_not_count_the_line_end() {
        assert_eq!(split(4, &[b"quit\r\nquit\n"]), [line("quit"), line("quit")]);
        assert_eq!(split(4, &[b"quit\r", b"x\nnew\n"]), [OwnedFrame::TooLong, line("new")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once() {
        let long = [b'x'; 1000];
        assert_eq!(split(10, &[&long, &long, b"x\nping 1\n"]), [OwnedFrame::TooLong, line("ping 1")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_stored() {
        let mut lines = LineSplitter::new(10);
        for _ in 0..1000 {
            lines.push(&[b'x'; 100]);
            while lines.next_line().is_some() {}
        }
        assert!(lines.buffer.capacity() < 1000);
    }

    #[test]
    fn the_rest_without_a_line_end_is_a_line() {
        assert_eq!(split(80, &[b"new\nqu", b"it"]), [line("new"), line("quit")]);
    }

    #[test]
    fn interrupts_come_in_order_and_leave_the_lines_as_they_are() {
        let stream = b"new\x03\nev\xff\xf4\xff\xfd\x06al\r\x03\n\x03quit\n";
        let expected = [
            OwnedFrame::Interrupt,
            line("new"),
            OwnedFrame::Interrupt,
            OwnedFrame::Interrupt,
            line("eval"),
            OwnedFrame::Interrupt,
            line("quit"),
        ];
        assert_eq!(split(80, &[stream]), expected);
        assert_eq!(split(80, &stream.chunks(1).collect::<Vec<_>>()), expected);
    }

    #[test]
    fn interrupts_do_not_make_a_line_longer() {
        assert_eq!(
            split(4, &[b"qu\x03\x03it\r\n"]),
            [OwnedFrame::Interrupt, OwnedFrame::Interrupt, line("quit")]
        );
        let found = [OwnedFrame::TooLong, OwnedFrame::Interrupt, line("new")];
        assert_eq!(split(4, &[b"quits\x03\nnew\n"]), found);
    }

    #[test]
    fn a_flood_of_interrupts_is_not_stored() {
        let mut lines = LineSplitter::new(10);
        lines.push(b"ping");
        for _ in 0..1000 {
            lines.push(&[INTERRUPT; 100]);
            let found = std::iter::from_fn(|| lines.next_line().map(OwnedFrame::from));
            assert_eq!(found.filter(|frame| *frame == OwnedFrame::Interrupt).count(), 100);
        }
        assert_eq!(lines.held(), 4);
        assert!(lines.buffer.capacity() < 1000);
    }

    /// A byte as typed, or added by telnet.
    fn byte() -> impl Strategy<Value = u8> {
        prop_oneof![
            6 => Just(b'a'), 3 => Just(b'\n'), 2 => Just(b'\r'), 2 => Just(INTERRUPT),
            2 => Just(255), 1 => Just(244), 1 => Just(253), 1 => Just(250), 1 => Just(240)
        ]
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(
            bytes in proptest::collection::vec(byte(), 0..200),
            cuts in proptest::collection::vec(1usize..9, 0..80),
            limit in 1usize..8,
        ) {
            let whole = split(limit, &[&bytes]);
            let mut chunks: Vec<&[u8]> = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (chunk, tail) = rest.split_at(cut.min(rest.len()));
                chunks.push(chunk);
                rest = tail;
            }
            chunks.push(rest);
            prop_assert_eq!(split(limit, &chunks), whole);
        }

        #[test]
        fn lines_may_be_taken_late(
            bytes in proptest::collection::vec(byte(), 0..200),
            cut in 0usize..200,
            limit in 1usize..8,
        ) {
            let (first, second) = bytes.split_at(cut.min(bytes.len()));
            let (mut lines, mut telnet) = (LineSplitter::new(limit), Telnet::default());
            for part in [first, second] {
                lines.fill(|buffer| telnet.filter(part, buffer));
            }
            let mut found = Vec::new();
            take(&mut lines, &mut found);
            let whole = split(limit, &[&bytes]);
            prop_assert!(whole.starts_with(&found) && whole.len() <= found.len() + 1);
        }
    }
}
