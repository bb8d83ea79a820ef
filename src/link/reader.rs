//! Bytes to frames, for any segmentation of the bytes.

use super::LinkError;
use std::str::{FromStr, Split};
use std::time::Duration;

/// Maximum length of the first line of a frame in bytes, without its ending.
const MAX_HEADER: usize = 100;

/// Bytes of one side that are no complete frame yet.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Where the next frame begins.
    start: usize,
}

impl FrameReader {
    /// Takes bytes as they were read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..std::mem::take(&mut self.start));
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the number of bytes held.
    pub fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Returns true if the next frame has begun and is not complete. Only valid if there is no further frame.
    pub fn is_in_a_frame(&self) -> bool {
        self.held() > 0
    }

    /// Reads the next frame, if it is complete.
    pub(super) fn next<F>(
        &mut self,
        read: impl FnOnce(&mut FrameBytes<'_>) -> Result<F, ReadError>,
    ) -> Result<Option<F>, LinkError> {
        let held = &self.buffer[self.start..];
        let Some(end) = held.iter().take(MAX_HEADER + 1).position(|&byte| byte == b'\n') else {
            return if held.len() > MAX_HEADER { Err(LinkError::Header) } else { Ok(None) };
        };
        let header = std::str::from_utf8(&held[..end]).map_err(|_| LinkError::Header)?;
        let mut bytes = FrameBytes { words: header.split(' '), rest: &held[end + 1..] };
        let frame = match read(&mut bytes) {
            Ok(frame) => frame,
            Err(ReadError::Incomplete) => return Ok(None),
            Err(ReadError::Invalid(error)) => return Err(error),
        };
        self.start = self.buffer.len() - bytes.rest.len();
        if self.start == self.buffer.len() {
            // Frees the buffer: links are many, and most are idle.
            (self.buffer, self.start) = (Vec::new(), 0);
        }
        Ok(Some(frame))
    }
}

/// Why a frame was not read.
pub(super) enum ReadError {
    /// Some of its bytes have not come yet.
    Incomplete,
    /// It is invalid.
    Invalid(LinkError),
}

impl From<LinkError> for ReadError {
    fn from(error: LinkError) -> ReadError {
        ReadError::Invalid(error)
    }
}

/// The words of a frame's first line, and the bytes after that line.
pub(super) struct FrameBytes<'a> {
    words: Split<'a, char>,
    rest: &'a [u8],
}

impl<'a> FrameBytes<'a> {
    pub(super) fn word(&mut self) -> Result<&'a str, LinkError> {
        self.words.next().ok_or(LinkError::Header)
    }

    pub(super) fn number<T: FromStr>(&mut self) -> Result<T, LinkError> {
        self.word()?.parse().map_err(|_| LinkError::Header)
    }

    pub(super) fn length(&mut self, most: usize) -> Result<usize, LinkError> {
        self.number().and_then(|length| if length > most { Err(LinkError::TooLong) } else { Ok(length) })
    }

    /// Reads milliseconds. Ages beyond a year are of no use to any clock.
    pub(super) fn age(&mut self) -> Result<Duration, LinkError> {
        const YEAR: u64 = 366 * 24 * 60 * 60 * 1000;
        self.number().map(|age: u64| Duration::from_millis(age.min(YEAR)))
    }

    /// Reads one of these two words. Returns true if it is the first.
    pub(super) fn one_of(&mut self, yes: &str, no: &str) -> Result<bool, LinkError> {
        let word = self.word()?;
        if word == yes || word == no { Ok(word == yes) } else { Err(LinkError::Header) }
    }

    /// Ends the first line, and takes the parts of the frame, which have these lengths.
    pub(super) fn parts<const N: usize>(&mut self, lengths: [usize; N]) -> Result<[&'a [u8]; N], ReadError> {
        if self.words.next().is_some() {
            return Err(ReadError::Invalid(LinkError::Header));
        }
        if self.rest.len() < lengths.iter().sum() {
            return Err(ReadError::Incomplete);
        }
        Ok(lengths.map(|length| {
            let (part, rest) = self.rest.split_at(length);
            self.rest = rest;
            part
        }))
    }
}
