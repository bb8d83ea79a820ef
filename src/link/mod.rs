//! The link between the shim and a server: a client's bytes in one direction; in the other what the client is to see, together
//! with the state of its session. With the last state and the bytes that it does not account for, the session can go on at
//! any server. Nothing here knows a protocol, and nothing reads the state.
//!
//! Both sides begin with the line [`GREETING`]. After it, everything is a frame: a line that names its kind and the lengths of
//! what follows, then that. `docs/shim.md` has the picture and an example byte by byte.
//!
//! * `frame`: the frames of both sides, and their bytes. `reader`: bytes to frames, for any segmentation of the bytes.
//! * `edits`: a text as what differs from the one before.
//! * `server_end`: the server's side of a link, which counts what it has accounted for.
//! * `greeting`: whether the first bytes of a server are those of a Farboard.

mod edits;
mod frame;
mod greeting;
mod reader;
mod server_end;

pub use edits::{apply, edits};
pub use frame::{ClientFrame, ServerFrame};
pub use greeting::{Answer, answer, quotes_greeting};
pub use reader::FrameReader;
pub use server_end::{Pending, ServerEnd};

use std::fmt;

/// The first line of both sides, without its ending. It ends with the version of the link.
pub const GREETING: &str = "farboard-link 1";

/// The longest text of a state in bytes, with the line that a server may put in front.
pub const MAX_STATE: usize = (1 << 18) + 64;

/// The most bytes of a client in one frame.
pub const MAX_INPUT: usize = 1 << 16;

/// An error in the bytes of a link. The connection is of no use any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// The first line of a frame is none, or too long.
    Header,
    /// A frame announces a part that is longer than allowed.
    TooLong,
    /// A frame comes before the session has begun, begins it again, or refuses a line within another one.
    Order,
    /// Text that must be UTF-8 is not, or edits do not fit the text that they change.
    Content,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkError::Header => "a frame of the link begins with an unknown line",
            LinkError::TooLong => "a frame of the link is too long",
            LinkError::Order => "a frame of the link comes at the wrong time",
            LinkError::Content => "a frame of the link has impossible content",
        })
    }
}

impl std::error::Error for LinkError {}
