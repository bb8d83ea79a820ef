//! Version 2: sixteen bytes, addresses, and fields of type, length and value.

use super::crc32c::crc32c;
use super::{Header, HeaderError, SIGNATURE, agrees};
use std::net::{IpAddr, SocketAddr};

/// The longest rest of a header in bytes, after the fixed part of sixteen. Proxies send some
/// dozens, or some hundreds with a certificate.
pub(super) const MAX_LENGTH: usize = 2048;

const LOCAL: u8 = 0;
const PROXY: u8 = 1;
/// The highest numbers of address families and transports.
const LAST_FAMILY: u8 = 3;
const LAST_TRANSPORT: u8 = 2;
/// TCP over IPv4 and IPv6.
const TCP4: u8 = 0x11;
const TCP6: u8 = 0x21;
/// The type of the field with the checksum (CRC32c) of the header.
const CHECKSUM: u8 = 3;

/// Returns the header, if these bytes are all of it; `None` if they are its beginning. Must be
/// called after each byte.
pub(super) fn read(bytes: &[u8]) -> Result<Option<Header>, HeaderError> {
    if !agrees(bytes, SIGNATURE) {
        return Err(HeaderError::Missing);
    }
    let rest = &bytes[bytes.len().min(SIGNATURE.len())..];
    if let [byte] = rest {
        check_command(*byte)?;
    }
    let [command, family, high, low, body @ ..] = rest else { return Ok(None) };
    let length = usize::from(u16::from_be_bytes([*high, *low]));
    if length > MAX_LENGTH {
        return Err(HeaderError::TooLong(length));
    }
    if body.len() < length {
        return Ok(None);
    }
    // The rest of a "local" header does not matter.
    if command & 0xf == LOCAL { Ok(Some(Header::Local)) } else { client(*family, body, bytes).map(Some) }
}

fn check_command(byte: u8) -> Result<(), HeaderError> {
    match (byte >> 4, byte & 0xf) {
        (2, LOCAL | PROXY) => Ok(()),
        (2, command) => Err(HeaderError::Command(command)),
        (version, _) => Err(HeaderError::Version(version)),
    }
}

/// Reads the client from a header with the command "proxy".
fn client(family: u8, body: &[u8], header: &[u8]) -> Result<Header, HeaderError> {
    let address = match family {
        TCP4 => split::<4>(body),
        TCP6 => split::<16>(body),
        _ if family >> 4 <= LAST_FAMILY && family & 0xf <= LAST_TRANSPORT => return Ok(Header::Unknown),
        _ => return Err(HeaderError::Family(family)),
    };
    let (address, fields) = address.ok_or(HeaderError::TooShort)?;
    check_fields(fields, header)?;
    Ok(Header::Client(address))
}

/// Splits the body into the source among addresses of `N` bytes, and what follows the addresses.
fn split<const N: usize>(body: &[u8]) -> Option<(SocketAddr, &[u8])>
where
    IpAddr: From<[u8; N]>,
{
    let (source, rest) = body.split_first_chunk::<N>()?;
    let (_destination, rest) = rest.split_first_chunk::<N>()?;
    let (port, rest) = rest.split_first_chunk::<2>()?;
    let (_destination_port, rest) = rest.split_first_chunk::<2>()?;
    Some((SocketAddr::new(IpAddr::from(*source), u16::from_be_bytes(*port)), rest))
}

/// Checks that fields fill the rest of the header, and verifies the checksum field, if any.
fn check_fields(mut fields: &[u8], header: &[u8]) -> Result<(), HeaderError> {
    while let [kind, high, low, rest @ ..] = fields {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let (value, rest) = rest.split_at_checked(length).ok_or(HeaderError::Fields)?;
        if *kind == CHECKSUM {
            let sum = value.try_into().map(u32::from_be_bytes).map_err(|_| HeaderError::Fields)?;
            let before = header.len() - rest.len() - value.len();
            // The checksum is computed with zeros in its place.
            let zeros = [0; size_of::<u32>()];
            if sum != crc32c([&header[..before], &zeros, rest]) {
                return Err(HeaderError::Checksum);
            }
        }
        fields = rest;
    }
    if fields.is_empty() { Ok(()) } else { Err(HeaderError::Fields) }
}

#[cfg(test)]
mod tests {
    use super::super::HeaderReader;
    use super::super::properties::header;
    use super::*;

