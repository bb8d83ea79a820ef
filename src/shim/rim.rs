//! The threads and sockets around the relay: they feed it events, and do what it says.
//!
//! The loop blocks only on the next event. Reading, writing and dialling have threads of their own, so a server
//! that does not read, a client that does not read and a name that does not resolve cannot delay each other
//! or the exit.

use std::collections::HashMap;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use super::address::Address;
use super::admitted::Opened;
use super::backpressure::Gate;
use super::dial::dial;
use super::gui_input::{self, Taken};
use super::gui_message;
use super::gui_output::{Outlet, Written};
use super::platform;
use super::record::Recorder;
use super::relay::{Action, Attempt, ConnectionEnd, Ending, Event, Relay, RelayPlan};
use super::server_link::{Link, LinkEvent};
use crate::auth::Keys;

/// What the relay needs besides its plan.
pub struct Surroundings {
    /// The servers, as in the plan.
    pub servers: Vec<Address>,
    /// The keys for the servers.
    pub keys: Keys,
    /// The log of the session, if any.
    pub recorder: Option<Recorder>,
}

enum News {
    Input(Taken),
    Link(Attempt, LinkEvent),
    Output(Written),
    Dialled(Attempt, io::Result<Box<Opened>>),
}

/// Relays between standard input and output and a server until the session ends.
///
/// # Errors
/// No threads, descriptors or signal handlers are available.
pub fn run(mut plan: RelayPlan, surroundings: Surroundings) -> io::Result<Ending> {
    let (news, reports) = mpsc::channel();
    let from_client = Arc::new(Gate::default());
    let outputs = news.clone();
    let outlet =
        Outlet::start(platform::output()?, move |written| drop(outputs.send(News::Output(written))))?;
    plan.is_terminal = outlet.is_terminal();
    let inputs = news.clone();
    let report_input = move |taken| drop(inputs.send(News::Input(taken)));
    let farewell = plan.protocol.unwrap_or_default().farewell();
    gui_input::start(platform::input()?, farewell, Arc::clone(&from_client), report_input)?;
    let (relay, actions) = Relay::new(plan, Instant::now());
    let mut rim = Rim {
        relay,
        surroundings,
        links: HashMap::new(),
        outlet,
        news,
        from_client,
        from_server: Arc::new(Gate::default()),
        has_greeted: false,
    };
    let at_once = rim.obey(actions);
    Ok(at_once.unwrap_or_else(|| rim.run(&reports)))
}

struct Rim {
    relay: Relay,
    surroundings: Surroundings,
    links: HashMap<Attempt, Link>,
    outlet: Outlet,
    news: Sender<News>,
    from_client: Arc<Gate>,
    from_server: Arc<Gate>,
    /// A person has been told that there is a server.
    has_greeted: bool,
}

