//! One session on standard input and output: an ordinary engine, as any GUI can start it.

use super::Setup;
use super::input::input_of;
use crate::pool::{JobId, Mailbox, Pool};
use crate::protocol::framing::Lines;
use crate::session::{self, Effect, Input, Session};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

/// The owner of all searches of the one session.
const OWNER: u64 = 0;

/// What the threads of the process tell the one with the session.
enum News {
    /// Bytes and when they were read.
    Bytes(Vec<u8>, Instant),
    /// No more bytes will come.
    Eof,
    /// Searches have said something.
    Mail,
    /// The process was asked to end.
    End,
}

/// Serves one session until it ends.
///
/// SIGINT is ignored, as the protocol wants it: GUIs send it to get attention. SIGTERM ends the session.
/// To be called once in a process, by its main function: the thread that reads standard input stays.
///
/// # Errors
/// Standard output cannot be written. That it was closed is no error.
pub fn serve(setup: Setup) -> io::Result<()> {
    let (sender, news) = channel();
    watch_signals(sender.clone())?;
    let mail = sender.clone();
    let mailbox = Arc::new(Mailbox::new(move || {
        let _ = mail.send(News::Mail);
    }));
    let (taken, may_read) = channel();
    let reader = move || read(io::stdin().lock(), &sender, &may_read);
    thread::Builder::new().name("stdin".to_owned()).spawn(reader)?;
    let session = Session::new(session::Setup { seed: setup.seed, name: super::NAME.to_owned() });
    let desk = Desk {
        session,
        pool: Pool::new(setup.size, setup.search, Arc::clone(&mailbox)),
        mailbox,
        lines: Lines::new(setup.limits.line),
        taken,
        timer: None,
        effects: Vec::new(),
        output: String::new(),
        closed: false,
    };
    match desk.run(&news, &mut io::stdout().lock()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn watch_signals(sender: Sender<News>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.forever().any(|signal| signal == SIGTERM) {
            let _ = sender.send(News::End);
        }
    })?;
    Ok(())
}

/// Reads on only when what was read is taken, so that a GUI that does not listen cannot fill our memory.
fn read(mut input: impl Read, sender: &Sender<News>, may_read: &Receiver<()>) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let news = match input.read(&mut buffer) {
            Ok(count) if count > 0 => News::Bytes(buffer[..count].to_vec(), Instant::now()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            _ => News::Eof,
        };
        let last = matches!(news, News::Eof);
        if sender.send(news).is_err() || last || may_read.recv().is_err() {
            return;
        }
    }
}

struct Desk {
    session: Session,
    pool: Pool,
    mailbox: Arc<Mailbox>,
    lines: Lines,
    /// Tells the reader that it may read on.
    taken: Sender<()>,
    timer: Option<Instant>,
    effects: Vec<Effect>,
    output: String,
    closed: bool,
}

impl Desk {
    fn run(mut self, news: &Receiver<News>, stdout: &mut impl Write) -> io::Result<()> {
        while !self.closed {
            match self.wait(news) {
                Some(News::Bytes(bytes, at)) => {
                    self.take_bytes(&bytes, at);
                    let _ = self.taken.send(());
                }
                Some(News::Mail) => self.take_mail(),
                Some(News::Eof) => self.take_end(),
                Some(News::End) => self.closed = true,
                None => self.take_timer(),
            }
            if !self.output.is_empty() {
                stdout.write_all(self.output.as_bytes())?;
                stdout.flush()?;
                self.output.clear();
            }
        }
        Ok(())
    }

    /// The next news; `None` if the timer comes first.
    fn wait(&self, news: &Receiver<News>) -> Option<News> {
        let Some(timer) = self.timer else { return Some(news.recv().unwrap_or(News::End)) };
        match news.recv_timeout(timer.saturating_duration_since(Instant::now())) {
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
                Effect::Start(search, request, terms) => self.pool.start(job(search), request, terms),
                Effect::Retime(search, terms) => self.pool.retime(job(search), terms),
                Effect::Stop(search) => self.pool.stop(job(search)),
                Effect::Timer(at) => self.timer = at,
                Effect::Close => {
                    self.closed = true;
                    break;
                }
            }
        }
    }
}
