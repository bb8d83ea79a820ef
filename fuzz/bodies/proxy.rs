//! The header of the PROXY protocol: the result does not depend on how the bytes are split, and
//! nothing after the header is consumed.

use farboard::protocol::proxy::{Header, HeaderReader, Opening};

/// More than the longest header.
const BOUND: usize = 2100;

/// `data` is the number of cuts, their distances, then the bytes of a connection.
pub fn run(data: &[u8]) {
    let [cuts, rest @ ..] = data else { return };
    let (cuts, stream) = rest.split_at(usize::from(cuts % 16).min(rest.len()));
    let mut whole = HeaderReader::default();
    let at_once = whole.push(stream);

    let mut reader = HeaderReader::default();
    let (mut rest, mut taken) = (stream, 0);
    let mut distances = cuts.iter().map(|&cut| usize::from(cut));
    while !rest.is_empty() {
        let (portion, after) = rest.split_at(distances.next().unwrap_or(1).clamp(1, rest.len()));
        match reader.push(portion) {
            Ok(count) => taken += count,
            Err(error) => {
                assert_eq!(at_once, Err(error));
                assert!(!error.to_string().contains(char::is_control));
                return;
            }
        }
        rest = after;
    }
    assert_eq!((at_once, whole.header()), (Ok(taken), reader.header()));
    assert!(taken <= BOUND);
    match reader.header() {
        None => assert_eq!(taken, stream.len()),
        Some(header) => {
            assert!(Opening::default().shows_header(stream));
            assert!(!stream.starts_with(b"P") || header != Header::Local);
            // A shorter prefix is not a header.
            let mut shorter = HeaderReader::default();
            assert_eq!((shorter.push(&stream[..taken - 1]), shorter.header()), (Ok(taken - 1), None));
        }
    }
}
