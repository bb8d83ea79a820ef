//! The state of a session from outside: it is refused, or restores a session that runs without a
//! panic.

use farboard::book::Books;
use farboard::session::{Conversation, Input, Profile, SessionState, Setup, StateKey, Takeover};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Commands for the restored session, which use most of the state.
const COMMANDS: [&str; 16] = [
    "ping 1",
    "?",
    ".",
    "undo",
    "resume",
    "go",
    "analyze",
    "exit",
    "draw",
    "isready",
    "stop",
    "ponderhit",
    "position startpos moves e2e4",
    "go depth 1",
    "MOVE 11x15",
    "NEWGAME",
];

/// `data` is the text of a state.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(state) = SessionState::parse(text, &StateKey::new([0; 32])) else { return };
    let setup = Setup { seed: 1, identity: 1, profile: Arc::new(Profile::new("Farboard", Books::default())) };
    let now = Instant::now() + Duration::from_secs(1_000_000);
    let restored = Conversation::restore(&state, setup.clone(), Arc::default(), Duration::from_secs(1), now);
    let Ok(mut session) = restored else { return };
    // An accepted state can be written and read again.
    let again = session.state(now);
    Conversation::restore(&again, setup, Arc::default(), Duration::ZERO, now)
        .expect("the state of a session");
    let mut effects = Vec::new();
    session.status_at(now);
    let takeover = Takeover { away: Duration::from_secs(1), calm: data.len().is_multiple_of(2), warm: None };
    session.handle(Input::Resumed(takeover), now, &mut effects);
    session.handle(Input::Timer, now, &mut effects);
    for (number, line) in (1..).zip(COMMANDS) {
        session.handle(Input::Line(line.as_bytes()), now + Duration::from_secs(number), &mut effects);
    }
    for line in COMMANDS {
        session.handle(Input::Refused(line.as_bytes()), now + Duration::from_secs(50), &mut effects);
    }
    session.handle(Input::Eof, now + Duration::from_secs(100), &mut effects);
    session.take_game(now);
}
