//! The header of the PROXY protocol, versions 1 and 2, with which a proxy reports the client of a
//! connection (`doc/proxy-protocol.txt` of HAProxy).
//!
//! [`HeaderReader`] reads a header from bytes in any segments and nothing after it, since TLS may
//! follow at once. The server decides which peers may send one. [`Opening`] detects a header where
//! there should be none.

mod crc32c;
#[cfg(test)]
mod properties;
mod version_1;
mod version_2;

use std::net::SocketAddr;

/// The beginning of a header of version 2. No text begins like this.
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
/// The beginning of a header of version 1.
const WORD: &[u8] = b"PROXY ";

/// A proxy's report about a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Header {
    /// The address of the client.
    Client(SocketAddr),
    /// The proxy gives no useful address, as for a client at a socket of its own machine.
    Unknown,
    /// The connection is the proxy's own, such as a health check. Version 2 only.
    Local,
}

/// The reason that bytes are not a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// The first bytes belong to something else.
    #[error("there is none")]
    Missing,
    /// The line of version 1 has no end within 107 bytes.
    #[error("its line does not end within {} bytes", version_1::MAX_LINE)]
    LineTooLong,
    /// The line of version 1 is wrong.
    #[error("its line is wrong")]
    Line,
    /// Another version: the first four bits after the signature.
    #[error("it has version {0}, but only versions 1 and 2 are supported")]
    Version(u8),
    /// An unknown command.
    #[error("it has the unknown command {0}")]
    Command(u8),
    /// An unknown address family or transport.
    #[error("it has the unknown family and transport {0:#04x}")]
    Family(u8),
    /// A header of version 2 with too many bytes after the first sixteen.
    #[error("it announces {0} bytes, and at most {max} are read", max = version_2::MAX_LENGTH)]
    TooLong(usize),
    /// The header ends within its addresses.
    #[error("it ends within its addresses")]
    TooShort,
    /// The fields after the addresses do not fill the header.
    #[error("its additional fields do not end where it ends")]
    Fields,
    /// The checksum is wrong.
    #[error("its checksum is wrong")]
    Checksum,
}

/// Reads the header of one connection.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct HeaderReader {
    bytes: Vec<u8>,
    header: Option<Header>,
}

impl HeaderReader {
    /// Takes bytes in order. Returns the number of bytes that belong to the header.
    ///
    /// # Errors
    /// The bytes are not a header. No more may be pushed.
    pub fn push(&mut self, bytes: &[u8]) -> Result<usize, HeaderError> {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.header.is_some() {
                return Ok(index);
            }
            self.bytes.push(byte);
            self.header = match self.bytes[0] {
                first if first == WORD[0] => version_1::read(&self.bytes)?,
                first if first == SIGNATURE[0] => version_2::read(&self.bytes)?,
                _ => return Err(HeaderError::Missing),
            };
        }
        Ok(bytes.len())
    }

    /// The header, once it is complete.
    pub fn header(&self) -> Option<Header> {
        self.header
    }

    /// Returns true once a byte was pushed.
    pub fn has_begun(&self) -> bool {
        !self.bytes.is_empty()
    }
}

/// Returns true if the bytes agree with `beginning`, as far as both go.
fn agrees(bytes: &[u8], beginning: &[u8]) -> bool {
    bytes.iter().zip(beginning).all(|(byte, expected)| byte == expected)
}

/// Watches the first bytes of a client that should not send a header.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Opening {
    /// No byte yet.
    #[default]
    Nothing,
    /// The beginning of a header, of which these bytes are missing.
    Within(&'static [u8]),
    /// Something else.
    Over,
}

impl Opening {
    /// Takes bytes in order. Returns true if they complete the beginning of a header.
    pub fn shows_header(&mut self, bytes: &[u8]) -> bool {
        for &byte in bytes {
            let missing = match *self {
                Opening::Over => return false,
                Opening::Nothing => [WORD, SIGNATURE].into_iter().find(|beginning| beginning[0] == byte),
                Opening::Within(missing) => Some(missing),
            };
            *self = match missing.and_then(<[u8]>::split_first) {
                Some((&expected, [])) if expected == byte => {
                    *self = Opening::Over;
                    return true;
                }
                Some((&expected, rest)) if expected == byte => Opening::Within(rest),
                _ => Opening::Over,
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unexpected_header_is_found_in_any_segments() {
        for header in [b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".as_slice(), SIGNATURE] {
            assert!(Opening::default().shows_header(header));
            let mut opening = Opening::default();
            let found: Vec<bool> = header.iter().map(|byte| opening.shows_header(&[*byte])).collect();
            assert_eq!(found.iter().filter(|found| **found).count(), 1, "{found:?}");
        }
    }

    #[test]
    fn first_lines_of_clients_are_not_headers() {
        for text in [
            "xboard\nPROXY TCP4",
            "uci\n",
            "PROXIES",
            "PING 1\n",
            "\r\nxboard\n",
            "\r\n\r\n\r\n",
            "proxy TCP4",
            "",
        ] {
            assert!(!Opening::default().shows_header(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn other_beginnings_are_refused_at_the_first_byte_that_differs() {
        for (text, length) in [("xboard", 1), ("PROXIES", 5), ("\r\nx", 3), ("\x16\x03", 1)] {
            let mut reader = HeaderReader::default();
            let refused: Vec<_> = text.bytes().map(|byte| reader.push(&[byte]).is_err()).collect();
            assert_eq!(refused.iter().position(|refused| *refused), Some(length - 1), "{text:?}");
            assert_eq!(HeaderReader::default().push(text.as_bytes()), Err(HeaderError::Missing), "{text:?}");
        }
    }
}
