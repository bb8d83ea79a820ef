//! What must still be sent so that the last line is the one that ends a session.

/// The last bytes sent, enough to recognise that line.
#[derive(Debug)]
pub struct LastWords {
    /// The line that ends a session, without its ending.
    farewell: &'static str,
    tail: Vec<u8>,
}

impl LastWords {
    /// Bytes to remember: a line break, the word, and a two-byte line break.
    const ENOUGH: usize = 16;

    /// Nothing has been sent yet; `farewell` is the line that ends a session.
    pub fn new(farewell: &'static str) -> LastWords {
        LastWords { farewell, tail: Vec::new() }
    }

    /// Notes bytes that were sent.
    pub fn note(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(Self::ENOUGH)..]);
        let excess = self.tail.len().saturating_sub(Self::ENOUGH);
        self.tail.drain(..excess);
    }

    /// The bytes still to be sent so that the farewell is the last line.
    pub fn goodbye(&self) -> Vec<u8> {
        let word = self.farewell;
        let Some(line) = self.tail.strip_suffix(b"\n") else {
            let line_break = if self.tail.is_empty() { "" } else { "\n" };
            return format!("{line_break}{word}\n").into_bytes();
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.strip_suffix(word.as_bytes()) {
            Some([]) | Some([.., b'\n']) => Vec::new(),
            _ => format!("{word}\n").into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goodbye_after(pieces: &[&str]) -> String {
        let mut sent = LastWords::new("quit");
        for piece in pieces {
            sent.note(piece.as_bytes());
        }
        String::from_utf8(sent.goodbye()).expect("ASCII")
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
