//! A whole conversation: a client that says anything, and a search that finds anything, at any time.
//!
//! A line that begins with `@` is no line of the client. The letter after it says what happens instead, see
//! [`World::happen`]; the bytes after that are choices, such as which legal move was found.

use farboard::book::Books;
use farboard::chess::{AnyPosition, Move};
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Shortage};
use farboard::protocol::xboard::Reply;
use farboard::search::{Bound, Done, Info, Progress, Report, Request, Score};
use farboard::session::xboard::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum length of a line in bytes.
const LIMIT: usize = 1000;

/// `data` is the conversation, line by line.
pub fn run(data: &[u8]) {
    let mut world = World::new();
    for line in data.split(|&byte| byte == b'\n') {
        if world.closed {
            return;
        }
        match line {
            [b'@', what, choices @ ..] => world.happen(*what, &mut Choices(choices)),
            _ if world.ended => {}
            _ if line.len() > LIMIT => world.said(Input::LineTooLong(LIMIT)),
            _ => world.said(Input::Line(line)),
        }
    }
    world.finish();
}

/// Bytes that decide; zeros when they are used up.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let choice = usize::from(self.next());
        from.get(choice % from.len().max(1)).copied()
    }

    /// A small number of either sign, or one near a mate.
    fn score(&mut self) -> Score {
        let byte = self.next();
        match byte {
            0..250 => Score(i32::from(byte) - 125),
            _ => Score::mate_in(usize::from(byte - 249)),
        }
    }

    /// Moves that can be played one after the other.
    fn variation(&mut self, mut position: AnyPosition) -> Vec<Move> {
        let mut found = Vec::new();
        for _ in 0..=self.0.len().min(5) {
            let Some(mv) = self.pick(&position.legal_moves()) else { break };
            position.play(mv);
            found.push(mv);
        }
        found
    }
}

#[derive(Clone)]
struct Running {
    id: SearchId,
    root: AnyPosition,
    terms: SearchBudget,
    held: bool,
}

struct World {
    session: Session,
    now: Instant,
    timer: Option<Instant>,
    search: Option<Running>,
    old: Vec<Running>,
    ids: BTreeSet<SearchId>,
    /// The client has sent something.
    heard: bool,
    /// The client has ended its input.
    ended: bool,
    closed: bool,
}

impl World {
    fn new() -> World {
        World {
            session: Session::new(Setup {
                seed: 1,
                profile: Arc::new(Profile::new("Farboard", Books::own())),
            }),
            now: Instant::now() + Duration::from_secs(1_000_000),
            timer: None,
            search: None,
            old: Vec::new(),
            ids: BTreeSet::new(),
            heard: false,
            ended: false,
            closed: false,
        }
    }

    fn said(&mut self, input: Input<'_>) {
        self.heard = true;
        self.input(input);
    }

    /// `w`: time passes. `i`, `p`, `d`: the search reports a variation, its progress, its end. `s`: a stopped
    /// search ends. `r`: the search is refused. `f`: it fails. `n`: a signal. `e`: the end of input. `x`: the
    /// server shuts down.
    fn happen(&mut self, what: u8, choices: &mut Choices<'_>) {
        match what {
            b'w' => self.wait(choices),
            b'i' => self.info(choices),
            b'p' => self.progress(choices),
            b'd' => self.done(choices),
            b's' => self.stale(choices),
            b'r' => self.lose(SearchEvent::Refused(
                choices.pick(&[Shortage::Threads, Shortage::Searches(7)]).unwrap_or(Shortage::Threads),
            )),
            b'f' => self.lose(SearchEvent::Failed),
            b'n' if !self.ended => self.input(Input::Interrupt),
            b'e' if !self.ended => self.end(),
            b'x' => self.input(Input::Drain),
            _ => {}
        }
    }

