//! What goes into a session and what comes out.

use crate::pool::{SearchEvent, SearchId, Terms};
use crate::protocol::xboard::Reply;
use crate::search::Request;
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
    /// The server is shutting down: running games may end, nothing new starts.
    Drain,
}

/// Something that is to be done for a session.
pub enum Effect {
    /// Send this to the client.
    Reply(Reply),
    /// Start a search.
    Start(SearchId, Box<Request>, Terms),
    /// Change the terms of a running search: a ponder hit.
    Retime(SearchId, Terms),
    /// Stop a search. Its further events are not wanted.
    Stop(SearchId),
    /// Wake me at this instant (replaces an earlier one), or never.
    Timer(Option<Instant>),
    /// Close the connection once everything replied has been sent. The session hears no more.
    Close,
}
