//! Session state as text: contents, encryption, and refusals.

use crate::bodies::state as fuzz_body;
use farboard::book::Books;
use farboard::pool::{SearchEvent, SearchId, SearchOrder};
use farboard::session::{
    Conversation, Effect, Input, Profile, Protocol, SessionState, Setup, StateError, StateKey,
};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Conversations that reach most of a session's state.
const CONVERSATIONS: [&str; 11] = [
    "xboard\nprotover 2\naccepted debug\nnew\nlevel 0 5 2\nname Alice\nrating 2000 1900\ncomputer\npost\nhard\n\
     e2e4\ntime 29000\notim 30000\nusermove e7e5\nping 7",
    "xboard\nprotover 2\nnew\nvariant crazyhouse\nforce\ne2e4\nd7d5\ne4d5\nd8d5\nP@e4\nexclude b1c3\nanalyze\nsetscore 50 10",
    "xboard\nnew\nvariant bughouse\npartner Bob\nptell sit\nholding [P] [Nn]\nforce\ne2e4\ngo",
    "xboard\nprotover 2\nnew\nvariant kriegspiel\nst 5\ne2e4",
    "xboard\nedit\n#\nPa2\nKe1\nc\nKe8\nqd8",
    "fritz\nnew\nponder e2e4\npause",
    "uci\nsetoption name MultiPV value 3\nsetoption name UCI_Variant value atomic\nposition startpos moves g1f3 g8f6 zz\n\
     position startpos moves g1f3 g8f6\ngo wtime 10000 btime 10000 winc 100",
    "uci\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition nonsense\ngo ponder\ndebug on",
    "INIT\nSETPARAMETER infinite true\nMOVE 11x15\nGO\nMOVE 9x13\nGO\nNEWGAME W:W31:B1",
    "{\"type\":\"new_game\",\"color\":\"white\",\"clock\":{\"move_ms\":5000},\"opponent\":{\"level\":3},\"name\":\"Al \\\" ice\"}\n\
     {\"type\":\"move\",\"move\":\"e4\",\"ply\":0}\n{\"type\":\"offer_draw\"}",
    "{\"type\":\"load\",\"text\":\"[White \\\"A\\\"]\\n1. e4 e5\"}\n{\"type\":\"review\",\"nodes\":100}",
];

fn setup() -> Setup {
    Setup { seed: 1, identity: 1, profile: Arc::new(Profile::new("Farboard", Books::default())) }
}

fn key() -> StateKey {
    StateKey::new([0; 32])
}

/// The session after a conversation, and the running search.
fn session(conversation: &str, now: Instant) -> (Conversation, Option<SearchId>) {
    let protocol = if conversation.starts_with('{') { Protocol::Web } else { Protocol::Auto };
    let mut session = Conversation::new(protocol, setup(), Arc::default());
    let mut effects = Vec::new();
    for line in conversation.lines() {
        session.handle(Input::Line(line.trim().as_bytes()), now, &mut effects);
    }
    let running = effects.into_iter().fold(None, |running, effect| match effect {
        Effect::Search(id, SearchOrder::Start(..)) => Some(id),
        Effect::Search(_, SearchOrder::Stop) => None,
        _ => running,
    });
    (session, running)
}

fn restore(state: &SessionState, age: Duration, now: Instant) -> Result<Conversation, StateError> {
    Conversation::restore(state, setup(), Arc::default(), age, now)
}

/// The session's reply to a line.
fn reply_to(session: &mut Conversation, line: &str, now: Instant) -> String {
    let mut effects = Vec::new();
    session.handle(Input::Line(line.as_bytes()), now, &mut effects);
    let sent = effects.into_iter().filter_map(|effect| match effect {
        Effect::Send(line) => Some(line.text),
        _ => None,
    });
    sent.collect()
}

#[test]
fn a_state_survives_its_text() {
    let now = Instant::now();
    for conversation in CONVERSATIONS {
        let (mut session, _) = session(conversation, now);
        let state = session.state(now);
        let text = state.text(&key(), [3; 12]);
        let read = SessionState::parse(&text, &key()).expect("a state");
        let mut restored =
            restore(&read, Duration::ZERO, now).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(restored.state(now).plain_text(), state.plain_text());
    }
}

