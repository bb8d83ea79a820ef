//! A conversation in the web protocol, see [`conversation`](super::conversation). A message that
//! was read can be written and read again, and before each input another server takes over.

use super::conversation::{Choices, Conversation, Fuzzed, variation, verdict};
use super::session_driver::{Client, Running};
use farboard::book::Books;
use farboard::protocol::web::{Message, Mover, Reply, Request};
use farboard::search::{Bound, Done, Info, Progress, RootPosition, Score};
use farboard::session::web::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::Instant;

/// `data` is the conversation, line by line.
pub fn run(data: &[u8]) {
    Conversation::replaced(session, Page::default()).run(data);
}

fn session() -> Session {
    let profile = Arc::new(Profile::new("Farboard", Books::default()));
    Session::new(Setup { seed: 1, identity: 1, profile })
}

/// A page that follows the game.
#[derive(Default)]
struct Page {
    ply: usize,
}

impl Client for Page {
    type Session = Session;

    fn see(&mut self, effect: &Effect<Reply>) {
        let Effect::Send(Reply::Message(message)) = effect else { return };
        let line = message.line();
        assert_eq!(line.find('\n'), Some(line.len() - 1), "{line}");
        match message {
            Message::Game { position, moves, .. } => {
                assert_eq!(position.ply, moves.len());
                self.ply = position.ply;
            }
            Message::Moved { position, mv, by, .. } => {
                self.ply += 1;
                assert_eq!((position.ply, &position.fen), (self.ply, &mv.fen));
                assert!(matches!(by, Mover::You | Mover::Engine));
            }
            Message::TakenBack { position, .. } => {
                assert!(position.ply < self.ply);
                self.ply = position.ply;
            }
            Message::Lines { ply, lines, .. } => {
                assert_eq!(*ply, self.ply);
                assert!(lines.iter().all(|line| line.pv.len() == line.san.len() && !line.pv.is_empty()));
            }
            Message::Reviewed { ply, .. } => assert!(*ply <= self.ply),
            Message::Hello { .. }
            | Message::Clocks { .. }
            | Message::Hint { .. }
            | Message::Draw { .. }
            | Message::Over { .. }
            | Message::Pgn { .. }
            | Message::Note { .. }
            | Message::Error { .. } => {}
        }
    }
}

impl Fuzzed for Page {
    const LIMIT: usize = 4000;

    fn before_input(&mut self, input: &Input<'_>) {
        let Input::Line(line) = input else { return };
        let Ok(request) = Request::parse(line) else { return };
        let printed = request.line();
        assert_eq!(Request::parse(printed.as_bytes()), Ok(request), "{printed:?}");
    }

    fn info(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Info {
        let byte = |place: usize| choices.0.get(place).copied().unwrap_or(1);
        Info {
            depth: byte(0),
            selective_depth: byte(0),
            score: Score(i32::from(byte(1)) * 250 - 32_000),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(byte(2)) % 3],
            elapsed: search.elapsed(now),
            nodes: u64::MAX >> (byte(0) % 64),
            line: byte(2) / 4 % 8,
            pv: variation(search.position(), choices.0.get(3..).unwrap_or_default()),
            again: byte(2) >= 128,
            table_usage: None,
        }
    }

    /// The protocol does not report progress.
    fn progress(_: &Running, _: Instant, _: &mut Choices<'_>) -> Option<Progress> {
        None
    }

    fn done(root: RootPosition, choices: &mut Choices<'_>) -> Done {
        verdict(root, choices)
    }
}
