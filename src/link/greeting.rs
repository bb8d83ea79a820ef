//! Whether a server answers the greeting as a Farboard does, or is another engine behind a port.

use super::GREETING;

/// The kind of a server, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It speaks the link; its frames begin at this byte. What stands before the greeting was for a plain client.
    Farboard {
        /// The number of bytes up to the end of the greeting.
        frames_at: usize,
    },
    /// It has answered the greeting as an engine answers an unknown command.
    Other,
    /// It has not answered yet.
    Open,
}

/// Classifies a server by its first bytes.
pub fn answer(bytes: &[u8]) -> Answer {
    let mut start = 0;
    while let Some(length) = bytes[start..].iter().position(|&byte| byte == b'\n') {
        let line = &bytes[start..start + length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        start += length + 1;
        if line == GREETING.as_bytes() {
            return Answer::Farboard { frames_at: start };
        }
        if quotes_greeting(line) {
            return Answer::Other;
        }
    }
    Answer::Open
}

/// Whether a line of another engine answers the greeting: it quotes the word that the engine does not know.
pub fn quotes_greeting(line: &[u8]) -> bool {
    let (word, _) = GREETING.split_once(' ').unwrap_or((GREETING, ""));
    line.windows(word.len()).any(|part| part == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farboard_repeats_the_greeting_and_others_complain_of_it() {
        assert_eq!(answer(b""), Answer::Open);
        assert_eq!(answer(b"farboard-link"), Answer::Open);
        assert_eq!(answer(b"farboard-link 1\nframe"), Answer::Farboard { frames_at: 16 });
        assert_eq!(answer(b"READY\r\nfarboard-link 1\r\n"), Answer::Farboard { frames_at: 24 });
        assert_eq!(answer(b"GNU Chess 6.2.9\n"), Answer::Open);
        assert_eq!(answer(b"Error (unknown command): farboard-link 1\n"), Answer::Other);
        assert_eq!(answer(b"Stockfish\nUnknown command: 'farboard-link 1'.\n"), Answer::Other);
        assert_eq!(answer(b"farboard-link 2\n"), Answer::Other);
    }
}
