//! Analyses in which guests move.

use super::*;

#[test]
fn guests_with_the_key_move_in_an_analysis() {
    let mut table = Table::new();
    let guest = r#"{"type":"guest_moves","key":"0123456789abcdef","moves":["e4","e5"]}"#;
    table.say(r#"{"type":"analyse","moves":["d4"],"lines":2}"#);
    assert_eq!(table.say(guest), [], "nothing is shared");
    assert_eq!(table.say(r#"{"type":"share","key":"0123456789abcdef"}"#), []);
    let before = table.running;
    let moved = table.say(guest);
    assert!(matches!(&moved[..], [Message::Game { moves, .. }] if moves.len() == 2), "{moved:?}");
    table.until_timer();
    assert!(table.running.is_some() && table.running != before, "the new position is analysed");
    for refused in
        [guest.replace("abcdef", "abcdeg"), guest.replace("e5", "e6e7"), guest.replace("e4", "<script>")]
    {
        assert_eq!(table.say(&refused), [], "{refused}");
    }
    assert_eq!(table.ply(), 2);
    table.say(r#"{"type":"share","key":null}"#);
    assert_eq!(table.say(guest), []);
}

#[test]
fn guests_do_not_move_in_games() {
    let mut table = Table::new();
    table.say(r#"{"type":"share","key":"0123456789abcdef"}"#);
    table.say(r#"{"type":"new_game","color":"white"}"#);
    assert_eq!(table.say(r#"{"type":"guest_moves","key":"0123456789abcdef","moves":["e4"]}"#), []);
    assert_eq!(table.ply(), 0);
}

#[test]
fn keys_that_can_be_guessed_are_refused() {
    let mut table = Table::new();
    for key in ["", "short", "0123456789abcde", "0123456789 abcdef", &"a".repeat(65)] {
        let answer = table.say(&format!(r#"{{"type":"share","key":"{key}"}}"#));
        assert!(
            matches!(&answer[..], [Message::Error { about: Some(about), .. }] if about == "share"),
            "{key}"
        );
    }
}
