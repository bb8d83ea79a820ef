//! The frames of both sides, and their bytes.

use super::{FrameReader, LinkError, MAX_INPUT, MAX_STATE};
use std::str::FromStr;
use std::time::Duration;

/// The most bytes for the client in one frame that are read.
const MAX_OUTPUT: usize = 1 << 26;
/// The longest edits of a state, and warm part, that are read.
const MAX_PART: usize = 1 << 20;
/// The longest reason.
const MAX_REASON: usize = 1 << 12;

/// A frame of the shim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientFrame {
    /// A session begins.
    New,
    /// A session goes on.
    Resume {
        /// Its last state.
        state: String,
        /// Table entries of its search; may be empty.
        warm: Vec<u8>,
        /// Age of the state.
        age: Duration,
        /// Time for which the client has had no server.
        away: Duration,
        /// Servers were lost right after they had begun where this state is: its search is not to be started again.
        calm: bool,
    },
    /// Bytes of the client.
    Input {
        /// The bytes, at most [`MAX_INPUT`].
        bytes: Vec<u8>,
        /// Time since the client sent them.
        age: Duration,
    },
    /// A line of the client after which servers were lost: it is to be refused.
    Refuse {
        /// The line, with its ending.
        bytes: Vec<u8>,
        /// Time since the client sent it.
        age: Duration,
    },
}

/// A frame of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerFrame {
    /// Output for the client, and the state of its session after that.
    Output {
        /// Number of further bytes of the client that the state and the output account for.
        accounted: u64,
        /// Bytes for the client.
        output: Vec<u8>,
        /// Edits that make the new state of the last one.
        edits: String,
        /// The client waits for a move or another answer.
        due: bool,
    },
    /// Table entries of the session's search; they replace those sent before.
    Warm(Vec<u8>),
    /// Another server has more room, and this is a good moment to move.
    Move,
    /// This server goes, and closes the connection. That is no fault of any line.
    Leave,
    /// The session has ended as its client or its rules want it. The server closes.
    End {
        /// As in [`ServerFrame::Output`].
        accounted: u64,
        /// The last bytes for the client.
        output: Vec<u8>,
    },
    /// A defect of this server has ended the session.
    Fault(String),
    /// This server cannot go on with the state: why.
    Unfit(String),
}

impl ClientFrame {
    /// Appends the bytes of the frame.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            ClientFrame::New => out.extend_from_slice(b"new\n"),
            ClientFrame::Resume { state, warm, age, away, calm } => {
                let how = if *calm { "calm" } else { "search" };
                let (state_length, warm_length) = (state.len(), warm.len());
                let (age, away) = (age.as_millis(), away.as_millis());
                let header = format!("resume {state_length} {warm_length} {age} {away} {how}\n");
                out.extend_from_slice(header.as_bytes());
                out.extend_from_slice(state.as_bytes());
                out.extend_from_slice(warm);
            }
            ClientFrame::Input { bytes, age } => piece(out, "input", bytes, *age),
            ClientFrame::Refuse { bytes, age } => piece(out, "refuse", bytes, *age),
        }
    }

    /// The next frame of a shim, if it is complete.
    ///
    /// # Errors
    /// The bytes are none.
    pub fn read(reader: &mut FrameReader) -> Result<Option<ClientFrame>, LinkError> {
        reader.next(client_header, |frame, [first, second]| {
            Ok(match frame {
                ClientFrame::New => ClientFrame::New,
                ClientFrame::Resume { age, away, calm, .. } => {
                    ClientFrame::Resume { state: text(first)?, warm: second.to_vec(), age, away, calm }
                }
                ClientFrame::Input { age, .. } => ClientFrame::Input { bytes: first.to_vec(), age },
                ClientFrame::Refuse { age, .. } => ClientFrame::Refuse { bytes: first.to_vec(), age },
            })
        })
    }
}

