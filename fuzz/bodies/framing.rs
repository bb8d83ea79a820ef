//! Bytes to lines: no line is lost, however the bytes are split.

use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::protocol::telnet::Telnet;

/// An owned frame.
#[derive(PartialEq, Eq, Debug)]
enum Found {
    Line(Vec<u8>),
    TooLong,
    Interrupt,
}

impl From<Frame<'_>> for Found {
    fn from(frame: Frame<'_>) -> Found {
        match frame {
            Frame::Line(line) => Found::Line(line.to_vec()),
            Frame::TooLong => Found::TooLong,
            Frame::Interrupt => Found::Interrupt,
        }
    }
}

/// `data` is the limit, the number of cuts, their distances, then the stream. An odd distance means
/// that the frames of a chunk are not taken before the next chunk comes.
pub fn run(data: &[u8]) {
    let [limit, cuts, rest @ ..] = data else { return };
    let limit = usize::from(*limit);
    let (cuts, stream) = rest.split_at(usize::from(cuts % 16).min(rest.len()));
    let expected = frames(stream, limit);
    assert_eq!(split(stream, &[], limit), expected, "in one piece");
    assert_eq!(split(stream, &[2], limit), expected, "byte by byte");
    assert_eq!(split(stream, cuts, limit), expected, "in chunks of {cuts:?}");
}

/// The frames of a stream, found with all of it in memory.
fn frames(stream: &[u8], limit: usize) -> Vec<Found> {
    let mut found = Vec::new();
    let mut typed = without_telnet(stream);
    // An unterminated rest is a line, too.
    if typed
        .iter()
        .rev()
        .find(|item| **item != Item::Interrupt)
        .is_some_and(|last| *last != Item::Byte(b'\n'))
    {
        typed.push(Item::Byte(b'\n'));
    }
    let mut line = Vec::new();
    let mut too_long = false;
    for item in typed {
        match item {
            Item::Interrupt => found.push(Found::Interrupt),
            Item::Byte(b'\n') => {
                let text = line.strip_suffix(b"\r").unwrap_or(&line);
                if !too_long && text.len() > limit {
                    found.push(Found::TooLong);
                } else if !too_long {
                    found.push(Found::Line(text.to_vec()));
                }
                line.clear();
                too_long = false;
            }
            Item::Byte(byte) => {
                line.push(byte);
                // The line is too long unless its last byte is a CR that may belong to the line
                // end.
                let certain = line.len() > limit && (byte != b'\r' || line.len() > limit + 1);
                if certain && !too_long {
                    found.push(Found::TooLong);
                    too_long = true;
                }
            }
        }
    }
    found
}

/// A byte that the user typed, or an interrupt.
#[derive(PartialEq, Eq)]
enum Item {
    Byte(u8),
    Interrupt,
}

fn without_telnet(mut stream: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    loop {
        stream = match stream {
            [] | [255] | [255, 251..=254] => return items,
            [255, 243 | 244 | 246, rest @ ..] => {
                items.push(Item::Interrupt);
                rest
            }
            [255, 251..=254, _, rest @ ..] => rest,
            [255, 250, rest @ ..] => match within(rest) {
                Some(rest) => rest,
                None => return items,
            },
            [255, 255, rest @ ..] => {
                items.push(Item::Byte(255));
                rest
            }
            [255, 236..=255, rest @ ..] => rest,
            [3, rest @ ..] => {
                items.push(Item::Interrupt);
                rest
            }
            [byte, rest @ ..] => {
                items.push(Item::Byte(*byte));
                rest
            }
        };
    }
}

/// Returns the stream after a subnegotiation.
fn within(mut stream: &[u8]) -> Option<&[u8]> {
    let whole = stream;
    while whole.len() - stream.len() < 512 {
        stream = match stream {
            [] | [255] => return None,
            [255, 240, rest @ ..] => return Some(rest),
            [255, 255, rest @ ..] => rest,
            [255, ..] => return Some(stream),
            [_, rest @ ..] => rest,
        };
    }
    Some(stream)
}

/// The frames that the splitter finds when it gets the stream in chunks of half these sizes.
fn split(stream: &[u8], cuts: &[u8], limit: usize) -> Vec<Found> {
    let (mut lines, mut telnet) = (LineSplitter::new(limit), Telnet::default());
    let mut found = Vec::new();
    let mut rest = stream;
    for cut in cuts.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, tail) = rest.split_at(usize::from(cut / 2).clamp(1, rest.len()));
        lines.fill(|buffer| telnet.filter(chunk, buffer));
        rest = tail;
        if cut % 2 == 0 {
            take(&mut lines, &mut found);
            assert!(lines.held() <= limit + 1, "{} bytes held", lines.held());
        }
    }
    lines.fill(|buffer| telnet.filter(rest, buffer));
    take(&mut lines, &mut found);
    found.extend(lines.rest().map(Found::from));
    assert_eq!(lines.held(), 0);
    found
}

fn take(lines: &mut LineSplitter, found: &mut Vec<Found>) {
    while let Some(frame) = lines.next_line() {
        found.push(frame.into());
    }
}
