//! A session without a socket: its owner passes bytes in and gets the output.

use crate::book::Book;
use crate::pool::{JobId, Mailbox, Pool, SearchId, SearchOrder, Source};
use crate::protocol::Line;
use crate::protocol::framing::LineSplitter;
use crate::protocol::telnet::Telnet;
use crate::server::Setup;
use crate::server::event_loop::input_turns::input_of;
use crate::server::sessions::effect_driver::{EffectHandler, run_effects};
use crate::session::{self, Conversation, Effect, FileRequest, Input, Profile, Protocol};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// Owner of all searches of the one session.
const OWNER: u64 = 0;

/// File that games are appended to.
const GAMES_FILE: &str = "farboard.pgn";

/// An event for the session.
#[derive(Debug)]
pub enum LocalEvent {
    /// Bytes, and when they were read.
    Bytes(Vec<u8>, Instant),
    /// No more bytes will come.
    Eof,
    /// Searches have sent events.
    Mail,
    /// The client sent an interrupt signal.
    Interrupt,
    /// The session must end.
    End,
}

/// One session and its searches.
pub struct LocalSession {
    session: Conversation,
    handler: LocalHandler,
    mailbox: Arc<Mailbox>,
    event: Receiver<LocalEvent>,
    lines: LineSplitter,
    /// Longest line in bytes, unless the protocol allows longer ones.
    line_limit: usize,
    telnet: Telnet,
    effects: Vec<Effect>,
}

impl LocalSession {
    /// Creates a session, which may use the named profiles, and the sender for its events.
    pub fn new(
        protocol: Protocol,
        setup: Setup,
        named: Arc<BTreeMap<String, Arc<Profile>>>,
    ) -> (LocalSession, Sender<LocalEvent>) {
        let (sender, event) = channel();
        let mail = sender.clone();
        let mailbox = Arc::new(Mailbox::new(move || {
            let _ = mail.send(LocalEvent::Mail);
        }));
        // Nothing is archived here.
        let of_session = session::Setup { seed: setup.seed, identity: 0, profile: setup.profile };
        let handler = LocalHandler {
            pool: Pool::new(setup.size, setup.search, Arc::clone(&mailbox)),
            timer: None,
            file_requests: Vec::new(),
            output: String::new(),
            closed: false,
        };
        let session = LocalSession {
            session: Conversation::new(protocol, of_session, named),
            handler,
            mailbox,
            event,
            lines: LineSplitter::new(protocol.line_limit(setup.limits.line)),
            line_limit: setup.limits.line,
            telnet: Telnet::default(),
            effects: Vec::new(),
        };
        (session, sender)
    }

    /// Runs until the session ends. `taken` is called after each [`LocalEvent::Bytes`].
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn run(mut self, output: &mut impl Write, taken: impl Fn()) -> io::Result<()> {
        self.session.open(&mut self.effects);
        self.run_effects();
        self.write(output)?;
        while !self.handler.closed {
            match self.wait() {
                Some(LocalEvent::Bytes(bytes, at)) => {
                    self.take_bytes(&bytes, at);
                    taken();
                }
                Some(LocalEvent::Mail) => self.take_mail(),
                Some(LocalEvent::Eof) => self.take_end(),
                Some(LocalEvent::Interrupt) => self.deliver(Input::Interrupt),
                Some(LocalEvent::End) => self.handler.closed = true,
                None => self.take_timer(),
            }
            self.write(output)?;
        }
        Ok(())
    }

    fn write(&mut self, output: &mut impl Write) -> io::Result<()> {
        if !self.handler.output.is_empty() {
            output.write_all(self.handler.output.as_bytes())?;
            output.flush()?;
            self.handler.output.clear();
        }
        Ok(())
    }

    /// Waits for the next event; `None` if the timer comes first.
    fn wait(&self) -> Option<LocalEvent> {
        let Some(timer) = self.handler.timer else {
            return Some(self.event.recv().unwrap_or(LocalEvent::End));
        };
        match self.event.recv_timeout(timer.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(LocalEvent::End),
        }
    }

    fn take_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.lines.fill(|buffer| self.telnet.filter(bytes, buffer));
        while !self.handler.closed
            && let limit = self.lines.limit()
            && let Some(frame) = self.lines.next_line()
        {
            self.session.handle(input_of(frame, limit), now, &mut self.effects);
            // The first line may have shown a protocol with longer lines.
            self.lines.raise_limit(self.session.protocol().line_limit(self.line_limit));
            self.run_effects();
            self.run_file_requests();
        }
    }

    fn take_end(&mut self) {
        let now = Instant::now();
        let limit = self.lines.limit();
        if let Some(frame) = self.lines.rest() {
            self.session.handle(input_of(frame, limit), now, &mut self.effects);
            self.run_effects();
        }
        self.deliver(Input::Eof);
    }

    fn take_mail(&mut self) {
        let mut events = Vec::new();
        self.mailbox.take(&mut events);
        for (job, event) in events {
            self.deliver(Input::Search(job.search, event));
        }
    }

    fn take_timer(&mut self) {
        self.handler.timer = None;
        self.deliver(Input::Timer);
    }

    /// Carries out file requests, and delivers the results to the session.
    fn run_file_requests(&mut self) {
        for request in std::mem::take(&mut self.handler.file_requests) {
            if let Some(event) = run_file_request(request) {
                self.deliver(event);
            }
        }
    }

    fn deliver(&mut self, input: Input<'_>) {
        if !self.handler.closed {
            self.session.handle(input, Instant::now(), &mut self.effects);
            self.run_effects();
        }
    }

    fn run_effects(&mut self) {
        run_effects(&mut self.effects, &mut self.handler);
    }
}

struct LocalHandler {
    pool: Pool,
    timer: Option<Instant>,
    file_requests: Vec<FileRequest>,
    output: String,
    closed: bool,
}

impl EffectHandler for LocalHandler {
    fn send(&mut self, line: Line) {
        self.output.push_str(&line.text);
    }

    fn search(&mut self, search: SearchId, order: SearchOrder) {
        self.pool.order(JobId { owner: OWNER, search }, order, Source::of(OWNER));
    }

    fn set_timer(&mut self, at: Option<Instant>) {
        self.timer = at;
    }

    fn request_file(&mut self, request: FileRequest) {
        self.file_requests.push(request);
    }

    fn close(&mut self) {
        self.closed = true;
    }
}

/// Carries out a file request. Returns the result for the session, if it wants one.
fn run_file_request(request: FileRequest) -> Option<Input<'static>> {
    match request {
        FileRequest::OpenBook(path) => {
            let book = Book::open(&path).map(Arc::new);
            Some(Input::Book(book.map_err(|error| format!("{}: {error}", path.display()))))
        }
        // Only servers have an archive.
        FileRequest::Archive(_) => None,
        FileRequest::SaveGame { folder, game, tags, outcome } => {
            let saved = append(&folder.join(GAMES_FILE), &game.pgn(&tags, outcome));
            saved.err().map(|error| Input::NotSaved(format!("{}: {error}", folder.display())))
        }
    }
}

fn append(path: &Path, game: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{game}\n").as_bytes())
}
