//! A whole conversation in the Checkers Protocol: a client that says anything, and a search that finds anything, at any time.
//!
//! A line that begins with `@` is no line of the client. The letter after it says what happens instead ([`World::happen`]); the bytes
//! after that are choices. A command that can be read can be printed and read again.

use farboard::book::Books;
use farboard::draughts::MoveText;
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder, Shortage};
use farboard::protocol::checkers::{Command, Dialect, Reply};
use farboard::search::{Bound, Done, Info, Report, RootPosition, Score};
use farboard::session::checkers::{Manners, Orientation, Session};
use farboard::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum length of a line in bytes.
const LIMIT: usize = 1000;

/// `data` is the conversation, line by line; its first byte chooses the dialect and the orientation.
pub fn run(data: &[u8]) {
    let (manners, data) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let mut world = World::new(manners);
    for line in data.split(|&byte| byte == b'\n') {
        if world.closed {
            return;
        }
        match line {
            [b'@', what, choices @ ..] => world.happen(*what, choices),
            _ if world.ended => {}
            _ if line.len() > LIMIT => world.input(Input::LineTooLong(LIMIT)),
            _ => world.say(line),
        }
    }
    world.finish();
}

struct World {
    session: Session,
    now: Instant,
    timer: Option<Instant>,
    search: Option<(SearchId, RootPosition, SearchBudget)>,
    old: Option<(SearchId, RootPosition)>,
    asked: usize,
    answered: usize,
    fired: usize,
    ended: bool,
    closed: bool,
}

impl World {
    fn new(choice: u8) -> World {
        let dialect = if choice & 1 == 0 { Dialect::Seed } else { Dialect::Late };
        let orientation = match choice / 2 % 3 {
            0 => Orientation::Auto,
            1 => Orientation::Pdn,
            _ => Orientation::Rotated,
        };
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        World {
            session: Session::new(Setup { seed: 1, profile }, Manners { dialect, orientation }),
            now: Instant::now() + Duration::from_secs(1_000_000),
            timer: None,
            search: None,
            old: None,
            asked: 0,
            answered: 0,
            fired: 0,
            ended: false,
            closed: false,
        }
    }

    fn say(&mut self, line: &[u8]) {
        if let Ok(command) = Command::parse(line) {
            let printed = command.to_string();
            assert!(!printed.contains(char::is_control) || printed.contains("PARAMETER"), "{printed:?}");
            assert_eq!(Command::parse(printed.as_bytes()), Ok(command.clone()), "{printed:?}");
            self.asked += usize::from(matches!(command, Command::Go(_)));
        }
        self.input(Input::Line(line));
    }

    /// `w`: time passes. `i`, `d`: the search reports a variation, its end. `s`: a stopped search ends. `r`: the search is refused.
    /// `f`: it fails. `e`: the end of input. `x`: the server shuts down.
    fn happen(&mut self, what: u8, choices: &[u8]) {
        let choice = |place: usize| choices.get(place).copied().unwrap_or(0);
        match what {
            b'w' => self.wait(Duration::from_millis(10u64.pow(u32::from(choice(0)) % 7))),
            b'i' => self.report(choices),
            b'd' => {
                if let Some((id, root, _)) = self.search.take() {
                    self.done(id, root, choice(0), choice(1));
                }
            }
            b's' => {
                if let Some((id, root)) = self.old {
                    self.done(id, root, choice(0), choice(1));
                }
            }
            b'r' | b'f' => {
                if let Some((id, ..)) = self.search.take() {
                    let refused = SearchEvent::Refused(Shortage::Searches(choice(0).into()));
                    self.input(Input::Search(id, if what == b'r' { refused } else { SearchEvent::Failed }));
                }
            }
            b'e' if !self.ended => self.end(),
            b'x' => self.input(Input::Drain),
            _ => {}
        }
    }

    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(at) = self.timer.filter(|&at| at <= end) {
            self.fire(at);
        }
        self.now = end;
    }

    fn fire(&mut self, at: Instant) {
        self.now = self.now.max(at);
        self.timer = None;
        self.input(Input::Timer);
        self.fired += 1;
        assert!(self.fired < 1_000_000, "a timer that never stops firing");
    }

    fn report(&mut self, choices: &[u8]) {
        let Some((id, mut position, terms)) = self.search else { return };
        let mut pv = Vec::new();
        for choice in choices.iter().skip(2).take(6) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[usize::from(*choice) % moves.len()];
            position.play(mv);
            pv.push(mv);
        }
        let byte = |place: usize| choices.get(place).copied().unwrap_or(1);
        let info = Info {
            depth: byte(0),
            selective_depth: byte(0),
            score: Score(i32::from(byte(1)) * 100 - 12_800),
            bound: Bound::Exact,
            elapsed: self.now.saturating_duration_since(terms.since),
            nodes: u64::MAX >> (byte(0) % 64),
            line: 1,
            pv,
            again: false,
            table_usage: None,
        };
        self.input(Input::Search(id, SearchEvent::Report(Report::Info(info))));
    }

    /// A search may end without a move.
    fn done(&mut self, id: SearchId, root: RootPosition, choice: u8, score: u8) {
        let moves = root.legal_moves();
        let best =
            if choice == b'0' { None } else { moves.get(usize::from(choice) % moves.len().max(1)).copied() };
        let score = Score(i32::from(score) - 128);
        let done = Done { best, ponder: None, score, depth: 1, nodes: 1, elapsed: Duration::ZERO };
        self.input(Input::Search(id, SearchEvent::Done(done)));
    }

    fn end(&mut self) {
        self.ended = true;
        self.input(Input::Eof);
    }

    /// A client that has gone leaves nothing behind: moves that are due come, then the session ends.
    fn finish(&mut self) {
        if !self.closed && !self.ended {
            self.end();
        }
        while !self.closed {
            let at = self.timer.expect("a session that waits for nothing");
            self.fire(at);
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
            Effect::Search(id, SearchOrder::Start(request, terms)) => {
                assert!(self.search.is_none(), "a second search");
                assert!(!request.position.legal_moves().is_empty(), "nothing to search");
                self.search = Some((id, request.position, terms));
            }
            Effect::Search(id, SearchOrder::Stop) => {
                let (running, root, _) = self.search.take().expect("a search that runs");
                assert_eq!(running, id);
                self.old = Some((id, root));
            }
            Effect::Search(..) => panic!("a search is neither changed nor held"),
            Effect::FileRequest(request) => panic!("a session of somebody far away wants {request:?}"),
            Effect::SolveEndgames(_) => {}
            Effect::Timer(at) => self.timer = at,
            Effect::Close => self.closed = true,
        }
    }

    fn hear(&mut self, reply: &Reply) {
        let line = reply.line();
        let text = line.strip_suffix('\n').expect("a whole line");
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim() == text, "{text:?}");
        if let Some(mv) = text.strip_prefix("BESTMOVE ") {
            assert!(mv == "none" || MoveText::read(mv).is_ok(), "{mv}");
            self.answered += 1;
            assert!(self.answered <= self.asked, "a move that nobody has asked for");
        }
    }
}
