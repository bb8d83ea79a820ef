//! A session with a search that always finds the same in the same position.

use crate::relay::Served;
use farboard::book::Books;
use farboard::chess::{AnyPosition, Move};
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::protocol::uci::{MAX_LINE, Reply};
use farboard::search::{Bound, Done, Info, Report, Request, Score};
use farboard::session::uci::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use farboard::shim::journal::uci::Journal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Iterations that a search finishes before anything else can happen.
const FIRST_DEPTHS: u8 = 3;

struct Running {
    id: SearchId,
    request: Request,
    terms: SearchBudget,
    depth: u8,
    is_done: bool,
}

pub struct Server {
    pub session: Session,
    lines: LineSplitter,
    search: Option<Running>,
    /// Answers to `go` that are due.
    owed: usize,
    /// What it has said and nobody has taken.
    pub said: Vec<u8>,
}

impl Served for Server {
    type Journal = Journal;
    const ROOM: &'static [u8] = b"info string farboard: another server has more room\n";

    fn new(seed: u64) -> Server {
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let session = Session::new(Setup { seed, identity: 1, profile });
        Server { session, lines: LineSplitter::new(MAX_LINE), search: None, owed: 0, said: Vec::new() }
    }

    fn journal() -> Journal {
        Journal::new()
    }

    fn hear(&mut self, bytes: &[u8], now: Instant) {
        self.lines.push(bytes);
        loop {
            match self.lines.next_line() {
                Some(Frame::Line(line)) => {
                    let line = line.to_vec();
                    let is_go = line.trim_ascii_start().starts_with(b"go");
                    let is_count = line.windows(5).any(|word| word == b"perft");
                    // Without a position nothing is counted, and nothing is answered.
                    let has_position = self.session.position_error().is_none();
                    self.owed += usize::from(is_go && (has_position || !is_count));
                    self.input(Input::Line(&line), now);
                }
                Some(Frame::TooLong) => self.input(Input::LineTooLong(MAX_LINE), now),
                Some(Frame::Interrupt) => panic!("an interrupt that nobody sent"),
                None => return,
            }
            while self.search.as_ref().is_some_and(|search| search.depth < FIRST_DEPTHS) {
                self.think(now);
            }
        }
    }

    fn finish(&mut self, now: Instant) -> bool {
        let Some(search) = self.search.as_mut().filter(|search| !search.is_done) else { return false };
        search.is_done = true;
        let (id, depth) = (search.id, search.depth);
        let best = variations(&search.request).into_iter().next();
        let mut nodes = 9;
        if search.request.perft.is_some() {
            let moves = root(&search.request).legal_moves();
            nodes = 20 * moves.len() as u64;
            for mv in moves {
                self.input(Input::Search(id, SearchEvent::Report(Report::Leaves(mv, 20))), now);
            }
        }
        let (best, ponder) = match best.as_deref() {
            Some([best, ponder, ..]) => (Some(*best), Some(*ponder)),
            Some([best]) => (Some(*best), None),
            _ => (None, None),
        };
        let done = Done { best, ponder, score: Score(30), depth, nodes, elapsed: Duration::ZERO };
        self.input(Input::Search(id, SearchEvent::Done(done)), now);
        true
    }

    fn said(&mut self) -> &mut Vec<u8> {
        &mut self.said
    }
}

impl Server {
    fn input(&mut self, input: Input<'_>, now: Instant) {
        let mut effects = Vec::new();
        self.session.handle(input, now, &mut effects);
        for effect in effects {
            match effect {
                Effect::Send(reply) => self.say(&reply),
                Effect::Search(id, SearchOrder::Start(request, terms)) => {
                    self.search = Some(Running { id, request: *request, terms, depth: 0, is_done: false });
                }
                Effect::Search(_, SearchOrder::Retime(terms)) => {
                    self.search.as_mut().expect("a search").terms = terms;
                }
                Effect::Search(_, SearchOrder::Stop) => self.search = None,
                Effect::Search(_, SearchOrder::Hold | SearchOrder::Resume(_)) => {
                    panic!("nothing is held here")
                }
                Effect::Timer(_) => {}
                Effect::SolveEndgames(_) => panic!("this is chess"),
                Effect::FileRequest(request) => panic!("{request:?}"),
                Effect::Close => panic!("the session has closed"),
            }
        }
    }

    fn say(&mut self, reply: &Reply) {
        let is_answer = match reply {
            Reply::Bestmove { .. } | Reply::PerftTotal(_) => true,
            Reply::Remark(text) => text == "the count of leaves was stopped",
            _ => false,
        };
        if is_answer {
            self.search = None;
            self.owed = self.owed.checked_sub(1).expect("an answer that nobody has asked for");
        }
        self.said.extend_from_slice(reply.line().as_bytes());
    }

    /// One more iteration, unless nothing is searched.
    pub fn think(&mut self, now: Instant) {
        let Some(search) = self.search.as_mut().filter(|search| !search.is_done) else { return };
        search.depth = search.depth.saturating_add(1);
        let (id, depth) = (search.id, search.depth);
        if search.request.perft.is_some() {
            return;
        }
        for (place, pv) in variations(&search.request).into_iter().enumerate() {
            let info = Info {
                depth,
                selective_depth: depth,
                score: Score(30 - 10 * place as i32),
                bound: Bound::Exact,
                elapsed: Duration::from_millis(depth.into()),
                nodes: 100 * u64::from(depth),
                line: place as u8 + 1,
                pv,
                again: false,
                table_usage: None,
            };
            self.input(Input::Search(id, SearchEvent::Report(Report::Info(info))), now);
        }
    }

    /// Whether an answer to a `go` is due.
    pub fn owes(&self) -> bool {
        self.owed > 0
    }

    /// Whether leaves are counted.
    pub fn is_counting(&self) -> bool {
        self.search.as_ref().is_some_and(|search| !search.is_done && search.request.perft.is_some())
    }

    /// What is searched, if an answer is due.
    pub fn task(&self) -> Option<String> {
        let search = self.search.as_ref().filter(|_| self.owed > 0)?;
        let Request {
            history,
            limits,
            lines,
            excluded,
            contempt,
            strength,
            game,
            memory,
            helpers,
            perft,
            ..
        } = &search.request;
        let depths = (limits.depth, limits.nodes, perft, search.terms.class);
        let manner = (lines, excluded, contempt, strength, game, memory, helpers);
        Some(format!("{} {history:?} {depths:?} {manner:?}", root(&search.request).fen()))
    }

    /// The position on the board, the moves that led there, or what is wrong with it.
    pub fn board(&self) -> String {
        match self.session.position_error() {
            Some(error) => error.to_string(),
            None => format!("{} {:?}", self.session.game().position().fen(), self.session.game().moves()),
        }
    }
}

/// The variations of a position, the best first.
fn variations(request: &Request) -> Vec<Vec<Move>> {
    let position = root(request);
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| !request.excluded.contains(mv)).collect();
    let sum: usize = position.fen().split(' ').next().unwrap_or("").bytes().map(usize::from).sum();
    let variation = |place: usize| {
        let mv = moves[(sum + place) % moves.len()];
        let mut after = position;
        after.play(mv);
        let reply = after.legal_moves().first().copied();
        [mv].into_iter().chain(reply).collect()
    };
    (0..moves.len().min(request.lines.into())).map(variation).collect()
}

fn root(request: &Request) -> AnyPosition {
    request.position.chess().expect("the game is chess")
}
