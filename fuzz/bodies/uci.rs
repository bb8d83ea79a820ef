//! A conversation in UCI, see [`conversation`](super::conversation). A parsed command can be
//! printed and parsed again.

use super::conversation::{Choices, Conversation, Fuzzed, variation, verdict};
use super::session_driver::{Client, Running, text_of};
use farboard::book::Books;
use farboard::protocol::uci::{Command, Reply};
use farboard::search::{Bound, Done, Info, Progress, RootPosition, Score};
use farboard::session::uci::Session;
use farboard::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::Instant;

/// `data` is the conversation, line by line.
pub fn run(data: &[u8]) {
    let profile = Arc::new(Profile::new("Farboard", Books::default()));
    Conversation::new(Session::new(Setup { seed: 1, identity: 1, profile }), Gui::default()).run(data);
}

/// A client that counts requests for moves, and answers.
#[derive(Default)]
struct Gui {
    asked: usize,
    answered: usize,
}

impl Client for Gui {
    type Session = Session;

    fn see(&mut self, effect: &Effect<Reply>) {
        let Effect::Send(reply) = effect else { return };
        if text_of(&reply.line()).starts_with("bestmove ") {
            self.answered += 1;
            assert!(self.answered <= self.asked, "a best move without a `go`");
        }
    }
}

impl Fuzzed for Gui {
    const LIMIT: usize = 4000;

    fn before_input(&mut self, input: &Input<'_>) {
        let Input::Line(line) = input else { return };
        match Command::parse(line) {
            Ok(command) => {
                let printed = command.to_string();
                assert_eq!(Command::parse(printed.as_bytes()), Ok(command.clone()), "{printed:?}");
                self.asked += usize::from(matches!(command, Command::Go(go) if go.perft.is_none()));
            }
            Err(error) => self.asked += usize::from(error.is_of_go()),
        }
    }

    fn info(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Info {
        let byte = |place: usize| choices.0.get(place).copied().unwrap_or(1);
        Info {
            depth: byte(0),
            selective_depth: byte(0),
            score: Score(i32::from(byte(1)) * 260 - 33_000),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][usize::from(byte(2)) % 3],
            elapsed: search.elapsed(now),
            nodes: u64::MAX >> (byte(0) % 64),
            line: byte(2) / 4 % 8,
            pv: variation(search.position(), choices.0.get(3..).unwrap_or_default()),
            again: byte(2) >= 128,
            table_usage: None,
        }
    }

    fn progress(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Option<Progress> {
        let choice = choices.next();
        Some(Progress {
            depth: choice,
            nodes: 1,
            elapsed: search.elapsed(now),
            moves_left: choice.into(),
            moves_total: 20,
            current: search.position().legal_moves().first().copied(),
        })
    }

    fn done(root: RootPosition, choices: &mut Choices<'_>) -> Done {
        Done { ponder: root.legal_moves().first().copied(), ..verdict(root, choices) }
    }
}
