//! The frames of both sides, and their bytes.

use super::reader::ReadError;
use super::{FrameReader, LinkError, MAX_INPUT, MAX_STATE};
use std::time::Duration;

/// Maximum number of bytes for the client in one frame.
const MAX_OUTPUT: usize = 1 << 26;
/// Maximum length of the edits of a state, and of a warm part.
const MAX_PART: usize = 1 << 20;
/// Maximum length of a reason.
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
        /// Whether not to start the search of this state: servers were lost right after they had begun it.
        calm: bool,
    },
    /// Bytes of the client.
    Input {
        /// The bytes, at most [`MAX_INPUT`].
        bytes: Vec<u8>,
        /// Time since the client sent them.
        age: Duration,
    },
    /// A line of the client that is to be refused, since servers were lost after it.
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
        /// Number of further bytes of the client for which the state and the output account.
        accounted: u64,
        /// Bytes for the client.
        output: Vec<u8>,
        /// Edits that turn the last state into the new one.
        edits: String,
        /// Whether the client waits for a move or another answer.
        due: bool,
    },
    /// Table entries of the session's search; they replace those sent before.
    Warm(Vec<u8>),
    /// Another server has more room, and this is a good moment to move.
    Move,
    /// This server leaves the session and closes the connection, through no fault of any line.
    Leave,
    /// The session has ended by its client or its rules. The server closes.
    End {
        /// As in [`ServerFrame::Output`].
        accounted: u64,
        /// The last bytes for the client.
        output: Vec<u8>,
    },
    /// A defect of this server has ended the session.
    Fault(String),
    /// This server cannot go on with the state, for this reason.
    Unfit(String),
}

impl ClientFrame {
    /// Appends the bytes of the frame.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            ClientFrame::New => write(out, "new", []),
            ClientFrame::Resume { state, warm, age, away, calm } => {
                let search = if *calm { "calm" } else { "search" };
                let (state_length, warm_length) = (state.len(), warm.len());
                let (age, away) = (age.as_millis(), away.as_millis());
                let header = format!("resume {state_length} {warm_length} {age} {away} {search}");
                write(out, &header, [state.as_bytes(), warm]);
            }
            ClientFrame::Input { bytes, age } => {
                write(out, &format!("input {} {}", bytes.len(), age.as_millis()), [bytes]);
            }
            ClientFrame::Refuse { bytes, age } => {
                write(out, &format!("refuse {} {}", bytes.len(), age.as_millis()), [bytes]);
            }
        }
    }

    /// Reads the next frame of a shim, if it is complete.
    ///
    /// # Errors
    /// The bytes are no frame of a shim.
    pub fn read(reader: &mut FrameReader) -> Result<Option<ClientFrame>, LinkError> {
        reader.next(|frame| {
            Ok(match frame.word()? {
                "new" => {
                    frame.parts([])?;
                    ClientFrame::New
                }
                "resume" => {
                    let lengths = [frame.length(MAX_STATE)?, frame.length(MAX_PART)?];
                    let (age, away) = (frame.age()?, frame.age()?);
                    let calm = frame.one_of("calm", "search")?;
                    let [state, warm] = frame.parts(lengths)?;
                    ClientFrame::Resume { state: text(state)?, warm: warm.to_vec(), age, away, calm }
                }
                kind @ ("input" | "refuse") => {
                    let (length, age) = (frame.length(MAX_INPUT)?, frame.age()?);
                    let [bytes] = frame.parts([length])?.map(<[u8]>::to_vec);
                    let is_input = kind == "input";
                    if is_input {
                        ClientFrame::Input { bytes, age }
                    } else {
                        ClientFrame::Refuse { bytes, age }
                    }
                }
                _ => return Err(ReadError::Invalid(LinkError::Header)),
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
                let header = format!("frame {accounted} {} {} {due}", output.len(), edits.len());
                write(out, &header, [output, edits.as_bytes()]);
            }
            ServerFrame::Warm(bytes) => write(out, &format!("warm {}", bytes.len()), [bytes]),
            ServerFrame::Move => write(out, "move", []),
            ServerFrame::Leave => write(out, "leave", []),
            ServerFrame::End { accounted, output } => {
                write(out, &format!("end {accounted} {}", output.len()), [output]);
            }
            ServerFrame::Fault(reason) => write_reason(out, "fault", reason),
            ServerFrame::Unfit(reason) => write_reason(out, "unfit", reason),
        }
    }

    /// Reads the next frame of a server, if it is complete.
    ///
    /// # Errors
    /// The bytes are no frame of a server.
    pub fn read(reader: &mut FrameReader) -> Result<Option<ServerFrame>, LinkError> {
        reader.next(|frame| {
            Ok(match frame.word()? {
                "frame" => {
                    let accounted = frame.number()?;
                    let lengths = [frame.length(MAX_OUTPUT)?, frame.length(MAX_PART)?];
                    let due = frame.one_of("due", "idle")?;
                    let [output, edits] = frame.parts(lengths)?;
                    ServerFrame::Output { accounted, output: output.to_vec(), edits: text(edits)?, due }
                }
                "end" => {
                    let (accounted, length) = (frame.number()?, frame.length(MAX_OUTPUT)?);
                    let [output] = frame.parts([length])?.map(<[u8]>::to_vec);
                    ServerFrame::End { accounted, output }
                }
                "warm" => {
                    let length = frame.length(MAX_PART)?;
                    let [bytes] = frame.parts([length])?.map(<[u8]>::to_vec);
                    ServerFrame::Warm(bytes)
                }
                kind @ ("fault" | "unfit") => {
                    let length = frame.length(MAX_REASON)?;
                    let [reason] = frame.parts([length])?;
                    let reason = text(reason)?;
                    if kind == "fault" { ServerFrame::Fault(reason) } else { ServerFrame::Unfit(reason) }
                }
                kind @ ("move" | "leave") => {
                    frame.parts([])?;
                    if kind == "move" { ServerFrame::Move } else { ServerFrame::Leave }
                }
                _ => return Err(ReadError::Invalid(LinkError::Header)),
            })
        })
    }
}

fn write<const N: usize>(out: &mut Vec<u8>, header: &str, parts: [&[u8]; N]) {
    out.extend_from_slice(header.as_bytes());
    out.push(b'\n');
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

fn write_reason(out: &mut Vec<u8>, kind: &str, reason: &str) {
    let reason = &reason[..reason.floor_char_boundary(MAX_REASON)];
    write(out, &format!("{kind} {}", reason.len()), [reason.as_bytes()]);
}

fn text(bytes: &[u8]) -> Result<String, LinkError> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| LinkError::Content)
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
    fn invalid_frames_are_errors_before_they_are_complete() {
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
