//! Bytes to lines: a bounded splitter that does not care how the bytes arrive.
//!
//! A line ends with LF; one CR before it belongs to the line end. A line may be as long as the limit
//! given, in bytes without its line end. A longer one is reported once, as [`Frame::TooLong`], and
//! its bytes are thrown away up to the next LF, so memory stays bounded whatever a client sends.
//!
//! Every byte is looked at once, however small the pieces are in which it comes.

use memchr::memchr;

/// Bytes of room that an empty splitter keeps.
const KEPT: usize = 1024;

/// What the splitter finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// A line without its line end. May be empty.
    Line(&'a [u8]),
    /// A line longer than the limit was thrown away.
    TooLong,
}

/// The splitter of one stream of bytes.
///
/// [`Lines::push`] takes bytes as they were read, [`Lines::next_line`] hands out what they make up,
/// one line at a time, so that the reader of lines may stop in between.
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    buffer: Vec<u8>,
    /// Start of the line not yet handed out.
    start: usize,
    /// No LF lies between `start` and here.
    scanned: usize,
    /// The rest of a line that was too long is being skipped.
    skipping: bool,
}

impl Lines {
    /// A splitter for lines of at most `limit` bytes, not counting the line end.
    pub fn new(limit: usize) -> Lines {
        Lines { limit, buffer: Vec::new(), start: 0, scanned: 0, skipping: false }
    }

    /// The longest line in bytes, not counting its end.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes held: lines not yet handed out, and the beginning of one.
    pub fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Takes bytes as they were read.
    ///
    /// The caller bounds how much it pushes before it takes the lines out; what cannot become part
    /// of a line is not stored at all.
    pub fn push(&mut self, mut bytes: &[u8]) {
        // Only with an empty buffer is it certain that these bytes continue the line being skipped.
        if self.skipping && self.held() == 0 {
            match memchr(b'\n', bytes) {
                Some(end) => {
                    self.skipping = false;
                    bytes = &bytes[end + 1..];
                }
                None => return,
            }
        }
        self.compact();
        self.buffer.extend_from_slice(bytes);
    }

    /// The next line, or what came instead of it; `None` until more bytes are pushed.
    pub fn next_line(&mut self) -> Option<Frame<'_>> {
        loop {
            let Some(offset) = memchr(b'\n', &self.buffer[self.scanned..]) else {
                return self.unfinished();
            };
            let end = self.scanned + offset;
            let start = std::mem::replace(&mut self.start, end + 1);
            self.scanned = self.start;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            let length = without_cr(&self.buffer[start..end]).len();
            if length > self.limit {
                return Some(Frame::TooLong);
            }
            return Some(Frame::Line(&self.buffer[start..start + length]));
        }
    }

    /// The last line if the stream ends without a line end, as when a person pipes a command in.
    /// To be called when [`Lines::next_line`] has nothing more.
    pub fn rest(&mut self) -> Option<Frame<'_>> {
        if self.skipping || self.held() == 0 {
            return None;
        }
        let start = std::mem::replace(&mut self.start, self.buffer.len());
        self.scanned = self.start;
        let line = without_cr(&self.buffer[start..]);
        Some(if line.len() > self.limit { Frame::TooLong } else { Frame::Line(line) })
    }

    /// There is no LF in what is held: wait for it, or give up if no line within the limit can come.
    fn unfinished(&mut self) -> Option<Frame<'_>> {
        self.scanned = self.buffer.len();
        let held = &self.buffer[self.start..];
        if self.skipping {
            self.forget();
            return None;
        }
        // A CR right behind the limit may still turn out to be part of the line end.
        let hopeless = held.len() > self.limit + 1 || without_cr(held).len() > self.limit;
        if hopeless {
            self.forget();
            self.skipping = true;
            return Some(Frame::TooLong);
        }
        None
    }

    fn forget(&mut self) {
        self.buffer.clear();
        // Idle streams are many; the room that one flood of commands took is not kept for the next.
        if self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
        self.start = 0;
        self.scanned = 0;
    }

    /// Gives the room of lines handed out back, but only when that is at least half of the buffer:
    /// so each byte is moved at most once on average.
    fn compact(&mut self) {
        if self.held() == 0 {
            self.forget();
        } else if self.start >= self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, PartialEq, Eq, Debug)]
    enum Owned {
        Line(Vec<u8>),
        TooLong,
    }

    fn take(lines: &mut Lines, into: &mut Vec<Owned>) {
        while let Some(frame) = lines.next_line() {
            into.push(match frame {
                Frame::Line(line) => Owned::Line(line.to_vec()),
                Frame::TooLong => Owned::TooLong,
            });
        }
    }

    fn split(limit: usize, chunks: &[&[u8]]) -> Vec<Owned> {
        let mut lines = Lines::new(limit);
        let mut found = Vec::new();
        for chunk in chunks {
            lines.push(chunk);
            take(&mut lines, &mut found);
        }
        match lines.rest() {
            Some(Frame::Line(line)) => found.push(Owned::Line(line.to_vec())),
            Some(Frame::TooLong) => found.push(Owned::TooLong),
            None => {}
        }
        found
    }

    fn line(text: &str) -> Owned {
        Owned::Line(text.as_bytes().to_vec())
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
        assert_eq!(split(4, &[b"quit\r", b"x\nnew\n"]), [Owned::TooLong, line("new")]);
    }

    #[test]
    fn too_long_is_said_once_and_the_next_line_is_whole() {
        let long = [b'x'; 1000];
        assert_eq!(split(10, &[&long, &long, b"x\nping 1\n"]), [Owned::TooLong, line("ping 1")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_stored() {
        let mut lines = Lines::new(10);
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

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(
            bytes in proptest::collection::vec(prop_oneof![3 => Just(b'a'), 1 => Just(b'\n'), 1 => Just(b'\r')], 0..200),
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
            bytes in proptest::collection::vec(prop_oneof![3 => Just(b'a'), 1 => Just(b'\n')], 0..200),
            cut in 0usize..200,
            limit in 1usize..8,
        ) {
            let (first, second) = bytes.split_at(cut.min(bytes.len()));
            let mut lines = Lines::new(limit);
            lines.push(first);
            lines.push(second);
            let mut found = Vec::new();
            take(&mut lines, &mut found);
            let whole = split(limit, &[&bytes]);
            prop_assert!(whole.starts_with(&found) && whole.len() <= found.len() + 1);
        }
    }
}
