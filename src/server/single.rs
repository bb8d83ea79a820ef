//! One session without a socket: whoever has it gives bytes to it and gets what it says.

use super::input::input_of;
use super::{Setup, errands};
use crate::pool::{JobId, Mailbox, Pool, Source};
use crate::protocol::framing::Lines;
use crate::session::{self, Effect, Errand, Input, Profile, Session};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// The owner of all searches of the one session.
const OWNER: u64 = 0;

/// What happens to the session.
#[derive(Debug)]
pub enum News {
    /// Bytes and when they were read.
    Bytes(Vec<u8>, Instant),
    /// No more bytes will come.
    Eof,
    /// Searches have said something.
    Mail,
    /// The client signals.
    Interrupt,
    /// The session is to end.
    End,
}

/// One session, and the searches that it has asked for.
pub struct Single {
    session: Session,
    pool: Pool,
    mailbox: Arc<Mailbox>,
    news: Receiver<News>,
    lines: Lines,
    timer: Option<Instant>,
    effects: Vec<Effect>,
    errands: Vec<Errand>,
    output: String,
    closed: bool,
}

impl Single {
    /// A session that may also play as one of the engines with names, and where to tell it what happens.
    pub fn new(setup: Setup, named: Arc<BTreeMap<String, Arc<Profile>>>) -> (Single, Sender<News>) {
        let (sender, news) = channel();
        let mail = sender.clone();
        let mailbox = Arc::new(Mailbox::new(move || {
            let _ = mail.send(News::Mail);
        }));
        let session = Session::new(session::Setup { seed: setup.seed, profile: setup.profile }).among(named);
        let single = Single {
            session,
            pool: Pool::new(setup.size, setup.search, Arc::clone(&mailbox)),
            mailbox,
            news,
            lines: Lines::new(setup.limits.line),
            timer: None,
            effects: Vec::new(),
            errands: Vec::new(),
            output: String::new(),
            closed: false,
        };
        (single, sender)
    }

    /// Goes on until the session ends. `taken` is called after each [`News::Bytes`].
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn run(mut self, output: &mut impl Write, taken: impl Fn()) -> io::Result<()> {
        while !self.closed {
            match self.wait() {
                Some(News::Bytes(bytes, at)) => {
                    self.take_bytes(&bytes, at);
                    taken();
                }
                Some(News::Mail) => self.take_mail(),
                Some(News::Eof) => self.take_end(),
                Some(News::Interrupt) => self.tell(Input::Interrupt),
                Some(News::End) => self.closed = true,
                None => self.take_timer(),
            }
            if !self.output.is_empty() {
                output.write_all(self.output.as_bytes())?;
                output.flush()?;
                self.output.clear();
            }
        }
        Ok(())
    }

    /// The next news; `None` if the timer comes first.
    fn wait(&self) -> Option<News> {
        let Some(timer) = self.timer else { return Some(self.news.recv().unwrap_or(News::End)) };
        match self.news.recv_timeout(timer.saturating_duration_since(Instant::now())) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(News::End),
        }
    }
    fn take_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.lines.push(bytes);
        let limit = self.lines.limit();
        while !self.closed
            && let Some(frame) = self.lines.next_line()
        {
            self.session.handle(input_of(frame, limit), now, &mut self.effects);
            self.carry_out();
            self.run_errands();
        }
    }

    fn take_end(&mut self) {
        let now = Instant::now();
        let limit = self.lines.limit();
        if let Some(frame) = self.lines.rest() {
            self.session.handle(input_of(frame, limit), now, &mut self.effects);
            self.carry_out();
        }
        self.tell(Input::Eof);
    }

    fn take_mail(&mut self) {
        let mut events = Vec::new();
        self.mailbox.take(&mut events);
        for (job, event) in events {
            self.tell(Input::Search(job.search, event));
        }
    }

    fn take_timer(&mut self) {
        self.timer = None;
        self.tell(Input::Timer);
    }

    /// Does what the session wants done with files, and tells it.
    fn run_errands(&mut self) {
        for errand in std::mem::take(&mut self.errands) {
            if let Some(news) = errands::run(errand) {
                self.tell(news);
            }
        }
    }

    fn tell(&mut self, input: Input<'_>) {
        if !self.closed {
            self.session.handle(input, Instant::now(), &mut self.effects);
            self.carry_out();
        }
    }

    fn carry_out(&mut self) {
        for effect in self.effects.drain(..) {
            let job = |search| JobId { owner: OWNER, search };
            match effect {
                Effect::Reply(reply) => self.output.push_str(&reply.line()),
                Effect::Start(search, request, terms) => {
                    self.pool.start(job(search), request, terms, Source::of(OWNER));
                }
                Effect::Retime(search, terms) => self.pool.retime(job(search), terms),
                Effect::Hold(search) => self.pool.hold(job(search)),
                Effect::Resume(search, terms) => self.pool.resume(job(search), terms),
                Effect::Stop(search) => self.pool.stop(job(search)),
                Effect::Timer(at) => self.timer = at,
                Effect::Errand(errand) => self.errands.push(errand),
                Effect::Close => {
                    self.closed = true;
                    break;
                }
            }
        }
    }
}
