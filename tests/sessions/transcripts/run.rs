//! A session and its effects.

use farboard::book::{Book, Books};
use farboard::chess::{AnyPosition, Variant};
use farboard::pool::{Class, SearchBudget, SearchEvent, SearchId, SearchOrder, Task};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::protocol::xboard::Reply;
use farboard::search::{Request, Style};
use farboard::session::xboard::Session;
use farboard::session::{Activity, Effect, FileRequest, Input, Interrupt, Profile, Setup, Takeover};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A session with a scripted search.
pub struct Run {
    pub session: Session,
    lines: LineSplitter,
    pub now: Instant,
    timer: Option<Instant>,
    /// Replies not yet matched, without line ends.
    pub answers: VecDeque<String>,
    /// The latest search, until it is stopped or done.
    pub search: Option<(SearchId, Request, SearchBudget)>,
    /// The last stopped search.
    pub old: Option<(SearchId, Request)>,
    /// The salts of all searches so far.
    pub salts: Vec<u64>,
    book: String,
    /// File requests that were not matched yet.
    pub file_requests: VecDeque<FileRequest>,
    pub retimed: bool,
    pub held: bool,
    pub closed: bool,
}

impl Run {
    pub fn new() -> Run {
        Run {
            session: session(Profile::new("Farboard", Books::default())),
            lines: LineSplitter::new(1000),
            now: Instant::now() + Duration::from_secs(1000),
            timer: None,
            answers: VecDeque::new(),
            search: None,
            old: None,
            salts: Vec::new(),
            book: String::new(),
            file_requests: VecDeque::new(),
            retimed: false,
            held: false,
            closed: false,
        }
    }

    /// Restarts on the user's own machine.
    pub fn be_at_home(&mut self) {
        assert!(!self.session.gui().has_spoken(), "a setting for the beginning");
        self.session = session(Profile::new("Farboard", Books::default()).local());
    }

    /// Restarts with a fixed time per move.
    pub fn give_time_for_moves(&mut self, time: Duration) {
        assert!(!self.session.gui().has_spoken(), "a setting for the beginning");
        let profile = Profile::new("Farboard", Books::default()).local();
        self.session = session(Profile { move_time: Some(time), ..profile });
    }

    /// Restarts on a server where signals stop pondering.
    pub fn let_interrupts_stop_pondering(&mut self) {
        assert!(!self.session.gui().has_spoken(), "a setting for the beginning");
        let profile = Profile::new("Farboard", Books::default());
        self.session = session(Profile { interrupt: Interrupt::StopPondering, ..profile });
    }

    /// Restarts with one more line in the book.
    pub fn add_to_book(&mut self, line: &str) {
        assert!(!self.session.gui().has_spoken(), "a setting for the beginning");
        self.book.push_str(line);
        self.book.push('\n');
        let mut books = Books::default();
        books.add("lines", Arc::new(Book::parse_lines(&self.book).expect("lines of play")));
        self.session = session(Profile::new("Farboard", books));
    }

    /// Loses the server. After this time another one resumes the session and restarts its search.
    pub fn go_on_elsewhere(&mut self, away: Duration) {
        let state = self.session.state(self.now);
        let new = session(Profile::new("Farboard", Books::default()));
        self.session = new.restored(&state, self.now).expect("a state of this session");
        self.now += away;
        (self.search, self.timer) = (None, None);
        self.input(Input::Resumed(Takeover { away, ..Takeover::default() }));
    }

    pub fn input(&mut self, input: Input<'_>) {
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        for effect in effects {
            assert!(!self.closed, "an effect after Close");
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: Effect<Reply>) {
        match effect {
            Effect::Send(reply) => self.answers.push_back(reply.line().trim_end_matches('\n').to_owned()),
            Effect::Search(id, SearchOrder::Start(task, terms)) => {
                assert!(self.search.is_none(), "a second search");
                let request = request_of(*task);
                self.salts.push(request.table.salt);
                self.search = Some((id, request, terms));
            }
            Effect::Search(id, SearchOrder::Retime(terms)) => {
                let search = self.search.as_mut().expect("a search to retime");
                assert_eq!(search.0, id);
                search.2 = terms;
                self.retimed = true;
            }
            Effect::Search(id, SearchOrder::Hold) => {
                assert_eq!(self.search.as_ref().expect("a search to hold").0, id);
                assert!(!std::mem::replace(&mut self.held, true), "held twice");
            }
            Effect::Search(id, SearchOrder::Resume(terms)) => {
                let search = self.search.as_mut().expect("a search to resume");
                assert_eq!(search.0, id);
                assert!(std::mem::take(&mut self.held), "resumed but not held");
                search.2 = terms;
            }
            Effect::Search(id, SearchOrder::Stop) => {
                self.held = false;
                let (stopped, request, _) = self.search.take().expect("a search to stop");
                assert_eq!(stopped, id);
                self.old = Some((id, request));
            }
            Effect::FileRequest(request) => self.file_requests.push_back(request),
            Effect::SolveEndgames(_) => {}
            Effect::Timer(at) => self.timer = at,
            Effect::Close => self.closed = true,
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::replace(&mut self.lines, LineSplitter::new(0));
        lines.push(bytes);
        while let Some(frame) = lines.next_line() {
            match frame {
                Frame::Line(line) => self.input(Input::Line(line)),
                Frame::TooLong => self.input(Input::LineTooLong(1000)),
                Frame::Interrupt => self.input(Input::Interrupt),
            }
        }
        self.lines = lines;
    }

    pub fn event(&mut self, id: SearchId, event: SearchEvent) {
        self.input(Input::Search(id, event));
    }

    pub fn state(&self) -> &'static str {
        match &self.search {
            None if self.timer.is_some() => "passing",
            None => "none",
            Some(_) if self.held => "held",
            Some((_, _, terms)) if terms.class == Class::Clock => "clock",
            Some(_) => "untimed",
        }
    }

    /// Lets a pending analysis begin, as before every assertion about the search.
    pub fn rest(&mut self) {
        let analyses = self.session.status_at(self.now).activity == Activity::Analysing;
        if let Some(at) = self.timer.filter(|_| self.search.is_none() && analyses) {
            self.wait(at.saturating_duration_since(self.now));
        }
    }

    pub fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.now = self.now.max(at);
            self.timer = None;
            self.input(Input::Timer);
        }
        self.now = end;
    }
}

fn session(profile: Profile) -> Session {
    Session::new(Setup { seed: 1, identity: 1, profile: Arc::new(profile) })
}

/// The request of a search, or of a turn of the kriegspiel player, whose task has no position.
fn request_of(task: Task) -> Request {
    match task {
        Task::Search(request) | Task::External(_, request) => request,
        Task::Perft { position, .. } => Request::of(position),
        Task::Kriegspiel { limits, seed, .. } => Request {
            limits,
            style: Style { seed, ..Style::default() },
            ..Request::of(AnyPosition::start(Variant::KRIEGSPIEL))
        },
    }
}
