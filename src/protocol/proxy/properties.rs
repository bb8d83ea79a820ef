//! Properties for all bytes.

use super::*;
use proptest::prelude::*;
use std::net::IpAddr;

/// A header with this body.
pub(super) fn header(command: u8, family: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).expect("a short body");
    [SIGNATURE, &[command, family], &length.to_be_bytes(), body].concat()
}

/// Reads bytes in these chunks.
fn read(bytes: &[u8], portions: &[usize]) -> (Result<usize, HeaderError>, HeaderReader) {
    let (mut reader, mut taken, mut rest) = (HeaderReader::default(), 0, bytes);
    let mut portions = portions.iter().copied().cycle();
    while !rest.is_empty() {
        let (portion, after) = rest.split_at(portions.next().unwrap_or(1).clamp(1, rest.len()));
        match reader.push(portion) {
            Ok(count) => taken += count,
            Err(error) => return (Err(error), reader),
        }
        rest = after;
    }
    (Ok(taken), reader)
}

/// Headers of both versions for a client.
fn headers(source: SocketAddr, destination: SocketAddr) -> [Vec<u8>; 2] {
    let text = format!(
        "PROXY TCP{} {} {} {} {}\r\n",
        if source.is_ipv4() { 4 } else { 6 },
        source.ip(),
        destination.ip(),
        source.port(),
        destination.port()
    );
    let octets = |address: IpAddr| match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    };
    let ports = [source.port().to_be_bytes(), destination.port().to_be_bytes()].concat();
    let body = [octets(source.ip()), octets(destination.ip()), ports].concat();
    let family = if source.is_ipv4() { 0x11 } else { 0x21 };
    [text.into_bytes(), header(0x21, family, &body)]
}

fn pair() -> impl Strategy<Value = (SocketAddr, SocketAddr)> {
    let ports = any::<(u16, u16)>();
    prop_oneof![
        (any::<([u8; 4], [u8; 4])>(), ports).prop_map(|((from, to), ports)| (
            (IpAddr::from(from), ports.0).into(),
            (IpAddr::from(to), ports.1).into()
        )),
        (any::<([u8; 16], [u8; 16])>(), ports).prop_map(|((from, to), ports)| (
            (IpAddr::from(from), ports.0).into(),
            (IpAddr::from(to), ports.1).into()
        )),
    ]
}

/// Bytes that resemble a header.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let line = "PROXY (TCP4|TCP6|UNKNOWN|x)[ 0-9a-f:.]{0,100}(\r\n|\n|\r)?".prop_map(String::into_bytes);
    let binary = (0u8..0x40, any::<u8>(), prop::collection::vec(any::<u8>(), 0..300));
    let binary = binary.prop_map(|(command, family, body)| header(command, family, &body));
    prop_oneof![line, binary, prop::collection::vec(any::<u8>(), 0..64)]
}

proptest! {
    #[test]
    fn a_header_is_read_and_nothing_after_it(
        (source, destination) in pair(),
        portions in prop::collection::vec(1usize..80, 1..4),
        rest in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        for header in headers(source, destination) {
            let (taken, reader) = read(&[header.as_slice(), &rest].concat(), &portions);
            prop_assert_eq!(taken, Ok(header.len()));
            prop_assert_eq!(reader.header(), Some(Header::Client(source)));
        }
    }

    #[test]
    fn segments_make_no_difference(bytes in nearly(), portions in prop::collection::vec(1usize..80, 1..4)) {
        let (at_once, reader) = read(&bytes, &[usize::MAX]);
        let (in_portions, other) = read(&bytes, &portions);
        prop_assert_eq!(at_once, in_portions);
        prop_assert_eq!(reader.header(), other.header());
    }
}
