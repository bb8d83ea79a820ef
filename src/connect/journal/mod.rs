//! What a session has come to, so that another server can take over: a value that is fed with what passes.
//!
//! The relay knows a [`SessionJournal`] and no protocol's words. [`xboard`] is the journal of the protocol of xboard and
//! WinBoard. Another protocol adds its own, and [`open`] chooses it.

pub mod xboard;

use std::time::Instant;

/// What is to be passed on.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// To the client.
    pub down: Vec<u8>,
    /// To the server.
    pub up: Vec<u8>,
    /// The server says a line without an end. It is of no more use, and nothing that it says is taken.
    pub endless: bool,
}

/// What a relay has to know of the protocol that is spoken through it.
pub trait SessionJournal {
    /// Takes bytes of the client and returns what the server is to get now.
    fn client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8>;

    /// Takes bytes of the server.
    ///
    /// Only whole lines are passed on where another server may have to say the rest; a complaint waits
    /// until [`SessionJournal::deadline`].
    fn server(&mut self, bytes: &[u8], now: Instant) -> Passed;

    /// When [`SessionJournal::tick`] wants to be called, if the server says nothing before.
    fn deadline(&self) -> Option<Instant>;

    /// Takes note of the time: what was held back for it is passed on.
    fn tick(&mut self, now: Instant) -> Passed;

    /// The server is gone, one of several that are told apart by `server`. Returns its last words if they were a complaint
    /// that was not passed on.
    fn lose(&mut self, now: Instant, server: usize) -> Option<String>;

    /// The server that was lost last cannot be reached: it is not only the connection that has broken.
    fn confirm_death(&mut self);

    /// Another server is there: what to tell it, and perhaps the client. What it answers comes to [`SessionJournal::server`].
    fn resume(&mut self, now: Instant) -> Passed;

    /// What came last and is no whole line, or was held back: for a client whose session ends in order.
    fn rest(&mut self) -> Vec<u8>;

    /// Whether what the client says goes to a server at once.
    fn is_passed_up(&self) -> bool;

    /// Bytes of the client that wait for a server.
    fn waiting(&self) -> usize;

    /// Whether another server could take over.
    fn can_be_resumed(&self) -> bool;

    /// Whether a server is being told what was before.
    fn is_catching_up(&self) -> bool;

    /// Whether the last server that took over has answered something. One that dies of what it is to answer has not.
    fn has_progressed(&self) -> bool;

    /// Whether it is known what the server still has to say.
    fn knows_what_is_due(&self) -> bool;

    /// Whether the client still waits for something it has asked for.
    fn owes(&self) -> bool;

    /// The same as far as the client's last lines show, which is quickly told.
    fn is_awaited(&self) -> bool;

    /// Since when the client waits for the first words of the server, if these have not all come.
    fn unanswered_since(&self) -> Option<Instant>;

    /// Whether the server has said complaints and nothing else: it refuses the session.
    fn is_refused(&self) -> bool;

    /// Whether the last thing the client said ends the session.
    fn said_quit(&self) -> bool;

    /// The line that ends a session, without its end.
    fn farewell(&self) -> &'static str;

    /// What tells the client that there is no engine any more, and why, in lines at which a GUI lets go.
    fn complaint(&self, reason: &str) -> String;
}

/// The journal of a session in which nothing has been said.
pub fn open() -> Box<dyn SessionJournal> {
    Box::new(xboard::Journal::new())
}
