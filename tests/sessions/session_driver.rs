//! A session without a server: its effects are executed, time is virtual, and its search is
//! scripted.

use farboard::chess::{AnyPosition, Variant};
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Task};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::search::{FirstMoves, Request, RootPosition};
use farboard::session::{Effect, Input, SessionState, StateKey, Takeover, checkers, uci, web, xboard};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Maximum number of timers that fire in a row without any other event.
const MAX_TIMERS: usize = 10_000;

/// A protocol's session and the effects it may have.
pub trait Driven {
    type Reply;
    /// Whether the terms of a running search may change.
    const RETIMES: bool;
    /// Whether a search may be held.
    const HOLDS: bool;
    /// Whether endgames may be solved.
    const SOLVES: bool;

    fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Self::Reply>>);

    /// Restores the session in a fresh one.
    fn again(&mut self, fresh: Self, now: Instant) -> Self;
}

/// The state after a round trip through text.
pub fn through_text(state: SessionState) -> SessionState {
    let key = StateKey::new([1; 32]);
    let text = state.text(&key, [2; 12]);
    SessionState::parse(&text, &key).unwrap_or_else(|error| panic!("{error}: {text}"))
}

impl Driven for xboard::Session {
    type Reply = farboard::protocol::xboard::Reply;
    const RETIMES: bool = true;
    const HOLDS: bool = true;
    const SOLVES: bool = false;

    fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Self::Reply>>) {
        self.handle(input, now, effects);
    }

    fn again(&mut self, fresh: Self, now: Instant) -> Self {
        let state = through_text(self.state(now));
        fresh.restored(&state, now).unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()))
    }
}

impl Driven for uci::Session {
    type Reply = farboard::protocol::uci::Reply;
    const RETIMES: bool = true;
    const HOLDS: bool = false;
    const SOLVES: bool = false;

    fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Self::Reply>>) {
        self.handle(input, now, effects);
    }

    fn again(&mut self, fresh: Self, now: Instant) -> Self {
        let state = through_text(self.state(now));
        fresh.restored(&state, now).unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()))
    }
}

impl Driven for checkers::Session {
    type Reply = farboard::protocol::checkers::Reply;
    const RETIMES: bool = false;
    const HOLDS: bool = false;
    const SOLVES: bool = true;

    fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Self::Reply>>) {
        self.handle(input, now, effects);
    }

    fn again(&mut self, fresh: Self, now: Instant) -> Self {
        let state = through_text(self.state(now));
        fresh.restored(&state, now).unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()))
    }
}

impl Driven for web::Session {
    type Reply = farboard::protocol::web::Reply;
    const RETIMES: bool = false;
    const HOLDS: bool = false;
    const SOLVES: bool = true;

    fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Self::Reply>>) {
        self.handle(input, now, effects);
    }

    fn again(&mut self, fresh: Self, now: Instant) -> Self {
        let state = through_text(self.state(now));
        fresh.restored(&state, now).unwrap_or_else(|error| panic!("{error}: {}", state.plain_text()))
    }
}

/// The client of a session, which observes and checks its effects.
pub trait Client {
    type Session: Driven;

    /// Observes an effect before it is executed.
    fn see(&mut self, effect: &Effect<<Self::Session as Driven>::Reply>);

    /// Observes that the timer set for `at` has fired and the session has set the `next` one.
    fn timer_fired(&self, at: Instant, next: Option<Instant>) {
        let _ = (at, next);
    }
}

/// A started search.
#[derive(Clone)]
pub struct Running {
    pub id: SearchId,
    pub task: Task,
    pub terms: SearchBudget,
    is_held: bool,
}

impl Running {
    /// The request, for a search of a position.
    #[allow(dead_code, reason = "not used by every client")]
    pub fn request(&self) -> &Request {
        self.task.search().expect("a search of a position")
    }

    /// The position searched; the start position where the task has none.
    #[allow(dead_code, reason = "not used by every client")]
    pub fn position(&self) -> RootPosition {
        match &self.task {
            Task::Search(request) | Task::External(_, request) => request.position,
            Task::Perft { position, .. } => (*position).into(),
            Task::Kriegspiel { .. } => AnyPosition::start(Variant::KRIEGSPIEL).into(),
        }
    }

    /// Its running time.
    pub fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.terms.since)
    }
}

pub struct Driver<C: Client> {
    pub session: C::Session,
    /// Creates another server's session.
    pub fresh: Option<Box<dyn Fn() -> C::Session>>,
    /// Whether each input goes to a fresh session with the state of this one.
    pub replaces: bool,
    pub client: C,
    pub now: Instant,
    pub timer: Option<Instant>,
    /// The latest search, until it is stopped or done.
    pub search: Option<Running>,
    /// Stopped searches.
    pub old: Vec<Running>,
    pub closed: bool,
    lines: LineSplitter,
    /// Maximum length of a line in bytes.
    limit: usize,
    ids: BTreeSet<SearchId>,
    /// All requests, to compare the session with a replaced one.
    pub requests: Vec<String>,
    /// Timers that have fired since the last other event.
    fired: usize,
}

impl<C: Client> Driver<C> {
    /// A new session. `limit` is the maximum length of a line in bytes.
    pub fn around(session: C::Session, client: C, limit: usize) -> Driver<C> {
        Driver {
            session,
            fresh: None,
            replaces: false,
            client,
            now: Instant::now() + Duration::from_secs(1_000_000),
            timer: None,
            search: None,
            old: Vec::new(),
            closed: false,
            lines: LineSplitter::new(limit),
            limit,
            ids: BTreeSet::new(),
            requests: Vec::new(),
            fired: 0,
        }
    }