impl Rim {
    fn run(&mut self, reports: &Receiver<News>) -> Ending {
        loop {
            let news = match self.relay.deadline() {
                None => reports.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => reports.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            let event = match news {
                Ok(news) => self.event(news),
                Err(RecvTimeoutError::Timeout) => Some(Event::Time),
                // The rim has a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Ending::Dismissed,
            };
            if let Some(event) = event
                && let Some(ending) = self.pass(event)
            {
                return ending;
            }
        }
    }

    /// What the news mean to the relay, if anything.
    fn event(&mut self, news: News) -> Option<Event> {
        match news {
            News::Input(Taken::Bytes(bytes)) => Some(Event::Client(bytes)),
            News::Input(Taken::End) => Some(Event::ClientEnd),
            News::Input(Taken::Terminate) => Some(Event::Terminate),
            News::Output(Written::Bytes(count)) => Some(Event::Written(count)),
            News::Output(Written::All) => Some(Event::AllWritten),
            News::Output(Written::Closed) => Some(Event::OutputClosed),
            News::Dialled(attempt, Ok(opened)) => match self.connect(attempt, *opened) {
                Ok(()) => Some(Event::Connected(attempt)),
                Err(error) => Some(unreachable(attempt, &error)),
            },
            News::Dialled(attempt, Err(error)) => Some(unreachable(attempt, &error)),
            News::Link(attempt, LinkEvent::Received(bytes)) => {
                let count = bytes.len();
                let decoded = self.links.get_mut(&attempt).map(|link| link.received(bytes));
                self.from_server.leave(count, self.relay.on_the_way_down());
                match decoded? {
                    Ok(bytes) if bytes.is_empty() => None,
                    Ok(bytes) => Some(Event::Received(attempt, bytes)),
                    Err(error) => Some(closed(attempt, Err(error))),
                }
            }
            News::Link(attempt, LinkEvent::Sent(count)) => Some(Event::Sent(attempt, count)),
            News::Link(attempt, LinkEvent::Ended(end)) => {
                let end = self.links.get(&attempt)?.ended(end);
                Some(closed(attempt, end))
            }
        }
    }

    fn pass(&mut self, event: Event) -> Option<Ending> {
        let from_client = if let Event::Client(bytes) = &event { bytes.len() } else { 0 };
        let actions = self.relay.handle(event, Instant::now());
        let ending = self.obey(actions);
        self.from_client.leave(from_client, self.relay.on_the_way_up());
        self.from_server.leave(0, self.relay.on_the_way_down());
        ending
    }

    fn obey(&mut self, actions: Vec<Action>) -> Option<Ending> {
        for action in actions {
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
                    if let Some(link) = self.links.remove(&attempt)
                        && abort
                    {
                        link.abort_at_end();
                    }
                }
                Action::Show(bytes) => {
                    if let Some(recorder) = &mut self.surroundings.recorder {
                        recorder.server(&bytes, Instant::now());
                    }
                    self.outlet.write(bytes);
                }
                Action::FinishOutput => self.outlet.finish(),
                Action::RecordClient(bytes) => {
                    if let Some(recorder) = &mut self.surroundings.recorder {
                        recorder.client(&bytes, Instant::now());
                    }
                }
                Action::RecordForClient(bytes) => {
                    if let Some(recorder) = &mut self.surroundings.recorder {
                        recorder.said_for_client(&bytes, Instant::now());
                    }
                }
                Action::Note(text) => self.note(&text),
                Action::Exit(ending) => {
                    if let Some(recorder) = &mut self.surroundings.recorder {
                        recorder.finish(Instant::now());
                    }
                    return Some(ending);
                }
            }
        }
        None
    }

    fn note(&mut self, text: &str) {
        if let Some(recorder) = &mut self.surroundings.recorder {
            recorder.note(text, Instant::now());
        }
        let is_first = !self.has_greeted && text.starts_with("connected to ");
        self.has_greeted |= is_first;
        // Without any server, the relay says why in the output.
        if self.has_greeted && io::stdin().is_terminal() && self.outlet.is_terminal() {
            let help = if is_first { "; type help, or quit to leave" } else { "" };
            // The terminal may have gone.
            let _ = writeln!(io::stderr(), "# farboard-connect: {text}{help}");
        }
    }

    fn dial(&self, server: usize, attempt: Attempt) {
        let (address, news) = (self.surroundings.servers[server].clone(), self.news.clone());
        let keys = self.surroundings.keys.clone();
        let body = move || drop(news.send(News::Dialled(attempt, dial(&address, &keys).map(Box::new))));
        if let Err(error) = thread::Builder::new().name("dial".to_owned()).spawn(body) {
            drop(self.news.send(News::Dialled(attempt, Err(error))));
        }
    }

    fn connect(&mut self, attempt: Attempt, opened: Opened) -> io::Result<()> {
        let (news, gate) = (self.news.clone(), Arc::clone(&self.from_server));
        let report = move |event: LinkEvent| {
            if let LinkEvent::Received(bytes) = &event {
                gate.wait();
                gate.enter(bytes.len());
            }
            drop(news.send(News::Link(attempt, event)));
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
    let end = match end {
        Ok(()) => ConnectionEnd::InOrder,
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            ConnectionEnd::Invalid(gui_message::reason(&error))
        }
        Err(error) => ConnectionEnd::Broken(gui_message::reason(&error)),
    };
    Event::Closed(attempt, end)
}
