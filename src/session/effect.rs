//! The inputs and effects of a session.

use super::{FinishedGame, Takeover};
use crate::book::Book;
use crate::chess::{Game, Outcome, Tags};
use crate::draughts::endgames::SharedEndgames;
use crate::pool::{SearchEvent, SearchId, SearchOrder};
use crate::protocol::DrainCause;
use crate::protocol::Line;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// An event of a session.
#[derive(Debug)]
pub enum Input<'a> {
    /// A line from the client, without its line end (LF or CR LF).
    Line(&'a [u8]),
    /// A line longer than the limit (bytes) was discarded.
    LineTooLong(usize),
    /// An interrupt: the client wants its input read.
    Interrupt,
    /// The client will send no more. What it is still due (a move, a `pong`) is sent before the session
    /// closes.
    Eof,
    /// An event of a search.
    Search(SearchId, SearchEvent),
    /// The instant of the last [`Effect::Timer`] has come.
    Timer,
    /// The answer to [`FileRequest::OpenBook`]: the book, or why there is none.
    Book(Result<Arc<Book>, String>),
    /// The answer to [`FileRequest::SaveGame`] if that failed: why.
    NotSaved(String),
    /// The session is to end, for this cause: a running game may end first, nothing new begins.
    Drain(DrainCause),
    /// The server goes on after all.
    Undrain,
    /// The session was restored from its state, and goes on. The first input of a restored session.
    Resumed(Takeover),
    /// A line from the client after which two servers were lost: it is refused in the protocol's words, with a message why.
    Refused(&'a [u8]),
}

/// What is to be done for a session. Each protocol has replies of its own type, which become lines at the
/// seam to the server.
pub enum Effect<M = Line> {
    /// Send this message to the client.
    Send(M),
    /// Start a search, or change one.
    Search(SearchId, SearchOrder),
    /// Wake the session at this instant, or never; replaces the timer before.
    Timer(Option<Instant>),
    /// Do something with files.
    FileRequest(FileRequest),
    /// Have the endgames of draughts solved in a thread of low priority, if nobody has begun. They are played better then.
    SolveEndgames(Arc<SharedEndgames>),
    /// Close the connection once everything is sent. The session gets no more input.
    Close,
}

impl<M> Effect<M> {
    /// The same effect with another type of message.
    pub fn map<N>(self, message: impl FnOnce(M) -> N) -> Effect<N> {
        match self {
            Effect::Send(said) => Effect::Send(message(said)),
            Effect::Search(search, order) => Effect::Search(search, order),
            Effect::Timer(at) => Effect::Timer(at),
            Effect::FileRequest(request) => Effect::FileRequest(request),
            Effect::SolveEndgames(endgames) => Effect::SolveEndgames(endgames),
            Effect::Close => Effect::Close,
        }
    }
}

/// A request about files. Only a session with a local profile, which runs on the user's own machine, makes one about files of
/// the user.
#[derive(Debug)]
pub enum FileRequest {
    /// Read this opening book, and answer.
    OpenBook(PathBuf),
    /// Append a finished game to the file in this folder.
    SaveGame {
        /// An existing folder.
        folder: PathBuf,
        /// The moves.
        game: Box<Game>,
        /// The players.
        tags: Box<Tags>,
        /// The result; `None` if the game was broken off.
        outcome: Option<Outcome>,
    },
    /// Put a game that has ended into the server's archive. Only with a profile that wants it.
    Archive(Box<FinishedGame>),
}
