//! A conversation in xboard's protocol, see [`conversation`](super::conversation).

use super::conversation::{Choices, Conversation, Fuzzed};
use super::session_driver::{Client, Running};
use farboard::book::Books;
use farboard::chess::Move;
use farboard::pool::{SearchOrder, Shortage};
use farboard::protocol::xboard::Reply;
use farboard::search::{Bound, Done, Info, Progress, Request, RootPosition, Score};
use farboard::session::xboard::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `data` is the conversation, line by line.
pub fn run(data: &[u8]) {
    let profile = Arc::new(Profile::new("Farboard", Books::own()));
    Conversation::new(Session::new(Setup { seed: 1, identity: 1, profile }), Gui::default()).run(data);
}

#[derive(Default)]
struct Gui {
    /// Whether the client has sent anything.
    has_spoken: bool,
}

impl Client for Gui {
    type Session = Session;

    fn see(&mut self, effect: &Effect<Reply>) {
        match effect {
            Effect::Send(reply) => {
                let line = reply.line();
                assert!(self.has_spoken, "output before the client's first input");
                let text = line.strip_suffix('\n').expect("a whole line");
                assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')), "{text:?}");
            }
            Effect::Search(_, SearchOrder::Start(task, _)) => {
                let is_chess = |request: &Request| request.position.chess().is_some();
                assert!(task.search().is_none_or(is_chess), "the game is chess");
            }
            _ => {}
        }
    }

    fn timer_fired(&self, at: Instant, next: Option<Instant>) {
        assert!(next.is_none_or(|next| next > at), "a timer that never stops firing");
    }
}

impl Fuzzed for Gui {
    const LIMIT: usize = 1000;
    const PAUSES: &'static [u64] = &[1, 10, 100, 1000, 10_000, 1_000_000];
    const MAY_WAIT_FOR_A_SEARCH: bool = true;

    fn before_input(&mut self, _: &Input<'_>) {
        self.has_spoken = true;
    }

    fn info(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Info {
        let mut info = Info {
            depth: choices.next(),
            selective_depth: choices.next(),
            score: score(choices),
            bound: choices.pick(&[Bound::Exact, Bound::Lower, Bound::Upper]).unwrap_or(Bound::Exact),
            elapsed: search.elapsed(now),
            nodes: u64::MAX >> (choices.next() % 64),
            line: choices.next(),
            pv: variation(search.position(), choices),
            again: false,
            table_usage: None,
        };
        // One byte decides both, so that the corpus keeps its meaning.
        (info.again, info.line) = (info.line > 191, 1 + info.line % 3);
        info
    }

    fn progress(search: &Running, _: Instant, choices: &mut Choices<'_>) -> Option<Progress> {
        let moves = search.position().legal_moves();
        Some(Progress {
            depth: choices.next(),
            nodes: u64::from(choices.next()),
            elapsed: Duration::ZERO,
            moves_left: u16::from(choices.next()),
            moves_total: moves.len() as u16,
            current: choices.pick(&moves),
        })
    }

    /// A search may end without a move.
    fn done(root: RootPosition, choices: &mut Choices<'_>) -> Done {
        let score = score(choices);
        let found = if choices.next() == b'0' { Vec::new() } else { variation(root, choices) };
        let (best, ponder) = (found.first().copied(), found.get(1).copied());
        Done { best, ponder, score, depth: 1, nodes: 1, elapsed: Duration::ZERO }
    }

    fn shortage(choices: &mut Choices<'_>) -> Shortage {
        choices.pick(&[Shortage::Threads, Shortage::Searches(7)]).unwrap_or(Shortage::Threads)
    }

    fn stale(old: usize, choices: &mut Choices<'_>) -> usize {
        usize::from(choices.next()) % old.max(1)
    }
}

/// A small number of either sign, or one near a mate.
fn score(choices: &mut Choices<'_>) -> Score {
    let byte = choices.next();
    match byte {
        0..250 => Score(i32::from(byte) - 125),
        _ => Score::mate_in(usize::from(byte - 249)),
    }
}

/// A legal sequence of moves, at least one if there is any, even without choices left.
fn variation(mut position: RootPosition, choices: &mut Choices<'_>) -> Vec<Move> {
    let mut found = Vec::new();
    for _ in 0..=choices.0.len().min(5) {
        let Some(mv) = choices.pick(&position.legal_moves()) else { break };
        position.play(mv);
        found.push(mv);
    }
    found
}
