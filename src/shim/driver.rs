//! The threads and sockets around the relay. A thread that reads, dials or waits locks the state
//! and handles what has happened: it passes the relay an event and performs its actions. Neither
//! side's pipe or socket blocks it, so no side can delay the other.

use super::address::Address;
use super::record::Recorder;
use super::relay::{Action, Attempt, ConnectionEnd, Ending, Event, Relay, RelayPlan};
use super::server_link::{Link, LinkEvent};
use super::visible::Visible;
use super::write_queue::{Progress, WriteQueue};
use super::{gui_input, gui_message, platform};
use crate::auth::Keys;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use std::{panic, process, thread};

/// Maximum number of bytes read from either side ahead of the other.
const MAX_AHEAD: usize = 1 << 20;

/// Relays between standard input and output and a server until the session ends. `servers` has the
/// addresses of the plan's servers, in its order.
///
/// Fails if no threads, descriptors or signal handlers are available.
pub(super) fn run(
    plan: RelayPlan,
    servers: Vec<Address>,
    keys: Keys,
    recorder: Recorder,
) -> io::Result<Ending> {
    exit_on_panic();
    let file = platform::output()?;
    let visible = file.is_terminal().then(Visible::default);
    // A terminal can be stopped at any byte.
    let write_now = if visible.is_some() { |_: &File, _: &[u8]| Ok(0) } else { platform::write_now };
    let (relay, actions) = Relay::new(plan, Instant::now());
    let driver = Arc::new_cyclic(|driver: &Weak<Driver>| {
        let driver = driver.clone();
        let report = move |progress| driver.upgrade().iter().for_each(|driver| driver.wrote(&progress));
        let state = State {
            relay,
            recorder,
            links: HashMap::new(),
            output: WriteQueue::new(file, write_now, report),
            visible,
            was_connected: false,
            ending: None,
            sleeps_until: None,
            waiting: 0,
        };
        Driver { servers, keys, state: Mutex::new(state), changed: Condvar::new() }
    });
    let (client, room) = (Arc::clone(&driver), Arc::clone(&driver));
    let wait_for_room = move || drop(room.wait_for_room(State::unsent));
    gui_input::start(platform::input()?, wait_for_room, move |event| client.turn(&mut client.lock(), event))?;
    Ok(driver.run(actions))
}

/// Has a panic end the process: the other threads would wait for the one that panics.
fn exit_on_panic() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        hook(info);
        process::exit(101);
    }));
}

/// State that all threads share.
struct Driver {
    servers: Vec<Address>,
    keys: Keys,
    state: Mutex<State>,
    /// Notified when more may be read, the deadline is earlier, or the session has ended.
    changed: Condvar,
}

struct State {
    relay: Relay,
    recorder: Recorder,
    links: HashMap<Attempt, Link>,
    output: WriteQueue<File>,
    /// Filter of the output, if that is a terminal.
    visible: Option<Visible>,
    /// Whether a server has been reached.
    was_connected: bool,
    ending: Option<Ending>,
    /// The deadline for which the main thread sleeps.
    sleeps_until: Option<Instant>,
    /// Number of threads that wait until more may be read.
    waiting: usize,
}