impl ServerFrame {
    /// Appends the bytes of the frame.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            ServerFrame::Output { accounted, output, edits, due } => {
                let due = if *due { "due" } else { "idle" };
                let header = format!("frame {accounted} {} {} {due}\n", output.len(), edits.len());
                out.extend_from_slice(header.as_bytes());
                out.extend_from_slice(output);
                out.extend_from_slice(edits.as_bytes());
            }
            ServerFrame::Warm(bytes) => {
                out.extend_from_slice(format!("warm {}\n", bytes.len()).as_bytes());
                out.extend_from_slice(bytes);
            }
            ServerFrame::Move => out.extend_from_slice(b"move\n"),
            ServerFrame::Leave => out.extend_from_slice(b"leave\n"),
            ServerFrame::End { accounted, output } => {
                out.extend_from_slice(format!("end {accounted} {}\n", output.len()).as_bytes());
                out.extend_from_slice(output);
            }
            ServerFrame::Fault(why) => reason(out, "fault", why),
            ServerFrame::Unfit(why) => reason(out, "unfit", why),
        }
    }

    /// The next frame of a server, if it is complete.
    ///
    /// # Errors
    /// The bytes are none.
    pub fn read(reader: &mut FrameReader) -> Result<Option<ServerFrame>, LinkError> {
        reader.next(server_header, |frame, [first, second]| {
            Ok(match frame {
                ServerFrame::Output { accounted, due, .. } => {
                    ServerFrame::Output { accounted, output: first.to_vec(), edits: text(second)?, due }
                }
                ServerFrame::Warm(_) => ServerFrame::Warm(first.to_vec()),
                ServerFrame::End { accounted, .. } => ServerFrame::End { accounted, output: first.to_vec() },
                ServerFrame::Fault(_) => ServerFrame::Fault(text(first)?),
                ServerFrame::Unfit(_) => ServerFrame::Unfit(text(first)?),
                ServerFrame::Move => ServerFrame::Move,
                ServerFrame::Leave => ServerFrame::Leave,
            })
        })
    }
}

fn piece(out: &mut Vec<u8>, kind: &str, bytes: &[u8], age: Duration) {
    out.extend_from_slice(format!("{kind} {} {}\n", bytes.len(), age.as_millis()).as_bytes());
    out.extend_from_slice(bytes);
}

fn reason(out: &mut Vec<u8>, kind: &str, why: &str) {
    let why = &why[..why.floor_char_boundary(MAX_REASON)];
    out.extend_from_slice(format!("{kind} {}\n", why.len()).as_bytes());
    out.extend_from_slice(why.as_bytes());
}

fn text(bytes: &[u8]) -> Result<String, LinkError> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| LinkError::Content)
}

/// A frame of the shim without its content, and the lengths of its parts.
fn client_header(line: &str) -> Result<(ClientFrame, [usize; 2]), LinkError> {
    let mut words = Words(line.split(' '));
    let (frame, lengths) = match words.word()? {
        "new" => (ClientFrame::New, [0; 2]),
        "resume" => {
            let lengths = [words.length(MAX_STATE)?, words.length(MAX_PART)?];
            let (age, away) = (words.age()?, words.age()?);
            let calm = words.one_of("calm", "search")?;
            (ClientFrame::Resume { state: String::new(), warm: Vec::new(), age, away, calm }, lengths)
        }
        kind @ ("input" | "refuse") => {
            let length = words.length(MAX_INPUT)?;
            let (bytes, age) = (Vec::new(), words.age()?);
            let is_input = kind == "input";
            let frame =
                if is_input { ClientFrame::Input { bytes, age } } else { ClientFrame::Refuse { bytes, age } };
            (frame, [length, 0])
        }
        _ => return Err(LinkError::Header),
    };
    words.end().map(|()| (frame, lengths))
}

/// A frame of the server without its content, and the lengths of its parts.
fn server_header(line: &str) -> Result<(ServerFrame, [usize; 2]), LinkError> {
    let mut words = Words(line.split(' '));
    let (frame, lengths) = match words.word()? {
        "frame" => {
            let accounted = words.number()?;
            let lengths = [words.length(MAX_OUTPUT)?, words.length(MAX_PART)?];
            let due = words.one_of("due", "idle")?;
            (ServerFrame::Output { accounted, output: Vec::new(), edits: String::new(), due }, lengths)
        }
        "warm" => (ServerFrame::Warm(Vec::new()), [words.length(MAX_PART)?, 0]),
        "move" => (ServerFrame::Move, [0; 2]),
        "leave" => (ServerFrame::Leave, [0; 2]),
        "end" => {
            let accounted = words.number()?;
            (ServerFrame::End { accounted, output: Vec::new() }, [words.length(MAX_OUTPUT)?, 0])
        }
        "fault" => (ServerFrame::Fault(String::new()), [words.length(MAX_REASON)?, 0]),
        "unfit" => (ServerFrame::Unfit(String::new()), [words.length(MAX_REASON)?, 0]),
        _ => return Err(LinkError::Header),
    };
    words.end().map(|()| (frame, lengths))
}

