//! Version 1: a line of text.

use super::{Header, HeaderError, WORD, agrees};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The longest line in bytes, with its end.
pub(super) const MAX_LINE: usize = 107;

/// Returns the header, if these bytes are all of it; `None` if they are its beginning. Must be
/// called after each byte.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Header>, HeaderError> {
    if !agrees(bytes, WORD) {
        return Err(HeaderError::Missing);
    }
    if let Some(line) = bytes.strip_suffix(b"\r\n") {
        return parse(line).map(Some).ok_or(HeaderError::Line);
    }
    // A lone CR or LF neither ends the line nor belongs to it.
    let (before, last) = (&bytes[..bytes.len() - 1], bytes[bytes.len() - 1]);
    if last == b'\n' || before.ends_with(b"\r") {
        return Err(HeaderError::Line);
    }
    if bytes.len() >= MAX_LINE { Err(HeaderError::LineTooLong) } else { Ok(None) }
}

fn parse(line: &[u8]) -> Option<Header> {
    let rest = std::str::from_utf8(line.strip_prefix(WORD)?).ok()?;
    let mut words = rest.split(' ');
    let family = words.next()?;
    if family == "UNKNOWN" {
        // The rest may be anything.
        return Some(Header::Unknown);
    }
    let mut address = || {
        let word = words.next()?;
        match family {
            "TCP4" => word.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
            "TCP6" => word.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
            _ => None,
        }
    };
    let (source, _destination) = (address()?, address()?);
    let (source_port, _destination_port) = (port(words.next()?)?, port(words.next()?)?);
    words.next().is_none().then_some(Header::Client(SocketAddr::new(source, source_port)))
}

/// Reads a port in decimal digits, without a sign or a leading zero.
fn port(word: &str) -> Option<u16> {
    let number: u16 = word.parse().ok()?;
    (word == number.to_string()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::HeaderReader;
    use super::*;

    /// Reads bytes one by one. Returns the header and its length.
    fn read_by_bytes(text: &[u8]) -> Result<(Option<Header>, usize), HeaderError> {
        let mut reader = HeaderReader::default();
        let mut taken = 0;
        for byte in text {
            taken += reader.push(&[*byte])?;
        }
        Ok((reader.header(), taken))
    }

    fn check(text: &str, expected: Result<Header, HeaderError>) {
        let followed = format!("{text}xboard\n");
        let mut reader = HeaderReader::default();
        let at_once = reader.push(followed.as_bytes());
        assert_eq!(at_once, expected.map(|_| text.len()), "{text:?}");
        let by_bytes = read_by_bytes(followed.as_bytes());
        assert_eq!(by_bytes, expected.map(|header| (Some(header), text.len())), "{text:?}");
    }

    fn client(address: &str) -> Result<Header, HeaderError> {
        Ok(Header::Client(address.parse().expect("an address")))
    }

    #[test]
    fn lines_as_proxies_send_them() {
        check("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n", client("192.168.0.1:56324"));
        check("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", client("255.255.255.255:65535"));
        check("PROXY TCP6 2001:db8::1 ::1 0 5254\r\n", client("[2001:db8::1]:0"));
        let longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        check(
            &format!("PROXY TCP6 {longest} {longest} 65535 65535\r\n"),
            client(&format!("[{longest}]:65535")),
        );
        check("PROXY UNKNOWN\r\n", Ok(Header::Unknown));
        let text = format!("PROXY UNKNOWN {longest} {longest} 65535 65535\r\n");
        assert_eq!(text.len(), MAX_LINE);
        check(&text, Ok(Header::Unknown));
    }

    #[test]
    fn invalid_lines_are_refused() {
        for text in [
            "PROXY \r\n",
            "PROXY TCP4\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n",
            "PROXY TCP4 192.0.2.1  192.0.2.2 1 2\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 +1 2\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n",
            "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
            "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n",
            "PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n",
            "PROXY tcp4 192.0.2.1 192.0.2.2 1 2\r\n",
            "PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
            "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\rx\r\n",
            "PROXY UNKNOWN\n",
        ] {
            check(text, Err(HeaderError::Line));
        }
        let too_long = format!("PROXY UNKNOWN {}", "x".repeat(MAX_LINE));
        check(&too_long, Err(HeaderError::LineTooLong));
        assert_eq!(HeaderReader::default().push(&too_long.as_bytes()[..MAX_LINE - 1]), Ok(MAX_LINE - 1));
        assert_eq!(
            HeaderReader::default().push(&too_long.as_bytes()[..MAX_LINE]),
            Err(HeaderError::LineTooLong)
        );
        assert_eq!(HeaderReader::default().push(b"PROXY TCP4 \xff\xff\r\n"), Err(HeaderError::Line));
    }
}