    /// Receives bytes of the client.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
        loop {
            let line = match self.lines.next_line() {
                None => return,
                Some(Frame::Line(line)) => Some(line.to_vec()),
                Some(Frame::TooLong) => None,
                Some(Frame::Interrupt) => {
                    self.input(Input::Interrupt);
                    continue;
                }
            };
            match line {
                Some(line) => self.input(Input::Line(&line)),
                None => self.input(Input::LineTooLong(self.limit)),
            }
        }
    }

    pub fn input(&mut self, input: Input<'_>) {
        if self.closed {
            return;
        }
        if !matches!(input, Input::Timer) {
            self.fired = 0;
        }
        if let Some(fresh) = self.fresh.as_ref().filter(|_| self.replaces) {
            self.session = self.session.again(fresh(), self.now);
        }
        let mut effects = Vec::new();
        self.session.handle(input, self.now, &mut effects);
        self.execute(effects);
    }

    /// Loses the server and the search; after this time another one resumes and must search the
    /// same.
    pub fn lose_server(&mut self, away: Duration) {
        let (lost, timer) = (self.search.take(), self.timer.take());
        let fresh = self.fresh.as_ref().expect("another server");
        self.session = self.session.again(fresh(), self.now);
        self.now += away;
        if let Some(lost) = &lost {
            self.ids.remove(&lost.id);
        }
        self.input(Input::Resumed(Takeover { away, ..Takeover::default() }));
        let searched = |search: &Running| {
            let (id, terms) = (search.id.0, search.terms);
            let Some(request) = search.task.search() else {
                return format!("{id} {:?} {terms:?}", search.task);
            };
            let Request { position, limits, first_moves: FirstMoves { excluded, lines }, .. } = request;
            let limits = terms.limits.unwrap_or(*limits);
            let first_moves = position.legal_moves().len() - excluded.len();
            let lines = usize::from(*lines).min(first_moves);
            format!("{id} {position:?} {limits:?} {excluded:?} {lines} {terms:?}")
        };
        assert_eq!(self.search.as_ref().map(searched), lost.as_ref().map(searched), "another search");
        assert_eq!(self.timer, timer, "another deadline");
    }

    /// Executes effects in order.
    pub fn execute(&mut self, effects: Vec<Effect<<C::Session as Driven>::Reply>>) {
        for effect in effects {
            assert!(!self.closed, "an effect after the session's end");
            self.client.see(&effect);
            match effect {
                Effect::Send(_) => {}
                Effect::Search(id, SearchOrder::Start(task, terms)) => self.start(id, *task, terms),
                Effect::Search(id, order) => self.order(id, order),
                Effect::SolveEndgames(_) => assert!(C::Session::SOLVES, "this is chess"),
                Effect::FileRequest(request) => panic!("a remote session requests {request:?}"),
                Effect::Timer(at) => self.timer = at,
                Effect::Close => self.closed = true,
            }
        }
    }

    fn start(&mut self, id: SearchId, task: Task, terms: SearchBudget) {
        assert!(self.search.is_none(), "a second search");
        assert!(self.ids.insert(id), "a search number was reused");
        let has_move = task.search().is_none_or(|request| {
            request.position.legal_moves().iter().any(|mv| !request.first_moves.excluded.contains(mv))
        });
        assert!(has_move, "nothing to search");
        self.requests.push(format!("{task:?}"));
        self.search = Some(Running { id, task, terms, is_held: false });
    }

    /// Executes an order for the running search.
    fn order(&mut self, id: SearchId, order: SearchOrder) {
        let search = self.search.as_mut().filter(|search| search.id == id).expect("a running search");
        match order {
            SearchOrder::Start(..) => unreachable!("a start is not an order for a running search"),
            SearchOrder::Retime(terms) => {
                assert!(C::Session::RETIMES, "a search is never changed");
                search.terms = terms;
            }
            SearchOrder::Hold => {
                assert!(C::Session::HOLDS, "a search is never held");
                assert!(!std::mem::replace(&mut search.is_held, true), "held twice");
            }
            SearchOrder::Resume(terms) => {
                assert!(std::mem::take(&mut search.is_held), "resumed but not held");
                search.terms = terms;
            }
            SearchOrder::Stop => self.old.extend(self.search.take()),
        }
    }

    /// Lets time pass; timers fire.
    pub fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.fire(at);
        }
        self.now = end;
    }

    /// Fires the timer set for `at`.
    pub fn fire(&mut self, at: Instant) {
        self.now = self.now.max(at);
        self.timer = None;
        self.input(Input::Timer);
        self.client.timer_fired(at, self.timer);
        self.fired += 1;
        assert!(self.fired < MAX_TIMERS, "a timer that fires forever");
    }

    /// An event of the running search.
    pub fn event(&mut self, event: SearchEvent) {
        let id = self.search.as_ref().expect("a search").id;
        self.event_of(id, event);
    }

    /// An event of a running or stopped search.
    pub fn event_of(&mut self, id: SearchId, event: SearchEvent) {
        let ends =
            !matches!(event, SearchEvent::Report(_) | SearchEvent::Leaves(..) | SearchEvent::Attempts(_));
        if ends && self.search.as_ref().is_some_and(|search| search.id == id) {
            self.search = None;
        }
        self.input(Input::Search(id, event));
    }
}

/// The line without its end. It must be printable ASCII.
pub fn text_of(line: &str) -> &str {
    let text = line.strip_suffix('\n').expect("a message ends with LF");
    assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text:?}");
    text
}
