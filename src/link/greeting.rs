//! Whether a server answers the greeting as a Farboard does, or is a foreign engine behind a port.

use super::GREETING;

/// A server's reply to the greeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GreetingReply {
    /// The greeting of a Farboard. Lines before it were for a plain client.
    Farboard {
        /// Where the frames begin: the number of bytes up to the end of the greeting.
        frames_at: usize,
    },
    /// A complaint about an unknown command.
    Foreign,
    /// None yet.
    None,
}

/// Finds the reply in the first bytes of a server.
pub fn greeting_reply(bytes: &[u8]) -> GreetingReply {
    let mut start = 0;
    while let Some(length) = bytes[start..].iter().position(|&byte| byte == b'\n') {
        let line = &bytes[start..start + length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        start += length + 1;
        if line == GREETING.as_bytes() {
            return GreetingReply::Farboard { frames_at: start };
        }
        if quotes_greeting(line) {
            return GreetingReply::Foreign;
        }
    }
    GreetingReply::None
}

/// Returns true if a line of a foreign engine answers the greeting: it quotes the unknown word.
pub fn quotes_greeting(line: &[u8]) -> bool {
    let (word, _) = GREETING.split_once(' ').unwrap_or((GREETING, ""));
    line.windows(word.len()).any(|part| part == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farboard_repeats_the_greeting_and_a_foreign_engine_quotes_it() {
        assert_eq!(greeting_reply(b""), GreetingReply::None);
        assert_eq!(greeting_reply(b"farboard-link"), GreetingReply::None);
        assert_eq!(greeting_reply(b"farboard-link 1\nframe"), GreetingReply::Farboard { frames_at: 16 });
        assert_eq!(
            greeting_reply(b"READY\r\nfarboard-link 1\r\n"),
            GreetingReply::Farboard { frames_at: 24 }
        );
        assert_eq!(greeting_reply(b"GNU Chess 6.2.9\n"), GreetingReply::None);
        assert_eq!(greeting_reply(b"Error (unknown command): farboard-link 1\n"), GreetingReply::Foreign);
        assert_eq!(
            greeting_reply(b"Stockfish\nUnknown command: 'farboard-link 1'.\n"),
            GreetingReply::Foreign
        );
        assert_eq!(greeting_reply(b"farboard-link 2\n"), GreetingReply::Foreign);
    }
}
