//! Tests of what watchers are sent.

use super::*;
use crate::book::Books;
use crate::session::{Conversation, Extent, Input, Profile, Protocol, Setup};
use serde_json::Value;
use std::time::Instant;

/// Returns a session after these lines.
pub(in crate::server) fn watched(lines: &str, visibility: Visibility) -> Watched {
    let profile = Arc::new(Profile::new("Farboard", Books::default()));
    let setup = Setup { seed: 1, identity: 1, profile };
    let (mut session, now) = (Conversation::new(Protocol::Auto, setup, Arc::default()), Instant::now());
    for line in lines.lines() {
        session.handle(Input::Line(line.as_bytes()), now, &mut Vec::new());
    }
    let picture = session.picture(Extent::Game, now).expect("a picture");
    Watched { connection: 1, visibility, waits: false, picture }
}

const GAME: &str = "xboard\nprotover 2\nnew\nname <Anna>\nlevel 0 5 2\ntime 30000\ne2e4";
const ANALYSIS: &str = "uci\nposition startpos moves e2e4 e7e5\ngo infinite";

fn update(sessions: Vec<(u64, Watched)>, gone: Vec<u64>) -> WatchUpdate {
    WatchUpdate { round: 0, sessions, gone, load: ServerLoad { cores: 2, ..ServerLoad::default() } }
}

fn next(feed: &mut Feed, watcher: usize) -> Option<Value> {
    feed.next_message(watcher).map(|text| serde_json::from_str(text.as_str()).expect("JSON"))
}

fn wall(ids: &[u64]) -> FeedRequest {
    FeedRequest::Wall { ids: ids.iter().copied().collect() }
}

#[test]
fn a_wall_lists_all_and_draws_those_on_the_screen() {
    let mut feed = Feed::default();
    let watcher = feed.join(false);
    feed.watch(watcher, wall(&[1]));
    assert_eq!(next(&mut feed, watcher), None, "nothing is known yet");
    let everybody = Visibility::Everybody;
    feed.take(update(vec![(1, watched(GAME, everybody)), (2, watched(ANALYSIS, everybody))], vec![]));
    let message = next(&mut feed, watcher).expect("the whole list");
    assert_eq!((&message["whole"], &message["server"]["games"]), (&Value::Bool(true), &1.into()));
    let [game, analysis] = &message["changed"].as_array().expect("a list")[..] else { panic!("two") };
    assert_eq!((&game["white"], &game["black"]), (&"<Anna>".into(), &"Farboard".into()));
    assert_eq!((&game["pieces"]["e4"], &game["last"]["from"]), (&"P".into(), &"e2".into()));
    assert_eq!((&game["clocks"]["black_ms"], &game["clocks"]["running"]), (&300_000.into(), &"black".into()));
    assert_eq!((&analysis["kind"], &analysis["pieces"]), (&"analysis".into(), &Value::Null));
    assert_eq!(next(&mut feed, watcher), None);
    feed.watch(watcher, wall(&[1, 2]));
    let message = next(&mut feed, watcher).expect("the one that came onto the screen");
    assert_eq!(message["changed"].as_array().map(Vec::len), Some(1));
    assert_eq!(message["changed"][0]["ply"], 2);
    feed.take(update(vec![], vec![1]));
    let message = next(&mut feed, watcher).expect("the end of one");
    assert_eq!((&message["gone"][0], &message["changed"]), (&1.into(), &Value::Array(vec![])));
}

#[test]
fn watchers_of_the_same_sessions_share_a_message() {
    let mut feed = Feed::default();
    let [one, same, other, user] = [false, false, false, true].map(|is_user| feed.join(is_user));
    [one, same, user].into_iter().for_each(|watcher| feed.watch(watcher, wall(&[1])));
    feed.watch(other, wall(&[2]));
    let sessions = |ids: [u64; 2]| {
        let visibility = |id| if id == 2 { Visibility::Users } else { Visibility::Everybody };
        ids.map(|id| (id, watched(ANALYSIS, visibility(id)))).to_vec()
    };
    for ids in [[1, 2], [2, 1]] {
        feed.take(update(sessions(ids), vec![]));
        let text = |feed: &mut Feed, watcher| feed.next_message(watcher).expect("news");
        let (first, second) = (text(&mut feed, one), text(&mut feed, same));
        assert_eq!(first.as_ptr(), second.as_ptr());
        let of = |feed: &mut Feed, watcher| -> Vec<(u64, bool)> {
            let message: Value = serde_json::from_str(text(feed, watcher).as_str()).expect("JSON");
            let changed = message["changed"].as_array().expect("a list").iter();
            changed.filter_map(|each| Some((each["id"].as_u64()?, each["fen"].is_string()))).collect()
        };
        assert_eq!(of(&mut feed, user).first(), Some(&(1, true)), "a user sees more");
        assert!(!of(&mut feed, other).contains(&(1, true)), "another screen");
    }
}

