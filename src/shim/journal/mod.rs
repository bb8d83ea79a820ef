//! The state of a session, kept so that another server can take over: a value that is fed with what passes.
//!
//! The relay knows a [`SessionJournal`] and no protocol's words. [`xboard`] is the journal of the protocol of
//! xboard and WinBoard, [`uci`] that of UCI, [`checkers`] that of the Checkers Protocol. Another protocol adds its own, and
//! [`open`] chooses it, or leaves the choice to the client's first line (`by_first_line`).

mod by_first_line;
pub mod checkers;
pub mod uci;
pub mod xboard;

pub(super) use by_first_line::spoken;

use super::address::DEFAULT_PORT;
use super::gui_message;
use std::time::{Duration, Instant};

/// What is spoken through the shim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Spoken {
    /// The protocol of xboard and WinBoard.
    #[default]
    Xboard,
    /// UCI.
    Uci,
    /// The Checkers Protocol.
    Checkers,
}

impl Spoken {
    /// The port on which servers speak it unless told otherwise.
    pub fn default_port(self) -> u16 {
        match self {
            Spoken::Xboard | Spoken::Uci => DEFAULT_PORT,
            Spoken::Checkers => DEFAULT_PORT + 1,
        }
    }

    /// How long a server may take for its first lines, if there is another one.
    pub fn first_line_timeout(self) -> Duration {
        match self {
            // xboard waits ten seconds for the features, others as long for the options.
            Spoken::Xboard | Spoken::Uci => Duration::from_secs(4),
            // Servers speak first, and late GUIs wait three seconds for it.
            Spoken::Checkers => Duration::from_millis(1500),
        }
    }

    /// Lines that tell the client why there is no engine.
    pub fn complaint(self, reason: &str) -> String {
        match self {
            Spoken::Xboard => gui_message::lines(reason, false),
            Spoken::Uci => uci::complaint(reason),
            Spoken::Checkers => checkers::complaint(reason),
        }
    }

    /// A line that sets an option or a parameter of the engine.
    pub fn setting(self, name: &str, value: &str) -> String {
        match self {
            Spoken::Xboard => format!("option {name}={value}\n"),
            Spoken::Uci => format!("setoption name {name} value {value}\n"),
            Spoken::Checkers => format!("SETPARAMETER {name} {value}\n"),
        }
    }

    /// The line that chooses a profile of the server.
    pub fn profile(self, name: &str) -> String {
        self.setting(if self == Spoken::Checkers { "profile" } else { "Profile" }, name)
    }

    /// The line that sets the time for each move, if the protocol has one: in UCI each search is told its time.
    pub fn move_time(self, seconds: u32) -> String {
        match self {
            Spoken::Xboard => format!("st {seconds}\n"),
            Spoken::Uci => String::new(),
            Spoken::Checkers => self.setting("seconds", &seconds.to_string()),
        }
    }
}

/// How long an analysis is left alone before its session moves: another server begins anew.
const CALM: Duration = Duration::from_secs(60);

/// What to pass on.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// To the client.
    pub down: Vec<u8>,
    /// To the server.
    pub up: Vec<u8>,
    /// The server sends a line without an end. It cannot be used any more, and none of its output is taken.
    pub endless: bool,
}

/// What a relay must know of the protocol that it relays.
pub trait SessionJournal {
    /// What the client speaks, if that is known.
    fn spoken(&self) -> Option<Spoken>;

    /// Takes bytes of the client. Returns what the server gets now.
    fn client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8>;

    /// Takes bytes of the server.
    ///
    /// Where another server may have to repeat the rest, only whole lines are passed on; a complaint waits
    /// until [`SessionJournal::deadline`].
    fn server(&mut self, bytes: &[u8], now: Instant) -> Passed;

    /// When to call [`SessionJournal::tick`] if the server is silent until then.
    fn deadline(&self) -> Option<Instant>;

    /// Notes the time: passes on what was held back until now.
    fn tick(&mut self, now: Instant) -> Passed;

    /// The server with index `server` is lost. Returns its last words if they were a complaint that was not
    /// passed on.
    fn lose(&mut self, now: Instant, server: usize) -> Option<String>;

    /// The server that was lost last cannot be reached: more than the connection has broken.
    fn confirm_death(&mut self);

    /// Another server is there. Returns what to send to it, and perhaps to the client. Its answers go to
    /// [`SessionJournal::server`].
    fn resume(&mut self, now: Instant) -> Passed;

    /// From when on the session may move to another server: the server has asked for it, nothing is due, and an analysis has been
    /// shown for a while. `None` if the next event decides.
    fn moves_from(&self) -> Option<Instant> {
        None
    }

    /// The session leaves its server for another one, which is no fault of any line.
    fn leave(&mut self, now: Instant) {
        self.lose(now, 0);
    }

    /// No other server was found: the session stays until it is asked to move again.
    fn stay(&mut self) {}

    /// The incomplete line and what was held back, for a client whose session ends in order.
    fn rest(&mut self) -> Vec<u8>;

    /// Whether the client's lines go to a server at once.
    fn is_passed_up(&self) -> bool;

    /// Bytes of the client that wait for a server.
    fn waiting(&self) -> usize;

    /// Whether another server could take over.
    fn can_be_resumed(&self) -> bool;

    /// Whether a server is being told the session so far.
    fn is_catching_up(&self) -> bool;

    /// Whether the server that took over last has answered something. A server that dies of what it should
    /// answer has not.
    fn has_progressed(&self) -> bool;

    /// Whether it is known which answers the server still owes.
    fn knows_what_is_due(&self) -> bool;

    /// Whether the client still waits for an answer.
    fn owes(&self) -> bool;

    /// Whether server after server has heard all and closed without what is owed. If the client's input has ended, they will
    /// go on like that.
    fn is_hopeless(&self) -> bool {
        false
    }

    /// A quick estimate of whether it waits, from the client's last lines.
    fn is_awaited(&self) -> bool;

    /// Since when the client has been waiting for the server's first lines, if they are not complete.
    fn unanswered_since(&self) -> Option<Instant>;

    /// How long the first server may take for its first lines even if there is no other one; `None` if it may be meant to be
    /// silent, or has spoken.
    fn start_timeout(&self) -> Option<Duration> {
        None
    }

    /// Whether the server has sent nothing but complaints: it refuses the session.
    fn is_refused(&self) -> bool;

    /// Whether the client has ended the session: by its last line, or for good by an earlier one.
    fn said_quit(&self) -> bool;

    /// The line that ends a session, without its ending.
    fn farewell(&self) -> &'static str;

    /// Lines that tell the client why there is no engine any more, in a form at which a GUI unplugs the
    /// engine.
    fn complaint(&self, reason: &str) -> String;
}

/// The journal of a new session, whose server was reached at the instant `now`. If nobody says what is spoken, the client's
/// first line does, as servers decide it.
pub fn open(spoken: Option<Spoken>, now: Instant) -> Box<dyn SessionJournal> {
    let Some(spoken) = spoken else { return Box::new(by_first_line::Journal::new()) };
    match spoken {
        Spoken::Xboard => Box::new(xboard::Journal::new()),
        Spoken::Uci => Box::new(uci::Journal::new()),
        Spoken::Checkers => Box::new(checkers::Journal::since(now)),
    }
}