/// The words of a frame's first line.
struct Words<'a>(std::str::Split<'a, char>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str, LinkError> {
        self.0.next().ok_or(LinkError::Header)
    }

    fn number<T: FromStr>(&mut self) -> Result<T, LinkError> {
        self.word()?.parse().map_err(|_| LinkError::Header)
    }

    fn length(&mut self, most: usize) -> Result<usize, LinkError> {
        self.number().and_then(|length| if length > most { Err(LinkError::TooLong) } else { Ok(length) })
    }

    /// Milliseconds. Ages beyond a year are of no use to any clock.
    fn age(&mut self) -> Result<Duration, LinkError> {
        const YEAR: u64 = 366 * 24 * 60 * 60 * 1000;
        self.number().map(|age: u64| Duration::from_millis(age.min(YEAR)))
    }

    /// Whether it is the first of these two words.
    fn one_of(&mut self, yes: &str, no: &str) -> Result<bool, LinkError> {
        let word = self.word()?;
        if word == yes {
            Ok(true)
        } else if word == no {
            Ok(false)
        } else {
            Err(LinkError::Header)
        }
    }

    fn end(mut self) -> Result<(), LinkError> {
        self.0.next().map_or(Ok(()), |_| Err(LinkError::Header))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn server_frames() -> impl Strategy<Value = ServerFrame> {
        let output = proptest::collection::vec(any::<u8>(), 0..40);
        prop_oneof![
            (any::<u64>(), output.clone(), ".{0,30}", any::<bool>()).prop_map(
                |(accounted, output, edits, due)| ServerFrame::Output { accounted, output, edits, due }
            ),
            output.clone().prop_map(ServerFrame::Warm),
            Just(ServerFrame::Move),
            Just(ServerFrame::Leave),
            (any::<u64>(), output).prop_map(|(accounted, output)| ServerFrame::End { accounted, output }),
            ".{0,30}".prop_map(ServerFrame::Fault),
            ".{0,30}".prop_map(ServerFrame::Unfit),
        ]
    }

    fn client_frames() -> impl Strategy<Value = ClientFrame> {
        let bytes = proptest::collection::vec(any::<u8>(), 0..40);
        let age = (0..1_000_000_u64).prop_map(Duration::from_millis);
        prop_oneof![
            Just(ClientFrame::New),
            (".{0,30}", bytes.clone(), (age.clone(), age.clone()), any::<bool>()).prop_map(
                |(state, warm, (age, away), calm)| ClientFrame::Resume { state, warm, age, away, calm }
            ),
            (bytes.clone(), age.clone()).prop_map(|(bytes, age)| ClientFrame::Input { bytes, age }),
            (bytes, age).prop_map(|(bytes, age)| ClientFrame::Refuse { bytes, age }),
        ]
    }

    /// The frames of these bytes, read in pieces of `size` bytes.
    fn read<F>(
        bytes: &[u8],
        size: usize,
        next: impl Fn(&mut FrameReader) -> Result<Option<F>, LinkError>,
    ) -> Result<Vec<F>, LinkError> {
        let (mut reader, mut frames) = (FrameReader::default(), Vec::new());
        for piece in bytes.chunks(size) {
            reader.push(piece);
            while let Some(frame) = next(&mut reader)? {
                frames.push(frame);
            }
        }
        Ok(frames)
    }

    proptest! {
        #[test]
        fn frames_come_as_they_were_sent(
            server in proptest::collection::vec(server_frames(), 0..6),
            client in proptest::collection::vec(client_frames(), 0..6),
            size in 1..30_usize,
        ) {
            let mut bytes = Vec::new();
            server.iter().for_each(|frame| frame.write(&mut bytes));
            prop_assert_eq!(read(&bytes, size, ServerFrame::read), Ok(server));
            bytes.clear();
            client.iter().for_each(|frame| frame.write(&mut bytes));
            prop_assert_eq!(read(&bytes, size, ClientFrame::read), Ok(client));
        }

        #[test]
        fn no_bytes_panic(bytes in "(frame|end|input|resume|warm|unfit)?( [0-9]{1,5}){0,4}( due)?\n?.{0,20}") {
            let _ = read(bytes.as_bytes(), 7, ServerFrame::read);
            let _ = read(bytes.as_bytes(), 7, ClientFrame::read);
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error_before_it_is_read() {
        for (bytes, error) in [
            ("input 65537 0\n", LinkError::TooLong),
            ("resume 9999999 0 0 0 calm\n", LinkError::TooLong),
            ("input 1\n", LinkError::Header),
            ("input 1 0 0\n", LinkError::Header),
            ("resume 0 0 0 0 hot\n", LinkError::Header),
            ("usermove e2e4\n", LinkError::Header),
            ("resume 1 0 0 0 calm\n\u{ff}", LinkError::Content),
        ] {
            let bytes: Vec<u8> = bytes.chars().map(|c| c as u8).collect();
            assert_eq!(read(&bytes, 1000, ClientFrame::read), Err(error));
        }
        assert_eq!(read(&[b'x'; 200], 200, ServerFrame::read), Err(LinkError::Header));
    }
}
