//! Detection and completion of the command that ends a session.

/// The quit command, and whether the bytes sent so far end with it.
#[derive(Debug)]
pub(super) struct QuitCommand {
    /// The command, without its line ending.
    command: &'static str,
    /// The last bytes sent.
    tail: Vec<u8>,
}

impl QuitCommand {
    /// Bytes to remember: a line break, the command, and white space around it.
    const TAIL_LENGTH: usize = 64;

    /// The state before anything was sent.
    pub(super) fn new(command: &'static str) -> QuitCommand {
        QuitCommand { command, tail: Vec::new() }
    }

    /// Notes bytes that were sent.
    pub(super) fn note(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(Self::TAIL_LENGTH)..]);
        let excess = self.tail.len().saturating_sub(Self::TAIL_LENGTH);
        self.tail.drain(..excess);
    }

    /// Returns true if the last line that is not blank is complete, and the command.
    pub(super) fn was_sent(&self) -> bool {
        let text = self.tail.trim_ascii_end();
        let last = text.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        self.tail[text.len()..].contains(&b'\n') && last.trim_ascii_start() == self.command.as_bytes()
    }

    /// Returns the bytes still to be sent so that the last line is the command.
    pub(super) fn missing(&self) -> Vec<u8> {
        if self.was_sent() {
            return Vec::new();
        }
        let is_in_a_line = self.tail.last().is_some_and(|&byte| byte != b'\n');
        format!("{}{}\n", if is_in_a_line { "\n" } else { "" }, self.command).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing_after(pieces: &[&str]) -> String {
        let mut sent = QuitCommand::new("quit");
        for piece in pieces {
            sent.note(piece.as_bytes());
        }
        String::from_utf8(sent.missing()).expect("ASCII")
    }

    #[test]
    fn an_unfinished_line_is_completed_and_quit_is_not_sent_twice() {
        assert_eq!(missing_after(&[]), "quit\n");
        assert_eq!(missing_after(&["result 1-0 {Mate}\nforce\n"]), "quit\n");
        assert_eq!(missing_after(&["usermove "]), "\nquit\n");
        assert_eq!(missing_after(&["force\nquit\n"]), "");
        assert_eq!(missing_after(&["force\r\nquit\r\n"]), "");
        assert_eq!(missing_after(&["quit\n"]), "");
        assert_eq!(missing_after(&["force\nqu", "it", "\n"]), "");
        assert_eq!(missing_after(&["tell me to quit\n"]), "quit\n");
        assert_eq!(missing_after(&["force\n quit \n"]), "");
        assert_eq!(missing_after(&["force\nquit\n\r\n"]), "");
        assert_eq!(missing_after(&["quit \n", "force\n"]), "quit\n");
        assert_eq!(missing_after(&["force\nquit"]), "\nquit\n");
    }
}
