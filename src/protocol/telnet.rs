//! Removes telnet commands (RFC 854) from the bytes that a user types, and turns telnet interrupts
//! into Ctrl-C. Nothing is negotiated.

use super::framing::INTERRUPT;
use memchr::memchr;

/// Interpret as command (IAC).
const IAC: u8 = 255;
/// The least command byte after IAC (RFC 1184 adds some below RFC 854's).
const FIRST_COMMAND: u8 = 236;
/// The end of a subnegotiation.
const SE: u8 = 240;
const BREAK: u8 = 243;
const INTERRUPT_PROCESS: u8 = 244;
const ARE_YOU_THERE: u8 = 246;
/// The beginning of a subnegotiation.
const SB: u8 = 250;
/// WILL, WONT, DO and DONT begin here; an option follows.
const WILL: u8 = 251;

/// A longer subnegotiation is taken for data, so that no lines are lost in it.
const MAX_SUBNEGOTIATION: u16 = 512;

/// The state of the filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Telnet {
    /// Outside of commands.
    #[default]
    Text,
    /// After IAC.
    Command,
    /// After WILL, WONT, DO or DONT.
    Option,
    /// In a subnegotiation, with the number of bytes since its beginning.
    Within(u16),
    /// In a subnegotiation, after IAC.
    WithinCommand(u16),
}

impl Telnet {
    /// Appends the bytes without telnet commands; an interrupt becomes Ctrl-C.
    pub fn filter(&mut self, mut bytes: &[u8], into: &mut Vec<u8>) {
        loop {
            if *self == Telnet::Text {
                let Some(plain) = memchr(IAC, bytes) else { return into.extend_from_slice(bytes) };
                into.extend_from_slice(&bytes[..plain]);
                bytes = &bytes[plain..];
            }
            let Some((&byte, rest)) = bytes.split_first() else { return };
            *self = self.after(byte, into);
            bytes = rest;
        }
    }

    fn after(self, byte: u8, into: &mut Vec<u8>) -> Telnet {
        match self {
            Telnet::Text if byte == IAC => Telnet::Command,
            Telnet::Text => {
                into.push(byte);
                Telnet::Text
            }
            Telnet::Command => command(byte, into),
            Telnet::Option => Telnet::Text,
            Telnet::Within(MAX_SUBNEGOTIATION..) => Telnet::Text.after(byte, into),
            Telnet::Within(length) if byte == IAC => Telnet::WithinCommand(length + 1),
            Telnet::Within(length) => Telnet::Within(length + 1),
            Telnet::WithinCommand(_) if byte == SE => Telnet::Text,
            Telnet::WithinCommand(length) if byte == IAC => Telnet::Within(length + 1),
            // The end of the subnegotiation is missing.
            Telnet::WithinCommand(_) => command(byte, into),
        }
    }
}

/// Handles the byte after IAC.
fn command(byte: u8, into: &mut Vec<u8>) -> Telnet {
    match byte {
        IAC => into.push(IAC),
        WILL.. => return Telnet::Option,
        SB => return Telnet::Within(0),
        BREAK | INTERRUPT_PROCESS | ARE_YOU_THERE => into.push(INTERRUPT),
        FIRST_COMMAND.. => {}
        // A letter in some other encoding, not telnet.
        _ => into.extend_from_slice(&[IAC, byte]),
    }
    Telnet::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters the bytes as a whole and one by one.
    fn filtered(bytes: &[u8]) -> Vec<u8> {
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        Telnet::default().filter(bytes, &mut whole);
        let mut telnet = Telnet::default();
        bytes.iter().for_each(|byte| telnet.filter(&[*byte], &mut pieces));
        assert_eq!(whole, pieces);
        whole
    }

    #[test]
    fn interrupts_are_marked_and_other_commands_removed() {
        // Telnet's Ctrl-C: an interrupt and a timing mark.
        assert_eq!(filtered(b"pi\xff\xf4\xff\xfd\x06ng 1\n"), b"pi\x03ng 1\n");
        assert_eq!(filtered(b"a\xff\xf3b\xff\xf6c\x03d"), b"a\x03b\x03c\x03d");
        assert_eq!(filtered(b"\xff\xfb\x18\xff\xfe\x01new\xff\xf1\n\xff\xf9"), b"new\n");
        assert_eq!(filtered(b"a\xff\xfa\x18\x00\n\xff\xff\x03\xff\xf0b"), b"ab");
    }

    #[test]
    fn other_bytes_stay() {
        assert_eq!(filtered(b"name \xff\xff\n"), b"name \xff\n");
        assert_eq!(filtered(b"name Lou\xffs\n\xff\n"), b"name Lou\xffs\n\xff\n", "y with dots in Latin-1");
    }

    #[test]
    fn a_subnegotiation_without_an_end_takes_little_with_it() {
        assert_eq!(filtered(b"\xff\xfa\x18abc\xff\xf4new\n"), b"\x03new\n");
        let mut endless = b"\xff\xfa".to_vec();
        endless.extend_from_slice(&[b'x'; MAX_SUBNEGOTIATION as usize]);
        endless.extend_from_slice(b"new\n");
        assert_eq!(filtered(&endless), b"new\n");
    }
}
