//! Input that crashes or hangs the public programs of this protocol.

use super::world::World;
use crate::support::dice::Dice;
use farboard::protocol::checkers::Dialect;
use farboard::session::Input;
use std::time::Duration;

/// Checks that a best move follows a `GO`.
fn plays(world: &mut World) -> String {
    assert!(world.ask("GO").is_empty());
    world.wait(Duration::from_secs(1));
    let replies = world.take();
    assert!(replies.len() == 1 && replies[0].starts_with("BESTMOVE "), "{replies:?}");
    replies[0].clone()
}

#[test]
fn invalid_set_up_commands() {
    let mut world = World::ready();
    world.ask("INIT");
    for line in [
        "NEWGAME hello",
        "NEWGAME 9x14 hello",
        "NEWGAME B:W21-32:B1-12 9",
        "NEWGAME 9x14x",
        "NEWGAME ::",
        "NEWGAME :",
    ] {
        assert!(world.ask(line)[0].starts_with("ALERT "), "{line}");
    }
    plays(&mut world);
}

#[test]
fn go_before_init() {
    let mut world = World::ready();
    plays(&mut world);
}

#[test]
fn a_second_init_while_it_thinks() {
    let mut world = World::ready();
    world.ask("INIT\nGO");
    assert_eq!(world.ask("INIT"), ["ALERT the engine is initialised already"]);
    world.wait(Duration::from_secs(1));
    assert!(world.take()[0].starts_with("BESTMOVE "));
}

/// The first `INIT` begins a game, as `NEWGAME` does.
#[test]
fn a_first_init_while_it_thinks() {
    let mut world = World::ready();
    world.ask("GO");
    let replies = world.ask("INIT");
    assert!(replies.len() == 1 && replies[0].starts_with("BESTMOVE "), "{replies:?}");
    assert!(world.session.game().moves().is_empty());
}

#[test]
fn the_end_of_input_while_it_thinks() {
    let mut world = World::ready();
    world.ask("INIT\nGO");
    world.input(Input::Eof);
    assert!(!world.closed);
    world.wait(Duration::from_secs(1));
    assert!(world.closed);
    assert!(world.take()[0].starts_with("BESTMOVE "));
}

#[test]
fn ten_thousand_set_up_moves() {
    let mut world = World::ready();
    let round = ["32x28", "1x5", "28x32", "5x1"];
    let moves: Vec<&str> = round.iter().copied().cycle().take(10_000).collect();
    let line = format!("NEWGAME W:WK32:BK1 {}", moves.join(" "));
    assert!(line.len() > 50_000);
    assert!(world.ask(&line).is_empty());
    assert_eq!(world.session.game().moves().len(), 10_000);
    plays(&mut world);
    // One invalid move: nothing changes.
    assert_eq!(world.ask(&format!("{line} 1x5")), ["ALERT set-up move 10001: wrong turn"]);
    assert_eq!(world.session.game().moves().len(), 10_001);
}

#[test]
fn eighty_quiet_plies() {
    let mut world = World::ready();
    world.ask("NEWGAME W:WK32,K31:BK1");
    for mv in ["32x28", "1x5", "28x32", "5x1"].iter().cycle().take(200) {
        assert!(world.ask(&format!("MOVE {mv}")).is_empty());
    }
    plays(&mut world);
    let mut late = World::ready_in(Dialect::Late);
    let moves: Vec<&str> = ["32x28", "1x5", "28x32", "5x1"].iter().copied().cycle().take(80).collect();
    late.ask(&format!("NEWGAME W:WK32,K31:BK1 {}", moves.join(" ")));
    assert_eq!(late.ask("GO"), ["BESTMOVE none"]);
}

/// Late GUIs search for words anywhere in a line.
#[test]
fn an_alert_contains_no_keyword_of_an_answer() {
    let mut world = World::ready_in(Dialect::Late);
    for line in
        ["BESTMOVE none", "INFO", "PARAMETERS", "GETPARAMETER NAME", "NEWGAME BESTMOVE", "xNAMEx", "GO INFO"]
    {
        let replies = world.ask(line);
        let text = replies[0].strip_prefix("ALERT ").expect("an alert");
        for word in ["BESTMOVE", "INFO", "PARAMETER", "NAME", "READY"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}

/// `force_max_think_time` of the late GUI: a STOP every 70 ms, and the next move in the same
/// packet.
#[test]
fn a_storm_of_stops() {
    let mut world = World::ready_in(Dialect::Late);
    world.ask("INIT");
    for _ in 0..6 {
        let moves = world.session.game().moves().len();
        let replies = world.ask("GO maxtime 10\nSTOP\nSTOP\nSTOP\nSTOP");
        assert!(replies.len() == 1 && replies[0].starts_with("BESTMOVE "), "{replies:?}");
        assert_eq!(world.session.game().moves().len(), moves + 1);
        let reply = world.session.game().position().legal_moves()[0];
        let replies = world.ask(&format!("MOVE {reply}\nSTOP"));
        assert!(replies.is_empty(), "{replies:?}");
    }
}

#[test]
fn garbage_changes_nothing() {
    let mut world = World::ready();
    world.ask("INIT\nMOVE 9x13");
    let mut dice = Dice::of_seed(1);
    for _ in 0..300 {
        let line: Vec<u8> = std::iter::repeat_with(|| dice.roll(256) as u8)
            .filter(|&byte| byte != b'\n' && byte != 3)
            .take(60)
            .collect();
        world.bytes(&line);
        world.bytes(b"\n");
        let replies = world.take();
        assert!(replies.len() == 1 && replies[0].starts_with("ALERT "), "{replies:?}");
    }
    assert_eq!(world.session.game().moves().len(), 1);
    plays(&mut world);
}

/// A pipelined game, longer than the queue: a prefix without gaps is played.
#[test]
fn more_commands_than_may_wait() {
    let mut world = World::ready();
    let mut lines = vec!["GO dontplaymove"];
    for _ in 0..300 {
        lines.extend(["MOVE 1x32", "GO dontplaymove"]);
    }
    let replies = world.ask(&lines.join("\n"));
    assert_eq!(replies.len(), 600 - 256, "everything beyond the limit is refused");
    assert!(replies.iter().all(|line| line.starts_with("ALERT much waits already")), "{}", replies[0]);
    let (mut best, mut others) = (0, Vec::new());
    for _ in 0..200 {
        world.wait(Duration::from_secs(1));
        for line in world.take() {
            if line.starts_with("BESTMOVE ") { best += 1 } else { others.push(line) }
        }
    }
    assert_eq!(best, 1 + 128);
    assert!(others.iter().all(|line| line.starts_with("ALERT ") && !line.contains("waits")), "{others:?}");
    // The search is over, but a move is missing.
    for line in ["MOVE 9x13", "GO"] {
        assert!(world.ask(line)[0].starts_with("ALERT much waits already"), "{line}");
    }
    assert!(world.session.game().moves().is_empty());
    assert!(world.ask("NEWGAME").is_empty());
    for mv in ["9x13", "22x18"] {
        assert!(world.ask(&format!("MOVE {mv}")).is_empty());
    }
    plays(&mut world);
}
