//! The inputs and effects of a session, and the context of one input.

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

/// An input of a session.
#[derive(Debug)]
pub enum Input<'a> {
    /// A line from the client, without its line end (LF or CR LF).
    Line(&'a [u8]),
    /// A line longer than the limit (bytes) was discarded.
    LineTooLong(usize),
    /// An interrupt from the client.
    Interrupt,
    /// The end of the client's input. Whatever is due (a move, a `pong`) is sent before the session
    /// closes.
    Eof,
    /// An event of a search.
    Search(SearchId, SearchEvent),
    /// The instant of the last [`Effect::Timer`] has come.
    Timer,
    /// The answer to [`FileRequest::OpenBook`]: the book, or the reason why it cannot be read.
    Book(Result<Arc<Book>, String>),
    /// The reason why a [`FileRequest::SaveGame`] has failed.
    NotSaved(String),
    /// The session is to end, for this cause: a running game may end first, nothing new begins.
    Drain(DrainCause),
    /// The drain was cancelled.
    Undrain,
    /// The session continues after it was restored. The first input of a restored session.
    Resumed(Takeover),
    /// A line from the client after which two servers were lost: it is refused.
    Refused(&'a [u8]),
}

/// An action for the server. Each protocol has its own type of replies, which become lines at the
/// boundary to the server.
pub enum Effect<M = Line> {
    /// Send this message to the client.
    Send(M),
    /// Start a search, or change one.
    Search(SearchId, SearchOrder),
    /// Wake the session at this instant, or never; replaces the last timer.
    Timer(Option<Instant>),
    /// Read or write a file.
    FileRequest(FileRequest),
    /// Solve the endgames of draughts in a low-priority thread, unless that has begun. The engine
    /// plays them better then.
    SolveEndgames(Arc<SharedEndgames>),
    /// Close the connection once everything is sent. The session gets no more input.
    Close,
}

impl<M> Effect<M> {
    /// Converts the message of the effect.
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

/// A request about files. Those of users come only from sessions with a local profile, which run on
/// the user's own machine.
#[derive(Debug)]
pub enum FileRequest {
    /// Read this opening book, and answer with [`Input::Book`].
    OpenBook(PathBuf),
    /// Append a finished game to the file in this folder.
    SaveGame {
        /// An existing folder.
        folder: PathBuf,
        /// The moves.
        game: Box<Game>,
        /// The players.
        tags: Box<Tags>,
        /// The result; `None` if the game is unfinished.
        outcome: Option<Outcome>,
    },
    /// Put a finished game into the server's archive. Only with a profile that archives games.
    Archive(Box<FinishedGame>),
}

/// The instant of an input, and the list for its effects.
pub(super) struct Step<'a, M> {
    pub(super) now: Instant,
    pub(super) effects: &'a mut Vec<Effect<M>>,
}

impl<M> Step<'_, M> {
    /// Sends a message to the client.
    pub(super) fn reply(&mut self, message: M) {
        self.effects.push(Effect::Send(message));
    }

    pub(super) fn effect(&mut self, effect: Effect<M>) {
        self.effects.push(effect);
    }

    /// Puts a finished game into the archive, if there is one.
    pub(super) fn archive(&mut self, game: Option<Box<FinishedGame>>) {
        self.effects.extend(game.map(|game| Effect::FileRequest(FileRequest::Archive(game))));
    }
}
