//! The relay's event loop: events of the client, of servers, and of the clock.
//!
//! It blocks only on the next event. Reading, writing and dialling have threads of their own, so a server
//! that does not read, a client that does not read and a name that does not resolve cannot delay each other
//! or the exit.

mod client;
mod failover;
mod server;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::address::Address;
use super::admitted::Opened;
use super::backpressure::Gate;
use super::first_line::FIRST_LINE_TIMEOUT;
use super::gui_input::{self, Taken};
use super::gui_message;
use super::gui_output::{Outlet, Written};
use super::journal::{self, SessionJournal, Spoken};
use super::last_line::LastWords;
use super::outage::Outage;
use super::platform;
use super::record::Recorder;
use super::server_link::{Link, LinkEvent};
use super::wishes::Wishes;
use crate::auth::Keys;

/// Why a relay ended.
#[derive(Debug)]
pub enum Ending {
    /// The server closed the connection after everything was said.
    ServerClosed,
    /// The process was asked to terminate, or the client had said `quit`.
    Dismissed,
    /// The output is closed.
    OutputClosed,
    /// The connection broke, and the session cannot be taken over.
    ConnectionLost(io::Error),
    /// There is no server; the client has been told.
    NoServer,
}

enum RelayEvent {
    Input(Taken),
    Link(u64, LinkEvent),
    Output(Written),
    Dialled(u64, io::Result<Box<Opened>>),
}

/// What to relay.
pub struct RelayPlan {
    /// The servers, at least one, in the order in which they are tried.
    pub servers: Vec<Address>,
    /// The keys for the servers.
    pub keys: Keys,
    /// How long to look for a server during a session.
    pub give_up: Duration,
    /// What is spoken; `None` if the client's first line tells.
    pub spoken: Option<Spoken>,
    /// What is said for the client after its first line.
    pub wishes: Wishes,
    /// The log of the session, if any.
    pub recorder: Option<Recorder>,
}

/// Relays between standard input and output and a server, to which `opened` is connected, until the session
/// ends.
///
/// # Errors
///
/// No threads, descriptors or signal handlers are available.
pub fn relay(order: RelayPlan, server: usize, opened: Opened) -> io::Result<Ending> {
    let (events, reports) = mpsc::channel();
    let from_client = Arc::new(Gate::default());
    let outputs = events.clone();
    let report_output = move |written| drop(outputs.send(RelayEvent::Output(written)));
    let outlet = Outlet::start(platform::output()?, report_output)?;
    let inputs = events.clone();
    let report_input = move |taken| drop(inputs.send(RelayEvent::Input(taken)));
    let journal = journal::open(order.spoken, Instant::now());
    let farewell = journal.farewell();
    let mut relay = Relay {
        untried: (server + 1..order.servers.len()).collect(),
        order,
        journal,
        link: None,
        at: server,
        up_since: Instant::now(),
        number: 0,
        dialling: None,
        outage: None,
        lost_at: None,
        is_moving: false,
        outlet,
        events,
        from_client: Arc::clone(&from_client),
        from_server: Arc::new(Gate::default()),
        last_words: LastWords::new(farewell),
        input_ended: false,
        first_line: true,
        started: false,
        turned_away: 0,
        quit_until: None,
        patience_until: None,
        hopeless: None,
        leaving: None,
        ending: None,
    };
    relay.connect(opened)?;
    gui_input::start(platform::input()?, farewell, from_client, report_input)?;
    Ok(relay.run(&reports))
}

struct Relay {
    order: RelayPlan,
    journal: Box<dyn SessionJournal>,
    link: Option<Link>,
    /// The server of the link, or the one being dialled.
    at: usize,
    up_since: Instant,
    /// Number of the newest link or attempt.
    number: u64,
    /// Number of the running attempt.
    dialling: Option<u64>,
    /// Until a link has proved itself.
    outage: Option<Outage>,
    /// The running attempt is to find a server for a session that has one.
    is_moving: bool,
    /// The server that was lost last, if none was dialled since.
    lost_at: Option<usize>,
    outlet: Outlet,
    events: Sender<RelayEvent>,
    from_client: Arc<Gate>,
    from_server: Arc<Gate>,
    last_words: LastWords,
    input_ended: bool,
    /// The client's first line is not complete.
    first_line: bool,
    /// A server has sent more than a complaint.
    started: bool,
    /// `quit` was the last line; when the server must have closed.
    quit_until: Option<Instant>,
    /// The input has ended and nothing is due, but the server goes on talking: until then.
    patience_until: Option<Instant>,
    /// How often a server has closed at once before any server had sent a line.
    turned_away: usize,
    /// Servers that have not been tried since the start.
    untried: std::collections::VecDeque<usize>,
    /// Why there is no server, and until when to wait for a first line that tells how to say that.
    hopeless: Option<(String, Instant)>,
    leaving: Option<Instant>,
    ending: Option<Ending>,
}

