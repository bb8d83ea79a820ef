//! What goes into a session and what comes out.

use crate::book::Book;
use crate::chess::{Game, Outcome, Tags};
use crate::pool::{SearchEvent, SearchId, SearchOrder};
use crate::protocol::Line;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Something that happened to a session.
#[derive(Debug)]
pub enum Input<'a> {
    /// A line from the client, without its line end (LF or CR LF).
    Line(&'a [u8]),
    /// A line longer than the limit (bytes) was thrown away.
    LineTooLong(usize),
    /// The client signalled: it wants its input looked at.
    Interrupt,
    /// The client will send no more. What it is still owed (a move, a `pong`) is sent before the session closes.
    Eof,
    /// A search said something.
    Search(SearchId, SearchEvent),
    /// The instant of the last [`Effect::Timer`] has come.
    Timer,
    /// The answer to [`FileRequest::OpenBook`]: the book, or why there is none.
    Book(Result<Arc<Book>, String>),
    /// The answer to [`FileRequest::SaveGame`] if it could not be done: why.
    NotSaved(String),
    /// The server is shutting down: running games may end, nothing new starts.
    Drain,
}

/// Something that is to be done for a session. Each protocol has replies of its own type, which become lines
/// at the seam to the server.
pub enum Effect<M = Line> {
    /// Send this to the client.
    Send(M),
    /// Start a search, or change one.
    Search(SearchId, SearchOrder),
    /// Wake me at this instant (replaces an earlier one), or never.
    Timer(Option<Instant>),
    /// Something to be done with files.
    FileRequest(FileRequest),
    /// Close the connection once everything replied has been sent. The session hears no more.
    Close,
}

impl<M> Effect<M> {
    /// The same with another type of message.
    pub fn map<N>(self, message: impl FnOnce(M) -> N) -> Effect<N> {
        match self {
            Effect::Send(said) => Effect::Send(message(said)),
            Effect::Search(search, order) => Effect::Search(search, order),
            Effect::Timer(at) => Effect::Timer(at),
            Effect::FileRequest(request) => Effect::FileRequest(request),
            Effect::Close => Effect::Close,
        }
    }
}

/// What a session wants done with the files of its user. Only one whose profile is local, and so runs on the
/// user's own machine, wants such things.
#[derive(Debug)]
pub enum FileRequest {
    /// Read this opening book, and tell.
    OpenBook(PathBuf),
    /// Write a game that has ended into this folder.
    SaveGame {
        /// An existing folder.
        folder: PathBuf,
        /// The moves.
        game: Box<Game>,
        /// Who played.
        tags: Tags,
        /// How it ended; `None` if it was broken off.
        outcome: Option<Outcome>,
    },
}
