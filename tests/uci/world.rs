//! A session, its client's bytes, and a search that does as told. Time is virtual.

use farboard::book::{Book, Books};
use farboard::chess::{AnyPosition, Move};
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::protocol::uci::{MAX_LINE, Reply};
use farboard::search::{Bound, Done, Info, Report, Request, Score};
use farboard::session::uci::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search that was started.
#[derive(Clone)]
pub struct Running {
    pub id: SearchId,
    pub request: Request,
    pub terms: SearchBudget,
}

impl Running {
    /// The position it searches.
    pub fn root(&self) -> AnyPosition {
        self.request.position.chess().expect("a position of chess")
    }

    /// First moves that it considers.
    pub fn first_moves(&self) -> Vec<Move> {
        let excluded = &self.request.excluded;
        self.root().legal_moves().into_iter().filter(|mv| !excluded.contains(mv)).collect()
    }
}

pub struct World {
    pub session: Session,
    lines: LineSplitter,
    pub now: Instant,
    pub timer: Option<Instant>,
    /// Lines that were said and not looked at, without their ends.
    pub said: VecDeque<String>,
    /// The search that was started last and neither stopped nor done.
    pub search: Option<Running>,
    /// Those that were stopped.
    pub old: Vec<Running>,
    ids: BTreeSet<SearchId>,
    /// How often the terms of a search were changed.
    pub retimed: usize,
    pub closed: bool,
    book: String,
}

impl World {
    pub fn new() -> World {
        World::of(Profile::new("Farboard", Books::default()))
    }

    pub fn of(profile: Profile) -> World {
        World {
            session: Session::new(Setup { seed: 1, profile: Arc::new(profile) }),
            lines: LineSplitter::new(MAX_LINE),
            now: Instant::now() + Duration::from_secs(1_000_000),
            timer: None,
            said: VecDeque::new(),
            search: None,
            old: Vec::new(),
            ids: BTreeSet::new(),
            retimed: 0,
            closed: false,
            book: String::new(),
        }
    }

    /// Begins anew, with one more line of play in the book.
    pub fn add_to_book(&mut self, line: &str) {
        let text = format!("{}{line}\n", self.book);
        let mut books = Books::default();
        books.add("lines", Arc::new(Book::parse_lines(&text).expect("lines of play")));
        *self = World { book: text, ..World::of(Profile::new("Farboard", books)) };
    }

    /// All that was said.
    pub fn take(&mut self) -> Vec<String> {
        self.said.drain(..).collect()
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
        loop {
            let input = match self.lines.next_line() {
                None => return,
                Some(Frame::Line(line)) => Some(line.to_vec()),
                Some(Frame::TooLong) => None,
                Some(Frame::Interrupt) => {
                    self.input(Input::Interrupt);
                    continue;
                }
            };
            match input {
                Some(line) => self.input(Input::Line(&line)),
                None => self.input(Input::LineTooLong(MAX_LINE)),
            }
        }
    }

    pub fn input(&mut self, input: Input<'_>) {
        if self.closed {
            return;
        }
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        for effect in effects {
            assert!(!self.closed, "an effect after the last");
            self.obey(effect);
        }
    }

    fn obey(&mut self, effect: Effect<Reply>) {
        match effect {
            Effect::Send(reply) => self.hear(&reply),
            Effect::Search(id, SearchOrder::Start(request, terms)) => {
                assert!(self.search.is_none(), "a second search");
                assert!(self.ids.insert(id), "a number used twice");
                let running = Running { id, request: *request, terms };
                let counts = running.request.perft.is_some();
                assert!(counts || !running.first_moves().is_empty(), "nothing to search");
                self.search = Some(running);
            }
            Effect::Search(id, SearchOrder::Stop) => {
                let search = self.search.take().filter(|search| search.id == id);
                self.old.push(search.expect("a search that runs"));
            }
            Effect::Search(id, SearchOrder::Retime(terms)) => {
                let search = self.search.as_mut().filter(|search| search.id == id);
                search.expect("a search to retime").terms = terms;
                self.retimed += 1;
            }
            Effect::Search(..) => panic!("a search is never held"),
            Effect::SolveEndgames(_) => panic!("this is chess"),
            Effect::FileRequest(request) => panic!("a session of somebody far away wants {request:?}"),
            Effect::Timer(at) => self.timer = at,
            Effect::Close => self.closed = true,
        }
    }

    /// Every line is as the GUIs need it.
    fn hear(&mut self, reply: &Reply) {
        let line = reply.line();
        let text = line.strip_suffix('\n').expect("a message ends with LF");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text:?}");
        if text.contains(" pv ") {
            for word in ["depth", "score", "nodes", "nps", "time"] {
                assert!(text.split(' ').any(|other| other == word), "{text} without {word}");
            }
        }
        self.said.push_back(text.to_owned());
    }

    /// Time passes; timers fire.
    pub fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        let mut fired = 0;
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.now = self.now.max(at);
            self.timer = None;
            self.input(Input::Timer);
            fired += 1;
            assert!(fired < 10_000, "a timer that never stops firing");
        }
        self.now = end;
    }

    pub fn event(&mut self, event: SearchEvent) {
        let id = self.search.as_ref().expect("a search").id;
        self.event_of(id, event);
    }

    pub fn event_of(&mut self, id: SearchId, event: SearchEvent) {
        let ends = !matches!(event, SearchEvent::Report(_));
        if ends && self.search.as_ref().is_some_and(|search| search.id == id) {
            self.search = None;
        }
        self.input(Input::Search(id, event));
    }

    /// The search reports a variation.
    pub fn report(&mut self, line: u8, bound: Bound, depth: u8, score: i32, nodes: u64, pv: Vec<Move>) {
        let since = self.search.as_ref().expect("a search").terms.since;
        let elapsed = self.now.saturating_duration_since(since);
        let selective_depth = depth + 2;
        let (score, again) = (Score(score), false);
        let info =
            Info { depth, selective_depth, score, bound, elapsed, nodes, line, pv, again, table_usage: None };
        self.event(SearchEvent::Report(Report::Info(info)));
    }

    /// A search ends with this result.
    pub fn done(
        &mut self,
        search: &Running,
        best: Option<Move>,
        ponder: Option<Move>,
        score: i32,
        nodes: u64,
    ) {
        let elapsed = self.now.saturating_duration_since(search.terms.since);
        let done = Done { best, ponder, score: Score(score), depth: 5, nodes, elapsed };
        self.event_of(search.id, SearchEvent::Done(done));
    }
}