impl Relay {
    fn run(&mut self, reports: &Receiver<RelayEvent>) -> Ending {
        loop {
            let event = match self.deadline() {
                None => reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => reports.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            let now = Instant::now();
            if self.outage.is_some() && self.is_proved(now) {
                self.outage = None;
            }
            match event {
                Ok(RelayEvent::Output(Written::All)) => break,
                Ok(event) => self.take(event, now),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.over_at().is_some_and(|at| at <= now) || matches!(self.ending, Some(Ending::OutputClosed))
            {
                break;
            }
            if self.ending.is_none() {
                self.keep_time(now);
                self.keep_watch();
            }
        }
        if let Some(recorder) = &mut self.order.recorder {
            recorder.finish(Instant::now());
        }
        self.ending.take().unwrap_or(Ending::Dismissed)
    }

    fn deadline(&self) -> Option<Instant> {
        if self.ending.is_some() {
            return self.over_at();
        }
        let idle = self.link.is_none() && self.dialling.is_none();
        let next = self.outage.as_ref().filter(|_| idle).map(Outage::next);
        let hopeless = self.hopeless.as_ref().map(|(_, until)| *until);
        let moves = self.moves_at();
        [
            self.over_at(),
            self.journal.deadline(),
            self.silent_until(),
            next,
            self.outage_until(),
            hopeless,
            moves,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// When the relay ends whatever is still due. Output of a server that has closed is written for as long
    /// as a script needs to read it.
    fn over_at(&self) -> Option<Instant> {
        let is_closing = self.ending.is_some();
        let quit = self.quit_until.filter(|_| !(is_closing && self.input_ended));
        let patience = self.patience_until.filter(|_| !is_closing);
        [self.leaving, quit, patience].into_iter().flatten().min()
    }

    /// The loss of a server's machine is noticed sooner while the client waits.
    fn keep_watch(&mut self) {
        if let Some(link) = &mut self.link {
            link.watch(self.journal.is_awaited() || self.journal.is_catching_up());
        }
    }

    fn take(&mut self, event: RelayEvent, now: Instant) {
        match event {
            RelayEvent::Input(Taken::Bytes(bytes)) => {
                let count = bytes.len();
                self.heard_client(bytes, now);
                self.from_client.leave(count, self.on_the_way_up());
            }
            RelayEvent::Input(Taken::End) => self.input_over(now),
            RelayEvent::Input(Taken::Terminate) => self.terminate(now),
            RelayEvent::Link(number, news) => self.hear_link(number, news, now),
            RelayEvent::Output(Written::Bytes(count)) => {
                self.outlet.written(count);
                self.from_server.leave(0, self.outlet.waiting());
            }
            RelayEvent::Output(Written::Closed) => self.ending = Some(Ending::OutputClosed),
            // Handled by the caller.
            RelayEvent::Output(Written::All) => {}
            RelayEvent::Dialled(number, outcome) => self.dialled(number, outcome, now),
        }
    }

    fn keep_time(&mut self, now: Instant) {
        let before = self.journal.is_passed_up();
        let late = self.journal.tick(now);
        self.tell_server(&late.up);
        self.tell_client(late.down);
        self.go_on_since(before, now);
        if self.silent_until().is_some_and(|at| at <= now) {
            self.miss(now);
        }
        if let Some((reason, until)) = &self.hopeless
            && (*until <= now || self.journal.spoken().is_some() || self.input_ended)
        {
            let reason = reason.clone();
            return self.give_up(&reason, now);
        }
        if self.moves_at().is_some_and(|at| at <= now) {
            return self.begin_move(now);
        }
        let Some(outage) = &self.outage else { return };
        if self.outage_until().is_some_and(|at| at <= now) {
            let reason = outage.reason().to_owned();
            return self.give_up(&reason, now);
        }
        if self.link.is_some() {
            return;
        }
        if self.dialling.is_none() && outage.next() <= now {
            self.dial(outage.turn());
        }
    }

    /// No server can be reached: tells the client, in a form at which a GUI unplugs the engine.
    fn give_up(&mut self, reason: &str, now: Instant) {
        if self.outlet.is_terminal() {
            self.tell_client(gui_message::terminal_line(reason).into_bytes());
            return self.end(Ending::NoServer);
        }
        if self.hopeless.is_none() && self.journal.spoken().is_none() && !self.input_ended {
            self.link = None;
            self.outage = None;
            self.hopeless = Some((reason.to_owned(), now + FIRST_LINE_TIMEOUT));
            return;
        }
        let lines = self.journal.complaint(reason);
        self.tell_client(lines.into_bytes());
        self.end(Ending::NoServer);
    }

    fn end(&mut self, ending: Ending) {
        self.link = None;
        self.ending = Some(ending);
        self.outlet.finish();
    }

    fn note(&mut self, text: &str, now: Instant) {
        if let Some(recorder) = &mut self.order.recorder {
            recorder.note(text, now);
        }
    }
}
