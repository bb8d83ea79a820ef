//! Bytes to frames, for any segmentation of the bytes.

use super::LinkError;

/// The longest first line of a frame in bytes, without its ending.
const MAX_HEADER: usize = 100;

/// The bytes of one side that are no complete frame yet.
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

    /// Bytes held.
    pub fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Whether the next frame has begun and is not complete. To be asked when there is no further frame.
    pub fn is_in_a_frame(&self) -> bool {
        self.held() > 0
    }

    /// The next frame: `lengths` reads the parts of a frame and their lengths off its first line, `make` makes the frame.
    pub(super) fn next<H, F>(
        &mut self,
        header: impl FnOnce(&str) -> Result<(H, [usize; 2]), LinkError>,
        make: impl FnOnce(H, [&[u8]; 2]) -> Result<F, LinkError>,
    ) -> Result<Option<F>, LinkError> {
        let held = &self.buffer[self.start..];
        let Some(end) = held.iter().take(MAX_HEADER + 1).position(|&byte| byte == b'\n') else {
            return if held.len() > MAX_HEADER { Err(LinkError::Header) } else { Ok(None) };
        };
        let line = std::str::from_utf8(&held[..end]).map_err(|_| LinkError::Header)?;
        let (head, [first, second]) = header(line)?;
        let Some(body) = held.get(end + 1..end + 1 + first + second) else { return Ok(None) };
        let (a, b) = body.split_at(first);
        let frame = make(head, [a, b])?;
        self.start += end + 1 + first + second;
        if self.start == self.buffer.len() {
            // Links are many, and most are idle.
            (self.buffer, self.start) = (Vec::new(), 0);
        }
        Ok(Some(frame))
    }
}
