//! The threads and sockets around the relay: they pass it events and perform its actions. The loop
//! blocks only on the next event. Reading, writing and dialling have threads of their own, so no
//! side can delay the other or the exit.

use super::address::Address;
use super::admitted::Opened;
use super::byte_budget::ByteBudget;
use super::dial::dial;
use super::record::Recorder;
use super::relay::{Action, Attempt, ConnectionEnd, Ending, Event, Relay, RelayPlan};
use super::server_link::{Link, LinkEvent};
use super::{gui_input, gui_message, gui_output, platform};
use crate::auth::Keys;
use std::collections::HashMap;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

/// Report of a thread.
enum Report {
    Event(Event),
    Link(Attempt, LinkEvent),
    Dialled(Attempt, io::Result<Box<Opened>>),
}

/// Relays between standard input and output and a server until the session ends. `servers` are
/// those of the plan.
///
/// Fails if no threads, descriptors or signal handlers are available.
pub(super) fn run(
    plan: RelayPlan,
    servers: Vec<Address>,
    keys: Keys,
    recorder: Recorder,
) -> io::Result<Ending> {
    let (reports, to_handle) = mpsc::channel();
    let (sender, from_client) = (reports.clone(), Arc::new(ByteBudget::default()));
    let report = move |event| drop(sender.send(Report::Event(event)));
    let output = gui_output::start(platform::output()?, report.clone())?;
    gui_input::start(platform::input()?, Arc::clone(&from_client), report)?;
    let (relay, actions) = Relay::new(plan, Instant::now());
    let mut event_loop = EventLoop {
        relay,
        servers,
        keys,
        recorder,
        links: HashMap::new(),
        output: Some(output),
        reports,
        from_client,
        from_server: Arc::default(),
        was_connected: false,
    };
    let ending = event_loop.execute(actions);
    Ok(ending.unwrap_or_else(|| event_loop.run(&to_handle)))
}

struct EventLoop {
    relay: Relay,
    servers: Vec<Address>,
    keys: Keys,
    recorder: Recorder,
    links: HashMap<Attempt, Link>,
    /// The queue of standard output; `None` once it is to end.
    output: Option<Sender<Vec<u8>>>,
    reports: Sender<Report>,
    from_client: Arc<ByteBudget>,
    from_server: Arc<ByteBudget>,
    /// Whether a server has been reached.
    was_connected: bool,
}

