//! Messages about the server and the game on the board.

use super::*;

#[test]
fn a_page_that_is_loaded_again_is_sent_what_the_search_has_found() {
    let mut table = Table::new();
    table.say(r#"{"type":"analyse","moves":["e4"]}"#);
    table.finds(30, &["e5"]);
    let hello = r#"{"type":"hello"}"#;
    assert_eq!(names(&table.say(hello)), ["hello", "game", "lines"]);
    table.done();
    assert_eq!(names(&table.say(hello)), ["hello", "game", "lines"], "the search has ended");
    table.say(r#"{"type":"analyse","moves":["d4"]}"#);
    assert_eq!(names(&table.say(hello)), ["hello", "game"], "another position");
}

#[test]
fn a_game_names_its_session_to_those_who_may_be_given_the_link() {
    for (watch, is_shown) in [(Visibility::Everybody, true), (Visibility::Nobody, false)] {
        let profile = Arc::new(Profile { watch, ..Profile::new("Farboard", Books::default()) });
        let mut session = Session::new(Setup { seed: 1, identity: 1, profile });
        let mut effects = Vec::new();
        session.handle(Input::Line(br#"{"type":"hello"}"#), Instant::now(), &mut effects);
        let id = effects.iter().find_map(|effect| match effect {
            Effect::Send(Reply::Message(Message::Game { id, .. })) => Some(*id),
            _ => None,
        });
        assert_eq!(id, Some(is_shown.then(|| session.player.watch_number())), "{watch:?}");
    }
}
