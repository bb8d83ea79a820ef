//! The beginning of a remote shell connection: four fields, each ended by a NUL: a port to connect
//! back to, the local user, the remote user, the command.
//!
//! WinBoard sends all four and then waits for the connection to its port. A genuine client
//! (`rcmd(3)`) sends the port and waits for the connection before it sends the rest. So the port is
//! used as soon as it is complete.

use thiserror::Error;

const MAX_PORT_DIGITS: usize = 5;
/// Longest other field in bytes. WinBoard keeps names and the command in 512 bytes.
const MAX_FIELD: usize = 512;
/// The port, two names, the command.
const FIELD_COUNT: usize = 4;
/// Ports that only privileged programs can open. Clients of this protocol use no others; connecting
/// to any port would let them scan ports through the server.
const RESERVED_PORTS: std::ops::RangeInclusive<u16> = 1..=1023;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Handshake {
    fields: Vec<Vec<u8>>,
    field: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum HandshakeError {
    #[error("no port number at the beginning: not a remote shell client")]
    NoPort,
    #[error("it requests a connection to its port {0}, and only ports below 1024 are permitted")]
    Port(u16),
    #[error("a name or a command is longer than {MAX_FIELD} bytes")]
    TooLong,
}

impl Handshake {
    /// Takes bytes as read. Returns how many of them belong to the fields; the rest is the
    /// session's.
    ///
    /// # Errors
    /// A field is invalid.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<usize, HandshakeError> {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.is_complete() {
                return Ok(index);
            }
            self.take(byte)?;
        }
        Ok(bytes.len())
    }

    fn take(&mut self, byte: u8) -> Result<(), HandshakeError> {
        if byte == 0 {
            let field = std::mem::take(&mut self.field);
            if self.fields.is_empty() {
                check_port(&field)?;
            }
            self.fields.push(field);
            return Ok(());
        }
        self.field.push(byte);
        match self.fields.is_empty() {
            true if !byte.is_ascii_digit() || self.field.len() > MAX_PORT_DIGITS => {
                Err(HandshakeError::NoPort)
            }
            false if self.field.len() > MAX_FIELD => Err(HandshakeError::TooLong),
            _ => Ok(()),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fields.len() == FIELD_COUNT
    }

    /// Returns the port to connect back to, once known; `Some(None)` if none is wanted.
    pub(super) fn port(&self) -> Option<Option<u16>> {
        self.fields.first().map(|field| port_of(field).filter(|&port| port > 0))
    }

    /// Returns the local and the remote user. Unverified: only for the log.
    pub(super) fn users(&self) -> (String, String) {
        let text = |index: usize| self.fields.get(index).map(|field| printable(field)).unwrap_or_default();
        (text(1), text(2))
    }

    /// Returns the command, which may be empty.
    pub(super) fn command(&self) -> String {
        self.fields.get(FIELD_COUNT - 1).map(|field| printable(field)).unwrap_or_default()
    }
}

fn port_of(field: &[u8]) -> Option<u16> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// An empty field and 0 mean no connection.
fn check_port(field: &[u8]) -> Result<(), HandshakeError> {
    match port_of(field) {
        None if field.is_empty() => Ok(()),
        None => Err(HandshakeError::NoPort),
        Some(port) if port == 0 || RESERVED_PORTS.contains(&port) => Ok(()),
        Some(port) => Err(HandshakeError::Port(port)),
    }
}

/// Replaces control characters by `?`.
fn printable(text: &[u8]) -> String {
    let shown = |c: char| if c.is_control() { '?' } else { c };
    String::from_utf8_lossy(text).chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &[u8] = b"1022\0root\0Bob Smith\0club Elo=1500\0xboard\nprotover 2\n";

    fn after(bytes: &[u8]) -> Result<Handshake, HandshakeError> {
        let mut handshake = Handshake::default();
        handshake.push(bytes).map(|_| handshake)
    }

    #[test]
    fn any_segments_give_the_same_fields() {
        for cut in 0..WHOLE.len() {
            let (first, second) = WHOLE.split_at(cut);
            let mut handshake = Handshake::default();
            let mut taken = handshake.push(first).unwrap();
            taken += handshake.push(second).unwrap();
            assert_eq!(&WHOLE[taken..], b"xboard\nprotover 2\n", "cut at {cut}");
            assert!(handshake.is_complete());
            assert_eq!(handshake.port(), Some(Some(1022)));
            assert_eq!(handshake.users(), ("root".to_owned(), "Bob Smith".to_owned()));
            assert_eq!(handshake.command(), "club Elo=1500");
        }
    }

    #[test]
    fn the_port_is_known_before_the_rest() {
        let handshake = after(b"1022\0").unwrap();
        assert_eq!((handshake.port(), handshake.is_complete()), (Some(Some(1022)), false));
        assert_eq!(after(b"1022").unwrap().port(), None);
    }

    #[test]
    fn no_port_or_port_0_wants_no_connection() {
        assert_eq!(after(b"\0").unwrap().port(), Some(None));
        assert_eq!(after(b"0\0").unwrap().port(), Some(None));
        assert!(after(b"\0\0\0\0").unwrap().is_complete());
    }

    #[test]
    fn invalid_handshakes_are_refused() {
        assert_eq!(after(b"xboard\n"), Err(HandshakeError::NoPort));
        assert_eq!(after(b"+22\0"), Err(HandshakeError::NoPort));
        assert_eq!(after(b"123456"), Err(HandshakeError::NoPort));
        assert_eq!(after(b"70000\0"), Err(HandshakeError::NoPort));
        assert_eq!(after(b"1024\0"), Err(HandshakeError::Port(1024)));
        let long = [b"1022\0".as_slice(), &[b'x'; MAX_FIELD]].concat();
        assert!(after(&long).is_ok());
        assert_eq!(after(&[&long, b"x".as_slice()].concat()), Err(HandshakeError::TooLong));
    }

    #[test]
    fn control_characters_do_not_reach_the_log() {
        let handshake = after(b"0\0a\nb\x1b[2J\0\xff\0c\r\0").unwrap();
        assert_eq!(handshake.users(), ("a?b?[2J".to_owned(), "\u{fffd}".to_owned()));
        assert_eq!(handshake.command(), "c?");
    }
}