#[test]
fn wishes_are_returned_once_unless_they_may_have_changed() {
    let mut feed = Feed::default();
    let watcher = feed.join(false);
    feed.watch(watcher, wall(&[1]));
    assert_eq!(feed.new_interest().map(|interest| interest.positions), Some(BTreeSet::from([1])));
    assert_eq!(feed.new_interest(), None);
    feed.take(update(vec![(1, watched(ANALYSIS, Visibility::Everybody))], vec![]));
    assert_eq!(feed.new_interest(), None);
    let script = feed.join(false);
    feed.watch_events(script, None);
    feed.new_interest().expect("all positions");
    feed.take(update(vec![(2, watched(ANALYSIS, Visibility::Everybody))], vec![]));
    assert_eq!(feed.new_interest().map(|interest| interest.positions.len()), Some(2), "a new session");
    feed.leave(script);
    assert_eq!(feed.new_interest().map(|interest| interest.positions.len()), Some(1));
}

#[test]
fn a_slow_watcher_gets_the_newest_state_once() {
    let mut feed = Feed::default();
    let watcher = feed.join(false);
    feed.watch(watcher, FeedRequest::Game { id: 7 });
    assert_eq!(feed.interest(), Interest { games: BTreeSet::from([7]), ..Interest::default() });
    for moves in ["", " e7e5", " e7e5 g1f3"] {
        let lines = format!("uci\nposition startpos moves e2e4{moves}\ngo infinite");
        feed.take(update(vec![(7, watched(&lines, Visibility::Everybody))], vec![]));
    }
    let message = next(&mut feed, watcher).expect("a game");
    assert_eq!((&message["type"], message["moves"].as_array().map(Vec::len)), (&"picture".into(), Some(3)));
    assert_eq!(message["moves"][2]["san"], "Nf3");
    assert_eq!(next(&mut feed, watcher), None);
    feed.take(update(vec![], vec![7]));
    assert_eq!(next(&mut feed, watcher).map(|message| message["type"].clone()), Some("gone".into()));
    feed.take(update(vec![(8, watched(GAME, Visibility::Everybody))], vec![]));
    assert_eq!(next(&mut feed, watcher), None, "it is gone once");
    feed.take(update(vec![(7, watched(GAME, Visibility::Everybody))], vec![]));
    assert_eq!(next(&mut feed, watcher).map(|message| message["type"].clone()), Some("picture".into()));
    feed.take(update(vec![(7, watched(GAME, Visibility::Users))], vec![]));
    assert_eq!(next(&mut feed, watcher).map(|message| message["type"].clone()), Some("gone".into()));
    feed.leave(watcher);
    assert_eq!(feed.interest(), Interest { round: 1, ..Interest::default() });
}

#[test]
fn an_update_for_watchers_who_have_left_is_dropped() {
    let mut feed = Feed::default();
    let first = feed.join(false);
    feed.watch(first, FeedRequest::Game { id: 7 });
    feed.leave(first);
    let second = feed.join(false);
    feed.watch(second, FeedRequest::Game { id: 8 });
    let sessions = |id| vec![(id, watched(GAME, Visibility::Everybody))];
    feed.take(update(sessions(7), vec![]));
    assert_eq!(next(&mut feed, second), None, "it does not say whether there is a session 8");
    feed.take(WatchUpdate { round: 1, ..update(sessions(8), vec![]) });
    assert_eq!(next(&mut feed, second).map(|message| message["id"].clone()), Some(8.into()));
}