#[test]
fn a_state_is_readable() {
    let now = Instant::now();
    let (mut session, _) =
        session("xboard\nnew\nlevel 0 5 2\nforce\ne2e4\ne7e5\nresult 1-0 {Black resigns}", now);
    let text = session.state(now).plain_text();
    for line in [
        "farboard session 1",
        "protocol xboard",
        "game.moves e2e4 e7e5",
        "mode force",
        "clocks.control game 0 300 2",
        "client.result 1-0",
        "client.result-comment \"Black resigns\"",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    assert!(text.len() < 400, "only what differs from a new session: {text}");
}

#[test]
fn time_since_writing_is_charged_to_the_running_clock() {
    let now = Instant::now();
    let (mut session, running) = session("xboard\nnew\nlevel 0 1 0\ngo", now);
    assert!(running.is_some());
    let state = session.state(now);
    let clock = |age| {
        restore(&state, Duration::from_secs(age), now)
            .expect("a session")
            .status_at(now)
            .clock
            .expect("a clock")
    };
    assert_eq!(clock(0) - clock(20), 20_000);
}

#[test]
fn a_search_that_ran_is_still_answered() {
    let now = Instant::now();
    let (mut session, running) = session("uci\nposition startpos\ngo infinite", now);
    let mut restored = restore(&session.state(now), Duration::ZERO, now).expect("a session");
    let id = running.expect("a search");
    restored.handle(Input::Search(id, SearchEvent::Failed), now, &mut Vec::new());
    assert!(reply_to(&mut restored, "stop", now).contains("bestmove "));
}

#[test]
fn secrets_from_the_client_are_encrypted() {
    let now = Instant::now();
    for (conversation, hidden) in [(CONVERSATIONS[3], "e2e4"), (CONVERSATIONS[2], "\"sit\"")] {
        let (mut session, _) = session(conversation, now);
        let state = session.state(now);
        let text = state.text(&key(), [9; 12]);
        assert!(state.plain_text().contains(hidden) && !text.contains(hidden), "{text}");
        assert_eq!(SessionState::parse(&text, &StateKey::new([1; 32])), Err(StateError::Sealed));
        // The signature covers readable text, too.
        let changed = text.replacen("protocol xboard", "protocol uci", 1);
        assert_eq!(SessionState::parse(&changed, &key()), Err(StateError::Sealed));
    }
}

#[test]
fn unknown_and_impossible_values_are_named() {
    let now = Instant::now();
    let error = |lines: &str| {
        let text = format!("farboard session 1\nprotocol xboard\n{lines}\n");
        let state = SessionState::parse(&text, &key()).expect("lines");
        restore(&state, Duration::ZERO, now).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (lines, part) in [
        ("game.moves e2e5", "game.moves"),
        ("game.start normal 8/8/8/8/8/8/8/8 w - - 0 1", "game.start"),
        ("game.moons e2e4", "unknown key \"game.moons\""),
        ("over yes\nover no", "twice"),
        ("option.MultiPV 99", "option.MultiPV"),
        ("profile \"secret\"", "profile"),
        ("excluded e2e5", "contradicts"),
        ("cores 0", "cores"),
        ("search yes\nsearch.purpose analysis", "contradicts"),
        ("search yes\nsearch.number 99999999999999999999", "search.number"),
        ("editor yes\neditor.hands 1 2", "editor.hands"),
        ("client.heard maybe", "client.heard"),
        ("client.banner-shown yes", "client.banner-shown"),
    ] {
        assert!(error(lines).contains(part), "{lines}: {}", error(lines));
    }
    // The latter two come from earlier versions only.
    for lines in [
        "game.moves e2e4",
        "client.heard yes\nclient.first-line yes\nclient.banner-shown yes",
        "offers.before-go yes",
    ] {
        assert_eq!(error(lines), "", "{lines}");
    }
    for text in ["", "farboard session 2\nprotocol xboard\n", "farboard session 1"] {
        assert_eq!(SessionState::parse(text, &key()), Err(StateError::Header), "{text}");
    }
    let long = format!("farboard session 1\n{}", "x".repeat(1 << 18));
    assert_eq!(SessionState::parse(&long, &key()), Err(StateError::TooLong));
}

#[test]
fn every_beginning_is_refused_or_goes_on() {
    let now = Instant::now();
    for conversation in CONVERSATIONS {
        let text = session(conversation, now).0.state(now).plain_text();
        (0..=text.len()).for_each(|end| fuzz_body::run(&text.as_bytes()[..end]));
    }
}

proptest! {
    #[test]
    fn every_mutation_is_refused_or_goes_on(
        conversation in 0..CONVERSATIONS.len(),
        line: prop::sample::Index,
        from: prop::sample::Index,
        value in prop_oneof![
            "[-+]?[0-9]{1,20}(\\.[0-9]{1,10})?",
            "[a-h][1-8][a-h][1-8]( [a-h][1-8][a-h][1-8])*",
            Just("yes".to_owned()),
            Just("no".to_owned()),
            Just("-".to_owned()),
            "[ -~]{0,20}",
        ],
    ) {
        let text = session(CONVERSATIONS[conversation], Instant::now()).0.state(Instant::now()).plain_text();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let changed = 1 + line.index(lines.len() - 1);
        let key = lines[changed].split(' ').next().unwrap_or_default().to_owned();
        // Another line's value often has the right type.
        let other = lines[from.index(lines.len())].split_once(' ').map(|(_, value)| value.to_owned());
        for value in [value, other.unwrap_or_default()] {
            lines[changed] = format!("{key} {value}");
            fuzz_body::run((lines.join("\n") + "\n").as_bytes());
        }
        lines.remove(changed);
        fuzz_body::run((lines.join("\n") + "\n").as_bytes());
    }
}

#[test]
fn a_move_of_the_opponent_by_other_rules_of_the_variant_stays_in_the_game() {
    let now = Instant::now();
    let game = "h2h4 g8h6 d2d4 d7d5 c1g5 d8d7 g5h6 g7h6 b1c3 f8g7 c3a4 O-O".replace(' ', "\n");
    let (mut session, _) = session(&format!("xboard\nprotover 2\nnew\nvariant twokings\nforce\n{game}"), now);
    let state = session.state(now);
    assert!(state.plain_text().contains("castle"), "{}", state.plain_text());
    let mut restored = restore(&state, Duration::ZERO, now).expect("a session");
    assert_eq!(restored.state(now), state);
}