    fn wait(&mut self, choices: &mut Choices<'_>) {
        let millis = choices.pick(&[1, 10, 100, 1000, 10_000, 1_000_000]).unwrap_or(1);
        let end = self.now + Duration::from_millis(millis);
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.fire(at);
        }
        self.now = end;
    }

    fn fire(&mut self, at: Instant) {
        self.now = self.now.max(at);
        self.timer = None;
        self.input(Input::Timer);
        assert!(self.timer.is_none_or(|next| next > at), "a timer that fires for ever");
    }

    fn info(&mut self, choices: &mut Choices<'_>) {
        let Some(search) = self.search.clone() else { return };
        let mut info = Info {
            depth: choices.next(),
            selective_depth: choices.next(),
            score: choices.score(),
            bound: choices.pick(&[Bound::Exact, Bound::Lower, Bound::Upper]).unwrap_or(Bound::Exact),
            elapsed: self.now.saturating_duration_since(search.terms.since),
            nodes: u64::MAX >> (choices.next() % 64),
            line: choices.next(),
            pv: choices.variation(search.root),
            again: false,
            table_usage: None,
        };
        // One byte decides both, so that the corpus keeps its meaning.
        (info.again, info.line) = (info.line > 191, 1 + info.line % 3);
        self.input(Input::Search(search.id, SearchEvent::Report(Report::Info(info))));
    }

    fn progress(&mut self, choices: &mut Choices<'_>) {
        let Some(search) = self.search.clone() else { return };
        let moves = search.root.legal_moves();
        let progress = Progress {
            depth: choices.next(),
            nodes: u64::from(choices.next()),
            elapsed: Duration::ZERO,
            moves_left: u16::from(choices.next()),
            moves_total: moves.len() as u16,
            current: choices.pick(&moves),
        };
        self.input(Input::Search(search.id, SearchEvent::Report(Report::Progress(progress))));
    }

    fn done(&mut self, choices: &mut Choices<'_>) {
        let Some(search) = self.search.take() else { return };
        self.ends(search, choices);
    }

    /// The search ends without a result.
    fn lose(&mut self, event: SearchEvent) {
        if let Some(search) = self.search.take() {
            self.input(Input::Search(search.id, event));
        }
    }

    fn stale(&mut self, choices: &mut Choices<'_>) {
        let choice = usize::from(choices.next());
        if let Some(search) = self.old.get(choice % self.old.len().max(1)).cloned() {
            self.ends(search, choices);
        }
    }

    /// A search may end without a move.
    fn ends(&mut self, search: Running, choices: &mut Choices<'_>) {
        let score = choices.score();
        let found = if choices.next() == b'0' { Vec::new() } else { choices.variation(search.root) };
        let (best, ponder) = (found.first().copied(), found.get(1).copied());
        let done = Done { best, ponder, score, depth: 1, nodes: 1, elapsed: Duration::ZERO };
        self.input(Input::Search(search.id, SearchEvent::Done(done)));
    }

    fn end(&mut self) {
        self.ended = true;
        self.input(Input::Eof);
    }

    /// A client that has gone leaves nothing behind: answers that are due come, then the session ends.
    fn finish(&mut self) {
        if !self.closed && !self.ended {
            self.end();
        }
        while !self.closed {
            match self.timer {
                Some(at) => self.fire(at),
                None => {
                    assert!(self.search.is_some(), "a session that waits for nothing");
                    self.done(&mut Choices(&[]));
                }
            }
        }
        assert!(self.search.is_none(), "a search outlives its session");
    }

    fn input(&mut self, input: Input<'_>) {
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
            Effect::Search(id, SearchOrder::Start(request, terms)) => self.start(id, &request, terms),
            Effect::Search(id, SearchOrder::Retime(terms)) => self.running(id).terms = terms,
            Effect::Search(id, SearchOrder::Hold) => {
                let held = std::mem::replace(&mut self.running(id).held, true);
                assert!(!held, "held twice");
            }
            Effect::Search(id, SearchOrder::Resume(terms)) => {
                let search = self.running(id);
                assert!(std::mem::take(&mut search.held), "resumed but not held");
                search.terms = terms;
            }
            Effect::Search(id, SearchOrder::Stop) => {
                self.running(id);
                self.old.extend(self.search.take());
            }
            Effect::FileRequest(request) => panic!("a session of somebody far away wants {request:?}"),
            Effect::SolveEndgames(_) => panic!("this is chess"),
            Effect::Timer(at) => self.timer = at,
            Effect::Close => self.closed = true,
        }
    }

    fn hear(&self, reply: &Reply) {
        let line = reply.line();
        assert!(self.heard, "something was said before the client spoke");
        let text = line.strip_suffix('\n').expect("a whole line");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')), "{text:?}");
    }

    fn start(&mut self, id: SearchId, request: &Request, terms: SearchBudget) {
        assert!(self.search.is_none(), "a second search");
        assert!(self.ids.insert(id), "a number used twice");
        let root = request.position.chess().expect("the game is chess");
        assert!(root.has_legal_move(), "nothing to search");
        self.search = Some(Running { id, root, terms, held: false });
    }

    fn running(&mut self, id: SearchId) -> &mut Running {
        self.search.as_mut().filter(|search| search.id == id).expect("a search that runs")
    }
}
