//! The link between the shim and a server: a client's bytes in one direction; in the other its output together
//! with the state of its session. With the last state and the bytes for which it does not account, the session can go on
//! at any server. Nothing here knows a protocol, and nothing reads the state. `docs/shim.md` has an example byte by byte.

mod edits;
mod frame;
mod greeting;
mod reader;
mod server_end;

pub use edits::{apply, edits};
pub use frame::{ClientFrame, ServerFrame};
pub use greeting::{GreetingReply, greeting_reply, quotes_greeting};
pub use reader::FrameReader;
pub use server_end::{Pending, ServerEnd};

use thiserror::Error;

/// The first line of both sides, without its ending. It ends with the version of the link.
pub const GREETING: &str = "farboard-link 1";

/// Maximum length of a state in bytes, with the line that a server may put in front.
pub const MAX_STATE: usize = (1 << 18) + 64;

/// Maximum number of bytes of a client in one frame.
pub const MAX_INPUT: usize = 1 << 16;

/// An error in the bytes of a link, which cannot be used any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LinkError {
    /// The first line of a frame is unknown, or too long.
    #[error("a frame of the link begins with an unknown line")]
    Header,
    /// A part of a frame is longer than allowed.
    #[error("a frame of the link is too long")]
    TooLong,
    /// A frame comes before the session has begun, begins it again, or refuses a line within another one.
    #[error("a frame of the link comes at the wrong time")]
    Order,
    /// Text that must be UTF-8 is not, or edits do not fit the text that they change.
    #[error("a frame of the link has impossible content")]
    Content,
}