#[test]
fn sessions_are_shown_to_their_audience_only() {
    let mut feed = Feed::default();
    let (stranger, user) = (feed.join(false), feed.join(true));
    [stranger, user].into_iter().for_each(|watcher| feed.watch(watcher, wall(&[1, 2])));
    let sessions = [(1, Visibility::Users), (2, Visibility::Nobody), (3, Visibility::Everybody)];
    let sessions = sessions.map(|(id, visibility)| (id, watched(ANALYSIS, visibility)));
    feed.take(update(sessions.to_vec(), vec![]));
    let ids = |feed: &mut Feed, watcher| -> Vec<u64> {
        let message = next(feed, watcher).expect("a list");
        let changed = message["changed"].as_array().expect("a list").iter();
        changed.filter_map(|session| session["id"].as_u64()).collect()
    };
    assert_eq!(ids(&mut feed, stranger), [3]);
    assert_eq!(ids(&mut feed, user), [1, 3]);
    feed.watch(stranger, FeedRequest::Game { id: 1 });
    assert_eq!(next(&mut feed, stranger).map(|message| message["type"].clone()), Some("gone".into()));
}

#[test]
fn a_session_with_another_audience_comes_to_walls_or_goes_from_them() {
    let mut feed = Feed::default();
    let (stranger, user) = (feed.join(false), feed.join(true));
    [stranger, user].into_iter().for_each(|watcher| feed.watch(watcher, wall(&[])));
    let mut sees = [BTreeSet::new(), BTreeSet::new()];
    for visibility in [Visibility::Everybody, Visibility::Users, Visibility::Nobody, Visibility::Everybody] {
        feed.take(update(vec![(1, watched(ANALYSIS, visibility))], vec![]));
        for (watcher, sees) in [stranger, user].into_iter().zip(&mut sees) {
            let message = next(&mut feed, watcher).expect("an update");
            let gone = message["gone"].as_array().expect("a list").iter();
            let gone: BTreeSet<u64> = gone.filter_map(Value::as_u64).collect();
            sees.retain(|id| !gone.contains(id));
            let changed = message["changed"].as_array().expect("a list").iter();
            sees.extend(changed.filter_map(|session| session["id"].as_u64()));
        }
        let expected = [visibility == Visibility::Everybody, visibility != Visibility::Nobody];
        assert_eq!([sees[0].contains(&1), sees[1].contains(&1)], expected, "{visibility:?}");
    }
}

#[test]
fn forgotten_ends_bring_the_whole_list_again() {
    let mut feed = Feed::default();
    let watcher = feed.join(false);
    feed.watch(watcher, wall(&[]));
    feed.take(update(vec![(1, watched(ANALYSIS, Visibility::Everybody))], vec![]));
    next(&mut feed, watcher).expect("the whole list");
    for id in 0..REMEMBERED as u64 + 5 {
        feed.take(update(vec![], vec![100 + id]));
    }
    let message = next(&mut feed, watcher).expect("the whole list again");
    assert_eq!((&message["whole"], &message["changed"][0]["id"]), (&Value::Bool(true), &1.into()));
}

#[test]
fn moves_of_watchers_are_passed_on_where_they_may_see_the_session() {
    let mut feed = Feed::default();
    let watcher = feed.join(false);
    feed.take(update(vec![(1, watched(ANALYSIS, Visibility::Everybody))], vec![]));
    feed.take(update(vec![(2, watched(ANALYSIS, Visibility::Users))], vec![]));
    let play = |id| FeedRequest::Play { id, key: "key".to_owned(), moves: vec!["d2d4".to_owned()] };
    feed.watch(watcher, FeedRequest::Game { id: 1 });
    [1, 2].into_iter().for_each(|id| feed.watch(watcher, play(id)));
    let passed: Vec<u64> = feed.take_guest_moves().iter().map(|moves| moves.session).collect();
    assert_eq!(passed, [1]);
    for (length, count) in [(20_000, 1), (1, 1_001)] {
        let moves = vec!["e".repeat(length); count];
        feed.watch(watcher, FeedRequest::Play { id: 1, key: "key".to_owned(), moves });
    }
    assert!(feed.take_guest_moves().is_empty(), "a game is shorter");
    assert!(feed.interest().games.contains(&1), "it watches what it watched before");
}
