//! What is still to be said for `quit` to be the last line.

/// The end of what was sent: enough to see a `quit`.
#[derive(Debug, Default)]
pub struct LastWords {
    tail: Vec<u8>,
}

impl LastWords {
    /// A line break, `quit`, and a line break of two bytes.
    const ENOUGH: usize = 7;

    /// These bytes were sent.
    pub fn note(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(Self::ENOUGH)..]);
        let excess = self.tail.len().saturating_sub(Self::ENOUGH);
        self.tail.drain(..excess);
    }

    /// What still has to be sent for `quit` to be the last line.
    pub fn goodbye(&self) -> &'static [u8] {
        let Some(line) = self.tail.strip_suffix(b"\n") else {
            return if self.tail.is_empty() { b"quit\n" } else { b"\nquit\n" };
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.strip_suffix(b"quit") {
            Some([]) | Some([.., b'\n']) => b"",
            _ => b"quit\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goodbye_after(pieces: &[&str]) -> &'static str {
        let mut sent = LastWords::default();
        for piece in pieces {
            sent.note(piece.as_bytes());
        }
        str::from_utf8(sent.goodbye()).expect("ASCII")
    }

    #[test]
    fn goodbye_completes_the_last_line_and_is_not_said_twice() {
        assert_eq!(goodbye_after(&[]), "quit\n");
        assert_eq!(goodbye_after(&["result 1-0 {Mate}\nforce\n"]), "quit\n");
        assert_eq!(goodbye_after(&["usermove "]), "\nquit\n");
        assert_eq!(goodbye_after(&["force\nquit\n"]), "");
        assert_eq!(goodbye_after(&["force\r\nquit\r\n"]), "");
        assert_eq!(goodbye_after(&["quit\n"]), "");
        assert_eq!(goodbye_after(&["force\nqu", "it", "\n"]), "");
        assert_eq!(goodbye_after(&["tell me to quit\n"]), "quit\n");
        assert_eq!(goodbye_after(&["force\nquit"]), "\nquit\n");
    }
}