impl EventLoop {
    fn run(&mut self, reports: &Receiver<Report>) -> Ending {
        loop {
            let report = match self.relay.deadline() {
                None => reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => reports.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            let event = match report {
                Ok(report) => self.event(report),
                Err(RecvTimeoutError::Timeout) => Some(Event::Time),
                // Impossible: the loop has a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Ending::Dismissed,
            };
            if let Some(ending) = event.and_then(|event| self.handle(event)) {
                return ending;
            }
        }
    }

    /// Returns the event for the relay, if the report is one.
    fn event(&mut self, report: Report) -> Option<Event> {
        match report {
            Report::Event(event) => Some(event),
            Report::Dialled(attempt, opened) => {
                match opened.and_then(|opened| self.connect(attempt, *opened)) {
                    Ok(()) => Some(Event::Connected(attempt)),
                    Err(error) => Some(unreachable(attempt, &error)),
                }
            }
            Report::Link(attempt, LinkEvent::Received(bytes)) => {
                let count = bytes.len();
                let decoded = self.links.get_mut(&attempt).map(|link| link.received(bytes));
                self.from_server.remove(count, self.relay.unread_output());
                match decoded? {
                    Ok(bytes) => (!bytes.is_empty()).then_some(Event::Received(attempt, bytes)),
                    Err(error) => Some(closed(attempt, Err(error))),
                }
            }
            Report::Link(attempt, LinkEvent::Sent(count)) => Some(Event::Sent(attempt, count)),
            Report::Link(attempt, LinkEvent::Ended(end)) => {
                let end = self.links.get(&attempt)?.ended(end);
                Some(closed(attempt, end))
            }
        }
    }

    fn handle(&mut self, event: Event) -> Option<Ending> {
        let from_client = if let Event::Client(bytes) = &event { bytes.len() } else { 0 };
        let actions = self.relay.handle(event, Instant::now());
        let ending = self.execute(actions);
        self.from_client.remove(from_client, self.relay.unsent_input());
        self.from_server.remove(0, self.relay.unread_output());
        ending
    }

    fn execute(&mut self, actions: Vec<Action>) -> Option<Ending> {
        for action in actions {
            let now = Instant::now();
            match action {
                Action::Dial { server, attempt } => self.dial(server, attempt),
                Action::Send(attempt, bytes) => {
                    if let Some(link) = self.links.get_mut(&attempt) {
                        link.send(&bytes);
                    }
                }
                Action::Finish(attempt) => {
                    if let Some(link) = self.links.get_mut(&attempt) {
                        link.finish();
                    }
                }
                Action::Drop { attempt, abort } => {
                    if let Some(link) = self.links.remove(&attempt).filter(|_| abort) {
                        link.reset_at_end();
                    }
                }
                Action::Show(bytes) => {
                    self.recorder.server(&bytes, now);
                    if let Some(queue) = &self.output {
                        // If the thread has ended, it has reported why.
                        let _ = queue.send(bytes);
                    }
                }
                Action::FinishOutput => self.output = None,
                Action::RecordClient(bytes) => self.recorder.client(&bytes, now),
                Action::RecordForClient(bytes) => self.recorder.for_client(&bytes, now),
                Action::Note(text) => self.note(&text, now),
                Action::Exit(ending) => {
                    self.recorder.finish(now);
                    return Some(ending);
                }
            }
        }
        None
    }

    /// Records an event of the connection, and shows it at a terminal once a server has been
    /// reached: without any, the relay reports the reason in the output.
    fn note(&mut self, text: &str, now: Instant) {
        self.recorder.note(text, now);
        let is_first = !self.was_connected && text.starts_with("connected to ");
        self.was_connected |= is_first;
        if self.was_connected && io::stdin().is_terminal() && io::stdout().is_terminal() {
            let help = if is_first { "; type help, or quit to leave" } else { "" };
            // Fails if the terminal was closed.
            let _ = writeln!(io::stderr(), "# farboard-connect: {text}{help}");
        }
    }

    fn dial(&self, server: usize, attempt: Attempt) {
        let (address, keys, reports) =
            (self.servers[server].clone(), self.keys.clone(), self.reports.clone());
        let body = move || drop(reports.send(Report::Dialled(attempt, dial(&address, &keys).map(Box::new))));
        if let Err(error) = thread::Builder::new().name("dial".to_owned()).spawn(body) {
            drop(self.reports.send(Report::Dialled(attempt, Err(error))));
        }
    }

    fn connect(&mut self, attempt: Attempt, opened: Opened) -> io::Result<()> {
        let (reports, budget) = (self.reports.clone(), Arc::clone(&self.from_server));
        let report = move |event: LinkEvent| {
            if let LinkEvent::Received(bytes) = &event {
                budget.wait();
                budget.add(bytes.len());
            }
            drop(reports.send(Report::Link(attempt, event)));
        };
        self.links.insert(attempt, Link::start(opened, report)?);
        Ok(())
    }
}

fn unreachable(attempt: Attempt, error: &io::Error) -> Event {
    let refused = error.kind() == ErrorKind::ConnectionRefused;
    Event::Unreachable { attempt, reason: gui_message::reason(error), refused }
}

fn closed(attempt: Attempt, end: io::Result<()>) -> Event {
    let end = end.map_err(|error| (error.kind(), gui_message::reason(&error)));
    Event::Closed(
        attempt,
        match end {
            Ok(()) => ConnectionEnd::InOrder,
            Err((ErrorKind::InvalidData, reason)) => ConnectionEnd::Invalid(reason),
            Err((_, reason)) => ConnectionEnd::Broken(reason),
        },
    )
}
