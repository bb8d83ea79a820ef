//! With the same nodes, the engine plays the same moves in both protocols.

use crate::patience::Patience;
use farboard::book::Books;
use farboard::chess::{AnyPosition, Variant};
use farboard::pool::{SearchEvent, SearchOrder};
use farboard::search::{self, Table};
use farboard::session::{Conversation, Effect, Input, Profile, Protocol, Setup};
use std::sync::Arc;
use std::time::Instant;

const NODES: u64 = 3000;
const PLIES: usize = 24;

/// A session with the real search, which runs at once and to its end.
struct Engine {
    conversation: Conversation,
    table: Table,
    now: Instant,
    nodes: Option<u64>,
}

impl Engine {
    fn new(protocol: Protocol) -> Engine {
        let setup =
            Setup { seed: 1, identity: 1, profile: Arc::new(Profile::new("Farboard", Books::default())) };
        Engine {
            conversation: Conversation::new(protocol, setup, Arc::default()),
            table: Table::private(16).expect("a table"),
            now: Instant::now(),
            nodes: None,
        }
    }

    /// Sends lines; returns the move that follows `word` in the reply.
    fn ask(&mut self, lines: &str, word: &str) -> Option<String> {
        let mut effects = Vec::new();
        for line in lines.lines() {
            self.conversation.handle(Input::Line(line.as_bytes()), self.now, &mut effects);
        }
        let mut found = None;
        while !effects.is_empty() {
            let mut next = Vec::new();
            for effect in effects {
                match effect {
                    Effect::Send(line) => {
                        let mut words = line.text.split_ascii_whitespace();
                        if words.next() == Some(word) {
                            found = words.next().map(str::to_owned);
                        }
                    }
                    Effect::Search(id, SearchOrder::Start(task, _)) => {
                        let request = task.search().expect("a search");
                        assert_eq!(request.limits.nodes, Some(NODES));
                        let mut reports = Vec::new();
                        let done = search::search(request, &self.table, &mut Patience, &mut |report| {
                            reports.push(report)
                        });
                        self.nodes = Some(done.nodes);
                        let events = reports.into_iter().map(SearchEvent::Report);
                        for event in events.chain([SearchEvent::Done(done)]) {
                            self.conversation.handle(Input::Search(id, event), self.now, &mut next);
                        }
                    }
                    _ => {}
                }
            }
            effects = next;
        }
        found
    }
}

fn play(name: &str, uci_name: &str, variant: Variant) {
    let (mut uci, mut xboard) = (Engine::new(Protocol::Uci), Engine::new(Protocol::Xboard));
    uci.ask(&format!("uci\nsetoption name UCI_Variant value {uci_name}\nisready"), "");
    xboard.ask(&format!("xboard\nprotover 2\nnew\nvariant {name}\neasy\nnps {NODES}\nst 1\nforce"), "");
    let mut position = AnyPosition::start(variant);
    let mut moves = String::new();
    for ply in 0..PLIES {
        if position.outcome().is_some() {
            break;
        }
        let by_uci = uci.ask(&format!("position startpos{moves}\ngo nodes {NODES}"), "bestmove");
        let by_xboard = xboard.ask("go", "move");
        xboard.ask("force", "");
        let read = |text: &Option<String>| {
            position.parse_move(text.as_ref().expect("a move")).expect("a legal move")
        };
        assert_eq!(read(&by_uci), read(&by_xboard), "{name}, after{moves}");
        assert_eq!(uci.nodes, xboard.nodes, "{name}, after{moves}");
        let mv = read(&by_uci);
        moves += &format!("{} {}", if ply == 0 { " moves" } else { "" }, by_uci.expect("a move"));
        position.play(mv);
    }
    assert!(moves.len() > 40, "{moves}");
}

#[test]
fn both_protocols_play_the_same_moves() {
    for (name, uci_name) in [("normal", "chess"), ("atomic", "atomic"), ("crazyhouse", "crazyhouse")] {
        play(name, uci_name, Variant::from_name(name).expect("a variant"));
    }
}
