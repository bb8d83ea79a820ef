//! A session, its client's bytes, and a search that does as told. Time is virtual.

use farboard::book::Books;
use farboard::draughts;
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder};
use farboard::protocol::checkers::{Dialect, MAX_LINE, Reply};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::search::{Bound, Done, Info, Report, Request, RootPosition, Score};
use farboard::session::checkers::{Manners, Session};
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
    pub fn root(&self) -> draughts::Position {
        match self.request.position {
            RootPosition::Draughts(position) => position,
            RootPosition::Chess(_) => panic!("a search of chess"),
        }
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
    pub closed: bool,
    /// The root of the search that has no best move yet.
    asked: Option<draughts::Position>,
}

impl World {
    /// A session of these manners, which has spoken first.
    pub fn new(manners: Manners) -> World {
        World::of(manners, Profile::new("Farboard", Books::default()))
    }

    pub fn of(manners: Manners, profile: Profile) -> World {
        let session = Session::new(Setup { seed: 1, profile: Arc::new(profile) }, manners);
        let mut world = World {
            session,
            lines: LineSplitter::new(MAX_LINE),
            now: Instant::now() + Duration::from_secs(1_000_000),
            timer: None,
            said: VecDeque::new(),
            search: None,
            old: Vec::new(),
            ids: BTreeSet::new(),
            closed: false,
            asked: None,
        };
        let mut effects = Vec::new();
        world.session.open(&mut effects);
        effects.into_iter().for_each(|effect| world.obey(effect));
        world
    }

    /// A session of the seed's dialect that has said `READY`.
    pub fn ready() -> World {
        World::ready_in(Dialect::Seed)
    }

    pub fn ready_in(dialect: Dialect) -> World {
        let mut world = World::new(Manners { dialect, ..Manners::default() });
        assert_eq!(world.take(), ["READY"]);
        world
    }

    /// Says lines, and takes all that is answered at once.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.bytes(format!("{lines}\n").as_bytes());
        self.take()
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
                assert!(running.root().has_legal_move(), "nothing to search");
                self.asked = Some(running.root());
                self.search = Some(running);
            }
            Effect::Search(id, SearchOrder::Stop) => {
                let search = self.search.take().filter(|search| search.id == id);
                self.old.push(search.expect("a search that runs"));
            }
            Effect::Search(..) => panic!("a search is neither changed nor held"),
            Effect::FileRequest(request) => panic!("a session of somebody far away wants {request:?}"),
            Effect::SolveEndgames(_) => {}
            Effect::Timer(at) => self.timer = at,
            Effect::Close => self.closed = true,
        }
    }

    /// Every line is as the GUIs need it.
    fn hear(&mut self, reply: &Reply) {
        let line = reply.line();
        let text = line.strip_suffix('\n').expect("a message ends with LF");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text:?}");
        assert!(!text.ends_with(' ') && !text.starts_with(' '), "{text:?}");
        if let Reply::Bestmove(mv) = reply
            && let Some(root) = self.asked.take()
        {
            let is_legal = root.find(mv).is_ok() || root.find(&mv.rotated()).is_ok();
            assert!(is_legal, "{text} in {}", root.fen());
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
    pub fn report(&mut self, depth: u8, score: i32, nodes: u64, variation: &[draughts::Move]) {
        let since = self.search.as_ref().expect("a search").terms.since;
        let info = Info {
            depth,
            selective_depth: depth,
            score: Score(score),
            bound: Bound::Exact,
            elapsed: self.now.saturating_duration_since(since),
            nodes,
            line: 1,
            pv: variation.iter().map(|&mv| RootPosition::of_draughts_move(mv)).collect(),
            again: false,
            table_usage: None,
        };
        self.event(SearchEvent::Report(Report::Info(info)));
    }

    /// A search ends with this move.
    pub fn done(&mut self, search: &Running, best: Option<draughts::Move>, score: i32) {
        let done = Done {
            best: best.map(RootPosition::of_draughts_move),
            ponder: None,
            score: Score(score),
            depth: 5,
            nodes: 5000,
            elapsed: self.now.saturating_duration_since(search.terms.since),
        };
        self.event_of(search.id, SearchEvent::Done(done));
    }
}
