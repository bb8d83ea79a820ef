//! A session with a search that always finds the same in the same position.

use crate::relay::Served;
use farboard::book::Books;
use farboard::chess::AnyPosition;
use farboard::chess::kriegspiel::Attempt;
use farboard::pool::{SearchBudget, SearchEvent, SearchId, SearchOrder};
use farboard::protocol::framing::{Frame, LineSplitter};
use farboard::search::kriegspiel::Answer;
use farboard::search::{Done, Report, Request, Score};
use farboard::session::xboard::Session;
use farboard::session::{Doing, Effect, Input, Profile, Setup};
use farboard::shim::journal::xboard::Journal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a search for the move to expect is limited to: its outcome concerns nobody here.
const EXPECTATION: Option<u64> = Some(300_000);

pub struct Running {
    id: SearchId,
    pub request: Request,
    pub terms: SearchBudget,
    held: bool,
}

pub struct Server {
    pub session: Session,
    lines: LineSplitter,
    pub search: Option<Running>,
    /// What it has said and nobody has taken.
    pub said: Vec<u8>,
}

impl Served for Server {
    type Journal = Journal;
    const ROOM: &'static [u8] = b"# farboard: another server has more room\n";

    fn new(seed: u64) -> Server {
        let profile = Arc::new(Profile::new("Farboard", Books::default()));
        let session = Session::new(Setup { seed, identity: 1, profile });
        Server { session, lines: LineSplitter::new(4000), search: None, said: Vec::new() }
    }

    fn journal() -> Journal {
        Journal::new()
    }

    fn hear(&mut self, bytes: &[u8], now: Instant) {
        self.lines.push(bytes);
        loop {
            let line = match self.lines.next_line() {
                Some(Frame::Line(line)) => line.to_vec(),
                Some(Frame::TooLong) => panic!("a line too long"),
                Some(Frame::Interrupt) => panic!("an interrupt that nobody sent"),
                None => return,
            };
            self.input(Input::Line(&line), now);
        }
    }

    fn finish(&mut self, now: Instant) -> bool {
        let Some(search) = self.wanted() else { return false };
        let id = search.id;
        let hidden = search.request.kriegspiel.is_some();
        // In kriegspiel the player is not told what is on the board: somebody else must find the same move.
        let position = if hidden { *self.session.game().position() } else { chess_root(&search.request) };
        let done = verdict(&position);
        self.search = None;
        if let (AnyPosition::Standard(position), Some(best), true) = (&position, done.best, hidden) {
            let attempts = vec![Attempt::of(position, best)];
            let answer = Answer { attempts, score: done.score, boards: 1, belief: None };
            self.input(Input::Search(id, SearchEvent::Report(Report::Attempts(Box::new(answer)))), now);
        }
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
                Effect::Send(reply) => self.said.extend_from_slice(reply.line().as_bytes()),
                Effect::Search(id, SearchOrder::Start(request, terms)) => {
                    self.search = Some(Running { id, request: *request, terms, held: false });
                }
                Effect::Search(_, SearchOrder::Retime(terms)) => self.running().terms = terms,
                Effect::Search(_, SearchOrder::Hold) => self.running().held = true,
                Effect::Search(_, SearchOrder::Resume(terms)) => {
                    self.running().held = false;
                    self.running().terms = terms;
                }
                Effect::Search(_, SearchOrder::Stop) => self.search = None,
                Effect::Timer(_) => {}
                Effect::FileRequest(request) => panic!("{request:?}"),
                Effect::SolveEndgames(_) => panic!("this is chess"),
                Effect::Close => panic!("the session has closed"),
            }
        }
    }

    fn running(&mut self) -> &mut Running {
        self.search.as_mut().expect("a search")
    }

    /// The search about the position on the board, unless nothing is to come of it.
    pub fn wanted(&self) -> Option<&Running> {
        let here = self.session.game().position().fen();
        let search = self.search.as_ref()?;
        let wanted = !search.held && search.request.limits.nodes != EXPECTATION;
        let hidden = search.request.kriegspiel.is_some();
        (wanted && (hidden || chess_root(&search.request).fen() == here)).then_some(search)
    }

    /// Whether its move is due: it thinks, or waits for a piece.
    pub fn owes_move(&self, now: Instant) -> bool {
        self.wanted().is_some() || self.session.status_at(now).doing == Doing::Thinking
    }
}

fn verdict(position: &AnyPosition) -> Done {
    let moves = position.legal_moves();
    let sum: usize = position.fen().split(' ').next().unwrap_or("").bytes().map(usize::from).sum();
    Done {
        best: (!moves.is_empty()).then(|| moves[sum % moves.len()]),
        ponder: None,
        score: Score(30),
        depth: 9,
        nodes: 9,
        elapsed: Duration::ZERO,
    }
}

fn chess_root(request: &Request) -> AnyPosition {
    request.position.chess().expect("the game is chess")
}
