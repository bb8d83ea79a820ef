//! A conversation in the Checkers Protocol, see [`conversation`](super::conversation). A parsed
//! command can be printed and parsed again.

use super::conversation::{Choices, Conversation, Fuzzed, variation, verdict};
use super::session_driver::{Client, Running, text_of};
use farboard::book::Books;
use farboard::draughts::MoveText;
use farboard::protocol::checkers::{Command, Dialect, GameCommand, Reply};
use farboard::search::{Bound, Done, Info, Progress, RootPosition, Score};
use farboard::session::checkers::{Manners, Orientation, Session};
use farboard::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::Instant;

/// `data` is the conversation, line by line; its first byte chooses the dialect and the
/// orientation.
pub fn run(data: &[u8]) {
    let (choice, data) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let dialect = if choice & 1 == 0 { Dialect::Seed } else { Dialect::Late };
    let orientation = match choice / 2 % 3 {
        0 => Orientation::Auto,
        1 => Orientation::Pdn,
        _ => Orientation::Rotated,
    };
    let profile = Arc::new(Profile::new("Farboard", Books::default()));
    let session = Session::new(Setup { seed: 1, identity: 1, profile }, Manners { dialect, orientation });
    Conversation::new(session, Gui::default()).run(data);
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
        let line = reply.line();
        let text = text_of(&line);
        assert_eq!(text.trim(), text);
        if let Some(mv) = text.strip_prefix("BESTMOVE ") {
            assert!(mv == "none" || MoveText::read(mv).is_ok(), "{mv}");
            self.answered += 1;
            assert!(self.answered <= self.asked, "a best move without a `GO`");
        }
    }
}

impl Fuzzed for Gui {
    const LIMIT: usize = 1000;

    fn before_input(&mut self, input: &Input<'_>) {
        let Input::Line(line) = input else { return };
        let Ok(command) = Command::parse(line) else { return };
        let printed = command.to_string();
        assert!(!printed.contains(char::is_control) || printed.contains("PARAMETER"), "{printed:?}");
        assert_eq!(Command::parse(printed.as_bytes()), Ok(command.clone()), "{printed:?}");
        self.asked += usize::from(matches!(command, Command::Game(GameCommand::Go(_))));
    }

    fn info(search: &Running, now: Instant, choices: &mut Choices<'_>) -> Info {
        let byte = |place: usize| choices.0.get(place).copied().unwrap_or(1);
        Info {
            depth: byte(0),
            selective_depth: byte(0),
            score: Score(i32::from(byte(1)) * 100 - 12_800),
            bound: Bound::Exact,
            elapsed: search.elapsed(now),
            nodes: u64::MAX >> (byte(0) % 64),
            line: 1,
            pv: variation(search.position(), choices.0.get(2..).unwrap_or_default()),
            again: false,
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
