//! Random conversations in the web protocol, against the body of its fuzzer: each input goes to a
//! restored session.

use crate::bodies;
use farboard::random::mix;

const CONVERSATIONS: u64 = 500;
const LINES: usize = 60;

/// Lines of the page, and events of searches and time.
const SAID: [&str; 44] = [
    r#"{"type":"hello"}"#,
    r#"{"type":"new_game","color":"white","clock":{"initial_ms":60000,"increment_ms":1000},"opponent":{"elo":900}}"#,
    r#"{"type":"new_game","color":"black","clock":{"move_ms":2000},"opponent":{"level":3}}"#,
    r#"{"type":"new_game","color":"random"}"#,
    r#"{"type":"new_game","variant":"crazyhouse","color":"black"}"#,
    r#"{"type":"new_game","variant":"checkers","color":"black"}"#,
    r#"{"type":"new_game","color":"white","fen":"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"}"#,
    r#"{"type":"new_game","variant":"suicide","color":"white","fen":"8/8/8/8/8/p7/1P6/8 w - - 0 1"}"#,
    r#"{"type":"move","move":"e4","ply":0}"#,
    r#"{"type":"move","move":"d4","ply":0}"#,
    r#"{"type":"move","move":"11-15","ply":0}"#,
    r#"{"type":"move","move":"Qf7","ply":0}"#,
    r#"{"type":"move","move":"bxa3","ply":0}"#,
    r#"{"type":"move","move":"e5","ply":1}"#,
    r#"{"type":"move","move":"Nf3","ply":2}"#,
    r#"{"type":"move","move":"8-11","ply":2}"#,
    r#"{"type":"move","move":"Nc6","ply":3}"#,
    r#"{"type":"take_back"}"#,
    r#"{"type":"resign"}"#,
    r#"{"type":"offer_draw"}"#,
    r#"{"type":"rematch"}"#,
    r#"{"type":"hint"}"#,
    r#"{"type":"move_now"}"#,
    r#"{"type":"analyse","moves":["e4","e5"],"lines":3}"#,
    r#"{"type":"analyse","variant":"atomic","running":false}"#,
    r#"{"type":"analyse","variant":"checkers","lines":2}"#,
    r#"{"type":"analyse","fen":"8/8/8/8/8/7k/5q2/7K w - - 0 1"}"#,
    r#"{"type":"load","text":"1. f3 e5 2. g4 Qh4#"}"#,
    r#"{"type":"load","text":"[GameType \"21\"]\n1. 11-15 23-19 *"}"#,
    r#"{"type":"review","nodes":100}"#,
    r#"{"type":"stop"}"#,
    r#"{"type":"pgn"}"#,
    "@i1111",
    "@i5z2123",
    "@i9000",
    "@d1",
    "@d0",
    "@r1",
    "@f",
    "@s",
    "@w1",
    "@w3",
    "@w5",
    "@x",
];

#[test]
fn random_conversations_end() {
    for number in 0..CONVERSATIONS {
        let mut seed = mix(number);
        let mut text = String::new();
        for _ in 0..LINES {
            seed = mix(seed.wrapping_add(1));
            // A shutdown ends most conversations: it is rare.
            let choices = SAID.len() - usize::from(!seed.is_multiple_of(64));
            text.push_str(SAID[(seed >> 8) as usize % choices]);
            text.push('\n');
        }
        let ended = std::panic::catch_unwind(|| bodies::web::run(text.as_bytes()));
        assert!(ended.is_ok(), "conversation {number}:\n{text}");
    }
}