impl Driver {
    /// Performs the first actions, and keeps the relay's deadlines until it has ended.
    fn run(self: &Arc<Self>, actions: Vec<Action>) -> Ending {
        let mut state = self.lock();
        self.perform_all(&mut state, actions, Instant::now());
        loop {
            if let Some(ending) = state.ending.take() {
                return ending;
            }
            state.sleeps_until = state.relay.deadline();
            state = match state.sleeps_until {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let left = at.saturating_duration_since(Instant::now());
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            self.turn(&mut state, Event::Time);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until less than [`MAX_AHEAD`] bytes are to be passed on.
    fn wait_for_room(&self, ahead: fn(&State) -> usize) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while ahead(&state) >= MAX_AHEAD {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state
    }

    fn turn(self: &Arc<Self>, state: &mut State, event: Event) {
        let now = Instant::now();
        let actions = state.relay.handle(event, now);
        self.perform_all(state, actions, now);
    }

    /// Performs actions, and handles the events that they cause at once.
    fn perform_all(self: &Arc<Self>, state: &mut State, mut actions: Vec<Action>, now: Instant) {
        while !actions.is_empty() {
            let caused = actions.into_iter().filter_map(|action| self.perform(state, action, now));
            let caused: Vec<Event> = caused.collect();
            actions = caused.into_iter().flat_map(|event| state.relay.handle(event, now)).collect();
        }
        let is_earlier = |at| state.sleeps_until.is_none_or(|until| at < until);
        if state.waiting > 0 || state.ending.is_some() || state.relay.deadline().is_some_and(is_earlier) {
            self.changed.notify_all();
        }
    }

    /// Performs an action. Returns the event that it causes at once, if any.
    fn perform(self: &Arc<Self>, state: &mut State, action: Action, now: Instant) -> Option<Event> {
        match action {
            Action::Dial { server, attempt } => return self.dial(server, attempt),
            Action::Send(attempt, bytes) => {
                state.links.get_mut(&attempt).into_iter().for_each(|link| link.send(&bytes));
            }
            Action::Finish(attempt) => state.links.get_mut(&attempt).into_iter().for_each(Link::finish),
            Action::Drop { attempt, abort } => {
                if let Some(link) = state.links.remove(&attempt).filter(|_| abort) {
                    link.reset_at_end();
                }
            }
            Action::Show(bytes) => {
                state.recorder.server(&bytes, now);
                let written = match &mut state.visible {
                    Some(visible) => state.output.write(&visible.show(&bytes)),
                    None => state.output.write(&bytes),
                };
                return written.is_err().then_some(Event::OutputClosed);
            }
            Action::FinishOutput => return state.output.finish().then_some(Event::AllWritten),
            Action::RecordClient(bytes) => state.recorder.client(&bytes, now),
            Action::RecordForClient(bytes) => state.recorder.for_client(&bytes, now),
            Action::Note(text) => state.note(&text, now),
            Action::Exit(ending) => {
                state.recorder.finish(now);
                state.ending = Some(ending);
            }
        }
        None
    }

    /// Starts a thread that connects, and then reads what the server sends.
    fn dial(self: &Arc<Self>, server: usize, attempt: Attempt) -> Option<Event> {
        let driver = Arc::clone(self);
        let body = move || driver.connect(server, attempt);
        let started = thread::Builder::new().name("server to output".to_owned()).spawn(body);
        started.err().map(|error| unreachable(attempt, &error))
    }

    fn connect(self: Arc<Self>, server: usize, attempt: Attempt) {
        let driver = Arc::clone(&self);
        let report = move |event| driver.link_reports(attempt, event);
        match Link::dial(&self.servers[server], &self.keys, report.clone()) {
            Ok((link, early, reader)) => {
                let mut state = self.lock();
                state.links.insert(attempt, link);
                self.turn(&mut state, Event::Connected(attempt));
                self.turn(&mut state, Event::Received(attempt, early));
                drop(state);
                reader.run(report);
            }
            Err(error) => self.turn(&mut self.lock(), unreachable(attempt, &error)),
        }
    }

    /// Handles a report of a link. Returns false if the link was dropped.
    fn link_reports(self: &Arc<Self>, attempt: Attempt, event: LinkEvent) -> bool {
        let mut state = match event {
            LinkEvent::Received(_) => self.wait_for_room(|state| state.output.queued()),
            LinkEvent::Written | LinkEvent::Ended(_) => self.lock(),
        };
        let Some(link) = state.links.get_mut(&attempt) else { return false };
        let event = match event {
            LinkEvent::Received(bytes) => match link.received(bytes) {
                Ok(bytes) => Event::Received(attempt, bytes),
                Err(error) => closed(attempt, Err(error)),
            },
            // A reader may wait for room.
            LinkEvent::Written => Event::Time,
            LinkEvent::Ended(end) => closed(attempt, link.ended(end)),
        };
        self.turn(&mut state, event);
        true
    }

    /// Handles a report of the thread that writes the output.
    fn wrote(self: &Arc<Self>, progress: &Progress) {
        let mut state = self.lock();
        let event = match progress {
            Progress::Written => Event::Time,
            Progress::Ended(Ok(())) => Event::AllWritten,
            Progress::Ended(Err(_)) => Event::OutputClosed,
        };
        self.turn(&mut state, event);
    }
}

impl State {
    /// Returns the number of the client's bytes that no server has handled, or that are unsent.
    fn unsent(&self) -> usize {
        self.links.values().map(Link::unsent).fold(self.relay.unaccounted(), usize::max)
    }

    /// Records an event of the connection, and shows it at a terminal once a server has been
    /// reached: without any, the relay reports the reason in the output.
    fn note(&mut self, text: &str, now: Instant) {
        self.recorder.note(text, now);
        let is_first = !self.was_connected && text.starts_with("connected to ");
        self.was_connected |= is_first;
        if self.was_connected && self.visible.is_some() && io::stdin().is_terminal() {
            let help = if is_first { "; type help, or quit to leave" } else { "" };
            // Fails if the terminal was closed.
            let _ = writeln!(io::stderr(), "# farboard-connect: {text}{help}");
        }
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