    const IPV4: [u8; 12] = [192, 0, 2, 1, 192, 0, 2, 2, 0xc0, 0x01, 0x14, 0x86];

    fn check(bytes: &[u8], expected: Result<Header, HeaderError>) {
        let followed = [bytes, b"xboard\n".as_slice()].concat();
        assert_eq!(HeaderReader::default().push(&followed), expected.map(|_| bytes.len()), "{bytes:?}");
        let mut reader = HeaderReader::default();
        let taken = followed.iter().try_fold(0, |sum, byte| reader.push(&[*byte]).map(|taken| sum + taken));
        assert_eq!(taken, expected.map(|_| bytes.len()), "{bytes:?}");
        if let Ok(header) = expected {
            assert_eq!(reader.header(), Some(header), "{bytes:?}");
        }
    }

    /// A field.
    fn field(kind: u8, value: &[u8]) -> Vec<u8> {
        let length = u16::try_from(value.len()).expect("a short value");
        [&[kind], length.to_be_bytes().as_slice(), value].concat()
    }

    #[test]
    fn headers_as_proxies_send_them() {
        let client = |text: &str| Ok(Header::Client(text.parse().expect("an address")));
        check(&header(0x21, TCP4, &IPV4), client("192.0.2.1:49153"));
        let mut ipv6 = [0; 36];
        (ipv6[0], ipv6[1], ipv6[15], ipv6[33]) = (0x20, 0x01, 7, 9);
        check(&header(0x21, TCP6, &ipv6), client("[2001::7]:9"));
        let fields = [field(4, b""), field(0x20, &[1; 300]), field(0xe0, b"x")].concat();
        check(&header(0x21, TCP4, &[IPV4.as_slice(), &fields].concat()), client("192.0.2.1:49153"));
    }

    #[test]
    fn connections_of_the_proxy_itself_and_of_clients_without_an_address() {
        check(&header(0x20, 0, b""), Ok(Header::Local));
        check(&header(0x20, TCP4, &IPV4), Ok(Header::Local));
        check(&header(0x20, 0xff, b"anything"), Ok(Header::Local));
        for family in [0x00, 0x01, 0x10, 0x12, 0x22, 0x31, 0x32] {
            check(&header(0x21, family, &[7; 216]), Ok(Header::Unknown));
            check(&header(0x21, family, b""), Ok(Header::Unknown));
        }
    }

    #[test]
    fn invalid_headers_are_refused() {
        check(&header(0x11, TCP4, &IPV4), Err(HeaderError::Version(1)));
        check(&header(0x22, TCP4, &IPV4), Err(HeaderError::Command(2)));
        check(&header(0x21, 0x41, &IPV4), Err(HeaderError::Family(0x41)));
        check(&header(0x21, 0x13, &IPV4), Err(HeaderError::Family(0x13)));
        check(&header(0x21, TCP4, &IPV4[..11]), Err(HeaderError::TooShort));
        check(&header(0x21, TCP6, &IPV4), Err(HeaderError::TooShort));
        for fields in [&b"\x04"[..], b"\x04\0", b"\x04\0\x01", b"\x03\0\0", b"\x03\0\x03abc"] {
            check(&header(0x21, TCP4, &[&IPV4, fields].concat()), Err(HeaderError::Fields));
        }
        let long = [IPV4.as_slice(), &field(4, &[0; MAX_LENGTH])].concat();
        check(&header(0x21, TCP4, &long), Err(HeaderError::TooLong(long.len())));
        let longest = [IPV4.as_slice(), &field(4, &[0; MAX_LENGTH - 12 - 3])].concat();
        assert_eq!(
            HeaderReader::default().push(&header(0x21, TCP4, &longest)),
            Ok(SIGNATURE.len() + 4 + MAX_LENGTH)
        );
    }

    #[test]
    fn the_checksum_counts_where_there_is_one() {
        let body = |sum: u32| [IPV4.as_slice(), &field(3, &sum.to_be_bytes()), &field(4, b"zz")].concat();
        let sum = crc32c([header(0x21, TCP4, &body(0)).as_slice(), &[], &[]]);
        check(
            &header(0x21, TCP4, &body(sum)),
            Ok(Header::Client("192.0.2.1:49153".parse().expect("an address"))),
        );
        check(&header(0x21, TCP4, &body(sum ^ 1)), Err(HeaderError::Checksum));
    }
}
